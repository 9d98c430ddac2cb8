package physics

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Config sets the physics of a world up.
type Config struct {
	Open    Open    // makes engines; nil: bodies are described, and never move
	Gravity float64 // along y, in m/s², as long as nobody has set another, see [Physics.SetGravity]

	// Rebuilt is told of an engine that was replaced, and why; nil for nobody. It runs in the step that
	// it happens in, under the world's lock, and must not call the world.
	Rebuilt func(Rebuild)
}

// Rebuild is that an engine was replaced by one made from the world.
type Rebuild struct {
	Step   uint64 // the simulation step at whose beginning it has to happen in a replay
	Reason string
}

// Physics moves the bodies of one world. What it keeps beside the world it keeps under the world's
// lock, so its methods that take a View or a Tx may be called by whoever holds one.
type Physics struct {
	w        *world.World
	config   Config
	gravity  *world.Global[float64]
	set      *world.Global[gravitation] // that somebody has set
	pulled   float64                    // what the engine has
	impulses *world.Component[world.Vec3]
	twists   *world.Component[world.Vec3] // what turns, of those that are pushed beside their middle, in N·m·s
	rebuilds *world.Global[uint64]

	characters *world.Component[Character] // viewers see it as "character"
	motions    *world.Component[motion]    // of those that are awake
	grounds    *world.Component[world.ID]  // what they stand on
	perches    *world.Component[perch]     // where they are put back

	joints *world.Component[Joint]   // viewers see it as "joint"
	aims   *world.Component[float64] // of motors that are on their way: where they push to

	hindered func(v *world.View, id world.ID) float64 // how much of its speed a character has; nil: all
	crushed  []func(tx *world.Tx, id, by world.ID) error
	fell     []func(tx *world.Tx, id world.ID, from, to world.Vec3) error
	broke    []func(tx *world.Tx, b *Broken) error

	firm *solid.Index // of what does not give way; for calls, as the engine has yet to hear of what they change

	engine   Engine
	opening  *opening           // of the first engine
	wanted   bool               // there was a dynamic body
	started  bool               // the engine was given to the world
	bodies   map[world.ID]*body // those that the engine has, and those in the queue
	queue    []*body            // what commits have touched
	waters   map[world.ID]struct{}
	rewet    bool                      // water has changed since the last step
	pools    world.Pools               // the waters in this step
	launched []*vessel                 // what is hollow and near them
	besides  []*vessel                 // scratch
	surveys  int                       // how many vessels were looked at in this step
	riders   map[world.ID][]world.Vec3 // scratch: where those are who stand on what is dynamic
	laden    []world.ID                // on which somebody stands, of what is dynamic and not in water
	waiting  []*body                   // for room, in the order in which they came; see crowd.go
	at       []*body                   // by the index of the handle
	links    []link                    // the joints that the engine has, by the entities that hang
	spare    []link                    // scratch: those of the step before
	rejoin   bool                      // one of them may have changed
	parted   []parted                  // what does not meet each other, by id; see weld.go
	relinked bool                      // the engine has other joints than when that was found out
	weighed  []Handle                  // of joints that the engine measures the force of
	loads    []float64                 // scratch: those forces
	astray   []world.ID                // whose motor goes elsewhere since this step, with no aim yet
	awake    int                       // how many moved, or could have, in the last step
	last     uint64                    // that step
	broken   error                     // why the engine must be replaced before it is used again
	failed   int                       // how many new engines have failed, one after the other
	retry    uint64                    // the step before which no other is made then
	replay   map[uint64]bool           // steps at which a rebuild has to happen
	about    []Handle                  // scratch: what is about a place
	states   []State                   // scratch
	shifts   []shift                   // scratch
	ids      []world.ID                // scratch
	contacts []Contact                 // scratch

	// What follows is of the step that is being taken.
	now       uint64 // its number
	told      bool   // the engine was told of a change
	wishes    map[world.ID]world.Vec3
	walked    []walked
	trod      []trod
	moved     []*body                 // told of, and not dynamic
	fresh     map[spot][]solid.Bounds // dynamic bodies that were told of
	intruders []obstacle              // of those, while characters walk
	caught    []int                   // indices of walked of those that are to be freed

	mu      sync.Mutex // guards what follows
	stepped chan struct{}
	heard   history // of touches
}

// body is what physics knows of an entity beside the world.
type body struct {
	id       world.ID
	handle   Handle
	live     bool // the engine has it
	lost     bool // the engine had it, and could not go on with it
	queued   bool
	waits    bool // is in waiting
	made     Body // what the engine was told, with the newest position and velocities
	awakeAt  uint64
	position world.Vec3 // where the entity was when they were last compared, in world space
	rotation world.Quat
	told     uint64     // the step in which the engine was told of a change
	put      uint64     // that, of a character that was not made anew with the engine
	walked   uint64     // the step in which a character walked, or was pushed
	nth      int        // the index of what came of it
	shifted  uint64     // the step in which it was moved, if it is kinematic
	from     stance     // where it was before; of a dynamic one, before the last step
	raised   uint64     // the step in which it was found to be higher than before, if it is not dynamic
	raise    float64    // by how much then
	kept     kept       // of a model, what it is in room
	bulk     *bulk      // of what is, or was, in water
	borne    bool       // the engine has it be borne by water
	stirred  uint64     // the step in which it last moved in water so that it must not fall asleep
	wet      float64    // how much of it is under water, when that was looked at last
	flow     world.Vec3 // how that flows, where its middle is
	vessel   *vessel    // what it is by itself or with others it is fixed to, if that may be hollow
	aloft    load       // by what the air in the vessel lifts it in this step …
	air      float64    // … and how much water that keeps out, in the mass of the vessel
	carries  load       // the weight of who stands on it, as the engine was told; nothing in water
}

