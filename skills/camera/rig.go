package camera

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/newest"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of cameras.
const (
	MaxRigs   = 4096    // agents that have one; the one that was changed longest ago makes room
	MaxConfig = 4 << 10 // bytes of a free config
)

// The kinds of rigs.
const (
	follow      = "follow"
	firstPerson = "firstPerson"
	thirdPerson = "thirdPerson"
	topDown     = "topDown"
	free        = "free"
)

// usualFOV is the field of view of a camera of which nothing else was said, in degrees.
const usualFOV = 60

// steepest is how far up or down a camera looks, in radians.
const steepest = 1.5

// Deps is what cameras stand on.
type Deps struct {
	World  *world.World
	Cast   *player.Stage // whose eyes somebody has who was given no camera; nil for nobody's
	Things *solid.Index  // what is in the way of a camera; nil for nothing
}

// Cameras are the cameras of a world. All of it is in the world, so it is hashed, rolled back and replayed with the rest. A world has
// one Cameras.
type Cameras struct {
	d    Deps
	w    *world.World
	rigs *world.Table[string, Rig]
}

// New adds cameras to a world, once, where it is put together.
func New(d Deps) *Cameras {
	c := &Cameras{d: d, w: d.World, rigs: world.NewTable[string, Rig](d.World, "camera.rigs", MaxRigs)}
	c.rigs.Locate(func(r Rig) world.Place {
		if r.Target != 0 {
			return world.Place{Entity: r.Target}
		}
		return world.Place{Point: &r.Position}
	})
	c.rigs.Resume(Rig.later)
	return c
}

// Rig is a row of the table "camera.rigs". Angles are in radians, lengths in metres, steps are simulation steps. Rows are immutable.
type Rig struct {
	Kind   string   `json:"kind"`
	Target world.ID `json:"target,omitempty"` // of all kinds but free

	Distance float64    `json:"distance,omitempty"`
	Pitch    float64    `json:"pitch,omitempty"` // how far above the level the camera is; of firstPerson, how far up it looks
	Yaw      float64    `json:"yaw,omitempty"`   // how far to the left of Facing it looks
	Facing   world.Vec3 `json:"facing,omitzero"` // a level direction; zero: the target's z axis
	Lift     float64    `json:"lift,omitempty"`  // of firstPerson: from the target's position up to the eyes
	Limits   *Limits    `json:"limits,omitempty"`

	Position world.Vec3 `json:"position,omitzero"` // of free
	LookAt   world.Vec3 `json:"lookAt,omitzero"`

	Smoothness float64         `json:"smoothness,omitempty"` // about how many seconds it comes behind
	Collides   bool            `json:"collisionCheck,omitempty"`
	Config     registry.Object `json:"config,omitempty"`

	FOV   Zoom   `json:"fov"`
	Shake *Shake `json:"shake,omitempty"`
	Cut   uint64 `json:"cut"`   // the step since which it is not to come from where it was before
	Since uint64 `json:"since"` // the step of the newest change
}

// later returns what goes on past steps later where r is. That is a cut: the target is where it was then.
func (r Rig) later(past uint64) Rig {
	r.Cut, r.Since = r.Cut+past, r.Since+past
	if r.FOV.Steps > 0 {
		r.FOV.Start += past
	}
	if r.Shake != nil {
		shake := *r.Shake
		shake.Start += past
		r.Shake = &shake
	}
	return r
}

// Limits are those of an orbit.
type Limits struct {
	MinPitch    float64 `json:"minPitch"`
	MaxPitch    float64 `json:"maxPitch"`
	MinDistance float64 `json:"minDistance"`
	MaxDistance float64 `json:"maxDistance"`
}

// own returns the rig of a caller, or else his eyes: those of his body or character. ok is false if he has neither.
func (c *Cameras) own(v *world.View, caller *profiles.Principal) (r Rig, ok bool) {
	if r, ok := c.rigs.Get(v, caller.ID); ok {
		return r, true
	}
	if c.d.Cast == nil {
		return Rig{}, false
	}
	own := c.d.Cast.Own(v, caller)
	if len(own) == 0 {
		return Rig{}, false
	}
	return Rig{Kind: firstPerson, Target: own[0], Lift: c.lift(v, own[0], headHeight), FOV: Zoom{To: usualFOV}}, true
}

// begin is own, or what somebody begins with who has nothing: the eyes of one who stands at the world's spawn.
func (c *Cameras) begin(v *world.View, caller *profiles.Principal) Rig {
	if r, ok := c.own(v, caller); ok {
		return r
	}
	const eyes = 1.7
	at := c.w.Environment.Spawn.Get(v)
	at[1] += eyes
	return Rig{Kind: free, Position: at, LookAt: at.Add(north), FOV: Zoom{To: usualFOV}}
}

// north is where a camera looks that was told nothing.
var north = world.Vec3{0, 0, -1}

// lift is how far above an entity's position the point is that is so high above its lowest point.
func (c *Cameras) lift(v *world.View, id world.ID, height float64) float64 {
	s, ok := solid.Of(c.w, v, id)
	if !ok {
		return height
	}
	at, _ := v.Position(id)
	return world.Bounded(s.Bounds().Lo[1] - at[1] + height)
}

// keep gives an agent a rig.
func (c *Cameras) keep(tx *world.Tx, agent string, r Rig) error {
	r.Since = tx.Step()
	return newest.Keep(tx, c.rigs, MaxRigs, agent, r, func(r Rig) uint64 { return r.Since })
}

// mount puts a caller's camera on a rig, in place of the one that it is on; what it is told of the field of view and of shaking stays.
func (c *Cameras) mount(call *registry.Call, r Rig, meta registry.Object) (Aimed, error) {
	if err := config.Fits("config", len(r.Config), MaxConfig); err != nil {
		return Aimed{}, err
	}
	return world.Do(c.w, call, func(tx *world.Tx) (Aimed, error) {
		if !tx.Exists(r.Target) {
			return Aimed{}, registry.Under("target", tx.Unknown(r.Target))
		}
		before := c.begin(&tx.View, call.Principal())
		r.FOV, r.Shake, r.Cut = before.FOV, before.Shake, before.Cut
		switch r.Kind {
		case firstPerson:
			r.Lift, r.Cut = c.lift(&tx.View, r.Target, r.Lift), tx.Step()
		case thirdPerson:
			r.Facing = c.heading(&tx.View, r.Target)
		}
		return c.aim(tx, call, r, "camera.set", meta)
	})
}

// aim keeps a caller's rig, and says where the camera is then.
func (c *Cameras) aim(tx *world.Tx, call *registry.Call, r Rig, kind string, meta registry.Object) (Aimed, error) {
	out, err := c.set(tx, call.Principal().ID, r)
	if err != nil {
		return Aimed{}, err
	}
	return out, call.Emit(kind, event{r.Kind, r.Target, meta})
}

// set keeps an agent's rig, and says where the camera is then.
func (c *Cameras) set(tx *world.Tx, agent string, r Rig) (Aimed, error) {
	if err := c.keep(tx, agent, r); err != nil {
		return Aimed{}, err
	}
	s, err := c.shot(&tx.View, &r)
	if err != nil {
		return Aimed{}, err
	}
	return Aimed{true, s.Position, s.LookAt}, nil
}
