package skills_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
)

// namesWhatIsMissing are the skills whose examples name a region or a revision that is not there, or things that the examples before have put elsewhere, which is found
// wrong as an input.
var namesWhatIsMissing = map[string]bool{
	"world.changes": true, "world.diff": true, "world.streamFollow": true, "world.populateBiome": true, "asset.scatter": true, "scene.group": true,
}

// TestExamples holds every skill that needs something to show how it is called, and every example to be an input
// that the skill takes: it may fail only because what it names is not there.
func TestExamples(t *testing.T) {
	s, p := newServer(t, 1000), god("ann")
	for _, k := range s.registry.List(registry.Filter{}) {
		var schema struct {
			Required []string `json:"required"`
		}
		if err := json.Unmarshal(k.InputSchema(), &schema); err != nil {
			t.Fatal(err)
		}
		_, example, shown := strings.Cut(k.Info().Description, "Example")
		if !shown {
			if len(schema.Required) > 0 {
				t.Errorf("%s needs %v and shows no example", k.Name(), schema.Required)
			}
			continue
		}
		var input json.RawMessage
		if err := json.NewDecoder(strings.NewReader(example[max(0, strings.IndexByte(example, '{')):])).Decode(&input); err != nil {
			t.Errorf("%s: the example is no JSON: %v", k.Name(), err)
			continue
		}
		res := s.call(p, k, input, nil)
		if res.Err != nil && res.Err.Code == registry.CodeInvalidInput && (len(res.Err.Problems) > 0 || !namesWhatIsMissing[k.Name()]) {
			t.Errorf("%s refuses its example %s: %v", k.Name(), input, res.Err)
		}
	}
}
