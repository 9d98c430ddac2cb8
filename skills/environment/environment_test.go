package environment_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill {
	return environment.All(environment.New(w))
}

type server = skilltest.Server

// after checks the hour of the day, n steps later.
func after(n int, want float64) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		s.Steps(n)
		if got := hour(s); got != want {
			t.Errorf("after %d steps it is %v, want %v", n, got, want)
		}
	}
}

// about is after, to a second of the day.
func about(n int, want float64) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		s.Steps(n)
		if got := hour(s); math.Abs(got-want) > 1.0/3600 {
			t.Errorf("after %d steps it is %v, want %v", n, got, want)
		}
	}
}

func hour(s *server) (h float64) {
	s.World.View(func(v *world.View) { h = s.World.Environment.Time.Get(v).Hour })
	return h
}

func TestSetTime(t *testing.T) {
	skilltest.Run(t, skills, "world.setTime", []skilltest.Case{
		{Name: "at once", Input: `{"time":19.5}`, Want: `{"ok":true}`, Check: after(0, 19.5)},
		{Name: "it then stands still", Input: `{"time":24}`, Want: `{"ok":true}`, Check: after(100, 24)},
		{Name: "a transition begins where it was", Input: `{"time":18,"transitionMs":1000}`, Want: `{"ok":true}`, Check: after(0, 12)},
		{Name: "takes steps", Input: `{"time":18,"transitionMs":1000}`, Want: `{"ok":true}`, Check: after(1, 12.1)},
		{Name: "half of it", Input: `{"time":18,"transitionMs":1000}`, Want: `{"ok":true}`, Check: after(30, 15)},
		{Name: "all of it", Input: `{"time":18,"transitionMs":1000}`, Want: `{"ok":true}`, Check: after(60, 18)},
		{Name: "and no more", Input: `{"time":18,"transitionMs":1000}`, Want: `{"ok":true}`, Check: after(61, 18)},
		{Name: "it goes on, shown by the minute", Input: `{"time":8,"hoursPerMinute":1}`, Want: `{"ok":true}`, Check: after(59, 8)},
		{Name: "… of the day", Input: `{"time":8,"hoursPerMinute":6}`, Want: `{"ok":true}`, Check: about(20, 8+2*6.0/360)},
		{Name: "by hours", Input: `{"time":8,"hoursPerMinute":1}`, Want: `{"ok":true}`, Check: about(2*3600, 10)},
		{Name: "past midnight", Input: `{"time":23,"hoursPerMinute":2}`, Want: `{"ok":true}`, Check: about(3600, 1)},
		{Name: "after a transition", Input: `{"time":18,"transitionMs":1000,"hoursPerMinute":2}`, Want: `{"ok":true}`, Check: about(60+1800, 19)},
		{Name: "it stands still again", Input: `{"time":5}`, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			s.Must(t, p, "world.setTime", `{"time":8,"hoursPerMinute":1}`)
			s.Steps(100)
		}, Want: `{"ok":true}`, Check: after(3600, 5)},
		{Name: "too fast", Input: `{"time":5,"hoursPerMinute":61}`, Code: registry.CodeInvalidInput, Err: "hoursPerMinute: must be at least 0 and at most 60, got 61"},
		{Name: "over midnight", Input: `{"time":1,"transitionMs":1000}`, Setup: at(23), Want: `{"ok":true}`, Check: after(45, 0.5)},
		{Name: "back over midnight", Input: `{"time":23,"transitionMs":1000}`, Setup: at(1), Want: `{"ok":true}`, Check: after(45, 23.5)},
		{Name: "a part of a step is one", Input: `{"time":13,"transitionMs":1}`, Want: `{"ok":true}`, Check: after(1, 13)},
		{
			Name: "a second one starts where the first has got", Input: `{"time":15,"transitionMs":500}`, Want: `{"ok":true}`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "world.setTime", `{"time":18,"transitionMs":1000}`)
				s.Steps(10)
			},
			Check: after(15, 14),
		},
		{
			Name: "at once ends a transition", Input: `{"time":3}`, Want: `{"ok":true}`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "world.setTime", `{"time":18,"transitionMs":1000}`)
			},
			Check: after(60, 3),
		},
		{Name: "time", Input: `{"time":24.5}`, Code: registry.CodeInvalidInput, Err: `time: must be at least 0 and at most 24, got 24.5`},
		{Name: "transition", Input: `{"time":1,"transitionMs":10001}`, Code: registry.CodeInvalidInput, Err: `transitionMs: must be at least 0 and at most 10000, got 10001`},
		{Name: "no time", Input: `{}`, Code: registry.CodeInvalidInput, Err: `time: is required: a number at least 0 and at most 24`},
		{Name: "permission", As: "player.limited", Input: `{"time":1}`, Code: registry.CodeForbidden, Err: `missing permission: world.write`},
	})
}

