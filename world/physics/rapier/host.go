package rapier

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// hostFunc is a function that the module imports: it finds its arguments on the stack and leaves its
// result there.
type hostFunc func(e *Engine, stack []uint64)

// hosted are the functions that the module imports, by the beginning of their names: the rest is a
// hash that changes with every release. The longest beginning counts.
func hosted() map[string]hostFunc {
	return map[string]hostFunc{
		"__wbg___wbindgen_boolean_get_":        booleanGet,
		"__wbg___wbindgen_is_function_":        isFunction,
		"__wbg___wbindgen_is_undefined_":       isUndefined,
		"__wbg___wbindgen_number_get_":         numberGet,
		"__wbg___wbindgen_throw_":              throw,
		"__wbg_bind_":                          refuse,
		"__wbg_call_":                          call,
		"__wbg_length_":                        length,
		"__wbg_new_from_slice_":                newBytes,
		"__wbg_new_with_length_":               newFloats,
		"__wbg_now_":                           now,
		"__wbg_performance_":                   performance,
		"__wbg_prototypesetcall_":              copyBytes,
		"__wbg_rawcontactforceevent_new":       refuse,
		"__wbg_rawraycolliderintersection_new": refuse,
		"__wbg_rawshape_unwrap":                refuse,
		"__wbg_rawsoftbodytearevent_new":       refuse,
		"__wbg_set_":                           setFloats,
		"__wbg_set_index_":                     setFloat,
		"__wbg_static_accessor_GLOBAL_":        none,
		"__wbg_static_accessor_GLOBAL_THIS_":   globalThis,
		"__wbg_static_accessor_SELF_":          none,
		"__wbg_static_accessor_WINDOW_":        none,
		"__wbindgen_generic_":                  number,
		"__wbindgen_object_clone_ref":          cloneRef,
		"__wbindgen_object_drop_ref":           dropRef,
	}
}

// engineKey is the key of the engine in the context of a call into the module.
type engineKey struct{}

// offer gives the runtime the functions that the module imports. It fails if there is one that is
// not known: then it is another module than the one this was written for.
func offer(ctx context.Context, r wazero.Runtime, m wazero.CompiledModule) error {
	known := hosted()
	builders := map[string]wazero.HostModuleBuilder{}
	for _, f := range m.ImportedFunctions() {
		module, name, _ := f.Import()
		fn := longest(known, name)
		if fn == nil {
			return fmt.Errorf("the module imports %s %s, which is not known", module, name)
		}
		b := builders[module]
		if b == nil {
			b = r.NewHostModuleBuilder(module)
			builders[module] = b
		}
		b.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(ctx context.Context, stack []uint64) {
			fn(ctx.Value(engineKey{}).(*Engine), stack)
		}), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	for _, b := range builders {
		if _, err := b.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}

// longest returns the function whose key is the longest beginning of name.
func longest(known map[string]hostFunc, name string) hostFunc {
	best := ""
	for beginning := range known {
		if strings.HasPrefix(name, beginning) && len(beginning) > len(best) {
			best = beginning
		}
	}
	return known[best]
}

func number(e *Engine, s []uint64)   { s[0] = ref(e.objects.add(math.Float64frombits(s[0]))) }
func cloneRef(e *Engine, s []uint64) { s[0] = ref(e.objects.add(e.objects.get(uint32(s[0])))) }
func dropRef(e *Engine, s []uint64)  { e.objects.drop(uint32(s[0])) }
func none(_ *Engine, s []uint64)     { s[0] = 0 }

func globalThis(e *Engine, s []uint64)  { s[0] = ref(e.objects.add(global{})) }
func performance(e *Engine, s []uint64) { s[0] = ref(e.objects.add(global{})) }

// now is always 0: what an engine does must not depend on a clock.
func now(_ *Engine, s []uint64) { s[0] = 0 }

func isUndefined(e *Engine, s []uint64) {
	_, ok := e.objects.get(uint32(s[0])).(undefined)
	s[0] = truth(ok)
}

func isFunction(e *Engine, s []uint64) {
	_, ok := e.objects.get(uint32(s[0])).(callback)
	s[0] = truth(ok)
}

// booleanGet answers 0, 1, or a number that is neither for what is no boolean.
func booleanGet(e *Engine, s []uint64) {
	const neither = 0xffffff
	v, ok := e.objects.get(uint32(s[0])).(bool)
	s[0] = truth(v)
	if !ok {
		s[0] = neither
	}
}

// numberGet writes whether there is a number, and the number.
func numberGet(e *Engine, s []uint64) {
	v, ok := e.objects.get(uint32(s[1])).(float64)
	out := e.bytes(uint32(s[0]), 16)
	binary.LittleEndian.PutUint32(out, uint32(truth(ok)))
	binary.LittleEndian.PutUint64(out[8:], math.Float64bits(v))
}

// throw is how the module says that it was called in a way that it does not take.
func throw(e *Engine, s []uint64) {
	panic(errors.New(string(e.bytes(uint32(s[0]), uint32(s[1])))))
}

// refuse is what is imported and never needed here.
func refuse(*Engine, []uint64) {
	panic(errors.New("a function of JavaScript was called that this host does not have"))
}

// call calls a callback: the function, this, and the arguments.
func call(e *Engine, s []uint64) {
	fn, ok := e.objects.get(uint32(s[0])).(callback)
	if !ok {
		panic(errors.New("what is no function was called"))
	}
	e.args = e.args[:0]
	for _, a := range s[2:] {
		e.args = append(e.args, e.objects.get(uint32(a)))
	}
	s[0] = refUndefined
	switch err := fn(e.args); {
	case errors.Is(err, errEnough):
		s[0] = refFalse
	case err != nil:
		panic(err)
	}
}

func length(e *Engine, s []uint64) {
	switch o := e.objects.get(uint32(s[0])).(type) {
	case *floats:
		s[0] = ref(uint32(len(o.values)))
	case []byte:
		s[0] = ref(uint32(len(o)))
	default:
		s[0] = 0
	}
}

func newFloats(e *Engine, s []uint64) {
	s[0] = ref(e.objects.add(&floats{make([]float32, uint32(s[0]))}))
}

// newBytes copies bytes out of the module.
func newBytes(e *Engine, s []uint64) {
	s[0] = ref(e.objects.add(append([]byte(nil), e.bytes(uint32(s[0]), uint32(s[1]))...)))
}

// copyBytes copies bytes into the module.
func copyBytes(e *Engine, s []uint64) {
	from, _ := e.objects.get(uint32(s[2])).([]byte)
	copy(e.bytes(uint32(s[0]), uint32(s[1])), from)
}

func setFloats(e *Engine, s []uint64) {
	to, ok := e.objects.get(uint32(s[0])).(*floats)
	n := uint32(s[2])
	if !ok || int(n) > len(to.values) {
		panic(errors.New("numbers were written to what does not take them"))
	}
	from := e.bytes(uint32(s[1]), 4*n)
	for i := range n {
		to.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
	}
}

func setFloat(e *Engine, s []uint64) {
	to, ok := e.objects.get(uint32(s[0])).(*floats)
	if !ok || int(uint32(s[1])) >= len(to.values) {
		panic(errors.New("a number was written to what does not take it"))
	}
	to.values[uint32(s[1])] = math.Float32frombits(uint32(s[2]))
}

func ref(i uint32) uint64 { return uint64(i) }

func truth(ok bool) uint64 {
	if ok {
		return 1
	}
	return 0
}
