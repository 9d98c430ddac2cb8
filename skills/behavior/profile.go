package behavior

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// profile is a way to behave. It is immutable.
type profile struct {
	Name      string     `json:"name"`
	Routines  []routine  `json:"routines,omitempty"`
	Reactions []reaction `json:"reactions,omitempty"`
	Goals     []goal     `json:"goals,omitempty"`
	Speed     float64    `json:"speed,omitempty"` // metres a second; 0: the entity's own
}

// DefineIn is the input of behavior.define.
type DefineIn struct {
	ID        string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Its name, for behavior.assign. One of that name is replaced, and who has it begins anew."`
	Name      string          `json:"name" validate:"min=1,max=128" jsonschema_description:"What it is, for people."`
	Routines  []RoutineIn     `json:"routines,omitempty" validate:"omitempty,max=16" jsonschema_description:"What is done at which hour. The first counts, unless npc.setRoutine names another."`
	Reactions []ReactionIn    `json:"reactions,omitempty" validate:"omitempty,max=32" jsonschema_description:"What is done about events."`
	Goals     []GoalIn        `json:"goals,omitempty" validate:"omitempty,max=32" jsonschema_description:"What it is after, whenever nothing of higher priority is to be done."`
	Config    registry.Object `json:"config,omitempty" jsonschema_description:"speed: how fast it walks, in metres a second, where nothing else is said; left out: as navmesh.setSpeed said, or 3. All else changes nothing."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// Define is behavior.define.
func Define(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[DefineIn, OKOut]{
		Name:  "behavior.define",
		Title: "Write how a character behaves",
		Description: "Write how characters behave that nobody steers: routines by the hour of the day, reactions to events, goals such as patrol, guide, wander, guard, shoot, follow and flee. behavior.assign gives it to entities, and the server has them live by it, with what you may do. " +
			`Example: {"id":"watchman","name":"Watchman","routines":[{"id":"day","name":"Day","schedule":[{"hour":8,"action":"free"},{"hour":20,"action":"goTo","position":[0,0,-6]}]}],"reactions":[{"trigger":"alarm","action":{"type":"say","data":{"text":"To arms!"}},"cooldown":10}],"goals":[{"id":"rounds","type":"patrol","config":{"waypoints":[[0,0,0],[10,0,0]],"wait":2}}]}`,
		Keywords:    "npc ai enemy stealth sneak sight crowd guard patrol wander roam schedule routine state machine monster villager daily life behaviour animal pet guide tour cow sheep graze when happen hour clock every day morning evening night dark dusk dawn timetable turret tower defence defense sentry shoot nearest attack player zombie escort lead spot",
		Permissions: []profiles.Permission{"behavior.configure"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DefineIn) (OKOut, error) {
			p, err := m.profile(c, &in)
			if err != nil {
				return OKOut{}, err
			}
			return world.Do(m.World, c, func(tx *world.Tx) (OKOut, error) {
				return OKOut{OK: true, Note: in.doubt()}, m.define(tx, c.Principal().Owner(), in.ID, p)
			})
		},
	})
}

// doubt says what of the goals of a profile that is good may be a mistake, "" for nothing.
func (in *DefineIn) doubt() string {
	for i := range in.Goals {
		if why := in.Goals[i].doubt(fmt.Sprintf("goals[%d].", i)); why != "" {
			return why
		}
	}
	return ""
}

// profile returns what is kept of a profile that somebody writes.
func (m *Minds) profile(c *registry.Call, in *DefineIn) (p profile, err error) {
	p.Name = in.Name
	if p.Speed, err = speed("config", in.Config); err != nil {
		return p, err
	}
	bytes := 0
	for i := range in.Routines {
		field := fmt.Sprintf("routines[%d]", i)
		r, err := in.Routines[i].routine(m.World, c, field)
		if err != nil {
			return p, err
		}
		if there := p.routine(r.ID); there != nil {
			return p, twice(field, r.ID)
		}
		p.Routines, bytes = append(p.Routines, r), bytes+r.size()
	}
	for i := range in.Reactions {
		r, err := m.reaction(c, &in.Reactions[i])
		if err != nil {
			return p, registry.Under(fmt.Sprintf("reactions[%d]", i), err)
		}
		p.Reactions, bytes = append(p.Reactions, r), bytes+len(r.On)+len(r.Do.Data)
	}
	for i := range in.Goals {
		field := fmt.Sprintf("goals[%d]", i)
		g, err := m.goal(c.Principal(), field+".", &in.Goals[i])
		if err != nil {
			return p, err
		}
		for j := range p.Goals {
			if p.Goals[j].ID == g.ID {
				return p, twice(field, g.ID)
			}
		}
		p.Goals, bytes = append(p.Goals, g), bytes+g.size()
	}
	return p, config.Fits("the profile", bytes, MaxData)
}

func twice(field, id string) error {
	return registry.Invalidf("%s.id: %q is there twice", field, quote.Clip(id))
}

// speed reads how fast to walk from a config, 0 if it does not say.
func speed(field string, o registry.Object) (x float64, err error) {
	return x, number(field, o, "speed", &x, 0.01, 1000)
}

// define keeps a profile of an agent's, and has those begin anew who have it.
func (m *Minds) define(tx *world.Tx, by, id string, p profile) error {
	old, there := m.profiles.Get(&tx.View, id)
	if there && reflect.DeepEqual(old, p) {
		return nil
	}
	if !there {
		if err := m.by.Take(tx, id, by, m.profiles.Len(&tx.View)); err != nil {
			return err
		}
	}
	if err := m.profiles.Set(tx, id, p); err != nil {
		return err
	}
	if err := derived.Move(tx, m.fans, id, triggers(old.Reactions), triggers(p.Reactions)); err != nil {
		return err
	}
	if !there {
		return nil
	}
	for who, mi := range m.minds.All(&tx.View) {
		if mi.Profile != id {
			continue
		}
		m.stop(tx, who)
		if err := m.wake(tx, who); err != nil {
			return err
		}
		if err := m.begin(tx, who, &mi); err != nil {
			return err
		}
	}
	return nil
}

// wake has an entity have all reactions of its profile again; its own rest on.
func (m *Minds) wake(tx *world.Tx, id world.ID) error {
	rests, _ := m.rests.Get(&tx.View, id)
	own := slices.DeleteFunc(slices.Clone(rests), func(r rest) bool { return r.Reaction >= 0 })
	switch len(own) {
	case len(rests):
		return nil
	case 0:
		m.rests.Remove(tx, id)
		return nil
	}
	return m.rests.Set(tx, id, own)
}

// routine returns a routine of the profile, the first for "", nil if there is none.
func (p *profile) routine(id string) *routine {
	for i := range p.Routines {
		if id == "" || p.Routines[i].ID == id {
			return &p.Routines[i]
		}
	}
	return nil
}

// find returns the profile that a caller names. The error says which there are.
func (m *Minds) find(v *world.View, id string) (*profile, error) {
	p, err := shelf.Named(v, m.profiles, "profile", "behavior.define", id)
	return &p, err
}