// at sets the hour.
func at(hour float64) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			return s.World.Environment.Time.Set(tx, world.Time{Hour: hour})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTransitions holds every transition to the same rules: the hour is one of a day, moves by even
// strides, by the shorter way around the clock, and is there exactly when its time is up.
func TestTransitions(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, skills)
		from, to := rapid.Float64Range(0, 24).Draw(rt, "from"), rapid.Float64Range(0, 24).Draw(rt, "to")
		ms := rapid.Float64Range(1, 2000).Draw(rt, "ms")
		at(from)(t, s, p)
		in := environment.SetTimeIn{Time: to, TransitionMs: ms}
		if _, err := registry.Invoke[environment.SetTimeIn, environment.Done](t.Context(), s.Registry, p, "world.setTime", in); err != nil {
			rt.Fatal(err)
		}
		apart := math.Abs(to - from)
		apart = min(apart, 24-apart)
		steps := int(math.Ceil(ms * 60 / 1000))
		before := from
		for i := range steps {
			s.Steps(1)
			now := hour(s)
			stride := math.Abs(now - before)
			stride = min(stride, 24-stride)
			if now < 0 || now > 24 || math.Abs(stride-apart/float64(steps)) > 1e-9 {
				rt.Fatalf("step %d of %d, from %v to %v: %v after %v", i+1, steps, from, to, now, before)
			}
			before = now
		}
		if before != to {
			rt.Errorf("ends at %v, want %v", before, to)
		}
		tick := s.World.Tick()
		if s.Steps(1); hour(s) != to || s.World.Tick() != tick {
			rt.Errorf("goes on after its end")
		}
	})
}

func TestSetWeather(t *testing.T) {
	blows := func(want string) func(testing.TB, *server, *profiles.Principal) {
		return func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			s.World.View(func(v *world.View) {
				w := s.World.Environment.Weather.Get(v)
				if got := w.Kind + " " + string(w.Config); got != want {
					t.Errorf("weather %q, want %q", got, want)
				}
			})
		}
	}
	skilltest.Run(t, skills, "world.setWeather", []skilltest.Case{
		{Name: "rain", Input: `{"weather":"rain","intensity":0.4}`, Want: `{"ok":true}`, Check: blows("rain ")},
		{Name: "custom", Input: `{"weather":"custom","config":{"wind":[1,0,2]}}`, Want: `{"ok":true}`, Check: blows(`custom {"wind":[1,0,2]}`)},
		{Name: "weather", Input: `{"weather":"sunny"}`, Code: registry.CodeInvalidInput, Err: `weather: must be one of "clear", "rain", "snow", "fog", "storm", "custom", got "sunny"`},
		{Name: "intensity", Input: `{"weather":"fog","intensity":2}`, Code: registry.CodeInvalidInput, Err: `intensity: must be at least 0 and at most 1, got 2`},
		{
			Name: "large config", Input: `{"weather":"fog","config":{"x":"` + strings.Repeat("y", environment.MaxConfig) + `"}}`,
			Code: registry.CodeCapacityExceeded, Err: `config: holds at most 16384 bytes, this one has 16392`,
		},
	})
}

func TestSetSky(t *testing.T) {
	is := func(want world.Sky) func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			s.World.View(func(v *world.View) {
				if got := s.World.Environment.Sky.Get(v); got != want {
					t.Errorf("the sky is %+v, want %+v", got, want)
				}
			})
		}
	}
	skilltest.Run(t, skills, "world.setSky", []skilltest.Case{
		{Name: "space", Input: `{"sky":"space"}`, Want: `{"ok":true}`, Check: is(world.Sky{Kind: "space", Bare: true})},
		{Name: "the moon", Input: `{"sky":"space","ground":true}`, Want: `{"ok":true}`, Check: is(world.Sky{Kind: "space"})},
		{Name: "air", Input: `{"sky":"air"}`, Want: `{"ok":true}`, Check: is(world.Sky{Kind: "air"})},
		{Name: "islands", Input: `{"sky":"air","ground":false}`, Want: `{"ok":true}`, Check: is(world.Sky{Kind: "air", Bare: true})},
		{Name: "sky", Input: `{"sky":"blue"}`, Code: registry.CodeInvalidInput, Err: `sky: must be one of "air", "space", got "blue"`},
	})
}

