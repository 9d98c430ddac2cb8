package behavior_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDay compares which slot of a routine an entity keeps with the one that is found by going back hour by hour. The same one again is another day's if it was left for
// half a day.
func TestDay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := town(t)
		hours := rapid.SliceOfNDistinct(rapid.IntRange(0, 23), 1, 6, rapid.ID).Draw(rt, "hours")
		slots := ""
		for i, h := range hours {
			slots += fmt.Sprintf(`,{"hour":%d,"action":"say","target":"%d"}`, h, h)
			if i == 0 {
				slots = slots[1:]
			}
		}
		r.Do("behavior.define", "%s", profile(`"routines":[{"id":"r","name":"","schedule":[`+slots+`]}]`))
		r.Do("behavior.assign", `{"entity":"ent_0","profileId":"p"}`)
		last, before := -1, 0
		for range 8 {
			now := rapid.IntRange(0, 24).Draw(rt, "now")
			r.Do("world.setTime", `{"time":%d}`, now)
			said(r)
			r.Steps(seconds / 4)
			in := now % 24
			if now == 24 { // not tomorrow's yet
				in = 23
			}
			for !slices.Contains(hours, in) {
				in = (in + 23) % 24
			}
			ago := (now - in + 24) % 24
			if now == 24 {
				ago = 24 - in
			}
			var want []string
			if in != last || len(hours) == 1 && before >= 12 && ago < 12 {
				want = []string{fmt.Sprintf("%d ent_0", in)}
			}
			if got := said(r); fmt.Sprint(got) != fmt.Sprint(want) {
				rt.Fatalf("at %d, with slots at %v, it says %q, want %q", now, hours, got, want)
			}
			last, before = in, ago
		}
	})
}
