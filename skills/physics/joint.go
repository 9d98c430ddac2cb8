package physics

import (
	"fmt"
	"math"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// AddJointIn is the input of physics.addJoint.
type AddJointIn struct {
	Entity    world.ID    `json:"entity" jsonschema_description:"Who hangs: the door, the lamp, the wheel, the next link of a chain. It or what it hangs on has a dynamic body."`
	To        world.ID    `json:"to,omitempty" jsonschema_description:"What it hangs on, which has a body, too: the frame, the ceiling, the cart. Left out: it hangs on the place itself, which moves only with the group that the entity is in."`
	Kind      string      `json:"kind" validate:"oneof=hinge slider ball fixed rope spring" jsonschema_description:"What it can still do. hinge: turn about axis; slider: slide along axis; ball: turn in every way; fixed: nothing; rope: everything as far as length from toAt; spring: swing about length from toAt."`
	At        *world.Vec3 `json:"at,omitempty" jsonschema_description:"Where on the entity the joint is, in the world, as all stands now: the edge of a door, the top of a lamp. Left out: its middle."`
	ToAt      *world.Vec3 `json:"toAt,omitempty" jsonschema_description:"Of a rope and a spring: the other end, in the world. Left out: the middle of to. The other kinds have one place, at."`
	Axis      *world.Vec3 `json:"axis,omitempty" jsonschema_description:"Of a hinge and a slider: its direction in the world, [0,1,0] if left out: upright, as a door's hinges are. A wheel has the axis of its axle."`
	Min       *float64    `json:"min,omitempty" validate:"gte=-1000,lte=0" jsonschema_description:"Of a hinge and a slider: how far it turns, in radians, or slides, in metres, against axis; no end if left out. It is 0 as all stands now. A hinge turns as a right hand's fingers go whose thumb is the axis."`
	Max       *float64    `json:"max,omitempty" validate:"gte=0,lte=1000" jsonschema_description:"… and along axis. A door that opens to one side: min 0, max 1.6."`
	Length    *float64    `json:"length,omitempty" validate:"gte=0,lte=1000" jsonschema_description:"Of a rope: how long it is; of a spring: how long at rest, in metres. Left out: as far as its ends are from one another now."`
	Stiffness *float64    `json:"stiffness,omitempty" validate:"gt=0,lte=1000000" jsonschema_description:"Of a spring, in N/m. Left out: by the mass of the entity, so that it swings once a second."`
	Damping   *float64    `json:"damping,omitempty" validate:"gte=0,lte=1000000" jsonschema_description:"Of a spring, in N·s/m. Left out: so that it comes to rest in some seconds."`
	Collide   *bool       `json:"collide,omitempty" jsonschema_description:"Whether the two meet each other all the same. Left out: with a rope or a spring they do, else not, so that a door may stand in its frame; nor do parts that are fixed to the same thing."`
	Break     float64     `json:"breakForce,omitempty" validate:"omitempty,gte=0.01,lte=1000000000" jsonschema_description:"The joint gives way for good when it would have to hold with more than this, in newtons: pull, push and jerks, not twisting. 10 kg at rest pull with 98; the event joint.broke tells. Left out: never."`
}

// AddJointOut is the output of physics.addJoint.
type AddJointOut struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Who hangs now; physics.setMotor drives it, physics.removeJoint lets it go."`
	At       world.Vec3 `json:"at" jsonschema_description:"Where on the entity the joint is, in the world."`
	ToAt     world.Vec3 `json:"toAt" jsonschema_description:"The other end: the same place, but for a rope and a spring."`
	Replaced bool       `json:"replaced,omitempty" jsonschema_description:"True: it hung on something before, and does no more. An entity hangs on one thing; any number may hang on it."`
	Note     string     `json:"note,omitempty" jsonschema_description:"What may not be as it was meant."`
}

// AddJoint is physics.addJoint.
func AddJoint(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[AddJointIn, AddJointOut]{
		Name:  "physics.addJoint",
		Title: "Hang something on something",
		Description: "Have a body hang on another one, or on a place: drawbridges and flaps on hinges, lifts on sliders, lamps and chains on balls or ropes, wheels on axles, swings, springs. Place both first, as they are to stand, then join them there. A new joint of an entity takes the place of its old one. " +
			`physics.setMotor moves what hangs by a hinge or a slider. Example, a flap that opens by 90 degrees: {"entity":"ent_3","to":"ent_2","kind":"hinge","at":[1,1,0],"axis":[0,1,0],"min":0,"max":1.57}`,
		Keywords:    "joint hinge constraint connect swing seesaw teeter pendulum chain rope spring wheel axle vehicle cart lift elevator piston hang dangle revolute prismatic spherical weld",
		Sets:        "joint",
		Permissions: []profiles.Permission{"physics.write", "scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in AddJointIn) (AddJointOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (AddJointOut, error) {
				j, err := joint(p, tx, &in)
				if err != nil {
					return AddJointOut{}, err
				}
				_, had := p.Joint(&tx.View, in.Entity)
				if err := p.Hang(tx, in.Entity, j); err != nil {
					return AddJointOut{}, err
				}
				if in.To != 0 && falls(w, &tx.View, in.To) { // what hangs on it drags it along
					if err := tx.Act(in.To); err != nil {
						return AddJointOut{}, err
					}
				}
				on, at := p.Ends(&tx.View, in.Entity)
				return AddJointOut{Entity: in.Entity, At: shown.Point(at), ToAt: shown.Point(on), Replaced: had, Note: noteOf(p, tx, &in)}, nil
			})
		},
	})
}

