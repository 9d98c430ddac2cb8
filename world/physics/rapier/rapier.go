// Package rapier is a [physics.Engine]: Rapier, the rigid-body engine of dimforge, whose build for
// the web runs here in wazero, without JavaScript and without cgo.
//
// The module is that of the npm package @dimforge/rapier3d-deterministic 0.21.0, unchanged, under the
// Apache License 2.0 (LICENSE.rapier). It computes in WebAssembly's float32, which every platform
// rounds alike: the same calls give the same bits everywhere. Before it is compiled its accesses to memory are put so
// that wazero checks fewer of them; what it computes stays the same. See internal/onecheck.
//
// # How it is held
//
// What the module exports is not made for people but for generated JavaScript. Objects in its memory
// go by address; a function that takes a vector takes the address of one. Numbers and callbacks that
// it gets or gives through the host go by an index into a table that the host keeps; see objects.go.
// Handles are the bits of a float64, generation above index.
//
// The state of bodies is read from the module's memory, by where the compiler put it: a thousand
// bodies cost one pass over memory instead of four thousand calls. The places are those of this one
// build, which is pinned by its sha256, and they are checked whenever a body is added; see memory.go.
package rapier

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tetratelabs/wazero/api"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Engine is one instance of the module with one world of bodies in it.
type Engine struct {
	module   api.Module
	closed   bool
	memory   api.Memory
	ctx      context.Context // of calls into the module: it holds the engine
	settings physics.Settings

	objects objects
	args    []object // of the callback that runs
	stack   [32]uint64
	fns     map[string]api.Function
	hot     hot

	sets    sets
	vectors [4]uint32 // RawVectors to pass arguments in
	none    uint32    // a RawRotation that turns nothing

	control   uint32       // the controller of characters, which keeps nothing but its settings
	tuned     physics.Feet // those settings
	collision uint32       // a RawCharacterCollision

	owners  []owner // by the collider's index
	worn    []owner // the same, by the body's index
	spot    *floats // where the module writes a vector to
	visit   callback
	visited []physics.Handle
	heard   callback
	find    callback
	around  []physics.Handle // what find has found
	most    int              // … and how many it is to find
	touches []touch

	aims    []aim // that were told since the last step
	weighed []weighed
	fine    bool // steps are taken in parts; see load.go
}

var _ physics.Engine = (*Engine)(nil)

// sets are the addresses of what makes up Rapier's world.
type sets struct {
	gravity, parameters, islands, broad, narrow, bodies, colliders, soft, joints, multibody, ccd, pipeline, events uint32
}

// hot are the functions that every step calls.
type hot struct {
	step, active, drain api.Function
}

func newEngine(m api.Module, s physics.Settings) *Engine {
	e := &Engine{module: m, memory: m.Memory(), settings: s, objects: newObjects(), fns: map[string]api.Function{}}
	e.ctx = context.WithValue(context.Background(), engineKey{}, e)
	return e
}

// start makes an empty world in the module.
func (e *Engine) start() (err error) {
	defer catch(&err)
	e.hot = hot{e.fn("rawphysicspipeline_stepWithEvents"), e.fn("rawislandmanager_forEachActiveRigidBodyHandle"), e.fn("raweventqueue_drainCollisionEvents")}
	for i := range e.vectors {
		e.vectors[i] = e.make("rawvector_zero")
	}
	e.none = e.make("rawrotation_identity")
	e.control = uint32(e.call("rawkinematiccharactercontroller_new", f32(0)))
	e.collision = e.make("rawcharactercollision_new")
	s := &e.sets
	s.gravity = uint32(e.call("rawvector_new", f32(0), f32(e.settings.Gravity), f32(0)))
	s.parameters = e.make("rawintegrationparameters_new")
	e.call("rawintegrationparameters_set_dt", ref(s.parameters), f32(e.settings.TimeStep))
	s.islands, s.broad, s.narrow = e.make("rawislandmanager_new"), e.make("rawbroadphase_new"), e.make("rawnarrowphase_new")
	s.bodies, s.colliders, s.soft = e.make("rawrigidbodyset_new"), e.make("rawcolliderset_new"), e.make("rawsoftbodyset_new")
	s.joints, s.multibody = e.make("rawimpulsejointset_new"), e.make("rawmultibodyjointset_new")
	e.rest()
	e.spot = &floats{make([]float32, 4)}
	e.visit = func(args []object) error {
		e.visited = append(e.visited, handleOf(args[0]))
		return nil
	}
	e.find = func(args []object) error {
		if e.around = append(e.around, e.owner(handleOf(args[0]))); len(e.around) >= e.most {
			return errEnough
		}
		return nil
	}
	e.heard = func(args []object) error {
		began, _ := args[2].(bool)
		e.touches = append(e.touches, touch{handleOf(args[0]), handleOf(args[1]), began})
		return nil
	}
	return nil
}

