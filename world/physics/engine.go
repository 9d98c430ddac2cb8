package physics

import (
	"context"

	"github.com/limina-mcp/limina/world"
)

// Engine simulates rigid bodies. It belongs to one goroutine. What it does depends on nothing but
// the calls made and their order: two engines that were called alike hold the same bits, on every
// platform.
//
// Lengths are metres, masses kilograms, times seconds. An engine computes in float32: what it says
// is exact in float64, what it is told is rounded. Every method may fail, as the inside of an engine
// may; it is then of no more use, but to be closed.
type Engine interface {
	// Add makes a body.
	Add(b *Body) (Handle, error)
	// Remove takes a body away and wakes those that touch it.
	Remove(h Handle) error
	// Place puts a body somewhere, at rest, and wakes it and those that touch it.
	Place(h Handle, position world.Vec3, rotation world.Quat) error
	// Rest puts a kinematic body somewhere, and to sleep.
	Rest(h Handle, position world.Vec3, rotation world.Quat) error
	// Aim has a kinematic body move so that the next step brings it there, pushing what is in its way.
	Aim(h Handle, position world.Vec3, rotation world.Quat) error
	// Join has two bodies hold each other, wakes them, and returns the joint's handle. It is gone when one of them is removed.
	Join(a, b Handle, j *Hold) (Handle, error)
	// Steer gives the motor of a joint another goal.
	Steer(joint Handle, j *Hold) error
	// Part takes a joint away and wakes those that it held. One that is gone already is no error.
	Part(joint Handle) error
	// Pull has bodies get faster by so much along y, in m/s², from the next step on. It wakes none.
	Pull(gravity float64) error
	// Wake wakes a body.
	Wake(h Handle) error
	// Push adds an impulse, in newton seconds, at the centre of mass of a dynamic body, and wakes it.
	Push(h Handle, impulse world.Vec3) error
	// Twist adds an impulse that turns a dynamic body about its centre of mass, in newton metre seconds along the axes of the world, and wakes it.
	Twist(h Handle, impulse world.Vec3) error
	// Bear has a force in N act on a dynamic body at its centre of mass, and a torque in N·m, from the next step on and in place of those before; also while it
	// sleeps, when neither moves it. It wakes it, or keeps it from falling asleep, only if it stirs.
	Bear(h Handle, force, torque world.Vec3, stirs bool) error
	// Walk finds out how far a body comes that wants to go somewhere and takes no room from others, and
	// pushes the dynamic bodies that it meets. The body stays where it is. What it meets is where it was
	// at the end of the last step. Who touches a kinematic body that has moved in that step may be taken
	// along by as much, and then even into what is there.
	Walk(h Handle, s *Stride) (Walked, error)
	// Fits reports whether a form, somewhere, would touch no body but one, as of the end of the last step. A [Model] counts as the box around it.
	Fits(f Form, position world.Vec3, rotation world.Quat, but Handle) (bool, error)
	// Around appends the bodies whose bounds meet a box, as of the end of the last step, in no order, and no more than most. One of several
	// forms may be there several times.
	Around(dst []Handle, middle, half world.Vec3, most int) ([]Handle, error)
	// Weigh has the engine measure with what force these joints hold, from the next step on, and no others. A step may cost twice as much
	// while there are some, and what moves does so as well as before, but not to the bit.
	Weigh(joints []Handle) error
	// Loads appends the force in N with which each of them held in the last step, its mean over that step, in the order in which they were given. What
	// turns a joint is no part of it. It is 0 for one that is gone, and means nothing for one that holds only what sleeps.
	Loads(dst []float64) []float64
	// Step advances everything by one time step.
	Step() error
	// Awake appends the state of every body that is not static and not asleep, in the engine's order.
	Awake(dst []State) ([]State, error)
	// Contacts appends who began and who ceased to touch whom in the last step.
	Contacts(dst []Contact) ([]Contact, error)
	// Close frees what the engine holds.
	Close() error
}

// Open makes an engine without bodies. It may take seconds the first time.
type Open func(ctx context.Context, s Settings) (Engine, error)

// Settings are what an engine is made with.
type Settings struct {
	Gravity  float64 // along y, in m/s²; see [Engine.Pull]
	TimeStep float64 // of a step, in seconds
}

// Handle names a body in one engine. Its lower half is small: it is an index, used again after the
// body is gone, when the upper half is another one.
type Handle uint64

// NoHandle is no body's handle.
const NoHandle = ^Handle(0)

// Index is the part of a handle that is small.
func (h Handle) Index() int { return int(uint32(h)) }

// Kind says how a body moves.
type Kind uint8

// The kinds of body.
const (
	Static    Kind = iota // never by itself
	Dynamic               // by forces
	Kinematic             // as it is told, and pushes what is in its way
)

// Field is a surface over a rectangle of x and z around the body's position, made of two triangles
// in each cell of a grid.
type Field struct {
	Rows, Columns int        // cells along z and x
	Heights       []float32  // (Rows+1)*(Columns+1), column by column: all of z for the smallest x first
	Size          world.Vec3 // along x and z; along y a factor of the heights
}