func noteOf(p *bodies.Physics, tx *world.Tx, in *AddJointIn) string {
	if !p.Moves() {
		return "bodies never move in this world"
	}
	if in.Break > 0 && falls(tx.World(), &tx.View, in.Entity) {
		if weight := p.Weight(&tx.View, in.Entity) * math.Abs(p.Gravity(&tx.View)); weight > in.Break {
			return fmt.Sprintf("%s weighs %.3g N, which is more than breakForce: unless something else bears it the joint gives way at once", in.Entity, weight)
		}
	}
	if in.Kind != string(bodies.Hinge) {
		return ""
	}
	var ends []float64
	for _, end := range []*float64{in.Min, in.Max} {
		if end != nil {
			ends = append(ends, *end)
		}
	}
	return angle.Note("min, max", ends...)
}

// falls reports whether an entity has a dynamic body.
func falls(w *world.World, v *world.View, id world.ID) bool {
	b, _ := w.Bodies.Get(v, id)
	return b.Type == "dynamic"
}

// fits fails if a field was given that the kind of joint has not.
func fits(in *AddJointIn) error {
	kind := bodies.JointKind(in.Kind)
	travels, spans := kind.Travels(), kind.Spans()
	for _, f := range []struct {
		name         string
		given, taken bool
		of           string
	}{
		{"axis", in.Axis != nil, travels, "a hinge and a slider"},
		{"min", in.Min != nil, travels, "a hinge and a slider"},
		{"max", in.Max != nil, travels, "a hinge and a slider"},
		{"toAt", in.ToAt != nil, spans, "a rope and a spring"},
		{"length", in.Length != nil, spans, "a rope and a spring"},
		{"stiffness", in.Stiffness != nil, kind == bodies.Spring, "a spring"},
		{"damping", in.Damping != nil, kind == bodies.Spring, "a spring"},
	} {
		if f.given && !f.taken {
			return registry.Invalidf("%s: only %s has one, this is a %s joint", f.name, f.of, in.Kind)
		}
	}
	if spans && in.To == 0 && in.ToAt == nil {
		return registry.Invalidf("toAt: where is the other end of the %s? Give toAt, or to", in.Kind)
	}
	return nil
}

// joint returns what an input asks for, as all stands now.
func joint(p *bodies.Physics, tx *world.Tx, in *AddJointIn) (bodies.Joint, error) {
	j := bodies.Joint{Kind: bodies.JointKind(in.Kind), To: in.To}
	if err := fits(in); err != nil {
		return j, err
	}
	own, known := tx.WorldTransform(in.Entity)
	switch {
	case !known:
		return j, registry.Under("entity", tx.Unknown(in.Entity))
	case !tx.World().Bodies.Has(&tx.View, in.Entity):
		if parts, err := ofGroup(tx, "entity", in.Entity); err != nil {
			return j, registry.Failf("%v: have one of them hang, and fix the others to that one by the kind fixed%s", err, parts)
		}
		return j, registry.Failf("entity: %s has no body for a joint to hold: physics.setBody with type dynamic gives it one", in.Entity)
	}
	at := own.Position
	if in.At != nil {
		at = *in.At
	}
	on := at
	if in.To != 0 {
		middle, err := target(tx, in.To)
		if err != nil {
			return j, err
		}
		if j.Kind.Spans() {
			on = middle
		}
	}
	if in.ToAt != nil {
		on = *in.ToAt
	}
	turn, err := along(in.Axis)
	if err != nil {
		return j, err
	}
	j.Place(&tx.View, in.Entity, at, on, turn)
	j.Collide, j.Break = j.Kind.Spans(), in.Break
	if in.Collide != nil {
		j.Collide = *in.Collide
	}
	bound(&j, in)
	if j.Kind.Spans() {
		span(p, tx, in, &j, at.Dist(on))
	}
	return j, nil
}

