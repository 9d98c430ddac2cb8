package skills_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/limina-mcp/limina/internal/schemagen"
	"github.com/limina-mcp/limina/registry"
)

// TestDryRunsLeaveNothing tries out every skill with some inputs, all in one world: it stays as it is, its counters too. What only reads answers the same when it is tried out
// again: how far a session has read is none of a dry run's business.
func TestDryRunsLeaveNothing(t *testing.T) {
	const inputs = 6
	s := newServer(t, 1000)
	p := god("ann")
	furnish(t, s, p)
	before, tick := s.world.Hash(), s.world.Tick()
	for _, k := range s.registry.List(registry.Filter{}) {
		g, err := schemagen.New(k.InputSchema())
		if err != nil {
			t.Fatal(err)
		}
		for in := range g.Inputs(7, inputs) {
			try := func() registry.Result {
				return s.registry.Invoke(context.Background(), &registry.Request{Skill: k, Input: in.JSON, Principal: p, DryRun: true}, nil)
			}
			res := try()
			if s.world.Tick() != tick {
				t.Fatalf("%s: to try out %s has changed the world", k.Name(), in.JSON)
			}
			if k.Info().Effect != registry.Reads || ofTheTrace[k.Name()] {
				continue
			}
			first := said(res.Output)
			if again := try(); said(again.Output) != first {
				t.Errorf("%s: %s answers %s when it is tried out, and then %s", k.Name(), in.JSON, first, again.Output)
			}
		}
		if s.world.Hash() != before {
			t.Fatalf("%s: to try it out has changed the world", k.Name())
		}
	}
}

// ofTheTrace are skills that tell of events and calls: a dry run is one.
var ofTheTrace = map[string]bool{
	"trace.tail": true, "trace.explainEvent": true, "audit.query": true, "audit.explain": true, "audit.usage": true, "agent.getPerception": true, "inspector.snapshot": true,
}

var numbers = regexp.MustCompile(`evt_[0-9]+|"(call|intent)":[0-9]+`)

// said is what a call has answered, without the numbers of events and calls.
func said(output []byte) string { return numbers.ReplaceAllString(string(output), "_") }
