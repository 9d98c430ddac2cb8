package event_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAgainstLists adds listeners that emit and removes them, emits and steps at random, undoes now and then, and compares what is told with
// what lists would say.
func TestAgainstLists(t *testing.T) {
	type hearer struct {
		id       int
		on, then string
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		name := func() string { return rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "name") }
		var hearers []hearer
		var waiting [][]hearer
		given := 0
		emit := func(name string) {
			var to []hearer
			for _, h := range hearers {
				if h.on == name {
					to = append(to, h)
				}
			}
			if len(to) > 0 {
				waiting = append(waiting, to)
			}
		}
		for range rapid.IntRange(1, 30).Draw(rt, "turns") {
			var want []string
			switch rapid.IntRange(0, 5).Draw(rt, "turn") {
			case 0, 1:
				h := hearer{given, name(), name()}
				if h.then <= h.on {
					h.then = "nothing" // no circles here
				}
				r.listen(h.on, fmt.Sprintf(`{"type":"emit","target":%q}`, h.then))
				given++
				if rapid.IntRange(0, 3).Draw(rt, "undo") == 0 {
					r.Do("world.undo", `{}`)
					break
				}
				hearers = append(hearers, h)
			case 2:
				if len(hearers) == 0 {
					break
				}
				i := rapid.IntRange(0, len(hearers)-1).Draw(rt, "which")
				r.Do("event.remove", `{"listenerId":"lst_%d"}`, hearers[i].id)
				if rapid.Bool().Draw(rt, "undo") {
					r.Do("world.undo", `{}`)
					break
				}
				hearers = slices.Delete(slices.Clone(hearers), i, i+1)
			case 3, 4:
				n := name()
				r.emit(n)
				want = append(want, "event.emit "+n)
				emit(n)
			case 5:
				r.Steps(1)
				now := waiting
				waiting = nil
				for _, to := range now {
					for _, h := range to {
						if !slices.Contains(hearers, h) {
							continue
						}
						want = append(want, "event.emit "+h.on+" "+h.then)
						emit(h.then)
					}
				}
			}
			if got := r.Heard(); !slices.Equal(got, want) {
				rt.Fatalf("viewers are told\n%q, want\n%q", got, want)
			}
		}
	})
}