// ofGroup fails if an entity is a group, whose parts alone can have bodies, and names some of those that have; how the others get one.
func ofGroup(tx *world.Tx, field string, id world.ID) (how string, err error) {
	if tx.World().Shapes.Has(&tx.View, id) || len(tx.Children(id)) == 0 {
		return "", nil
	}
	const most = 4
	var parts []string
	for part := range tx.Below(id) {
		if len(parts) == most {
			parts = append(parts, "…")
			break
		}
		if tx.World().Bodies.Has(&tx.View, part) {
			parts = append(parts, part.String())
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf(`; scene.forEach {"below":%q,"skill":"physics.setBody","input":{"type":"dynamic"}} gives them bodies`, id.String()),
			fmt.Errorf("%s: %v is a group, and neither it nor its parts have a body", field, id)
	}
	return "", fmt.Errorf("%s: %v is a group and has no body, its parts have: %s", field, id, strings.Join(parts, ", "))
}

// target returns where the middle of an entity is that another one is to hang on.
func target(tx *world.Tx, id world.ID) (world.Vec3, error) {
	t, ok := tx.WorldTransform(id)
	if !ok {
		return t.Position, registry.Under("to", tx.Unknown(id))
	}
	if !tx.World().Bodies.Has(&tx.View, id) {
		if parts, err := ofGroup(tx, "to", id); err != nil {
			return t.Position, registry.Failf("%v: name the one that bears%s", err, parts)
		}
		return t.Position, registry.Failf("to: %s has no body for a joint to hold on to: leave to out, to hang on the place itself, or give it one by physics.setBody", id)
	}
	return t.Position, nil
}

// along returns what turns x into the direction of an axis, which is up if there is none.
func along(axis *world.Vec3) (world.Quat, error) {
	a := world.Vec3{0, 1, 0}
	if axis != nil {
		a = *axis
	}
	size := a.Len()
	if !(size > 1e-6) {
		return world.NoRotation(), registry.Invalidf("axis: has no direction, got [%v,%v,%v]", a[0], a[1], a[2])
	}
	return world.QuatBetween(world.Vec3{1, 0, 0}, a.Scale(1/size)), nil
}

// bound sets how far a joint goes. One end without the other leaves the other open: a turn, or further than anything slides.
func bound(j *bodies.Joint, in *AddJointIn) {
	if in.Min == nil && in.Max == nil {
		return
	}
	open := math.Pi
	if j.Kind == bodies.Slider {
		open = bodies.Reach
	}
	j.Limited, j.Low, j.High = true, -open, open
	if in.Min != nil {
		j.Low = max(*in.Min, -open)
	}
	if in.Max != nil {
		j.High = min(*in.Max, open)
	}
}

// span sets how a rope or a spring of which nothing else is said holds: as long as it is now; a spring swings once a second, and less and
// less: a tenth of what would keep it from swinging at all (critical damping, 2·sqrt(k·m)).
func span(p *bodies.Physics, tx *world.Tx, in *AddJointIn, j *bodies.Joint, length float64) {
	j.Length = length
	if in.Length != nil {
		j.Length = *in.Length
	}
	if j.Kind != bodies.Spring {
		return
	}
	const perSecond, share = 2 * math.Pi, 0.1
	mass := p.Weight(&tx.View, in.Entity)
	j.Stiff = mass * (perSecond * perSecond)
	if in.Stiffness != nil {
		j.Stiff = *in.Stiffness
	}
	j.Damped = 2 * share * math.Sqrt(j.Stiff*mass)
	if in.Damping != nil {
		j.Damped = *in.Damping
	}
}

// RemoveJointIn is the input of physics.removeJoint.
type RemoveJointIn struct {
	Entity world.ID `json:"entity" jsonschema_description:"Who is to hang on nothing any more."`
}

// RemoveJointOut is the output of physics.removeJoint.
type RemoveJointOut struct {
	Removed bool `json:"removed" jsonschema_description:"False: it hung on nothing. What hangs on it is not taken off."`
}

// RemoveJoint is physics.removeJoint.
func RemoveJoint(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[RemoveJointIn, RemoveJointOut]{
		Name:        "physics.removeJoint",
		Title:       "Let something go",
		Description: `Take the joint of an entity away: it falls, or rolls off. Others that hang on it stay on it; physics.joints lists who hangs on what. Example: {"entity":"ent_3"}`,
		Keywords:    "detach disconnect release drop cut rope break joint",
		Permissions: []profiles.Permission{"physics.write", "scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in RemoveJointIn) (RemoveJointOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (RemoveJointOut, error) {
				if !tx.Exists(in.Entity) {
					return RemoveJointOut{}, registry.Under("entity", tx.Unknown(in.Entity))
				}
				return RemoveJointOut{Removed: p.Unhang(tx, in.Entity)}, nil
			})
		},
	})
}
