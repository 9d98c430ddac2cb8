package quest

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// quest is a row of the table of quests, by its id. Rows are immutable.
type quest struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Needs       []string        `json:"prerequisites,omitempty"`
	Objectives  []objective     `json:"objectives"`
	Rewards     registry.Object `json:"rewards,omitempty"`
	FollowUps   []string        `json:"followUpQuests,omitempty"`
	Config      registry.Object `json:"config,omitempty"`
	By          string          `json:"by"` // who defined it

	ways
}

// ways is how a quest is had, as its config says.
type ways struct {
	AutoAccept bool `json:"autoAccept,omitempty"` // who is offered it has accepted it
	TurnIn     bool `json:"turnIn,omitempty"`     // it is not completed by itself
	Repeatable bool `json:"repeatable,omitempty"` // it is offered again to who has completed it
}

// DefineIn is the input of quest.define.
type DefineIn struct {
	ID             string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What quest.offer and the others call it: goblins. One of that id is replaced; logs keep the objectives that they have."`
	Name           string          `json:"name" validate:"min=1,max=64" jsonschema_description:"What people call it: Goblins in the cellar."`
	Description    string          `json:"description" validate:"max=500" jsonschema:"default=" jsonschema_description:"What it is about. Viewers see it with who has the quest, while it is open."`
	Prerequisites  []string        `json:"prerequisites" validate:"max=16,dive,min=1,max=64" jsonschema:"default=[]" jsonschema_description:"The quests that have to be completed before it is offered."`
	Objectives     []ObjectiveIn   `json:"objectives" validate:"min=1,max=16" jsonschema_description:"What is to be done. When all of it is, the quest is completed."`
	Rewards        registry.Object `json:"rewards" jsonschema:"default={}" jsonschema_description:"What it is done for. The server gives items [{\"itemId\":\"sword\",\"quantity\":1}], xp 100 (progression.xp), stats {\"gold\":50}, which are added, from 0 on for who has none, game as the setState of trigger.onEnter has it: {\"counter\":{\"name\":\"saved\"}}, and emits event \"gateOpens\" for event.listen. All else, {\"gold\":50}, is only told to viewers. You need the permissions to give it yourself."`
	FollowUpQuests []string        `json:"followUpQuests" validate:"max=16,dive,min=1,max=64" jsonschema:"default=[]" jsonschema_description:"The quests that are offered when it is completed."`
	Config         registry.Object `json:"config,omitempty" jsonschema_description:"autoAccept true: who is offered it has accepted it. turnIn true: when all is done quest.complete completes it, and nothing else. repeatable true: it is offered again to who has completed it. The rest is kept with it."`
	Meta           registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event quest.defined."`
}

// DefineOut is the output of quest.define.
type DefineOut struct {
	OK    bool     `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Notes []string `json:"notes,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Define is quest.define.
func Define(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[DefineIn, DefineOut]{
		Name:  "quest.define",
		Title: "Define a quest",
		Description: "Say what a quest is: what is to be done, what for, and what follows. The server sees to it: it counts what is killed, collected, reached, talked to, or told by an event, completes the quest, gives the rewards and offers what follows. Nobody has it before quest.offer. " +
			`Example: {"id":"goblins","name":"Goblins in the cellar","objectives":[{"id":"slay","type":"kill","description":"Slay three goblins","target":"goblin","required":3}],"rewards":{"xp":150,"stats":{"gold":20},"event":"cellarIsSafe"}}`,
		Keywords:    "mission task objective goal story campaign reward kill collect fetch escort rpg adventure ask find bring search deliver errand treasure hunt",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in DefineIn) (DefineOut, error) {
			row, err := in.quest(c.Principal())
			if err != nil {
				return DefineOut{}, err
			}
			return world.Do(q.w, c, func(tx *world.Tx) (DefineOut, error) {
				notes, err := q.define(tx, in.ID, row)
				if err != nil {
					return DefineOut{}, err
				}
				return DefineOut{true, notes}, c.Emit("quest.defined", defined{in.ID, in.Meta})
			})
		},
	})
}

type defined struct {
	Quest string          `json:"questId"`
	Meta  registry.Object `json:"meta,omitempty"`
}

