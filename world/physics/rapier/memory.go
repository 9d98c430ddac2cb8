package rapier

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Where the state of bodies is in the module's memory: bodies lie one behind the other in an array
// that moves when it grows, in the order of their indices. Rust promises none of these places. They
// were found by looking for bodies with a known state, hold for this one build, and are checked
// whenever a body is added.
const (
	arrayAt    = 472 // from the address of the body set: where the address of the array is
	stride     = 448 // from one body to the next
	rotationAt = 16  // from the beginning of a body
	positionAt = 32
	linearAt   = 120
	angularAt  = 132
)

// Awake appends the state of every body that is not asleep.
func (e *Engine) Awake(dst []physics.State) (out []physics.State, err error) {
	defer catch(&err)
	e.visited = e.visited[:0]
	e.invoke(e.hot.active, ref(e.sets.islands), ref(e.objects.lend(e.visit)))
	e.objects.back()
	array := e.array()
	for _, h := range e.visited {
		dst = append(dst, e.state(array, h))
	}
	return dst, nil
}

// array returns the address of the first body.
func (e *Engine) array() uint32 {
	return binary.LittleEndian.Uint32(e.bytes(e.sets.bodies+arrayAt, 4))
}

// state reads how a body is doing.
func (e *Engine) state(array uint32, h physics.Handle) physics.State {
	b := e.bytes(array+uint32(h.Index())*stride, stride)
	return physics.State{
		Handle:   h,
		Position: vec(b[positionAt:]),
		Rotation: quat(b[rotationAt:]),
		Linear:   vec(b[linearAt:]),
		Angular:  vec(b[angularAt:]),
	}
}

// verify fails if a new body is not where it is expected to be, with the numbers that it was given.
func (e *Engine) verify(h physics.Handle, b *physics.Body) {
	got := e.state(e.array(), h)
	for i := range 3 {
		if f32(got.Position[i]) != f32(b.Position[i]) || f32(got.Linear[i]) != f32(b.Linear[i]) || f32(got.Angular[i]) != f32(b.Angular[i]) {
			panic(trap{errors.New("bodies are not where they are expected in the module's memory")})
		}
	}
}

func float(b []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

func vec(b []byte) world.Vec3 { return world.Vec3{float(b), float(b[4:]), float(b[8:])} }

func quat(b []byte) world.Quat {
	return world.Quat{float(b), float(b[4:]), float(b[8:]), float(b[12:])}
}
