package quest

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// UpdateIn is the input of quest.update.
type UpdateIn struct {
	OfIn
	ObjectiveID string `json:"objectiveId" validate:"max=64" jsonschema_description:"Which of its objectives: slay."`
	Progress    int64  `json:"progress" validate:"gte=0" jsonschema_description:"How far it is now; more than is required counts as that."`
}

// UpdateOut is the output of quest.update.
type UpdateOut struct {
	OK             bool            `json:"ok" jsonschema_description:"Whether it was done; if not, nothing has changed."`
	Reason         string          `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
	Completed      bool            `json:"completed" jsonschema_description:"Whether the objective is done now."`
	QuestCompleted bool            `json:"questCompleted" jsonschema_description:"Whether that has completed the quest."`
	Rewards        registry.Object `json:"rewards" jsonschema_description:"What it was done for, if it is completed: all of it, what the server has given and what is for you to give."`
	FollowUpQuests []string        `json:"followUpQuests" jsonschema_description:"The quests that were offered because it is."`
	Missed         []string        `json:"missed,omitempty" jsonschema_description:"What the server could not give, and why."`
}

// Update is quest.update.
func Update(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[UpdateIn, UpdateOut]{
		Name:  "quest.update",
		Title: "Say how far an objective is",
		Description: "Set how far an objective of an active quest is, for what the server does not see by itself. Once all objectives are done the quest is completed, unless its config says turnIn. " +
			`Example: {"entity":"ent_3","questId":"goblins","objectiveId":"slay","progress":2}`,
		Keywords:    "progress advance count objective step mission",
		Permissions: []profiles.Permission{"quest.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in UpdateIn) (UpdateOut, error) {
			return world.Do(q.w, c, func(tx *world.Tx) (UpdateOut, error) {
				row, err := q.find(&tx.View, in.QuestID)
				if err != nil {
					return UpdateOut{}, err
				}
				if err := q.may(&tx.View, c.Principal(), in.Entity); err != nil {
					return UpdateOut{}, err
				}
				e, why := q.standing(&tx.View, in.Entity, in.QuestID, active)
				if why != "" {
					return UpdateOut{Reason: why, FollowUpQuests: []string{}}, nil
				}
				i := e.at(in.ObjectiveID)
				if i < 0 {
					return UpdateOut{}, e.unknown(in.ObjectiveID)
				}
				end, err := q.advance(tx, in.Entity, e, i, in.Progress, &row, c.Principal().ID)
				if err != nil {
					return UpdateOut{}, err
				}
				out := UpdateOut{true, "", in.Progress >= e.Objectives[i].Required, end.done, end.rewards, end.offered, end.missed}
				return out, c.Emit("quest.updated", updated{in.Entity, in.QuestID, in.ObjectiveID, in.Progress, in.Meta})
			})
		},
	})
}

type updated struct {
	Entity    world.ID        `json:"entity"`
	Quest     string          `json:"questId"`
	Objective string          `json:"objectiveId"`
	Progress  int64           `json:"progress"`
	Meta      registry.Object `json:"meta,omitempty"`
}

// unknown is that there is no such objective.
func (e *entry) unknown(objective string) error {
	all := make([]string, len(e.Objectives))
	for i := range e.Objectives {
		all[i] = e.Objectives[i].ID
	}
	return registry.Failf("there is no objective %q in %q; %s", quote.Clip(objective), quote.Clip(e.Quest), quote.Others(objective, all))
}

// advance has an objective of an active quest be as far as progress says, and completes the quest if that was the last of it.
func (q *Quests) advance(tx *world.Tx, id world.ID, e entry, i int, progress int64, row *quest, by string) (ending, error) {
	s := e.Objectives[i]
	if progress = min(progress, s.Required); progress == s.Progress {
		return ending{offered: []string{}}, nil
	}
	s.Progress = progress
	e.Objectives = slices.Clone(e.Objectives)
	e.Objectives[i] = s
	if err := q.put(tx, id, e); err != nil {
		return ending{}, err
	}
	if err := q.tell(tx, "objective", id, by, &told{Quest: e.Quest, Name: e.Name, Objective: s.ID, Progress: s.Progress, Required: s.Required, Done: s.done()}); err != nil {
		return ending{}, err
	}
	if row.TurnIn || !e.done() {
		return ending{offered: []string{}}, nil
	}
	return q.complete(tx, id, e, row, by)
}

// CompleteIn is the input of quest.complete.
type CompleteIn struct {
	OfIn
	Force bool `json:"force" jsonschema:"default=false" jsonschema_description:"Whether it is completed though not all objectives are done."`
}

// CompleteOut is the output of quest.complete.
type CompleteOut struct {
	OK             bool            `json:"ok" jsonschema_description:"Whether it is completed by this; if not, nothing has changed."`
	Reason         string          `json:"reason,omitempty" jsonschema_description:"Why it is not, and what would help."`
	Rewards        registry.Object `json:"rewards" jsonschema_description:"What it was done for: all of it, what the server has given and what is for you to give."`
	FollowUpQuests []string        `json:"followUpQuests" jsonschema_description:"The quests that were offered because it is."`
	Missed         []string        `json:"missed,omitempty" jsonschema_description:"What the server could not give, and why."`
}

// Complete is quest.complete.
func Complete(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[CompleteIn, CompleteOut]{
		Name:  "quest.complete",
		Title: "Complete a quest",
		Description: "Complete an active quest: gives the rewards, offers what follows. All objectives have to be done, or force says otherwise. Quests complete themselves when all is done, but for those with turnIn in their config, such as one whose thing is to be brought to somebody. " +
			`Example: {"entity":"ent_3","questId":"goblins"}`,
		Keywords:    "finish reward done mission",
		Permissions: []profiles.Permission{"quest.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CompleteIn) (CompleteOut, error) {
			return world.Do(q.w, c, func(tx *world.Tx) (CompleteOut, error) {
				row, err := q.find(&tx.View, in.QuestID)
				if err != nil {
					return CompleteOut{}, err
				}
				if err := q.may(&tx.View, c.Principal(), in.Entity); err != nil {
					return CompleteOut{}, err
				}
				e, why := q.standing(&tx.View, in.Entity, in.QuestID, active)
				if left := e.left(); why == "" && left != "" && !in.Force {
					why = left + "; force completes it nevertheless"
				}
				if why != "" {
					return CompleteOut{Reason: why, FollowUpQuests: []string{}}, nil
				}
				end, err := q.complete(tx, in.Entity, e, &row, c.Principal().ID)
				if err != nil {
					return CompleteOut{}, err
				}
				return CompleteOut{true, "", end.rewards, end.offered, end.missed}, c.Emit("quest.completed", changed{in.Entity, in.QuestID, in.Meta})
			})
		},
	})
}

// left says what is left to do of a quest, "" if nothing.
func (e *entry) left() string {
	for i := range e.Objectives {
		if s := &e.Objectives[i]; !s.done() {
			return fmt.Sprintf("%q is at %d of %d", quote.Clip(s.ID), s.Progress, s.Required)
		}
	}
	return ""
}

// ending is what comes of a quest that is completed. The zero ending is that of one that is not, but for offered, which is never nil.
type ending struct {
	done    bool
	rewards registry.Object
	offered []string // what follows
	missed  []string // rewards that could not be given, and why
}

// complete completes an active quest.
func (q *Quests) complete(tx *world.Tx, id world.ID, e entry, row *quest, by string) (ending, error) {
	e = e.closed()
	e.Status, e.Completed, e.Times = completed, now(tx), e.Times+1
	owed := q.owes(&tx.View, row)
	if owed != "" {
		e.Owed++
	}
	if err := q.put(tx, id, e); err != nil {
		return ending{}, err
	}
	end := ending{done: true, rewards: row.Rewards, offered: []string{}}
	if owed != "" {
		end.missed = []string{owed}
	} else {
		end.missed = q.give(tx, id, row)
	}
	if err := q.tell(tx, "completed", id, by, &told{Quest: e.Quest, Name: e.Name, Rewards: row.Rewards, Missed: end.missed}); err != nil {
		return ending{}, err
	}
	for _, next := range row.FollowUps {
		if q.follow(tx, id, next, by) {
			end.offered = append(end.offered, next)
		}
	}
	return end, nil
}

// follow offers somebody a quest that follows, and reports whether it could be offered.
func (q *Quests) follow(tx *world.Tx, id world.ID, questID, by string) bool {
	row, ok := q.quests.Get(&tx.View, questID)
	if !ok {
		return false
	}
	mark := tx.Savepoint()
	why, err := q.offer(tx, id, questID, &row, by)
	if err != nil {
		tx.RollbackTo(mark)
	}
	return why == "" && err == nil
}

// Fail is quest.fail.
func Fail(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[OfIn, Done]{
		Name:  "quest.fail",
		Title: "Fail a quest",
		Description: "End an active quest as failed: the time is up, who was to be saved is dead, somebody gives up. It may be offered again. " +
			`Example: {"entity":"ent_3","questId":"goblins"}`,
		Keywords:    "abandon give up lose abort mission",
		Permissions: []profiles.Permission{"quest.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OfIn) (Done, error) {
			return q.decide(c, "quest.failed", &in, active, func(tx *world.Tx, e entry, _ *quest) (why string, err error) {
				return "", q.fail(tx, in.Entity, e, c.Principal().ID)
			})
		},
	})
}

// fail ends an active quest.
func (q *Quests) fail(tx *world.Tx, id world.ID, e entry, by string) error {
	e = e.closed()
	e.Status, e.Failed = failed, now(tx)
	if err := q.put(tx, id, e); err != nil {
		return err
	}
	return q.tell(tx, "failed", id, by, &told{Quest: e.Quest, Name: e.Name})
}
