package onecheck_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/onecheck"
)

// TestRewritten holds what becomes of what.
func TestRewritten(t *testing.T) {
	checked := func(local, offset, last byte) code {
		return code{get, local, get, local, load8, 0, last, drop, load, 2, offset, drop}
	}
	field := func(local, offset byte) code { return code{get, local, load, 2, offset, drop} }
	frame := func(more ...byte) code {
		return join(code{globalGet, 0, constant, 48, sub, tee, 4, globalSet, 0}, more, code{constant, 0})
	}
	result := code{constant, 0}
	sumOf := code{get, 0, constant, 24, add}
	for name, c := range map[string]struct{ in, out code }{
		"one access":            {join(field(0, 8), result), join(field(0, 8), result)},
		"farther and farther":   {join(field(0, 0), field(0, 4), field(0, 8), result), join(checked(0, 0, 11), field(0, 4), field(0, 8), result)},
		"the farthest first":    {join(field(0, 8), field(0, 4), result), join(field(0, 8), field(0, 4), result)},
		"two variables":         {join(field(0, 0), field(1, 4), result), join(field(0, 0), field(1, 4), result)},
		"set in between":        {join(field(0, 0), code{constant, 9, set, 0}, field(0, 4), result), join(field(0, 0), code{constant, 9, set, 0}, field(0, 4), result)},
		"after a branch":        {join(code{block, empty}, field(0, 0), code{get, 1, brIf, 0}, field(0, 4), code{end}, result), join(code{block, empty}, field(0, 0), code{get, 1, brIf, 0}, field(0, 4), code{end}, result)},
		"after the memory grew": {join(field(0, 0), code{constant, 1, grow, 0, drop}, field(0, 4), result), join(field(0, 0), code{constant, 1, grow, 0, drop}, field(0, 4), result)},
		"into a block":          {join(field(0, 0), code{block, empty}, field(0, 4), code{end}, result), join(checked(0, 0, 7), code{block, empty}, field(0, 4), code{end}, result)},
		"a sum":                 {code{get, 0, constant, 24, add, load, 2, 4}, code{get, 0, load, 2, 28}},
		"a sum the other way":   {code{constant, 24, get, 0, add, load, 2, 4}, code{get, 0, load, 2, 28}},
		"a difference":          {code{get, 0, constant, 0x7f, add, load, 2, 4}, code{get, 0, constant, 0x7f, add, load, 2, 4}},
		"a sum in a variable":   {code{get, 0, constant, 24, add, set, 1, get, 1, load, 2, 4}, code{get, 0, constant, 24, add, set, 1, get, 0, load, 2, 28}},
		"a sum of what is set":  {code{get, 0, constant, 24, add, set, 1, get, 2, set, 0, get, 1, load, 2, 4}, code{get, 0, constant, 24, add, set, 1, get, 2, set, 0, get, 1, load, 2, 4}},
		"the stack":             {frame(get, 4, load, 2, 4, drop, get, 4, load, 2, 8, drop), frame(get, 4, get, 4, load8, 0, 47, drop, load, 2, 4, drop, get, 4, load, 2, 8, drop)},
		"a place on the stack":  {frame(get, 4, constant, 8, add, set, 1, get, 1, load, 2, 4, drop), frame(get, 4, constant, 8, add, set, 1, get, 4, get, 4, load8, 0, 47, drop, load, 2, 12, drop)},
		"a sum of what is set to a place on the stack": {frame(get, 2, constant, 1, add, set, 3, get, 4, constant, 0, add, set, 2, get, 3, load, 2, 4, drop), frame(get, 2, constant, 1, add, set, 3, get, 4, constant, 0, add, set, 2, get, 3, load, 2, 4, drop)},
		"a sum that a branch takes":                    {join(code{block, i32}, sumOf, code{get, 1, brIf, 0, load, 2, 4, end}), join(code{block, i32}, sumOf, code{get, 1, brIf, 0, load, 2, 4, end})},
		"a sum that it leaves":                         {join(sumOf, code{block, empty, get, 1, brIf, 0, end, load, 2, 4}), code{get, 0, block, empty, get, 1, brIf, 0, end, load, 2, 28}},
		"more than is on the stack":                    {frame(get, 4, load, 2, 50, drop), frame(get, 4, load, 2, 50, drop)},
	} {
		got, err := rewritten(c.in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(got, c.out) {
			t.Errorf("%s:\n% x becomes\n% x, not\n% x", name, c.in, got, c.out)
		}
	}
}

// run runs a module and returns what it did.
func run(t testing.TB, module code) (result string, memory []byte) {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, module)
	if err != nil {
		t.Fatalf("% x: %v", module, err)
	}
	out, err := m.ExportedFunction("f").Call(ctx)
	if err != nil {
		return "failed", nil
	}
	all, _ := m.ExportedMemory("m").Read(0, m.ExportedMemory("m").Size())
	return fmt.Sprint(out), bytes.Clone(all)
}

