package player_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestSpawnOutOfNumbers asks for a character so large, and so high up, that no number is fine enough to get it out of the ground: it is refused, at once.
func TestSpawnOutOfNumbers(t *testing.T) {
	s := skilltest.New(t, still)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "world.generateRegion", `{"seed":1,"lod":4,"bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
	s.Must(t, ann, "player.spawn", `{"position":[-15.75,3,-15.75]}`)
	_, err := s.Call(ann, "player.spawn", `{"position":[-15.75,3.39e38,-15.9],"halfHeight":3.39e38,"radius":1e-9}`)
	if err == nil || err.Message != "position: it would be in ent_5, and above that there is no room within 100000 m; spatial.freeSpace finds a place" {
		t.Errorf("got %v", err)
	}
}