// Part is a further form of a body, at a place of the body's own.
type Part struct {
	Form     Form
	Position world.Vec3
	Rotation world.Quat
}

// Body is what an engine needs to know to make a body.
type Body struct {
	Kind        Kind
	Form        Form
	Bare        bool    `json:",omitempty"` // it has no form and meets nothing: joints hold on to it
	Parts       []Part  `json:",omitempty"` // beside the form, for a body that does not walk; of a given mass each form has its share by volume
	Field       *Field  // instead of Form, if it is not nil
	Ground      *Ground `json:",omitempty"` // what the Field is of; engines go by the Field
	Position    world.Vec3
	Rotation    world.Quat
	Linear      world.Vec3 // velocity, in m/s
	Angular     world.Vec3 // in rad/s
	Friction    float64
	Restitution float64
	Mass        float64 // 0: by volume, at 1 kg/m³
	Density     float64 `json:",omitempty"` // of a dynamic one in water, in kg/m³: no engine's business
	Asleep      bool
}

// Drag returns how fast an engine has the body lose its turning, per second: after a second e to the power of -Drag is left of it. It is 0 but
// for what is round and rolls, which nothing else in an engine would ever stop on level ground. A ball that rolls loses 2/7 as
// much of its way, because its turning is 2/7 of what moves it.
func (b *Body) Drag() float64 {
	const rolling = 1
	if b.Kind != Dynamic || b.Field != nil || b.Form.flat() {
		return 0
	}
	for i := range b.Parts {
		if b.Parts[i].Form.flat() {
			return 0
		}
	}
	return rolling
}

// Hold is how two bodies hold each other, as an engine is told. A frame is where the joint is on a body, in the body's own axes and in metres; its
// x axis is the joint's.
type Hold struct {
	Kind          JointKind
	A, B          Frame
	Limited       bool    // of a [Hinge] and a [Slider]: Low and High hold
	Low, High     float64 // in radians, or metres
	Motor         Motor
	Length        float64 // of a [Rope], at most; of a [Spring], at rest
	Stiff, Damped float64 // of a [Spring], in N/m and N·s/m
	Collide       bool    // the two meet each other all the same
}

// Frame is a place on a body, and how it is turned there.
type Frame struct {
	At   world.Vec3
	Turn world.Quat
}

// Motor drives a [Hinge] or a [Slider], b as seen from a.
type Motor struct {
	Drive    Drive   `json:"drive"`
	Goal     float64 `json:"goal,omitempty"`     // rad/s or m/s; or rad or m
	Strength float64 `json:"strength,omitempty"` // the most that it pushes with, in N·m or N; 0: no bound
}

// endless reports whether a motor moves what it drives for ever.
func (m *Motor) endless() bool { return m.Drive == ToSpeed && m.Goal != 0 }

// Drive is what a motor does.
type Drive string

// What motors do.
const (
	Loose   Drive = ""         // nothing
	ToSpeed Drive = "speed"    // it turns, or slides, at a speed
	ToPlace Drive = "position" // it goes to an angle, or a place, and holds it there
)

// JointKind is a kind of joint.
type JointKind string

// The kinds of joint: what they leave free.
const (
	Hinge  JointKind = "hinge"  // turning about the axis
	Slider JointKind = "slider" // sliding along the axis
	Socket JointKind = "ball"   // all turning
	Weld   JointKind = "fixed"  // nothing
	Rope   JointKind = "rope"   // everything within a length
	Spring JointKind = "spring" // everything, against a force
	Unheld JointKind = "unheld" // everything: the two only do not meet each other. No entity hangs so
)

// Travels reports whether a joint moves along, or about, its one axis: such have ends, and motors.
func (k JointKind) Travels() bool { return k == Hinge || k == Slider }

// Spans reports whether a joint has two ends that are apart, and a length.
func (k JointKind) Spans() bool { return k == Rope || k == Spring }

// Stride is how a body wants to walk.
type Stride struct {
	Way  world.Vec3 // from where it is
	Mass float64    // with which it pushes
	Feet Feet
}

// Feet says what a body that walks can do, in metres.
type Feet struct {
	Gap   float64 // how far it stays from everything
	Step  float64 // how high the steps are that it goes up
	Width float64 // how much room there has to be on a step
	Snap  float64 // how far down it follows the ground
}

// Walked is how far a body comes.
type Walked struct {
	Way      world.Vec3
	Grounded bool   // it stands on something then
	Ground   Handle // what that is, as far as it was met on the way, or [NoHandle]
}

// State is how a body is doing.
type State struct {
	Handle   Handle
	Position world.Vec3
	Rotation world.Quat
	Linear   world.Vec3
	Angular  world.Vec3
}

// Contact is that two bodies began or ceased to touch.
type Contact struct {
	A, B    Handle
	Began   bool
	Located bool       // Point and Normal are known
	Point   world.Vec3 // where they touch
	Normal  world.Vec3 // from A to B, of length 1
}