// stance is where a body is.
type stance struct {
	Position world.Vec3
	Rotation world.Quat
}

// New gives a world physics, once, where it is put together: before the world takes steps, and after
// those that move entities in steps.
func New(w *world.World, c Config) *Physics {
	p := &Physics{
		w: w, config: c,
		gravity:  world.NewGlobal(w, "physics.gravity", c.Gravity, world.Private),
		set:      world.NewGlobal(w, "world.gravity", gravitation{}),
		pulled:   c.Gravity,
		impulses: world.NewComponent[world.Vec3](w, "physics.impulse", world.Private),
		twists:   world.NewComponent[world.Vec3](w, "physics.twist", world.Private),
		rebuilds: world.NewGlobal[uint64](w, "physics.rebuilds", 0, world.Private),

		characters: world.NewComponent[Character](w, "character"),
		motions:    world.NewComponent[motion](w, "character.motion", world.Private, world.Single, world.Derived), // where one was sent is nothing to take back
		grounds:    world.NewComponent[world.ID](w, "character.ground", world.Private, world.Single),
		perches:    world.NewComponent[perch](w, "character.perch", world.Private, world.Single),

		joints: world.NewComponent[Joint](w, "joint", world.Single),
		aims:   world.NewComponent[float64](w, "joint.aim", world.Private, world.Single),

		bodies: map[world.ID]*body{},
		waters: map[world.ID]struct{}{},
		riders: map[world.ID][]world.Vec3{},
		wishes: map[world.ID]world.Vec3{},
		replay: map[uint64]bool{},
		fresh:  map[spot][]solid.Bounds{},
	}
	p.firm = solid.NewIndex(w, p.obstacle)
	p.joints.Kin(kin)
	w.OnReparent(p.reparented)
	w.OnCommit(p.note)
	w.OnGate(p.gate)
	w.OnStep("physics", p.step, p.activity)
	p.motions.Resume(func(m motion, past uint64) motion {
		m.Last, m.Jump = later(m.Last, past), later(m.Jump, past)
		return m
	})
	return p
}

// Close ends what runs in the background and frees the engine. No step may be taken after it.
func (p *Physics) Close() error {
	var err error
	_, failed := p.w.Update(context.Background(), func(*world.Tx) error {
		if p.opening != nil && !p.started {
			p.opening.cancel()
			<-p.opening.done
			p.engine = p.opening.engine
		}
		if p.engine != nil {
			err = p.engine.Close()
		}
		p.engine, p.wanted = nil, false
		return nil
	})
	return errors.Join(err, failed)
}

// Push adds an impulse, in newton seconds, to an entity's body; it takes effect with the next step. It
// reports false, and does nothing, if the entity has no dynamic body, and fails if there is no such
// entity, it is out of reach, or the sum of what was added is beyond what the world takes.
func (p *Physics) Push(tx *world.Tx, id world.ID, impulse world.Vec3) (bool, error) {
	if !tx.Exists(id) {
		return false, tx.Unknown(id)
	}
	b, ok := p.w.Bodies.Get(&tx.View, id)
	if !ok || b.Type != "dynamic" {
		return false, nil
	}
	if err := p.outside(&tx.View, id); err != nil {
		return false, err
	}
	before, _ := p.impulses.Get(&tx.View, id)
	return true, p.impulses.Set(tx, id, before.Add(impulse))
}

// PushAt is [Physics.Push] at a place on the body, in its own axes and in metres, not scaled: beside its centre of mass it turns it, too. It fails if that
// place is not in the box around the body.
func (p *Physics) PushAt(tx *world.Tx, id world.ID, impulse, at world.Vec3) (bool, error) {
	ok, err := p.Push(tx, id, impulse)
	b, has := p.describe(&tx.View, id)
	if !ok || err != nil || !has {
		return ok, err
	}
	lo, hi := b.Form.box()
	for i := range at {
		if at[i] < lo[i]-aside || at[i] > hi[i]+aside {
			return false, &world.Error{Code: "invalid_input", Message: fmt.Sprintf("at: is outside of %s, which reaches from %v to %v in its own axes, in metres", id, lo, hi)}
		}
	}
	twist := b.Rotation.Rotate(at.Sub(b.Form.middle())).Cross(b.bearable(impulse))
	before, _ := p.twists.Get(&tx.View, id)
	return true, p.twists.Set(tx, id, before.Add(twist))
}

