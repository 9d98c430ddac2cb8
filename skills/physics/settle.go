package physics

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// SettleIn is the input of physics.settle.
type SettleIn struct {
	Entities []world.ID `json:"entities,omitempty" validate:"max=500" jsonschema_description:"The entities to wait for, with what is below them, also until they have arrived where they walk to, and clips that move them have ended; everything that has a dynamic body and every character if left out."`
	Seconds  float64    `json:"seconds" validate:"gt=0,lte=120" jsonschema:"default=10" jsonschema_description:"How many simulated seconds to wait at most."`
}

// SettleOut is the output of physics.settle.
type SettleOut struct {
	Settled  bool        `json:"settled" jsonschema_description:"Whether all of them are at rest now."`
	Seconds  float64     `json:"seconds" jsonschema_description:"How many simulated seconds it took."`
	Moved    []Displaced `json:"moved" jsonschema_description:"Those that are somewhere else than at the beginning, or turned, furthest first; at most 100."`
	More     int         `json:"more" jsonschema_description:"How many have moved beyond those that are listed."`
	Fell     int         `json:"fell" jsonschema_description:"How many of all that moved fell: lie lower by more than half their height, or are tilted by more than 45 degrees."`
	Restless []world.ID  `json:"restless" jsonschema_description:"Those that still move, also those that a clip or a motor moves without an end, which is not waited for; at most 100."`
	Stuck    []Stuck     `json:"stuck,omitempty" jsonschema_description:"Characters that are on their way and have not moved by a centimetre for a second, which are not waited for; at most 100. They are not among the restless."`
	PutBack  []world.ID  `json:"putBack,omitempty" jsonschema_description:"Characters that fell out of the world meanwhile, as there was no ground where they went: they were put back where they stood last, or at the spawn, and their walk ended; at most 100."`
	Gone     []world.ID  `json:"gone" jsonschema_description:"Those that were destroyed meanwhile; at most 100."`
	Endless  int         `json:"endless,omitempty" jsonschema_description:"How many of the restless a clip or a motor moves that has no end: to wait longer does not help, animation.stop or physics.setMotor without speed does."`
}

// Stuck is a character that does not get on.
type Stuck struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the character."`
	Reason string   `json:"reason,omitempty" jsonschema_description:"Why, as far as that is known."`
}

// Displaced is an entity that has moved.
type Displaced struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	From     world.Vec3 `json:"from" jsonschema_description:"Where it was, in metres."`
	To       world.Vec3 `json:"to" jsonschema_description:"Where it is."`
	Distance float64    `json:"distance" jsonschema_description:"How far that is, in metres."`
	Tilted   float64    `json:"tilted" jsonschema_description:"By how many degrees its own vertical axis has turned; 0 for a ball, which rolls."`
	Turned   float64    `json:"turned,omitempty" jsonschema_description:"By how many degrees it has turned about the vertical, to the left above 0, if it has not tilted: a door."`
	Fell     bool       `json:"fell" jsonschema_description:"Whether it lies lower by more than half its height, or is tilted by more than 45 degrees."`
}

// Settle is physics.settle; others move entities by other means than p.
func Settle(w *world.World, p *bodies.Physics, others Movers) registry.Skill {
	return registry.Define(registry.Spec[SettleIn, SettleOut]{
		Name:  "physics.settle",
		Title: "Wait until it stands",
		Description: "Let simulated time pass until what you name, or everything, is at rest, and report what moved and what fell. Use it after building something that must carry itself, after a push, or after player.move, navmesh.moveTo or social.approach, instead of looking again and again. " +
			`A body counts as at rest some two seconds after it has stopped, or when it has only trembled for three; for a character that does not get on, as it stands against something, nobody waits (stuck). Example: {"entities":["ent_3","ent_4"],"seconds":10}`,
		Keywords:    "fall gravity drop let onto rest simulate bounce",
		Permissions: []profiles.Permission{"physics.read"},
		Effect:      registry.Reads,
		Slow:        true,
		Timeout:     5 * time.Minute,
		Handle: func(c *registry.Call, in SettleIn) (SettleOut, error) {
			if c.Transaction() != nil {
				return SettleOut{}, registry.Failf("physics.settle waits for simulation steps, and none come while a call is open that has changed something: call it by itself, after that one")
			}
			s := settling{w: w, p: p, others: others, in: &in, limit: w.StepsIn(in.Seconds), marks: map[world.ID]mark{}}
			if err := s.begin(); err != nil {
				return SettleOut{}, err
			}
			if err := s.wait(c.Context(), c); err != nil {
				return SettleOut{}, err
			}
			return s.report(), nil
		},
	})
}

// patience is for how many steps what is at rest is waited for while events are yet to be heard: a lever was just pulled, and what opens the gate hears of it
// in the next one.
const patience = 6

// settling is one wait.
type settling struct {
	w      *world.World
	p      *bodies.Physics
	others Movers
	in     *SettleIn
	limit  uint64 // steps
	start  uint64 // step
	before []placed
	marks  map[world.ID]mark // of what is waited for
}

// mark is where something was in a step, since which it has not gone farther than halt, nor, but for characters, turned by more than sway.
type mark struct {
	at     world.Vec3
	turned world.Quat
	step   uint64
}