// quest returns what is kept of a quest that p defines.
func (in *DefineIn) quest(p *profiles.Principal) (row quest, err error) {
	row = quest{
		Name: in.Name, Description: in.Description, Needs: in.Prerequisites, Objectives: make([]objective, len(in.Objectives)),
		FollowUps: in.FollowUpQuests, Config: in.Config, By: p.ID,
	}
	if string(in.Rewards) != "{}" {
		row.Rewards = in.Rewards
	}
	if slices.Contains(row.Needs, in.ID) {
		return row, registry.Invalidf("prerequisites: %q would have to be completed before it can be offered", quote.Clip(in.ID))
	}
	bytes := len(in.Rewards) + len(in.Config)
	for i := range in.Objectives {
		o := &in.Objectives[i]
		where := fmt.Sprintf("objectives[%d]", i)
		if slices.ContainsFunc(row.Objectives[:i], func(other objective) bool { return other.ID == o.ID }) {
			return row, registry.Invalidf("%s.id: %q is there twice", where, quote.Clip(o.ID))
		}
		if row.Objectives[i], err = o.objective(where); err != nil {
			return row, err
		}
		bytes += len(o.Config)
	}
	if err := config.Fits("rewards", bytes, MaxData); err != nil {
		return row, err
	}
	if err := row.read(in.Config); err != nil {
		return row, err
	}
	r, err := readRewards(in.Rewards)
	if err != nil {
		return row, err
	}
	return row, r.check(p.Grants)
}

// read reads the ways of a quest from its config.
func (w *ways) read(given registry.Object) error {
	for _, way := range [...]struct {
		name string
		is   *bool
	}{{"autoAccept", &w.AutoAccept}, {"turnIn", &w.TurnIn}, {"repeatable", &w.Repeatable}} {
		if _, err := config.Read("config", given, way.name, way.is); err != nil {
			return err
		}
	}
	return nil
}

// define keeps a quest, and says what may be a mistake in it. Those who have it are concerned by what its objectives are now.
func (q *Quests) define(tx *world.Tx, id string, row quest) (notes []string, err error) {
	notes, err = q.doubts(&tx.View, id, &row)
	if err != nil {
		return nil, err
	}
	_, there := q.quests.Get(&tx.View, id)
	if !there {
		of := share.Kept{Most: MaxQuests, What: "quests", Free: "quest.remove takes one away"}
		if err := share.RoomIn(&tx.View, &of, q.quests.All(&tx.View), row.By, func(row *quest) string { return row.By }); err != nil {
			return nil, err
		}
	}
	if err := q.quests.Set(tx, id, row); err != nil || !there {
		return notes, err
	}
	q.lookAtOwed(&tx.View) // somebody else may give it now
	for who, log := range q.logs.All(&tx.View) {
		if !slices.ContainsFunc(log, func(e entry) bool { return e.Quest == id && e.Status == active }) {
			continue
		}
		if err := q.look(tx, who); err != nil {
			return nil, err
		}
	}
	return notes, q.reindex(tx)
}

// doubts says what of a quest may be a mistake: what it names that is not there, and that need not be. It fails for what has to be.
func (q *Quests) doubts(v *world.View, id string, row *quest) (notes []string, err error) {
	for i := range row.Objectives {
		where := fmt.Sprintf("objectives[%d]", i)
		note, err := q.doubt(v, &row.Objectives[i], where)
		if err != nil {
			return nil, err
		}
		if note != "" {
			notes = append(notes, where+note)
		}
	}
	for field, list := range [...][]string{row.Needs, row.FollowUps} {
		for i, other := range list {
			if _, ok := q.quests.Get(v, other); ok || other == id {
				continue
			}
			name := [...]string{"prerequisites", "followUpQuests"}[field]
			notes = append(notes, fmt.Sprintf("%s[%d]: there is no quest %q yet%s", name, i, quote.Clip(other), q.meant(v, other)))
		}
	}
	r, _ := readRewards(row.Rewards)
	for i := range r.Items {
		if _, err := q.deps.Owned.Kind(v, r.Items[i].ItemID); err != nil {
			return nil, registry.Under(fmt.Sprintf("rewards.items[%d].itemId", i), err)
		}
	}
	return append(notes, config.Told("rewards", row.Rewards, "viewers", "items", "xp", "stats", "game", "event")...), nil
}

// meant says, behind a quest that is not there, which one may be meant.
func (q *Quests) meant(v *world.View, questID string) string {
	var all []string
	for other := range q.quests.All(v) {
		all = append(all, other)
	}
	if near := wire.Nearest(questID, all); near != "" {
		return fmt.Sprintf("; did you mean %q?", quote.Clip(near))
	}
	return ""
}
