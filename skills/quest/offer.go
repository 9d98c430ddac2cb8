package quest

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// OfIn is the input of the skills about a quest of somebody.
type OfIn struct {
	Entity  world.ID        `json:"entity,omitempty" jsonschema_description:"Whose quest it is, such as ent_3: a character, an agent's body, or anything else; left out: your own body or character."`
	QuestID string          `json:"questId" validate:"max=64" jsonschema_description:"Which, as quest.define has it: goblins."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// Done is the output of the skills that can be answered with no.
type Done struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether it was done; if not, nothing has changed."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
}

// changed is the payload of the events of these skills.
type changed struct {
	Entity world.ID        `json:"entity"`
	Quest  string          `json:"questId"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// Offer is quest.offer.
func Offer(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[OfIn, Done]{
		Name:  "quest.offer",
		Title: "Offer a quest",
		Description: "Offer somebody a quest of quest.define: it stands in the log as available until quest.accept or quest.decline, unless its config says autoAccept. What it needs has to be completed before. Who has failed may be offered it again. " +
			`Example: {"entity":"ent_3","questId":"goblins"}`,
		Keywords:    "give assign propose start mission npc",
		Permissions: []profiles.Permission{"quest.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OfIn) (Done, error) {
			return q.do(c, "quest.offered", &in, func(tx *world.Tx, row *quest) (why string, err error) {
				if !tx.Exists(in.Entity) {
					return "", tx.Unknown(in.Entity)
				}
				return q.offer(tx, in.Entity, in.QuestID, row, c.Principal().ID)
			})
		},
	})
}

// Accept is quest.accept.
func Accept(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[OfIn, Done]{
		Name:  "quest.accept",
		Title: "Accept a quest",
		Description: "Have somebody accept a quest that quest.offer has offered: it is active, and from now on what he does for it counts. What he has already, and where he is, counts too. For others than yourself it takes quest.write. " +
			`Example: {"entity":"ent_3","questId":"goblins"}`,
		Keywords:    "start begin mission agree",
		Permissions: []profiles.Permission{"quest.read"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OfIn) (Done, error) {
			return q.decide(c, "quest.accepted", &in, available, func(tx *world.Tx, e entry, row *quest) (why string, err error) {
				return q.accept(tx, in.Entity, e, row, c.Principal().ID)
			})
		},
	})
}

// Decline is quest.decline.
func Decline(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[OfIn, Done]{
		Name:  "quest.decline",
		Title: "Decline a quest",
		Description: "Have somebody decline a quest that was offered: it is out of the log, and may be offered again. One that is active is ended by quest.fail. For others than yourself it takes quest.write. " +
			`Example: {"entity":"ent_3","questId":"goblins"}`,
		Keywords:    "refuse reject no mission",
		Permissions: []profiles.Permission{"quest.read"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OfIn) (Done, error) {
			return q.decide(c, "quest.declined", &in, available, func(tx *world.Tx, e entry, _ *quest) (why string, err error) {
				return "", q.decline(tx, in.Entity, e, c.Principal().ID)
			})
		},
	})
}

// do does something about a quest that there is, and leaves an event if it was done.
func (q *Quests) do(c *registry.Call, event string, in *OfIn, fn func(tx *world.Tx, row *quest) (why string, err error)) (Done, error) {
	return world.Do(q.w, c, func(tx *world.Tx) (Done, error) {
		if err := q.deps.Stats.Self(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
			return Done{}, err
		}
		row, err := q.find(&tx.View, in.QuestID)
		if err != nil {
			return Done{}, err
		}
		why, err := fn(tx, &row)
		if why != "" || err != nil {
			return Done{Reason: why}, err
		}
		return Done{OK: true}, c.Emit(event, changed{in.Entity, in.QuestID, in.Meta})
	})
}

// decide does something about a quest of somebody for whom the caller may decide, if it stands so in his log.
func (q *Quests) decide(c *registry.Call, event string, in *OfIn, status string, fn func(tx *world.Tx, e entry, row *quest) (why string, err error)) (Done, error) {
	return q.do(c, event, in, func(tx *world.Tx, row *quest) (why string, err error) {
		if err := q.decides(&tx.View, c.Principal(), in.Entity); err != nil {
			return "", err
		}
		e, why := q.standing(&tx.View, in.Entity, in.QuestID, status)
		if why != "" {
			return why, nil
		}
		return fn(tx, e, row)
	})
}

// standing returns a quest of somebody. why says why it does not stand so, if it does not.
func (q *Quests) standing(v *world.View, id world.ID, questID, status string) (e entry, why string) {
	e, at := q.entry(v, id, questID)
	switch {
	case at < 0:
		return e, fmt.Sprintf("%s was not offered %q: quest.offer offers it", id, quote.Clip(questID))
	case e.Status == status:
		return e, ""
	case e.Status == available:
		return e, fmt.Sprintf("%q is offered to %s, who has not accepted it: quest.accept accepts it", quote.Clip(questID), id)
	case e.Status == active:
		return e, fmt.Sprintf("%s has %q accepted already; quest.fail ends it", id, quote.Clip(questID))
	}
	return e, fmt.Sprintf("%q of %s is %s", quote.Clip(questID), id, e.Status)
}

