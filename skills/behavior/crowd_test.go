package behavior_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/skills/behavior"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
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
	want := []string{fmt.Sprintf("behavior.failed ent_%d %d reactions of one author are had in a step, and fewer where others have many, which is the most: this one and those of his after it were not", last, behavior.MaxReactions)}
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

// TestLooks has conditions of reactions be looked at so often in a step, and no more, which is told once.
func TestLooks(t *testing.T) {
	r := town(t)
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"a","action":{"type":"attitude","data":{"attitude":"hostile"},"if":"false"}}]`))
	const many, times = 700, 24 // 16,800
	for i := range many {
		r.Do("scene.createEntity", `{}`)
		r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p"}`, i+2)
	}
	for range times {
		r.Do("event.emit", `{"eventName":"a","entity":"ent_1"}`)
	}
	r.Heard()
	r.Steps(1)
	var failed []string
	for _, m := range r.Heard() {
		if strings.HasPrefix(m, "behavior.failed") {
			failed = append(failed, m)
		}
	}
	if len(failed) != 1 || !strings.HasSuffix(failed[0], " 16384 conditions of reactions of one author are looked at in a step, and fewer where others have many, which is the most: this reaction and those of his after it were not had") {
		t.Errorf("viewers are told %q", failed)
	}
}

// TestCrowdOfOthers has the crowd of one agent, which has as many reactions and conditions as it may, keep nobody else's character from reacting: neither to what
// was emitted after, nor beside one of the crowd's own.
func TestCrowdOfOthers(t *testing.T) {
	for _, condition := range []string{"", `,"if":"false"`} {
		r := town(t)
		bob := skilltest.Caller(t, "bob", skilltest.Builder)
		r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"a","action":{"type":"attitude","data":{"attitude":"hostile"}`+condition+`}}]`))
		const many, times = 700, 24 // 16,800
		for i := range many {
			r.Do("scene.createEntity", `{}`)
			r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p"}`, i+2)
		}
		r.Must(t, bob, "behavior.onEvent", `{"entity":"ent_701","trigger":"a","priority":-1,"action":{"type":"say","data":{"text":"I hear"}}}`)
		r.Must(t, bob, "behavior.onEvent", `{"entity":"ent_0","trigger":"b","action":{"type":"say","data":{"text":"Me too"}}}`)
		for range times {
			r.Do("event.emit", `{"eventName":"a","entity":"ent_1"}`)
		}
		r.Must(t, bob, "event.emit", `{"eventName":"b"}`)
		r.Heard()
		r.Steps(1)
		failed, spoken := 0, map[string]int{}
		for _, m := range r.Heard() {
			switch {
			case strings.HasPrefix(m, "behavior.failed"):
				failed++
			case strings.HasPrefix(m, "social.said"):
				spoken[m]++
			}
		}
		heard := times - behavior.MaxReactions/many // of those events Ann's reactions were had
		if condition == `,"if":"false"` {
			heard = times
		}
		if diff := cmp.Diff(map[string]int{"social.said I hear ent_701": heard, "social.said Me too ent_0": 1}, spoken); failed != 1 || diff != "" {
			t.Errorf("with the condition %q %d failures are told, and there is said (-want +got):\n%s", condition, failed, diff)
		}
	}
}

// TestHeardOfOthers has one agent emit as many events that are reacted to as he may: others still do, and what they do is done.
func TestHeardOfOthers(t *testing.T) {
	r := town(t)
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"a","action":{"type":"attitude","data":{"attitude":"hostile"}}}]`))
	r.Do("behavior.assign", `{"entity":"ent_1","profileId":"p"}`)
	for range behavior.MaxHeard {
		r.Do("event.emit", `{"eventName":"a"}`)
	}
	const full = "1024 events of yours wait to be reacted to, which is the most"
	if _, err := r.Call(r.Ann, "event.emit", `{"eventName":"a"}`); err == nil || err.Message != full {
		t.Errorf("one more: %v", err)
	}
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, bob, "event.emit", `{"eventName":"a"}`)
	r.Do("world.undo", `{}`)
	r.Do("event.emit", `{"eventName":"a"}`) // in the place of what was taken back
	r.Steps(1)
	r.Do("event.emit", `{"eventName":"a"}`)
}