// halt is how far a character may go in a second that does not get on, in metres; of one that does not stand, as the physics may have yet to begin, or it is caught in
// something, in some more.
const (
	halt   = 0.01
	caught = 5
)

// What is dynamic counts as at rest, too, if it has not left its place by more than halt, nor turned by more than sway, in so many seconds, though it does not come to
// rest: someone stands on it, or its parts press on each other.
const (
	calm = 3
	sway = 0.02 // radians
)

// trembles reports whether a dynamic body does not rest, and does not get on either, and remembers where it is. While motors are on their way none does:
// some are slow.
func (s *settling) trembles(v *world.View, id world.ID) bool {
	if b, _ := s.w.Bodies.Get(v, id); b.Type != "dynamic" {
		return false
	}
	if s.p.Stirs(v, id) {
		delete(s.marks, id)
		return false
	}
	return v.Step()-s.marked(v, id, sway).step >= calm*uint64(s.w.StepRate())
}

// swayed reports whether two ways to be turned are more than most apart, in radians, which is little, or infinite.
func swayed(a, b world.Quat, most float64) bool {
	q := a.Conj().Mul(b)
	return world.Vec3{q[0], q[1], q[2]}.Len() > most/2
}

// marked returns where something is, since when it is about there, turned by most at most.
func (s *settling) marked(v *world.View, id world.ID, most float64) mark {
	t, _ := v.WorldTransform(id)
	m, known := s.marks[id]
	if !known || t.Position.Dist(m.at) > halt || swayed(t.Rotation, m.turned, most) {
		m = mark{t.Position, t.Rotation, v.Step()}
		s.marks[id] = m
	}
	return m
}

// stuck reports whether a character that does not rest does not get on either, and remembers where it is.
func (s *settling) stuck(v *world.View, id world.ID) bool {
	if !s.p.Walks(v, id) {
		return false
	}
	m := s.marked(v, id, math.Inf(1))
	long := uint64(s.w.StepRate())
	if c, err := s.p.Character(v, id); err != nil || !c.Grounded && !c.Swimming {
		long *= caught
	}
	return v.Step()-m.step >= long
}

// placed is where an entity was.
type placed struct {
	id world.ID
	at world.Transform
}

// begin looks where everything is.
func (s *settling) begin() (err error) {
	s.w.View(func(v *world.View) {
		s.start = v.Step()
		added := map[world.ID]bool{}
		for _, id := range s.in.Entities {
			if !v.Exists(id) {
				err = v.Unknown(id)
				return
			}
			if !added[id] {
				added[id] = true
				s.add(v, id)
			}
		}
		if len(s.in.Entities) > 0 {
			been := map[world.ID]bool{}
			for _, id := range s.in.Entities {
				s.below(v, id, added, been)
			}
			return
		}
		for id, b := range s.w.Bodies.All(v) {
			if b.Type == "dynamic" || s.p.Walks(v, id) {
				s.add(v, id)
			}
		}
	})
	return err
}

// below adds what moves by itself below an entity, as what is in a group does; been is where it has looked.
func (s *settling) below(v *world.View, id world.ID, added, been map[world.ID]bool) {
	if been[id] {
		return
	}
	been[id] = true
	for _, child := range v.Children(id) {
		if b, _ := s.w.Bodies.Get(v, child); !added[child] && (b.Type == "dynamic" || s.p.Walks(v, child)) {
			added[child] = true
			s.add(v, child)
		}
		s.below(v, child, added, been)
	}
}

func (s *settling) add(v *world.View, id world.ID) {
	t, _ := v.WorldTransform(id)
	s.before = append(s.before, placed{id, t})
}

// endless reports whether an entity goes on moving for ever.
func (s *settling) endless(v *world.View, id world.ID) bool {
	return s.p.Driven(v, id) || s.others.Endless != nil && s.others.Endless(v, id)
}

// resting reports whether an entity need not be waited for: nothing moves it, or a motor without an end, and it is not on its way.
func (s *settling) resting(v *world.View, id world.ID) bool {
	return s.p.Driven(v, id) || s.p.Resting(v, id) && !slices.ContainsFunc(s.others.Walks, func(walks func(v *world.View, id world.ID) bool) bool { return walks(v, id) })
}

// wait waits until all is at rest or the time is up.
func (s *settling) wait(ctx context.Context, c *registry.Call) error {
	for {
		next := s.p.Stepped() // before looking, so that no step is missed
		var taken uint64
		resting, still := true, false
		s.w.View(func(v *world.View) {
			taken = v.Step() - s.start
			still = s.w.Environment.TimeScale.Get(v) == 0
			if taken < patience && slices.ContainsFunc(s.others.Awaited, func(awaited func(*world.View) bool) bool { return awaited(v) }) {
				resting = false
			}
			for i := range s.before {
				id := s.before[i].id
				if s.resting(v, id) {
					delete(s.marks, id)
				} else if !s.stuck(v, id) && !s.trembles(v, id) {
					resting = false
				}
			}
		})
		if resting || taken >= s.limit {
			return nil
		}
		if still {
			return registry.Failf("time stands still, so nothing comes to rest: world.setTimeScale with 1 lets it go on")
		}
		if rate := uint64(s.w.StepRate()); taken%rate == 0 {
			c.Progress(float64(taken)/float64(rate), s.in.Seconds, "seconds simulated")
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