// missing says which quest somebody has to have completed before another, "" if none.
func (q *Quests) missing(v *world.View, id world.ID, questID string, row *quest) string {
	for _, need := range row.Needs {
		if e, _ := q.entry(v, id, need); e.Times == 0 {
			return fmt.Sprintf("%q is for who has completed %q, and %s has not", quote.Clip(questID), quote.Clip(need), id)
		}
	}
	return ""
}

// offer offers somebody a quest. why says why not, if not.
func (q *Quests) offer(tx *world.Tx, id world.ID, questID string, row *quest, by string) (why string, err error) {
	e, at := q.entry(&tx.View, id, questID)
	switch {
	case at >= 0 && e.open():
		return fmt.Sprintf("%q of %s is %s already", quote.Clip(questID), id, e.Status), nil
	case at >= 0 && e.Status == completed && !row.Repeatable:
		return fmt.Sprintf(`%s has completed %q; config {"repeatable":true} of quest.define has it offered again`, id, quote.Clip(questID)), nil
	}
	if why := q.missing(&tx.View, id, questID, row); why != "" {
		return why, nil
	}
	log, _ := q.logs.Get(&tx.View, id)
	open := 0
	for i := range log {
		if log[i].open() {
			open++
		}
	}
	if open >= MaxOpen {
		return "", registry.Errorf(registry.CodeCapacityExceeded, "%s has %d quests that are available or active, which is the most: quest.decline or quest.fail ends one", id, MaxOpen)
	}
	before := e
	e = row.entry(questID, before.Times)
	e.Offered, e.Completed, e.Owed = now(tx), before.Completed, before.Owed
	if err := q.put(tx, id, e); err != nil {
		return "", err
	}
	if err := q.tell(tx, "offered", id, by, &told{Quest: questID, Name: row.Name}); err != nil || !row.AutoAccept {
		return "", err
	}
	return q.accept(tx, id, e, row, by)
}

// entry returns a quest as it is offered.
func (row *quest) entry(questID string, times int) entry {
	e := entry{Quest: questID, Name: row.Name, Description: row.Description, Status: available, Times: times, Objectives: make([]stride, len(row.Objectives))}
	for i := range row.Objectives {
		o := &row.Objectives[i]
		e.Objectives[i] = stride{ID: o.ID, Description: o.Description, Required: o.Required}
	}
	return e
}

// accept has somebody accept what he was offered. How it is with him is looked at in the next step. why says why not, if not.
func (q *Quests) accept(tx *world.Tx, id world.ID, e entry, row *quest, by string) (why string, err error) {
	if why := q.missing(&tx.View, id, e.Quest, row); why != "" {
		return why, nil
	}
	e.Status, e.Accepted = active, now(tx)
	if err := q.put(tx, id, e); err != nil {
		return "", err
	}
	if err := q.look(tx, id); err != nil {
		return "", err
	}
	return "", q.tell(tx, "accepted", id, by, &told{Quest: e.Quest, Name: e.Name})
}

// decline takes what was offered out of somebody's log. That he has completed it before stays.
func (q *Quests) decline(tx *world.Tx, id world.ID, e entry, by string) error {
	var err error
	if e.Times > 0 {
		e = e.closed()
		e.Status = completed
		for i := range e.Objectives {
			e.Objectives[i].Progress = e.Objectives[i].Required
		}
		err = q.put(tx, id, e)
	} else {
		log, _ := q.logs.Get(&tx.View, id)
		err = q.set(tx, id, slices.DeleteFunc(slices.Clone(log), func(o entry) bool { return o.Quest == e.Quest }))
	}
	if err != nil {
		return err
	}
	return q.tell(tx, "declined", id, by, &told{Quest: e.Quest, Name: e.Name})
}

// told is what those are told who hear of a quest.
type told struct {
	Quest     string          `json:"questId"`
	Name      string          `json:"name"`
	Objective string          `json:"objectiveId,omitempty"`
	Progress  int64           `json:"progress,omitempty"`
	Required  int64           `json:"required,omitempty"`
	Done      bool            `json:"completed,omitempty"` // the objective is
	Rewards   registry.Object `json:"rewards,omitempty"`
	Missed    []string        `json:"missed,omitempty"` // rewards that could not be given, and why
}

// tell tells viewers, and those who listen.
func (q *Quests) tell(tx *world.Tx, what string, id world.ID, by string, t *told) error {
	return q.deps.Does.Tell(tx, "quest", what, t.Quest, id, by, t)
}
