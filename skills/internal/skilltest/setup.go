package skilltest

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

// Calls is a setup of a [Case]: calls of the caller's that have to succeed, each a skill and its input.
func Calls(list ...string) func(testing.TB, *Server, *profiles.Principal) {
	return func(t testing.TB, s *Server, p *profiles.Principal) {
		t.Helper()
		for i := 0; i < len(list); i += 2 {
			s.Must(t, p, list[i], list[i+1])
		}
	}
}

// Hero is a setup of a [Case]: somebody who may makes ent_0, and then such calls, each a skill and its input.
func Hero(calls ...[2]string) func(testing.TB, *Server, *profiles.Principal) {
	return func(t testing.TB, s *Server, _ *profiles.Principal) {
		t.Helper()
		carl := Caller(t, "carl", Builder)
		s.Must(t, carl, "scene.createEntity", `{}`)
		for _, c := range calls {
			s.Must(t, carl, c[0], c[1])
		}
	}
}
