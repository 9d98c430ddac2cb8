package behavior_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/skills/behavior"
)

// TestCrowd has more react in a step than there is room for: those who do not are told of, once, and the next step is as ever.
func TestCrowd(t *testing.T) {
	r := town(t)
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"a","action":{"type":"attitude","data":{"attitude":"hostile"}}},{"trigger":"b","action":{"type":"attitude","data":{"attitude":"neutral"}}}]`))
	const many, times = 700, 6 // 4200
	for i := range many {
		r.Do("scene.createEntity", `{}`)
		r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p"}`, i+2)
	}
	emit := func(n int) (failed []string) {
		for i := range n {
			r.Do("event.emit", `{"eventName":%q,"entity":"ent_1"}`, []string{"a", "b"}[i%2])
		}
		r.Heard()
		r.Steps(1)
		for _, m := range r.Heard() {
			if strings.HasPrefix(m, "behavior.failed") {
				failed = append(failed, m)
			}
		}
		return failed
	}
	last := 2 + behavior.MaxReactions%many // the first who does not, of the last event
	want := []string{fmt.Sprintf("behavior.failed ent_%d %d reactions are had in a step, which is the most: this one and those after it were not", last, behavior.MaxReactions)}
	if diff := cmp.Diff(want, emit(times)); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	for i, still := range map[int]bool{last - 1: false, last: true, many + 1: true} {
		if got := r.Entity(t, fmt.Sprintf("ent_%d", i)); strings.Contains(got, "hostile") != still {
			t.Errorf("ent_%d is %s, want it hostile still: %t", i, got, still)
		}
	}
	if failed := emit(times - 1); len(failed) > 0 {
		t.Errorf("in the next step viewers are told %q", failed)
	}
}
