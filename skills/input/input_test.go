package input_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/input"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, _ *agents.Agents) []registry.Skill {
	return append(append(batch.All(w), history.All(w)...), input.All(input.New(w))...)
}

// pad binds the button jump and the axis steer.
func pad(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "input.bind", `{"name":"jump","sources":["Space"]}`)
	s.Must(t, p, "input.bind", `{"name":"steer","sources":["KeyA","KeyD"],"type":"axis"}`)
}

func TestCalls(t *testing.T) {
	long := strings.Repeat("é", input.MaxText+1)
	var many []string
	for i := range input.MaxSources + 1 {
		many = append(many, fmt.Sprintf("%q", fmt.Sprint("Key", i)))
	}
	skilltest.Run(t, all, "input.bind", []skilltest.Case{
		{Name: "a button", Input: `{"name":"jump","sources":["Space","GamepadButton0"],"meta":{"a":1}}`, Want: `{"ok":true}`},
		{Name: "anew", Setup: pad, Input: `{"name":"jump","sources":["KeyJ"]}`, Want: `{"ok":true}`},
		{Name: "to nothing", Input: `{"name":"jump","sources":[]}`, Code: registry.CodeInvalidInput, Err: "sources: must have at least 1 item, got 0"},
		{Name: "to what has no name", Input: `{"name":"jump","sources":["a",""]}`, Code: registry.CodeInvalidInput, Err: "sources[1]: must not be empty"},
		{Name: "to one key twice", Input: `{"name":"jump","sources":["a","b","a"]}`, Code: registry.CodeInvalidInput, Err: `sources[2]: "a" is there twice`},
		{Name: "to too much", Input: `{"name":"jump","sources":[` + strings.Join(many, ",") + `]}`, Code: registry.CodeCapacityExceeded, Err: "sources: a name has at most 16, these are 17"},
		{Name: "a long name", Input: `{"name":"` + long + `","sources":["a"]}`, Code: registry.CodeCapacityExceeded, Err: "name: has at most 128 characters, this one has 129"},
		{Name: "a long source", Input: `{"name":"jump","sources":["` + long + `"]}`, Code: registry.CodeCapacityExceeded, Err: "sources[0]: has at most 128 characters, this one has 129"},
		{
			Name: "too many names", Input: `{"name":"one more","sources":["a"]}`, Code: registry.CodeCapacityExceeded, Err: "name: you have bound 64 names, which is the most: input.remove takes one away",
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				for i := range input.MaxNames {
					s.Must(t, p, "input.bind", fmt.Sprintf(`{"name":"button %d","sources":["a"]}`, i))
				}
			},
		},
	})
	skilltest.Run(t, all, "input.set", []skilltest.Case{
		{Name: "a button", Setup: pad, Input: `{"name":"jump","value":true,"meta":{}}`, Want: `{"ok":true}`},
		{Name: "a button by how far it is pressed", Setup: pad, Input: `{"name":"jump","value":0.4}`, Want: `{"ok":true}`},
		{Name: "an axis", Setup: pad, Input: `{"name":"steer","value":-1}`, Want: `{"ok":true}`},
		{Name: "an axis too far", Setup: pad, Input: `{"name":"steer","value":1.5}`, Code: registry.CodeInvalidInput, Err: "value: an axis goes from -1 to 1, got 1.5"},
		{Name: "to a word", Setup: pad, Input: `{"name":"jump","value":"on"}`, Code: registry.CodeInvalidInput, Err: `value: must be a number, true or false`},
		{Name: "misspelt", Setup: pad, Input: `{"name":"jmup","value":true}`, Err: `"jmup" is not bound; the nearest is "jump"`},
		{Name: "unlike any", Setup: pad, Input: `{"name":"fire","value":true}`, Err: `"fire" is not bound; you have bound 2 names, such as "jump"`},
		{Name: "of none", Input: `{"name":"fire","value":true}`, Err: `"fire" is not bound; you have bound nothing: input.bind {"name":"fire","sources":["Space"]} does`},
	})
	skilltest.Run(t, all, "input.action", []skilltest.Case{
		{Name: "at first", Setup: pad, Input: `{"name":"jump","meta":{}}`, Want: `{"active":false}`},
		{Name: "of none", Input: `{"name":"fire"}`, Err: `"fire" is not bound; you have bound nothing: input.bind {"name":"fire","sources":["Space"]} does`},
	})
	skilltest.Run(t, all, "input.axis", []skilltest.Case{
		{Name: "at first", Setup: pad, Input: `{"name":"steer","meta":{}}`, Want: `{"value":0}`},
		{Name: "misspelt", Setup: pad, Input: `{"name":"ster"}`, Err: `"ster" is not bound; the nearest is "steer"`},
	})
	skilltest.Needs(t, all, "input.bind", `{"name":"a","sources":["a"]}`, "player.configure", "builder.readWrite", "player.full")
	skilltest.Needs(t, all, "input.set", `{"name":"a","value":1}`, "player.configure", "builder.readWrite", "player.full")
	skilltest.Needs(t, all, "input.action", `{"name":"a"}`, "player.read", "builder.readWrite", "player.full", "player.limited")
	skilltest.Needs(t, all, "input.axis", `{"name":"a"}`, "player.read", "builder.readWrite", "player.full", "player.limited")
}

