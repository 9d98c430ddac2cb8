package scene_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestPlacesAreShort holds that answers tell places in numbers that are worth reading, and that viewers get what the world has.
func TestPlacesAreShort(t *testing.T) {
	s, ann := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"position":[0.30000000000000004,0.3333333333333333,-2.220446049250313e-16]}`)
	s.Must(t, ann, "scene.createEntity", `{"position":[1.30000000000000004,0.3333333333333333,0]}`)
	if got, want := s.Must(t, ann, "scene.queryEntities", `{"near":[0,0,0]}`),
		`{"entities":[{"entity":"ent_0","position":[0.3,0.33333,0],"distance":0.44845},{"entity":"ent_1","position":[1.3,0.33333,0],"distance":1.34205}]}`; got != want {
		t.Errorf("scene.queryEntities:\n got %s\nwant %s", got, want)
	}
	if got, want := s.Must(t, ann, "scene.inspect", `{"sampleSize":1}`),
		`{"entityCount":2,"bounds":{"min":[-0.2,-0.16667,-0.5],"max":[1.8,0.83333,0.5]},"center":[0.8,0.33333,0],"size":[2,1,1],"tagCounts":{},"sample":[{"entity":"ent_0","position":[0.3,0.33333,0]}]}`; got != want {
		t.Errorf("scene.inspect:\n got %s\nwant %s", got, want)
	}
	shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0.30000000000000004,0.3333333333333333,-2.220446049250313e-16],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215}}`)(t, s, ann)
}
