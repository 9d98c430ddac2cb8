package skilltest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

// Example makes the calls of the first example under a heading of a file of docs, each an array [skill, input], as p, and
// tells of each what it answered.
func (s *Server) Example(t testing.TB, p *profiles.Principal, file, heading string, answered ...func(skill, output string)) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n"+heading+"\n")
	_, rest, _ = strings.Cut(rest, "```json\n")
	calls, _, found := strings.Cut(rest, "\n```")
	if !found {
		t.Fatalf("%s has no example under %q", file, heading)
	}
	for d := json.NewDecoder(strings.NewReader(calls)); d.More(); {
		var call [2]json.RawMessage
		var name string
		if err := d.Decode(&call); err != nil {
			t.Fatalf("%s: %v", calls, err)
		}
		if err := json.Unmarshal(call[0], &name); err != nil {
			t.Fatal(err)
		}
		out := s.Must(t, p, name, string(call[1]))
		for _, f := range answered {
			f(name, out)
		}
	}
}
