package scene_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
)

// What stands out by its name is told of, though there is much else: the rarest names, and nothing that is below another.
func TestInspectNames(t *testing.T) {
	s, ann := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	for i := range 120 {
		s.Must(t, ann, "scene.createEntity", fmt.Sprintf(`{"name":"sleeper %d"}`, i/3))
	}
	s.Must(t, ann, "scene.createEntity", `{"name":"tram"}`)
	s.Must(t, ann, "scene.createEntity", `{}`)
	var out scene.InspectOut
	if err := json.Unmarshal([]byte(s.Must(t, ann, "scene.inspect", `{"sampleSize":2}`)), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Names) != 40 || out.Names["tram"] != 1 || out.Names["sleeper 0"] != 3 {
		t.Errorf("%d names: %v", len(out.Names), out.Names)
	}
	if out.Sample[0].Name != "sleeper 0" {
		t.Errorf("the sample: %v", out.Sample)
	}
}
