package agent_test

import (
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestPerceivingAllocatesLittle holds a perception of 32 things, with eight events of one's own, to a few allocations, however many events there are: agents perceive in each
// of their turns.
func TestPerceivingAllocatesLittle(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates more")
	}
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "agent.embody", `{}`)
	for range 40 {
		s.Must(t, ann, "scene.createEntity", `{"position":[1,1,1]}`)
	}
	var out agent.GetPerceptionOut
	var err error
	got := testing.AllocsPerRun(50, func() {
		out, err = registry.Invoke[agent.GetPerceptionIn, agent.GetPerceptionOut](t.Context(), s.Registry, ann, "agent.getPerception", agent.GetPerceptionIn{})
	})
	if err != nil || len(out.Perception.Seen) != agent.MaxSeen || len(out.Perception.Events) != agent.MaxEvents {
		t.Fatalf("%v, %+v", err, out.Perception)
	}
	if got > 8 {
		t.Errorf("a perception takes %v allocations", got)
	}
}
