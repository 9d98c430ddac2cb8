package navigation

import (
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// MoveToIn is the input of navmesh.moveTo.
type MoveToIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the entity that is to walk, such as ent_3; left out: your own body or character."`
	Target Target          `json:"target" jsonschema_description:"Where to: x, y, z in metres, of which x and z count, and y where the grid has levels; it keeps its height above the ground. Or the id of an entity, such as ent_7: to where that is now, as near as one gets."`
	Speed  float64         `json:"speed,omitempty" validate:"omitempty,gt=0,lte=1000" jsonschema_description:"Metres a second, for this walk; left out: as navmesh.setSpeed said, or 3. Without scene.write no faster than it runs."`
	Dt     float64         `json:"dt,omitempty" validate:"omitempty,gt=0,lte=3600" jsonschema_description:"Seconds to walk, at once: you call again for the next stride. Left out: it walks by itself, in simulated time. Needs scene.write."`
	From   *world.Vec3     `json:"from,omitempty" jsonschema_description:"Where it starts, if that is not where it is: it is put there first. Needs scene.write."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// MoveToOut is the output of navmesh.moveTo.
type MoveToOut struct {
	OK        bool        `json:"ok" jsonschema_description:"False if there is no way: nothing was moved."`
	Arrived   bool        `json:"arrived" jsonschema_description:"Whether it is there."`
	Position  *world.Vec3 `json:"position,omitempty" jsonschema_description:"Where it is now."`
	Remaining *float64    `json:"remaining,omitempty" jsonschema_description:"How long the rest of the way is, in metres."`
	Reason    string      `json:"reason,omitempty" jsonschema_description:"Why there is no way."`
	Note      string      `json:"note,omitempty" jsonschema_description:"What of the target did not count, if anything."`
}

// MoveTo is navmesh.moveTo.
func MoveTo(m *Mesh) registry.Skill {
	return registry.Define(registry.Spec[MoveToIn, MoveToOut]{
		Name:  "navmesh.moveTo",
		Title: "Walk there",
		Description: "Have an entity walk to a point, or to where another entity is, around what is in the way, on the grid that navmesh.build has made. It sets out at once and arrives in simulated time; a new target replaces the old one, and its own place stops it. Who stands in a blocked cell goes to the nearest free one first, if that is within 3 m. With dt it makes one stride of so many seconds in this call, instead. Without scene.write you walk with your own body and characters only. " +
			`To put it there without walking use three.setTransform; to walk your own body straight to somebody, social.approach; to stay near somebody who moves, behavior.setGoal with follow. Example: {"entity":"ent_3","target":[10,0,-4]}`,
		Category:    "nav",
		Sets:        "position target destination",
		Keywords:    "npc enemy guard patrol chase route walk go follow navigate drive animate pathfinding",
		Permissions: []profiles.Permission{"nav.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in MoveToIn) (MoveToOut, error) {
			return world.Do(m.w, c, func(tx *world.Tx) (MoveToOut, error) {
				if err := m.own.Fill(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
					return MoveToOut{}, err
				}
				most, err := m.movable(&tx.View, in.Entity, c.Principal())
				if err != nil {
					return MoveToOut{}, err
				}
				if most < Free {
					if err := in.fair(m, &tx.View, most); err != nil {
						return MoveToOut{}, err
					}
				}
				return m.moveTo(tx, &in, c.Principal().ID)
			})
		},
	})
}

// movable returns how fast a caller may have an entity walk, or why he cannot: what somebody else lives in, what stands
// fast, and what the guard keeps from him.
func (m *Mesh) movable(v *world.View, id world.ID, caller *profiles.Principal) (most float64, err error) {
	if !v.Exists(id) {
		return 0, v.Unknown(id)
	}
	if owner, ok := m.agents.Agent(v, id); ok && owner != caller.ID {
		return 0, registry.Failf("%s is the body of another agent, %s, who alone moves it", id, owner)
	}
	if b, ok := m.w.Bodies.Get(v, id); ok && b.Type == "static" {
		return 0, registry.Failf("%s has a static body, which does not walk: three.setTransform moves it", id)
	}
	return m.guard(v, caller, id)
}

// fair holds a walk to what walking is, for those who may not put the entity anywhere: it goes from where it is, in simulated time, at its speed.
func (in *MoveToIn) fair(m *Mesh, v *world.View, most float64) error {
	switch {
	case in.From != nil:
		return registry.Errorf(registry.CodeForbidden, "from: to put %s elsewhere needs the permission scene.write; leave it out to have it walk from where it is", in.Entity)
	case in.Dt != 0:
		return registry.Errorf(registry.CodeForbidden, "dt: strides at once need the permission scene.write; leave it out to have %s walk by itself, and wait with physics.settle", in.Entity)
	case in.Speed == 0 && m.speedOf(v, in.Entity) > most && !m.speeds.Has(v, in.Entity):
		in.Speed = most
	}
	return slower(in.Entity, in.Speed, most)
}

// slower refuses a speed that is more than an entity may have.
func slower(id world.ID, speed, most float64) error {
	if speed <= most {
		return nil
	}
	return registry.Invalidf("speed: %s goes at %v m/s at most, got %v", id, most, speed)
}

func (m *Mesh) moveTo(tx *world.Tx, in *MoveToIn, by string) (MoveToOut, error) {
	if err := m.walker(tx, in.Entity); err != nil {
		return MoveToOut{}, err
	}
	g, err := m.built(&tx.View)
	if err != nil {
		return MoveToOut{}, err
	}
	at, _ := tx.Position(in.Entity)
	from, above := g.start(at, m.above(&tx.View, in.Entity))
	if in.From != nil {
		at, from, above = *in.From, *in.From, nil
	}
	to, err := m.goal(&tx.View, in.Target)
	if err != nil {
		return MoveToOut{}, registry.Under("target", err)
	}
	if in.Target.Entity == in.Entity {
		return MoveToOut{}, registry.Invalidf("target: is the entity itself; its own place, as [x, y, z], has it stop")
	}
	feet := from
	if above != nil {
		feet[1] -= *above
	}
	target, why := g.toward(feet, &to)
	var points []world.Vec3
	up := 0.0
	if why == "" {
		points, up, why = g.course(from, target, above)
	}
	if why != "" {
		return MoveToOut{Reason: why}, nil
	}
	if from == at {
		points = points[1:]
	}
	speed := in.Speed
	if speed == 0 {
		speed = m.speedOf(&tx.View, in.Entity)
	}
	at, facing, left := follow(at, points, float64(speed*in.Dt))
	if in.Dt > 0 || in.From != nil {
		if err := move(tx, in.Entity, at, facing); err != nil {
			return MoveToOut{}, err
		}
	}
	m.Halt(tx, in.Entity)
	if in.Dt == 0 && len(left) > 0 {
		w := g.walk(left, in.Speed, up)
		w.By = by
		if err := m.walks.Set(tx, in.Entity, w); err != nil {
			return MoveToOut{}, err
		}
	}
	where, rest := shown.Point(at), shown.Number(length(at, left))
	out := MoveToOut{OK: true, Arrived: len(left) == 0, Position: &where, Remaining: &rest}
	if was := to.at[1] - g.floor(to.at); math.Abs(was-up) > 1 { // what flies at that height means it
		out.Note = g.level(named{"target", to.at})
	}
	return out, nil
}

// SetSpeedIn is the input of navmesh.setSpeed.
type SetSpeedIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Speed  float64         `json:"speed" validate:"gt=0,lte=1000" jsonschema_description:"Metres a second; a person walks at 1.4 and runs at 5."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// SetSpeedOut is the output of navmesh.setSpeed.
type SetSpeedOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// SetSpeed is navmesh.setSpeed.
func SetSpeed(m *Mesh) registry.Skill {
	return registry.Define(registry.Spec[SetSpeedIn, SetSpeedOut]{
		Name:        "navmesh.setSpeed",
		Title:       "How fast it walks",
		Description: `Set how fast an entity walks by navmesh.moveTo where no speed is given there; it is 3 metres a second at first. A walk that is under way follows. Example: {"entity":"ent_3","speed":1.4}`,
		Category:    "nav",
		Permissions: []profiles.Permission{"nav.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetSpeedIn) (SetSpeedOut, error) {
			return world.Do(m.w, c, func(tx *world.Tx) (SetSpeedOut, error) {
				most, err := m.movable(&tx.View, in.Entity, c.Principal())
				if err != nil {
					return SetSpeedOut{}, err
				}
				if err := slower(in.Entity, in.Speed, most); err != nil {
					return SetSpeedOut{}, err
				}
				if now, ok := m.speeds.Get(&tx.View, in.Entity); ok && now == in.Speed {
					return SetSpeedOut{OK: true}, nil
				}
				return SetSpeedOut{OK: true}, m.speeds.Set(tx, in.Entity, in.Speed)
			})
		},
	})
}
