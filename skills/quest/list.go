package quest

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ListIn is the input of quest.list.
type ListIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Whose quests, such as ent_3; left out: those of your own body or character."`
	Status string          `json:"status,omitempty" validate:"omitempty,oneof=available active completed failed" jsonschema_description:"Only those that stand so; left out: all."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ListOut is the output of quest.list.
type ListOut struct {
	Quests []Listed `json:"quests" jsonschema_description:"The quests in the log, in the order in which they were offered first."`
}

// Listed is a quest in somebody's log.
type Listed struct {
	QuestID       string   `json:"questId" jsonschema_description:"Its id."`
	Name          string   `json:"name" jsonschema_description:"Its name."`
	Status        string   `json:"status" jsonschema_description:"available: it is offered. active: it is accepted. completed, failed: it is over."`
	Objectives    []Stride `json:"objectives" jsonschema_description:"How far its objectives are."`
	Tracked       bool     `json:"tracked" jsonschema_description:"Whether it is what somebody is about, by quest.track."`
	OfferedTick   *uint64  `json:"offeredTick,omitempty" jsonschema_description:"The simulation step in which it was offered last; 60 are a second."`
	AcceptedTick  *uint64  `json:"acceptedTick,omitempty" jsonschema_description:"That in which it was accepted."`
	CompletedTick *uint64  `json:"completedTick,omitempty" jsonschema_description:"That in which it was completed last."`
	FailedTick    *uint64  `json:"failedTick,omitempty" jsonschema_description:"That in which it failed."`
}

// Stride is how far an objective is.
type Stride struct {
	ID          string `json:"id" jsonschema_description:"Its id, for quest.update."`
	Description string `json:"description,omitempty" jsonschema_description:"What is to be done, while the quest is open."`
	Progress    int64  `json:"progress" jsonschema_description:"How far it is."`
	Required    int64  `json:"required" jsonschema_description:"How far it has to be."`
	Completed   bool   `json:"completed" jsonschema_description:"Whether it is done."`
}

// List is quest.list.
func List(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:  "quest.list",
		Title: "List somebody's quests",
		Description: "List the quests in an entity's log: how they stand and how far their objectives are. Viewers get the same with the entity. " +
			`Example: {"entity":"ent_3","status":"active"}`,
		Keywords:    "log journal progress status mission open active",
		Permissions: []profiles.Permission{"quest.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ListIn) (ListOut, error) {
			return world.Read(q.w, c, func(v *world.View) (ListOut, error) {
				if err := q.deps.Stats.Self(v, c.Principal(), "entity", &in.Entity); err != nil {
					return ListOut{}, err
				}
				if !v.Exists(in.Entity) {
					return ListOut{}, v.Unknown(in.Entity)
				}
				out := ListOut{Quests: []Listed{}}
				log, _ := q.logs.Get(v, in.Entity)
				for i := range log {
					if in.Status == "" || in.Status == log[i].Status {
						out.Quests = append(out.Quests, log[i].listed())
					}
				}
				return out, nil
			})
		},
	})
}

func (e *entry) listed() Listed {
	l := Listed{e.Quest, e.Name, e.Status, make([]Stride, len(e.Objectives)), e.Tracked, e.Offered, e.Accepted, e.Completed, e.Failed}
	for i := range e.Objectives {
		s := &e.Objectives[i]
		l.Objectives[i] = Stride{s.ID, s.Description, s.Progress, s.Required, s.done()}
	}
	return l
}

// Track is quest.track.
func Track(q *Quests) registry.Skill {
	return registry.Define(registry.Spec[OfIn, Done]{
		Name:        "quest.track",
		Title:       "Track a quest",
		Description: `Mark an active quest as what somebody is about, for viewers to show. It is the only one: another one that was is not any more. For others than yourself it takes quest.write. Example: {"entity":"ent_3","questId":"goblins"}`,
		Keywords:    "follow pin hud current focus mission",
		Permissions: []profiles.Permission{"quest.read"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OfIn) (Done, error) {
			return q.decide(c, "quest.tracked", &in, active, func(tx *world.Tx, e entry, _ *quest) (why string, err error) {
				if e.Tracked {
					return "", nil
				}
				log, _ := q.logs.Get(&tx.View, in.Entity)
				tracked := make([]entry, len(log))
				for i := range log {
					tracked[i] = log[i]
					tracked[i].Tracked = log[i].Quest == in.QuestID
				}
				return "", q.logs.Set(tx, in.Entity, tracked)
			})
		},
	})
}
