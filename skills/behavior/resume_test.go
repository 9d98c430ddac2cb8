package behavior_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/skills/behavior"
	"github.com/limina-mcp/limina/world"
)

// TestResume lives the time after a checkpoint twice, the second time much later: who waits, rests and remembers goes on where it was.
func TestResume(t *testing.T) {
	r := town(t)
	live(r, `"reactions":[{"trigger":"noise","action":{"type":"say","data":{"text":"Who is there?"}},"cooldown":3}],
		"goals":[{"id":"rounds","type":"patrol","config":{"waypoints":[[3,0,0],[0,0,0]],"wait":2,"speed":6}}]`)
	r.Steps(seconds)
	r.Do("npc.memorize", `{"entity":"ent_0","key":"stranger","value":"was here"}`)
	r.Steps(seconds / 2)
	r.Do("event.emit", `{"eventName":"noise"}`)
	r.Steps(seconds / 2)
	r.Do("checkpoint.create", `{"name":"here"}`)
	life := func() (seen []string) {
		r.Heard()
		for i := range 6 * seconds {
			if i%10 == 0 {
				r.Do("event.emit", `{"eventName":"noise"}`)
			}
			r.Steps(1)
			for _, m := range r.Heard() {
				seen = append(seen, fmt.Sprint(i, " ", m))
			}
			seen = append(seen, fmt.Sprintf("%d at %.3f, which remembers what was %d steps ago", i, r.At(t, "ent_0"), age(t, r.Server, r.Do("npc.recall", `{"entity":"ent_0"}`))))
		}
		return seen
	}
	first := life()
	r.Steps(777)
	r.Do("checkpoint.load", `{"name":"here"}`)
	if diff := cmp.Diff(first, life()); diff != "" {
		t.Errorf("from the checkpoint on other things happen (-first +then):\n%s", diff)
	}
	if all := strings.Join(first, "\n"); strings.Count(all, "Who is there?") != 2 || !strings.Contains(all, " 61 steps ago") {
		t.Errorf("it does not speak twice, or remembers otherwise: %s", all)
	}
}

// age is how many steps ago the only thing was memorized that is recalled.
func age(t testing.TB, s *server, recalled string) (steps uint64) {
	t.Helper()
	var out behavior.RecallOut
	if err := json.Unmarshal([]byte(recalled), &out); err != nil || len(out.Memories) != 1 {
		t.Fatalf("%s is recalled: %v", recalled, err)
	}
	s.World.View(func(v *world.View) { steps = v.Step() - out.Memories[0].Tick })
	return steps
}
