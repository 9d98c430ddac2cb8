package skilltest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/world"
)

// Room is a server as one builder and a viewer of everything see it.
type Room struct {
	*Server
	Ann     *profiles.Principal // the builder
	t       testing.TB
	moments []string // what viewers were told, since Heard was asked last
}

// NewRoom returns a room. Of what moments carry, [Room.Heard] tells the members that are named, or all of it as it is sent if none are.
func NewRoom(t testing.TB, skills Skills, members ...string) *Room {
	t.Helper()
	return New(t, skills).Room(t, members...)
}

// Room returns the server as a room, see [NewRoom].
func (s *Server) Room(t testing.TB, members ...string) *Room {
	t.Helper()
	r := &Room{Server: s, Ann: Caller(t, "ann", Builder), t: t}
	t.Cleanup(r.World.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			r.moments = append(r.moments, told(t, m, members))
		}
	}))
	return r
}

// told writes a moment: its kind, and what it carries.
func told(t testing.TB, m world.Moment, members []string) string {
	t.Helper()
	if len(members) == 0 {
		return m.Kind + " " + string(m.Payload)
	}
	var payload map[string]json.RawMessage
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		t.Errorf("%s: %v", m.Payload, err)
	}
	words := []string{m.Kind}
	for _, name := range members {
		text := string(payload[name])
		if strings.HasPrefix(text, `"`) {
			if err := json.Unmarshal(payload[name], &text); err != nil {
				t.Errorf("%s: %v", m.Payload, err)
			}
		}
		if text != "" {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

// Do calls a skill as ann, which has to succeed, and returns its output.
func (r *Room) Do(name, format string, args ...any) string {
	r.t.Helper()
	return r.Must(r.t, r.Ann, name, fmt.Sprintf(format, args...))
}

// Heard returns what viewers were told since it was asked last.
func (r *Room) Heard() []string {
	all := r.moments
	r.moments = nil
	return all
}

// Shared returns a global or a row of a table as viewers see it.
func (s *Server) Shared(name string) (text string) {
	s.World.View(func(v *world.View) { text = string(s.World.AppendShared(nil, v, name)) })
	return text
}

// Content returns the hash of what the world holds.
func (s *Server) Content() (h [32]byte) {
	s.World.View(func(v *world.View) { h = v.ContentHash() })
	return h
}

// At returns where an entity is.
func (s *Server) At(t testing.TB, entity string) (p world.Vec3) {
	t.Helper()
	id, err := world.ParseID(entity)
	if err != nil {
		t.Fatal(err)
	}
	s.World.View(func(v *world.View) {
		var found bool
		if p, found = v.Position(id); !found {
			t.Errorf("%s is not there", entity)
		}
	})
	return p
}

// Holds compares an answer.
func Holds(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %s\nwant %s", what, got, want)
	}
}