// rest makes what is no part of a snapshot.
func (e *Engine) rest() {
	s := &e.sets
	s.ccd, s.pipeline = e.make("rawccdsolver_new"), e.make("rawphysicspipeline_new")
	s.events = uint32(e.call("raweventqueue_new", 1)) // it forgets, before a step, what nobody asked for
}

// Close frees the instance and its memory, of which nothing is touched from then on.
func (e *Engine) Close() error {
	e.closed = true
	if err := e.module.Close(context.Background()); err != nil {
		return fmt.Errorf("rapier: %w", err)
	}
	return nil
}

// fn returns a function of the module.
func (e *Engine) fn(name string) api.Function {
	f := e.fns[name]
	if f == nil {
		if f = e.module.ExportedFunction(name); f == nil {
			panic(trap{fmt.Errorf("the module has no function %s", name)})
		}
		e.fns[name] = f
	}
	return f
}

// trap carries an error of the module up to the method that was called.
type trap struct{ err error }

var errClosed = errors.New("the engine is closed")

// catch turns a trap into an error.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case trap:
		*err = fmt.Errorf("rapier: %w", r.err)
	default:
		panic(r)
	}
}

// call calls a function of the module and returns its result, if it has one. It panics with a trap.
func (e *Engine) call(name string, args ...uint64) uint64 {
	return e.invoke(e.fn(name), args...)
}

func (e *Engine) invoke(f api.Function, args ...uint64) uint64 {
	if e.closed {
		panic(trap{errClosed})
	}
	n := copy(e.stack[:], args)
	if err := f.CallWithStack(e.ctx, e.stack[:max(n, 1)]); err != nil {
		panic(trap{err})
	}
	return e.stack[0]
}

// make calls a function that makes an object and returns its address.
func (e *Engine) make(name string) uint32 { return uint32(e.call(name)) }

// bytes returns a piece of the module's memory. It is valid until the module is called.
func (e *Engine) bytes(at, n uint32) []byte {
	if e.closed {
		panic(trap{errClosed})
	}
	b, ok := e.memory.Read(at, n)
	if !ok {
		panic(trap{errors.New("an address outside of the module's memory")})
	}
	return b
}

// vector writes v into the i-th scratch vector and returns its address.
func (e *Engine) vector(i int, v world.Vec3) uint64 {
	at := ref(e.vectors[i])
	e.call("rawvector_set_x", at, f32(v[0]))
	e.call("rawvector_set_y", at, f32(v[1]))
	e.call("rawvector_set_z", at, f32(v[2]))
	return at
}

// rotation makes a RawRotation; the caller frees it.
func (e *Engine) rotation(q world.Quat) uint64 {
	return e.call("rawrotation_new", f32(q[0]), f32(q[1]), f32(q[2]), f32(q[3]))
}

// f32 is how a float32 goes on the stack.
func f32(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }

func handleOf(o object) physics.Handle {
	x, _ := o.(float64)
	return physics.Handle(math.Float64bits(x))
}
