package skills_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/registry"
)

// TestExtremeNumbers has somebody live in a world in which many numbers are as large or as small as a schema allows. He is refused much of what he asks, but
// no skill fails for a reason of its own, and nothing that is answered breaks its contract: see complaints.
func TestExtremeNumbers(t *testing.T) {
	calls := 1500
	if race.Enabled {
		calls = 150
	}
	for seed := uint64(7); seed < 10; seed++ { // 7 and 9 found scene.validate panic
		t.Run("", func(t *testing.T) {
			t.Parallel()
			s, ann := newServer(t, 1000), god("ann")
			a := newAuthor(t, seed, s.registry)
			a.wild = 2 << (2 * (seed % 3))
			readers := slices.DeleteFunc(s.registry.List(registry.Filter{}), func(k registry.Skill) bool {
				return k.Info().Effect != registry.Reads || k.Name() == "physics.settle" // which waits for steps that nobody takes meanwhile
			})
			furnish(t, s, ann)
			for range calls {
				if a.IntN(4) == 0 {
					s.world.Step(context.Background())
				}
				name, input := a.call()
				if a.IntN(3) == 0 {
					name, input = a.read(readers[a.IntN(len(readers))])
				}
				k, _ := s.registry.Lookup(name)
				if s.call(ann, k, input, nil); t.Failed() {
					t.Fatalf("%s %s", name, input)
				}
			}
		})
	}
}

// read writes a call of a skill that changes nothing. Pictures are small.
func (a *author) read(k registry.Skill) (skill string, input []byte) {
	v := a.object(a.schemas[k.Name()])
	if k.Name() == "scene.render" {
		v["width"], v["height"] = 64, 64
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return k.Name(), text
}
