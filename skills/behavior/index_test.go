package behavior_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestAgainstEveryMind gives and takes behavior at random, undoes and redoes it, and compares who reacts to an event with what a look at everybody says.
func TestAgainstEveryMind(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := skilltest.NewRoom(t, all, "event", "target", "text", "entity", "goalId", "did", "error")
		const many = 6
		names := []string{"a", "b", "c"}
		type mind struct {
			there   bool
			profile int
			own     []string
		}
		minds, profiles := make([]mind, many), make([][]string, 3)
		for i := range minds {
			r.Do("scene.createEntity", `{}`)
			minds[i] = mind{there: true, profile: -1}
		}
		say := func(on string) string {
			return fmt.Sprintf(`{"trigger":%q,"action":{"type":"say","data":{"text":%q}}}`, on, on)
		}
		for range rapid.IntRange(1, 30).Draw(rt, "turns") {
			who, which := rapid.IntRange(0, many-1).Draw(rt, "who"), rapid.IntRange(0, len(profiles)-1).Draw(rt, "profile")
			mi, before := &minds[who], r.Content()
			switch rapid.SampledFrom([]string{"define", "assign", "assign", "own", "clear", "destroy"}).Draw(rt, "turn") {
			case "define":
				profiles[which] = rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID).Draw(rt, "triggers")
				var list []string
				for _, name := range profiles[which] {
					list = append(list, say(name))
				}
				r.Do("behavior.define", `{"id":"p%d","name":"P","reactions":[%s]}`, which, strings.Join(list, ","))
			case "assign":
				if !mi.there || profiles[which] == nil {
					continue
				}
				mi.profile, mi.own = which, nil
				r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p%d"}`, who, which)
			case "own":
				if !mi.there || len(mi.own) >= 16 {
					continue
				}
				name := rapid.SampledFrom(names).Draw(rt, "trigger")
				mi.own = append(slices.Clone(mi.own), name)
				r.Do("behavior.onEvent", `{"entity":"ent_%d",%s`, who, say(name)[1:])
			case "clear":
				if !mi.there {
					continue
				}
				mi.profile, mi.own = -1, nil
				r.Do("behavior.assign", `{"entity":"ent_%d","profileId":""}`, who)
			case "destroy":
				if !mi.there {
					continue
				}
				mi.there = false
				r.Do("scene.destroyEntity", `{"entity":"ent_%d"}`, who)
			}
			if after := r.Content(); after != before && rapid.Bool().Draw(rt, "undo and redo") {
				r.Do("world.undo", `{}`)
				if r.Content() != before {
					rt.Fatal("an undo leaves another world")
				}
				r.Do("world.redo", `{}`)
				if r.Content() != after {
					rt.Fatal("a redo makes another world")
				}
			}
			name := rapid.SampledFrom(names).Draw(rt, "event")
			var want []string
			for i, mi := range minds {
				if mi.there && (slices.Contains(mi.own, name) || mi.profile >= 0 && slices.Contains(profiles[mi.profile], name)) {
					want = append(want, fmt.Sprintf("%s ent_%d", name, i))
				}
			}
			said(r)
			r.Do("event.emit", `{"eventName":%q}`, name)
			r.Steps(1)
			if got := said(r); !slices.Equal(got, want) {
				rt.Fatalf("about %s it is said %q, want %q", name, got, want)
			}
		}
	})
}

// TestShared has many share a profile: to give it to one more, to take it from one, and to destroy one, takes about as much memory as if there were few.
func TestShared(t *testing.T) {
	var reactions []string
	for i := range 16 {
		reactions = append(reactions, fmt.Sprintf(`{"trigger":"event %d","action":{"type":"custom"}}`, i))
	}
	bytes := func(many int) (least uint64) {
		r := town(t)
		r.Do("behavior.define", "%s", profile(`"reactions":[`+strings.Join(reactions, ",")+`]`))
		for i := range many {
			r.Do("scene.createEntity", `{}`)
			r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p"}`, i+2)
		}
		for i := range 10 { // the least of some, since others allocate too
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r.Do("behavior.assign", `{"entity":"ent_0","profileId":"p"}`)
			r.Do("behavior.assign", `{"entity":"ent_0","profileId":""}`)
			r.Do("scene.destroyEntity", `{"entity":"ent_%d"}`, i+2)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; i == 0 || n < least {
				least = n
			}
		}
		return least
	}
	few, many := bytes(20), bytes(900)
	t.Logf("%d bytes among 20, %d among 900", few, many)
	if many > few+few/2+4096 {
		t.Errorf("among 900 it takes %d bytes, among 20 %d", many, few)
	}
}
