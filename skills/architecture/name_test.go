package architecture_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestNamedHouse gives a house a name, which rebuilding leaves to it, also another one that it was given since.
func TestNamedHouse(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"name":"town hall"}`)
	called := func(name string) {
		t.Helper()
		if got := s.Entity(t, "ent_8"); !strings.Contains(got, `"name":"`+name+`","tags":["group"]`) {
			t.Errorf("the whole is %s, want it called %s", got, name)
		}
	}
	called("town hall")
	s.Must(t, p, "scene.setName", `{"entity":"ent_8","name":"inn"}`)
	s.Must(t, p, "architecture.rebuild", `{"building":"ent_8","height":4}`)
	called("inn")
	if _, err := s.Call(p, "architecture.building", `{"name":"`+strings.Repeat("x", 257)+`"}`); err == nil || err.Code != registry.CodeInvalidInput || !strings.Contains(err.Message, "256") {
		t.Errorf("a name of 257 bytes: %v", err)
	}
}

// TestOtherWords: who writes rooms or length reads which fields are meant, and which there are once.
func TestOtherWords(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	_, err := s.Call(p, "architecture.building", `{"length":9,"rooms":[{"along":"depth"}],"colour":255,"chimney":true}`)
	if err == nil {
		t.Fatal("it was built")
	}
	for _, want := range []string{
		`length: unknown field, did you mean "depth"? allowed: name, position, `,
		`rooms: unknown field, did you mean "partitions"?; colour: unknown field, did you mean "color"?; chimney: unknown field`,
	} {
		if !strings.Contains(err.Message, want) {
			t.Errorf("got %s, want %s", err.Message, want)
		}
	}
	if n := strings.Count(err.Message, "allowed: "); n != 1 {
		t.Errorf("the fields are listed %d times: %s", n, err.Message)
	}
}
