package trigger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/trigger"
)

// A step does so many actions and no more, and viewers are told; in the next it goes on as ever. Were it not so, zones upon zones that send
// what enters to and fro would have everybody wait for seconds, for ever.
func TestStepIsBounded(t *testing.T) {
	r := newRoom(t)
	for z := range 2 {
		r.Do("trigger.create", `{"center":[0,0,0],"size":[5,5,5]}`)
		for range trigger.MaxActions {
			r.Do("trigger.onEnter", `{"triggerId":"trg_%d","action":{"type":"emit","target":"in"}}`, z)
		}
	}
	each := 2 * trigger.MaxActions
	many := trigger.MaxStep/each + 40
	for range many {
		r.Do("scene.createEntity", `{}`)
	}
	r.Steps(1)
	got := r.Heard()
	done, last := got[:len(got)-1], got[len(got)-1]
	want := fmt.Sprintf("failed enter ent_%d triggers do %d actions in a step", trigger.MaxStep/each, trigger.MaxStep)
	if len(done) != trigger.MaxStep || slices.ContainsFunc(done, func(s string) bool { return !strings.HasPrefix(s, "emit enter") }) ||
		!strings.HasPrefix(last, want) {
		t.Errorf("%d were done, and then: %s; want %d and %s", len(done), last, trigger.MaxStep, want)
	}
	r.Steps(10)
	if got := r.Heard(); got != nil {
		t.Errorf("what was not done is done later: %q", got[0])
	}
	r.put("ent_0", 100, 0, 0)
	r.Steps(1)
	r.put("ent_0", 0, 0, 0)
	r.Steps(1)
	if got := r.Heard(); len(got) != each {
		t.Errorf("afterwards %d were done, want %d", len(got), each)
	}
}