// TestSame holds random functions against what becomes of them.
func TestSame(t *testing.T) {
	failed, changed := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		p := program{T: rt}
		body := p.body()
		in := module(body)
		out, err := onecheck.Module(in)
		if err != nil {
			rt.Fatalf("% x: %v", body, err)
		}
		want, before := run(t, in)
		got, after := run(t, out)
		if got != want || !bytes.Equal(before, after) {
			rt.Fatalf("% x: %s, not %s, as % x", body, got, want, out)
		}
		if want == "failed" {
			failed++
		}
		if !bytes.Equal(in, out) {
			changed++
		}
	})
	t.Logf("%d failed, %d changed", failed, changed)
	if changed == 0 {
		t.Error("no function was changed")
	}
}

// TestBeganAnew holds the one thing that is not as it was: an address that is past 32 bits.
func TestBeganAnew(t *testing.T) {
	in := module(code{constant, 0x78, set, 0, get, 0, constant, 16, add, load, 2, 0}) // -8 + 16
	out, err := onecheck.Module(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, in); got != "[0]" {
		t.Errorf("before: %s", got)
	}
	if got, _ := run(t, out); got != "failed" {
		t.Errorf("after: %s", got)
	}
}

func TestRefused(t *testing.T) {
	good := module(code{get, 0})
	for name, c := range map[string]code{
		"nothing":                {},
		"another version":        code("\x00asm\x02\x00\x00\x00"),
		"cut off":                good[:len(good)-2],
		"a vector":               module(code{0xfd, 0, 0, 0}),
		"a local too many":       module(code{get, locals}),
		"a call of nobody":       module(code{call, 9}),
		"a branch to nowhere":    module(code{get, 0, brIf, 9, get, 0}),
		"a branch with nothing":  module(code{block, i32, get, 0, brIf, 0, get, 0, end}),
		"nothing on the stack":   module(code{add}),
		"instructions afterward": module(code{get, 0, end, get, 0}),
		"a stack without bounds": join(
			code("\x00asm\x01\x00\x00\x00"), section(1, join(code{1, 0x60, 0}, sized(bytes.Repeat(code{i32}, 4096)))),
			section(3, code{1, 0}), section(10, join(code{1}, sized(join(code{0}, bytes.Repeat(code{call, 0}, 4096), code{end})))),
		),
	} {
		if out, err := onecheck.Module(c); err == nil {
			t.Errorf("%s: % x", name, out)
		}
	}
}

// FuzzModule holds that nothing panics, whatever a module is, and that what was rewritten is a module of the same sort: it
// can be rewritten again.
func FuzzModule(f *testing.F) {
	f.Add(module(code{get, 0, constant, 24, add, load, 2, 4}))
	f.Add(module(code{block, empty, get, 0, load, 2, 0, brIf, 0, get, 0, load, 2, 4, drop, end, constant, 0}))
	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := onecheck.Module(b)
		if err != nil {
			return
		}
		if _, err := onecheck.Module(out); err != nil {
			t.Errorf("% x becomes % x: %v", b, out, err)
		}
	})
}

// FuzzBody holds that a function that wazero takes it takes after it was rewritten. Only the code of the function is random:
// wazero makes room for as many exports or elements as a section says that it has, before it looks whether they are there.
func FuzzBody(f *testing.F) {
	f.Add(code{get, 0, constant, 24, add, load, 2, 4})
	f.Add(code{block, empty, get, 0, load, 2, 0, brIf, 0, get, 0, load, 2, 4, drop, end, constant, 0})
	f.Add(code{globalGet, 0, constant, 48, sub, tee, 4, globalSet, 0, get, 4, constant, 8, add, set, 1, get, 1, load, 2, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<12 {
			return
		}
		in := module(b)
		out, err := onecheck.Module(in)
		if err != nil {
			return
		}
		ctx := context.Background()
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer r.Close(ctx)
		if _, err := r.CompileModule(ctx, in); err != nil {
			return
		}
		if _, err := r.CompileModule(ctx, out); err != nil {
			t.Errorf("% x becomes % x: %v", b, out, err)
		}
	})
}
