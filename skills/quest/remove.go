package quest

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of quest.remove.
type RemoveIn struct {
	ID   string          `json:"id" validate:"min=1,max=64" jsonschema_description:"Which, as quest.define named it: goblins."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event quest.removed."`
}

// RemoveOut is the output of quest.remove.
type RemoveOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Ended int  `json:"ended" jsonschema_description:"In how many logs it was open, where it has failed, or is declined, now."`
	Rules int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells, such as quests that it follows; what they do with it fails."`
}

// Named has a function say, where the world is put together, how many rules name a quest.
func (q *Quests) Named(rules func(v *world.View, id string) int) { q.named = rules }

// Remove is quest.remove.
func Remove(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "quest.remove",
		Title: "Remove a quest",
		Description: "Remove a quest that quest.define has made. Where it is active it has failed, and where it is offered it is declined; what is completed stays in the logs. Refused while another quest needs it, or somebody is owed what it is done for. To end it for one use quest.fail. " +
			`Example: {"id":"goblins"}`,
		Keywords:    "delete forget mission cancel",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(q.w, c, func(tx *world.Tx) (out RemoveOut, err error) {
				if _, err := q.find(&tx.View, in.ID); err != nil {
					return out, err
				}
				if err := q.unneeded(&tx.View, in.ID); err != nil {
					return out, err
				}
				if out.Ended, err = q.close(tx, in.ID, c.Principal().ID); err != nil {
					return out, err
				}
				out.Rules = q.named.Of(&tx.View, in.ID)
				out.OK = q.quests.Delete(tx, in.ID)
				return out, c.Emit("quest.removed", defined{in.ID, in.Meta})
			})
		},
	})
}

// unneeded reports what a quest is needed for still.
func (q *Quests) unneeded(v *world.View, id string) error {
	for other, row := range q.quests.All(v) {
		if other != id && slices.Contains(row.Needs, id) {
			return registry.Failf("id: the quest %q needs %q (prerequisites), and could not be offered to who has not completed it: define it without, or remove it first", quote.Clip(other), quote.Clip(id))
		}
	}
	for who, log := range q.logs.All(v) {
		if slices.ContainsFunc(log, func(e entry) bool { return e.Quest == id && e.Owed > 0 }) {
			return registry.Failf("id: %s is owed what %q is done for, as whoever defined that is banned: quest.define of it in your name gives it with the next step", who, quote.Clip(id))
		}
	}
	return nil
}

// close ends a quest in all logs in which it is open, and returns in how many.
func (q *Quests) close(tx *world.Tx, id, by string) (n int, err error) {
	for who := range q.logs.All(&tx.View) {
		e, _ := q.entry(&tx.View, who, id)
		switch e.Status {
		case active:
			err = q.fail(tx, who, e, by)
		case available:
			err = q.decline(tx, who, e, by)
		default:
			continue
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// left is the log of somebody who was away, in which those quests have failed that were removed meanwhile.
func (q *Quests) left(tx *world.Tx, log []entry) []entry {
	log = slices.Clone(log)
	for i := range log {
		if _, there := q.quests.Get(&tx.View, log[i].Quest); !there && log[i].open() {
			log[i] = log[i].closed()
			log[i].Status, log[i].Failed = failed, now(tx)
		}
	}
	return log
}
