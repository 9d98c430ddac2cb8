package registry_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestReadingIsTheInput makes calls whose input was read before: as those whose input was not.
func TestReadingIsTheInput(t *testing.T) {
	const head, tail = `{"name":"test.write","arguments":`, `}`
	for _, tt := range []struct {
		name, input string
		read        bool
	}{
		{"good", `{"line":"a","emits":1}`, true},
		{"fails", `{"line":"a","then":"fail"}`, true},
		{"panics", `{"line":"a","then":"panic"}`, true},
		{"unknown key", `{"line":"a","lines":1}`, false},
		{"out of bounds", `{"line":"a","then":"fly"}`, false},
		{"no object", `[1]`, false},
		{"no JSON", `{"line":"a}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, plain := newRig(t, registry.Options{}), newRig(t, registry.Options{})
			skill, _ := before.reg.Lookup("test.write")
			message := []byte(head + tt.input + tail)
			reading, end := skill.Read(message, len(head))
			if want := len(head) + len(tt.input); tt.read && end != want || !tt.read && end >= 0 {
				t.Fatalf("Read ends at %d; it should be %d if it reads: %v", end, want, tt.read)
			}
			clear(message) // a reading keeps nothing of it
			req := &registry.Request{Skill: skill, Input: []byte(tt.input), Read: reading, Principal: writer()}
			want := plain.call(writer(), "test.write", tt.input)
			for range 2 { // the second time it is used up, and the input is read anew
				got := before.reg.Invoke(t.Context(), req, nil)
				if string(got.Output) != string(want.Output) || text(got.Err) != text(want.Err) {
					t.Errorf("with a reading %s, %v; without %s, %v", got.Output, got.Err, want.Output, want.Err)
				}
				want = plain.call(writer(), "test.write", tt.input)
			}
		})
	}
}

// clumsy panics when it is read.
type clumsy struct{}

func (*clumsy) UnmarshalText([]byte) error  { panic("dropped") }
func (clumsy) MarshalText() ([]byte, error) { return nil, nil }

// TestNoReading asks for readings that there are none of: Invoke answers as ever.
func TestNoReading(t *testing.T) {
	type in struct {
		Held clumsy `json:"held"`
	}
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[in, writeOut]{
		Name: "test.drop", Description: "Drop what it is given.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, in) (writeOut, error) { return writeOut{}, nil },
	}), registry.Define(registry.Spec[struct{ C chan int }, struct{}]{
		Name: "test.torn", Description: "Take what no JSON is.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, struct{ C chan int }) (struct{}, error) { return struct{}{}, nil },
	}))
	for name, input := range map[string]string{
		"test.drop": `{"held":"a vase"}`,
		"test.torn": `{}`,                                                     // cannot be compiled
		"test.seq":  `{"steps":[{"name":"test.write","input":{"line":"a"}}]}`, // of any depth
	} {
		skill, _ := r.reg.Lookup(name)
		if _, end := skill.Read([]byte(input), 0); end >= 0 {
			t.Errorf("%s: Read reads up to %d", name, end)
		}
	}
	contains(t, text(r.call(writer(), "test.drop", `{"held":"a vase"}`).Err), "internal error in call")
	if _, end := (registry.Skill{}).Read([]byte(`{}`), 0); end >= 0 {
		t.Errorf("the zero Skill reads up to %d", end)
	}
}

// TestReadingOfAnotherSkill: what was read for one skill is no input of another.
func TestReadingOfAnotherSkill(t *testing.T) {
	r := newRig(t, registry.Options{})
	written, _ := r.reg.Lookup("test.write")
	echo, _ := r.reg.Lookup("test.echo")
	reading, end := written.Read([]byte(`{"line":"a"}`), 0)
	if end < 0 {
		t.Fatal("nothing was read")
	}
	res := r.reg.Invoke(t.Context(), &registry.Request{Skill: echo, Input: []byte(`{"n":3}`), Read: reading, Principal: writer()}, nil)
	if got, want := string(res.Output), `{"text":"hi","n":3,"list":[]}`; got != want {
		t.Errorf("answered %s, %v; want %s", got, res.Err, want)
	}
}
