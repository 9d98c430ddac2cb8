package skills_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestSharesOfATokenForManyNames: all names of one token have one share of what is scarce, also in what actions call in their name; who has a token of his own that would be covered has his own.
func TestSharesOfATokenForManyNames(t *testing.T) {
	for _, c := range []struct {
		what, profile, skill string
		input                func(i int) string
		most                 int
	}{
		{"zones", "game.author", "trigger.create", func(i int) string { return fmt.Sprintf(`{"center":[%d,0,0],"size":[1,1,1]}`, 3*i) }, 768},
		{"listeners", "game.author", "event.listen", func(i int) string {
			return fmt.Sprintf(`{"eventName":"e%d","action":{"type":"emit","target":"x%d"}}`, i, i)
		}, 768},
		{"timers", "game.author", "game.timer", func(i int) string { return fmt.Sprintf(`{"name":"t%d","duration":60}`, i) }, 192},
		{"quests", "builder.readWrite", "quest.define", func(i int) string {
			return fmt.Sprintf(`{"id":"q%d","name":"Q","objectives":[{"id":"o","type":"custom","description":"d"}]}`, i)
		}, 192},
		{"sounds that play", "social.actor", "audio.speak", func(int) string { return `{"text":"Ho!","position":[0,0,0]}` }, 768},
		{"flags", "player.limited", "game.flag", func(i int) string { return fmt.Sprintf(`{"name":"p%d","value":true}`, i) }, 768},
		{"clips", "vfx.writer", "animation.authorClip", func(i int) string {
			return fmt.Sprintf(`{"id":"c%d","duration":1,"tracks":[{"property":"scale.x","keys":[{"t":0,"value":1}]}]}`, i)
		}, 768},
		{"prefabs", "terrain.author", "prefab.define", func(i int) string {
			return fmt.Sprintf(`{"name":"p%d","operations":[{"skill":"scene.createEntity","input":{}}]}`, i)
		}, 192},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := newBig(t)
			call := func(who, holder, skill, input string) *registry.Error {
				k, _ := s.registry.Lookup(skill)
				p := skilltest.Caller(t, who, c.profile)
				p.Holder = holder
				return s.call(p, k, []byte(input), nil).Err
			}
			n := 0
			for ; n < 4100; n++ {
				err := call(fmt.Sprintf("guest-%d", n%20), "guest-*", c.skill, c.input(n))
				if err == nil {
					continue
				}
				if err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, c.what+" are yours") {
					t.Error(err)
				}
				break
			}
			if n != c.most {
				t.Errorf("the names of one token have %d, want %d", n, c.most)
			}
			if err := call("guest-new", "guest-*", c.skill, c.input(n)); err == nil {
				t.Error("another name of it has one more")
			}
			if err := call("guest-of-honour", "", c.skill, c.input(n+1)); err != nil {
				t.Errorf("who has a token of his own: %v", err)
			}
			if err := call("ben", "", c.skill, c.input(n+2)); err != nil {
				t.Errorf("another one: %v", err)
			}
		})
	}
}

// TestEventsOfATokenForManyNames: what waits to be heard counts for all names of a token together, and so does what is called in the name of one of them.
func TestEventsOfATokenForManyNames(t *testing.T) {
	r := newStage(t)
	r.Do("event.listen", `{"eventName":"ring","action":{"type":"custom"}}`)
	fill := func(most int, who func(i int) (name, holder string)) (n int) {
		for ; n < most; n++ {
			name, holder := who(n)
			p := skilltest.Caller(t, name, "player.full")
			p.Holder = holder
			p.Grants = god(name).Grants
			if _, err := r.Call(p, "event.emit", `{"eventName":"ring"}`); err != nil {
				break
			}
		}
		return n
	}
	alone := fill(100_000, func(int) (string, string) { return "ann", "" })
	r.Steps(2)
	if many := fill(100_000, func(i int) (string, string) { return fmt.Sprintf("guest-%d", i%50), "guest-*" }); many != alone || alone == 100_000 {
		t.Errorf("the names of one token emit %d, one agent %d", many, alone)
	}
	if more := fill(1, func(int) (string, string) { return "ben", "" }); more != 1 {
		t.Error("another one emits nothing")
	}
}