// TestAgainstMaps has two agents bind, set and read, and compares what they read with what maps say.
func TestAgainstMaps(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := skilltest.NewRoom(t, all)
		type pad struct {
			axes   map[string]bool
			values map[string]float64
		}
		pads := map[string]pad{}
		for _, agent := range []string{"ann", "bob"} {
			pads[agent] = pad{map[string]bool{}, map[string]float64{}}
		}
		for range rapid.IntRange(1, 40).Draw(rt, "calls") {
			agent := rapid.SampledFrom([]string{"ann", "bob"}).Draw(rt, "agent")
			name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "name")
			who, p := skilltest.Caller(t, agent, "player.full"), pads[agent]
			value, bound := p.values[name]
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				axis := rapid.Bool().Draw(rt, "axis")
				kind := map[bool]string{true: "axis", false: "action"}[axis]
				r.Must(t, who, "input.bind", fmt.Sprintf(`{"name":%q,"sources":["x"],"type":%q}`, name, kind))
				p.axes[name], p.values[name] = axis, 0
			case 1:
				to := float64(rapid.IntRange(-8, 8).Draw(rt, "value")) / 8
				_, err := r.Call(who, "input.set", fmt.Sprintf(`{"name":%q,"value":%v}`, name, to))
				if (err == nil) != bound {
					rt.Fatalf("%s sets %s, which is bound: %v: %v", agent, name, bound, err)
				}
				if !bound {
					continue
				}
				if p.values[name] = to; !p.axes[name] {
					p.values[name] = map[bool]float64{true: 1}[to >= 0.5]
				}
			case 2:
				got, err := r.Call(who, "input.axis", fmt.Sprintf(`{"name":%q}`, name))
				if (err == nil) != bound || bound && got != fmt.Sprintf(`{"value":%v}`, value) {
					rt.Fatalf("%s reads %s: %s, %v, want %v", agent, name, got, err, value)
				}
			default:
				got, err := r.Call(who, "input.action", fmt.Sprintf(`{"name":%q}`, name))
				if (err == nil) != bound || bound && got != fmt.Sprintf(`{"active":%v}`, value >= 0.5 || value <= -0.5) {
					rt.Fatalf("%s reads %s: %s, %v, want %v", agent, name, got, err, value)
				}
			}
		}
	})
}

// TestPrivate looks for what viewers see of it, which is nothing, and takes it back.
func TestPrivate(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	empty := r.Content()
	pad(t, r.Server, r.Ann)
	r.Do("input.set", `{"name":"jump","value":true}`)
	skilltest.Holds(t, "jump is pressed", r.Do("input.action", `{"name":"jump"}`), `{"active":true}`)
	r.World.View(func(v *world.View) {
		for _, name := range r.World.Shared(v) {
			if strings.HasPrefix(name, "input") {
				t.Errorf("viewers see %s", name)
			}
		}
	})
	r.Do("world.undo", `{}`)
	skilltest.Holds(t, "jump is not pressed any more", r.Do("input.action", `{"name":"jump"}`), `{"active":false}`)
	r.Do("world.undo", `{"steps":2}`)
	if r.Content() != empty {
		t.Error("undo leaves something")
	}
}

// TestRoom has more agents than there is room for: whose controls were changed longest ago has none then.
func TestRoom(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	bind := func(agent string) *profiles.Principal {
		t.Helper()
		p := skilltest.Caller(t, agent, "player.full")
		r.Must(t, p, "input.bind", `{"name":"a","sources":["a"]}`)
		return p
	}
	bob := bind("bob")
	r.Steps(1)
	for i := range input.MaxAgents - 1 {
		bind(fmt.Sprint("agent ", i))
	}
	last := bind("one more")
	if _, err := r.Call(bob, "input.axis", `{"name":"a"}`); err == nil {
		t.Error("bob, who was the first, has controls still")
	}
	skilltest.Holds(t, "the last has some", r.Must(t, last, "input.axis", `{"name":"a"}`), `{"value":0}`)
}
