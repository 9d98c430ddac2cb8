package skilltest

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// Case is one call of a skill and what must come of it.
type Case struct {
	Name  string
	As    string // the caller's profile; default [Builder]
	Setup func(t testing.TB, s *Server, p *profiles.Principal)
	Input string

	Want  string        // the output, if the call is good
	Code  registry.Code // of the error, if it is bad; default handler_error where Err is given
	Err   string        // the text of the error, whole
	Check func(t testing.TB, s *Server, p *profiles.Principal)
}

// Builder is a profile that may do almost everything.
const Builder = "builder.readWrite"

// Run makes each call on a server of its own and holds it to what the skill claims: one that fails
// or only reads leaves the world's hash as it was, one that never destroys leaves every entity, and
// repeating one that is idempotent changes nothing more.
func Run(t *testing.T, skills Skills, name string, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if c.As == "" {
				c.As = Builder
			}
			s := New(t, skills)
			p := Caller(t, "ann", c.As)
			if c.Setup != nil {
				c.Setup(t, s, p)
			}
			c.run(t, s, p, name)
			if c.Check != nil {
				c.Check(t, s, p)
			}
		})
	}
}

func (c *Case) run(t *testing.T, s *Server, p *profiles.Principal, name string) {
	t.Helper()
	k, ok := s.Registry.Lookup(name)
	if !ok {
		t.Fatalf("no skill %s", name)
	}
	info := k.Info()
	before, count := s.World.Hash(), s.Len()
	out, err := s.Call(p, name, c.Input)
	if err != nil {
		c.refused(t, err)
		if s.World.Hash() != before {
			t.Errorf("%s %s failed and changed the world", name, c.Input)
		}
		return
	}
	if c.Err != "" {
		t.Fatalf("%s %s = %s, want the error %q", name, c.Input, out, c.Err)
	}
	if out != c.Want {
		t.Errorf("%s %s\n got %s\nwant %s", name, c.Input, out, c.Want)
	}
	after := s.World.Hash()
	if info.Effect == registry.Reads && after != before {
		t.Errorf("%s %s claims to read and changed the world", name, c.Input)
	}
	if info.Effect == registry.Writes && s.Len() < count {
		t.Errorf("%s %s claims not to destroy and did", name, c.Input)
	}
	if info.Idempotent {
		if _, err := s.Call(p, name, c.Input); err != nil || s.World.Hash() != after {
			t.Errorf("%s %s claims to be idempotent; again it changed more, or failed: %v", name, c.Input, err)
		}
	}
}

func (c *Case) refused(t *testing.T, err *registry.Error) {
	t.Helper()
	want := c.Code
	if want == "" {
		want = registry.CodeHandlerError
	}
	if c.Err == "" || err.Message != c.Err || err.Code != want {
		t.Errorf("%s\n got %s: %s\nwant %s: %s", c.Input, err.Code, err.Message, want, c.Err)
	}
}

// Needs checks that a skill can be called by exactly those built-in profiles; the others are refused
// for want of the permission, before anything else is looked at but the input.
func Needs(t *testing.T, skills Skills, name, input, permission string, allowed ...string) {
	t.Helper()
	s := New(t, skills)
	var got []string
	for _, profile := range profiles.Builtin().Names() {
		_, err := s.Call(Caller(t, "ann", profile), name, input)
		switch {
		case err == nil || err.Code != registry.CodeForbidden:
			got = append(got, profile)
		case err.Message != "missing permission: "+permission:
			t.Errorf("%s as %s: %v", name, profile, err)
		}
	}
	if !slices.Equal(got, allowed) {
		t.Errorf("%s may be called by %q, want %q", name, got, allowed)
	}
}

// Describes checks that the input schema of a skill, which models read, says a text.
func Describes(t testing.TB, k registry.Skill, text string) {
	t.Helper()
	if !strings.Contains(string(k.InputSchema()), text) {
		t.Errorf("the input schema of %s does not say %q", k.Name(), text)
	}
}