// aside is how far outside of the box around a body it can be pushed, in metres: numbers are rounded.
const aside = 0.01

// Pushed returns the impulse that an entity's body gets with the next step, in newton seconds.
func (p *Physics) Pushed(v *world.View, id world.ID) world.Vec3 {
	impulse, _ := p.impulses.Get(v, id)
	return impulse
}

// Moves reports whether bodies move in this world at all: whether it has been given an engine.
func (p *Physics) Moves() bool { return p.config.Open != nil }

// Resting reports whether an entity stays where it is as far as its body is concerned: it has none
// that is dynamic, or one that sleeps, or is beyond the engine's reach; or it is a character that
// stands and was sent nowhere. While the engine has yet to be told of a body that was moved, made or
// removed, nothing that moves is at rest: it may have stood on that one.
func (p *Physics) Resting(v *world.View, id world.ID) bool {
	if p.characters.Has(v, id) && p.Moves() {
		return !p.motions.Has(v, id) && len(p.queue) == 0 && !p.rewet
	}
	described, ok := p.w.Bodies.Get(v, id)
	if !ok || described.Type != "dynamic" || !p.Moves() {
		return true
	}
	if p.impulses.Has(v, id) || p.rejoin || p.rewet {
		return false
	}
	b := p.bodies[id]
	if b == nil {
		return p.started // else it has yet to begin
	}
	return len(p.queue) == 0 && !b.waits && (!b.live || b.awakeAt != p.last)
}

// Stirs reports whether an entity was pushed, or a motor, of whatever, is on its way or about to be told where to go: what has not moved yet may.
func (p *Physics) Stirs(v *world.View, id world.ID) bool {
	return p.impulses.Has(v, id) || p.rejoin || p.aims.Len(v) > 0
}

// activity is what a step has to do.
func (p *Physics) activity(v *world.View) world.Activity {
	switch {
	case p.wanted && !p.started && p.opening.failed(): // a step tells of it
		return world.Waiting
	case p.failed > 0:
		return world.Waiting
	case p.wanted && (!p.started || p.moving(v)):
		return world.Busy
	case p.awaited() || p.started && (p.broken != nil || len(p.waiting) > 0 || p.toRebuild(v)):
		return world.Waiting
	}
	return world.Idle
}

// toRebuild reports whether the engine has to be replaced in a step to come.
func (p *Physics) toRebuild(v *world.View) bool {
	now := v.Step()
	for step := range p.replay {
		if step > now {
			return true
		}
	}
	return false
}

// moving reports whether the engine has something to do.
func (p *Physics) moving(v *world.View) bool {
	return p.awake > 0 || p.pulled != p.Gravity(v) || p.rewet || len(p.queue) > 0 || p.rejoin || p.aims.Len(v) > 0 || p.impulses.Len(v) > 0 || p.motions.Len(v) > 0
}

// Stats are figures of the physics.
type Stats struct {
	Bodies   int // in the engine
	Awake    int // dynamic bodies that do not sleep, and characters that move or are to
	Rebuilds uint64
	Opening  bool // steps wait for the engine
}

// Stats returns the figures.
func (p *Physics) Stats() (s Stats) {
	p.w.View(func(v *world.View) {
		s = Stats{Bodies: len(p.bodies), Awake: p.awake + p.motions.Len(v), Rebuilds: p.rebuilds.Get(v), Opening: p.wanted && !p.started && !p.opening.failed()}
	})
	return s
}

// Stepped returns a channel that is closed at the end of the next simulation step, when its commit is
// near: who then reads the world sees it. It is closed too by a commit while time stands still.
func (p *Physics) Stepped() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stepped == nil {
		p.stepped = make(chan struct{})
		p.w.Wake() // there may be no steps because there is nothing to do
	}
	return p.stepped
}

// awaited reports whether somebody waits for a step.
func (p *Physics) awaited() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stepped != nil
}

func (p *Physics) tellStepped() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stepped != nil {
		close(p.stepped)
		p.stepped = nil
	}
}

// settings is what engines are opened with.
func (p *Physics) settings(gravity float64) Settings {
	return Settings{Gravity: gravity, TimeStep: 1 / float64(p.w.StepRate())}
}

// opening is an engine that is being opened in the background.
type opening struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the two below are set
	engine Engine
	err    error
}

func (p *Physics) open(gravity float64) *opening {
	ctx, cancel := context.WithCancel(context.Background())
	o := &opening{cancel: cancel, done: make(chan struct{})}
	p.pulled = gravity
	settings := p.settings(gravity)
	go func() {
		defer close(o.done)
		o.engine, o.err = p.config.Open(ctx, settings)
	}()
	return o
}

// failed reports whether there will be no engine.
func (o *opening) failed() bool {
	select {
	case <-o.done:
		return o.err != nil
	default:
		return false
	}
}

// gate has steps wait while the engine is being opened.
func (p *Physics) gate() <-chan struct{} {
	if p.opening == nil || p.started {
		return nil
	}
	select {
	case <-p.opening.done:
		return nil
	default:
		return p.opening.done
	}
}
