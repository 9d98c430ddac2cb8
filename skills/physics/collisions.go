package physics

import (
	"sync"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// CollisionEventsOut is the output of physics.collisionEvents.
type CollisionEventsOut struct {
	Events []Collision `json:"events" jsonschema_description:"Who began or ceased to touch whom since you last asked, oldest first; at most 100."`
	More   bool        `json:"more" jsonschema_description:"Whether there are more: ask again."`
	Missed uint64      `json:"missed" jsonschema_description:"How many were forgotten because you did not ask for long; the newest 1,024 are kept."`
}

// Collision is that two bodies began or ceased to touch.
type Collision struct {
	Started bool        `json:"started" jsonschema_description:"True: they began to touch. False: they ceased."`
	BodyA   int         `json:"bodyA" validate:"gte=0" jsonschema_description:"Number of the one body."`
	BodyB   int         `json:"bodyB" validate:"gte=0" jsonschema_description:"Number of the other body."`
	EntityA *world.ID   `json:"entityA,omitempty" jsonschema_description:"The entity of the one body, unless it is gone."`
	EntityB *world.ID   `json:"entityB,omitempty" jsonschema_description:"The entity of the other body, unless it is gone."`
	Point   *world.Vec3 `json:"point" jsonschema:"nullable" jsonschema_description:"Where they touch, in metres; null where they cease to."`
	Normal  *world.Vec3 `json:"normal" jsonschema:"nullable" jsonschema_description:"The direction from A to B there, of length 1; null where they cease to touch."`
	Step    uint64      `json:"step" jsonschema_description:"The simulation step in which it happened."`
}

const (
	eventsPerCall = 100
	maxReaders    = 4096
)

// readers knows how far each session has read.
type readers struct {
	mu   sync.Mutex // guards next
	next map[string]uint64
}

// CollisionEvents is physics.collisionEvents. Each session reads its own: one that has read an event
// leaves it to the others.
func CollisionEvents(p *bodies.Physics) registry.Skill {
	r := &readers{next: map[string]uint64{}}
	return registry.Define(registry.Spec[struct{}, CollisionEventsOut]{
		Name:  "physics.collisionEvents",
		Title: "Who touched whom",
		Description: "List which bodies began or ceased to touch each other since your session last asked; the first time, what is remembered. Others who ask take nothing away from you. " +
			`To wait until everything lies still, and learn what fell, use physics.settle. Example: {}`,
		Keywords:    "collide collision hit bump contact",
		Permissions: []profiles.Permission{"physics.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, _ struct{}) (CollisionEventsOut, error) {
			return r.read(p, c.Principal().Session, !c.Dry()), nil
		},
	})
}

// read returns what a session has not read yet, and remembers that it has, if that stays.
func (r *readers) read(p *bodies.Physics, session string, stays bool) CollisionEventsOut {
	r.mu.Lock()
	defer r.mu.Unlock()
	from, known := r.next[session]
	touches, next := p.Touches(from, eventsPerCall)
	out := CollisionEventsOut{Events: make([]Collision, len(touches)), More: len(touches) == eventsPerCall}
	for i := range touches {
		out.Events[i] = collision(&touches[i])
	}
	if known {
		out.Missed = next - from - uint64(len(touches))
	}
	if !stays {
		return out
	}
	if !known {
		r.makeRoom()
	}
	r.next[session] = next
	return out
}

// makeRoom forgets the session that is furthest behind, once there are too many.
func (r *readers) makeRoom() {
	if len(r.next) < maxReaders {
		return
	}
	oldest := ""
	for session, next := range r.next {
		if oldest == "" || next < r.next[oldest] || next == r.next[oldest] && session < oldest {
			oldest = session
		}
	}
	delete(r.next, oldest)
}

func collision(t *bodies.Touch) Collision {
	c := Collision{Started: t.Began, BodyA: t.BodyA, BodyB: t.BodyB, Step: t.Step}
	if t.A != 0 {
		c.EntityA = &t.A
	}
	if t.B != 0 {
		c.EntityB = &t.B
	}
	if t.Located {
		c.Point, c.Normal = &t.Point, &t.Normal
	}
	return c
}