func TestSetTimeScale(t *testing.T) {
	skilltest.Run(t, skills, "world.setTimeScale", []skilltest.Case{
		{
			Name: "slow", Input: `{"scale":0.5}`, Want: `{"ok":true}`,
			Check: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				s.World.View(func(v *world.View) {
					if got := s.World.Environment.TimeScale.Get(v); got != 0.5 {
						t.Errorf("time scale %v", got)
					}
				})
			},
		},
		{Name: "zero", Input: `{"scale":0}`, Want: `{"ok":true}`},
		{Name: "fast", Input: `{"scale":11}`, Code: registry.CodeInvalidInput, Err: `scale: must be at least 0 and at most 10, got 11`},
	})
}

func TestSpawn(t *testing.T) {
	skilltest.Run(t, skills, "world.getSpawn", []skilltest.Case{
		{Name: "of a new world", Input: `{}`, Want: `{"position":[0,0,0]}`},
		{
			Name: "where alone players come in", Input: `{}`, Want: `{"position":[1,-2,3.5],"only":true}`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "world.setSpawn", `{"position":[1,-2,3.5],"only":true}`)
			},
		},
		{Name: "with meta", Input: `{"meta":{"why":"curious"}}`, Want: `{"position":[0,0,0]}`},
		{
			Name: "moved", Input: `{}`, Want: `{"position":[1,-2,3.5]}`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "world.setSpawn", `{"position":[1,-2,3.5]}`)
			},
		},
		{Name: "unknown field", Input: `{"position":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: `position: unknown field, allowed: meta`},
	})
	skilltest.Run(t, skills, "world.setSpawn", []skilltest.Case{
		{Name: "good", Input: `{"position":[1,-2,3.5]}`, Want: `{"ok":true}`},
		{Name: "none", Input: `{}`, Code: registry.CodeInvalidInput, Err: `position: is required: an array of 3 items, each a number`},
		{Name: "permission", As: "player.limited", Input: `{"position":[0,0,0]}`, Code: registry.CodeForbidden, Err: `missing permission: world.write`},
	})
}

// TestMetaStaysUnderItsKey holds what a caller gives to its place in the events.
func TestMetaStaysUnderItsKey(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, c := range []struct{ skill, input, event, want string }{
		{"world.setTime", `{"time":1,"meta":{"time":7}}`, environment.EventTime, `{"time":1,"transitionMs":0,"meta":{"time":7}}`},
		{"world.setWeather", `{"weather":"fog","config":{},"meta":{"weather":"clear"}}`, environment.EventWeather, `{"weather":"fog","intensity":1,"meta":{"weather":"clear"}}`},
		{"world.setSky", `{"sky":"space","meta":{"sky":"blue"}}`, environment.EventSky, `{"sky":"space","ground":false,"meta":{"sky":"blue"}}`},
		{"world.setTimeScale", `{"scale":2,"meta":{"scale":7}}`, environment.EventTimeScale, `{"scale":2,"meta":{"scale":7}}`},
		{"world.setSpawn", `{"position":[1,2,3],"only":true,"meta":{}}`, environment.EventSpawn, `{"position":[1,2,3],"only":true,"meta":{}}`},
	} {
		s.Must(t, p, c.skill, c.input)
		events, _ := s.Registry.Trace().Tail(trace.Filter{Type: c.event})
		if len(events) != 1 || string(events[0].Payload) != c.want {
			t.Errorf("%s: events %+v, want one with %s", c.skill, events, c.want)
		}
	}
}

func TestPermissions(t *testing.T) {
	for name, input := range map[string]string{
		"world.setTime": `{"time":1}`, "world.setWeather": `{"weather":"fog"}`, "world.setSky": `{"sky":"space"}`, "world.setTimeScale": `{"scale":1}`, "world.setSpawn": `{"position":[0,0,0]}`,
	} {
		skilltest.Needs(t, skills, name, input, "world.write", "builder.readWrite", "world.author")
	}
	skilltest.Needs(t, skills, "world.getSpawn", `{}`, "world.read", "builder.readWrite", "player.full", "player.limited")
}
