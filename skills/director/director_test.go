package director_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

func TestCalls(t *testing.T) {
	holds := func(build, fade float64, sustain, rest int, peak, low, damping float64) string {
		return fmt.Sprintf(`{"ok":true,"config":{"buildRate":%v,"fadeRate":%v,"sustainTicks":%d,"restTicks":%d,"peakLevel":%v,"restLevel":%v,"pressureDamping":%v}}`, build, fade, sustain, rest, peak, low, damping)
	}
	skilltest.Run(t, all, "director.configure", []skilltest.Case{
		{Name: "what holds", Input: `{}`, Want: holds(.02, .03, 180, 240, 1, .1, .9)},
		{Name: "one", Input: `{"buildRate":0.5,"meta":{"a":1}}`, Want: holds(.5, .03, 180, 240, 1, .1, .9)},
		{Name: "others stay", Setup: skilltest.Calls("director.configure", `{"fadeRate":1,"restTicks":0}`), Input: `{"sustainTicks":100000}`, Want: holds(.02, 1, 100000, 0, 1, .1, .9)},
		{Name: "in seconds", Input: `{"sustainSeconds":2.5,"restSeconds":0}`, Want: holds(.02, .03, 150, 0, 1, .1, .9)},
		{Name: "twice", Input: `{"restSeconds":1,"restTicks":60}`, Code: registry.CodeInvalidInput, Err: "restSeconds, restTicks: give one of the two; ticks are simulation steps"},
		{Name: "the ends", Input: `{"buildRate":1,"fadeRate":1,"sustainTicks":0,"restTicks":0,"peakLevel":0.5,"restLevel":0,"pressureDamping":0}`, Want: holds(1, 1, 0, 0, .5, 0, 0)},
		{Name: "a rate of nothing", Input: `{"buildRate":0}`, Code: registry.CodeInvalidInput, Err: `buildRate: must be greater than 0 and at most 1, got 0`},
		{Name: "too much", Input: `{"pressureDamping":1.5}`, Code: registry.CodeInvalidInput, Err: `pressureDamping: must be at least 0 and at most 1, got 1.5`},
		{Name: "too long", Input: `{"restTicks":100001}`, Code: registry.CodeInvalidInput, Err: `restTicks: must be from 0 to 100000, got 100001`},
		{Name: "a rest above the peak", Input: `{"restLevel":1}`, Code: registry.CodeInvalidInput, Err: `restLevel: must be below peakLevel, which is 1`},
		{Name: "both", Input: `{"restLevel":0.5,"peakLevel":0.4}`, Code: registry.CodeInvalidInput, Err: `restLevel: must be below peakLevel, which is 0.4`},
		{Name: "a peak below the rest", Input: `{"peakLevel":0.1}`, Code: registry.CodeInvalidInput, Err: `peakLevel: must be above restLevel, which is 0.1`},
	})
	skilltest.Run(t, all, "director.start", []skilltest.Case{{Name: "at once", Input: `{}`, Want: `{"ok":true}`, Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		skilltest.Holds(t, "status", s.Must(t, p, "director.status", `{}`), `{"running":true,"phase":"build_up","tension":0.1,"phaseTicksLeft":2700}`)
	}}})
	skilltest.Run(t, all, "director.stop", []skilltest.Case{
		{Name: "what does not run", Input: `{}`, Want: `{"ok":true,"wasRunning":false}`},
		{Name: "what runs", Setup: skilltest.Calls("director.start", `{}`), Input: `{}`, Want: `{"ok":true,"wasRunning":true}`},
	})
	skilltest.Run(t, all, "director.status", []skilltest.Case{{Name: "none", Input: `{}`, Want: `{"running":false}`}})
	skilltest.Run(t, all, "game.rules", []skilltest.Case{
		{Name: "none runs", Input: `{"kind":"director"}`, Want: `{"rules":[],"total":0}`},
		{Name: "one runs", Setup: skilltest.Calls("director.start", `{}`), Input: `{"kind":"director"}`, Want: `{"rules":[{"kind":"director","id":"director","when":"a phase of the director begins, which is in build_up: build_up, sustain, fade, rest and so on","then":[{"type":"emit","target":"director.phase"}]}],"ends":{"director":{"skill":"director.stop","input":{}}},"total":1}`},
	})
	skilltest.Run(t, all, "event.emit", []skilltest.Case{
		{Name: "a phase", Input: `{"eventName":"director.phase:rest"}`, Code: registry.CodeInvalidInput, Err: `eventName: director.phase:rest is emitted by the server alone, when it is so: choose another name`},
		{Name: "the end", Input: `{"eventName":"director.stopped"}`, Code: registry.CodeInvalidInput, Err: `eventName: director.stopped is emitted by the server alone, when it is so: choose another name`},
	})
}

// TestRound goes once round with what is the default, and begins again.
func TestRound(t *testing.T) {
	r := newRoom(t, "phase", "tension")
	r.Do("director.start", `{}`)
	r.Heard()
	for _, at := range []struct {
		steps   int
		phase   string
		tension float64
		left    uint64
	}{
		{1350, "build_up", 0.55, 1350},
		{1349, "build_up", 1 - 0.02/60, 1},
		{1, "sustain", 1, 180},
		{179, "sustain", 1, 1},
		{1, "fade", 1, 1800},
		{600, "fade", 0.7, 1200},
		{1200, "rest", 0.1, 240},
		{240, "build_up", 0.1, 2700},
		{2700, "sustain", 1, 180},
	} {
		r.Steps(at.steps)
		r.stands(fmt.Sprintf("after %d steps", at.steps), at.phase, at.tension, at.left)
	}
	want := []string{"director.phase sustain 1", "director.phase fade 1", "director.phase rest 0.1", "director.phase build_up 0.1", "director.phase sustain 1"}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
}

// TestPressure has one who plays be hurt, die and kill, and one who does not be hurt.
func TestPressure(t *testing.T) {
	r := newRoom(t)
	r.hero()
	rate := 0.02 / 60
	for _, c := range []struct {
		name, damage string
		damping      float64
		steps        int
		want         float64
	}{
		{"a fifth of all health, at once", `{"targetEntity":"ent_0","amount":200}`, 0, 1, 0.1},
		{"half of it in seven steps", `{"targetEntity":"ent_0","amount":200}`, .9, 7, 0.1 * (1 - 0.4782969)},
		{"all of it in the end", `{"targetEntity":"ent_0","amount":200}`, .9, 100, 0.1},
		{"never", `{"targetEntity":"ent_0","amount":200}`, 1, 100, 0},
		{"a death", `{"targetEntity":"ent_0","amount":1000}`, 0, 1, 0.5 + 0.25},
		{"a kill", `{"targetEntity":"ent_1","amount":9,"attackerEntity":"ent_0"}`, 0, 1, 0.05},
		{"nobody's kill", `{"targetEntity":"ent_1","amount":9}`, 0, 1, 0},
	} {
		r.Do("director.configure", `{"pressureDamping":%v}`, c.damping)
		r.Do("director.start", `{}`)
		r.Do("damage.apply", "%s", c.damage)
		r.Steps(c.steps)
		if got, want := *r.status().Tension, 0.1+float64(c.steps)*rate+c.want; !near(got, want) {
			t.Errorf("%s: the tension is %v, want %v", c.name, got, want)
		}
		r.Do("damage.heal", `{"targetEntity":"ent_0","amount":1000}`)
		r.Do("damage.heal", `{"targetEntity":"ent_1","amount":1}`)
	}
	r.Do("director.configure", `{"pressureDamping":0,"fadeRate":0.6,"buildRate":1,"sustainTicks":10,"restTicks":10}`)
	r.Do("director.start", `{}`)
	r.Steps(54)
	r.stands("at the peak", "sustain", 1, 10)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":200}`)
	r.Steps(5)
	r.stands("who is hurt at the peak", "sustain", 1, 5)
	r.Steps(15)
	r.stands("then it falls", "fade", 0.9, 80)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":200}`)
	r.Steps(1)
	r.stands("who is hurt then", "fade", 0.99, 89)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":200}`)
	r.Steps(1)
	r.stands("it is never above the peak", "fade", 1, 90)
	r.Steps(90)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":200}`)
	r.Steps(1)
	r.stands("who is hurt while it rests", "rest", 0.1, 9)
}

// TestConfigured is configured while it runs: what there is stays, and goes on otherwise.
func TestConfigured(t *testing.T) {
	r := newRoom(t, "phase")
	r.Do("director.configure", `{"buildRate":0.6}`)
	r.Do("director.start", `{}`)
	r.Steps(30)
	r.stands("halfway", "build_up", 0.4, 60)
	r.Do("director.configure", `{"buildRate":0.06}`)
	r.Steps(10)
	r.stands("a tenth as fast", "build_up", 0.41, 590)
	r.Do("director.configure", `{"peakLevel":0.3}`)
	r.Steps(1)
	r.stands("a peak that it is above", "sustain", 0.3, 180)
	r.Steps(10)
	r.Do("director.configure", `{"sustainTicks":20}`)
	r.Steps(1)
	r.stands("a shorter one", "sustain", 0.3, 9)
	r.Do("director.configure", `{"sustainTicks":5,"restLevel":0.2}`)
	r.Steps(1)
	r.stands("one that is over", "fade", 0.3, 200)
	r.Do("director.configure", `{"fadeRate":1,"restTicks":0,"sustainTicks":0}`)
	r.Heard()
	r.Steps(6)
	r.stands("no rest", "build_up", 0.2, 100)
	r.Steps(100)
	if diff := cmp.Diff([]string{"director.phase rest", "director.phase build_up", "director.phase sustain", "director.phase fade"}, r.Heard()); diff != "" {
		t.Errorf("phases of no steps are told too (-want +got):\n%s", diff)
	}
}

// TestState takes it back, brings it back, and goes on from a checkpoint as it went then.
func TestState(t *testing.T) {
	r := newRoom(t, "phase", "event")
	r.hero()
	empty := r.Content()
	r.Do("director.start", `{}`)
	r.Steps(500)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":600}`)
	r.Steps(3)
	r.Do("checkpoint.create", `{"name":"here"}`)
	live := func() (seen []string) {
		r.Heard()
		for range 40 {
			r.Steps(60)
			seen = append(seen, r.Do("director.status", `{}`))
		}
		return append(seen, r.Heard()...)
	}
	first := live()
	if !slices.Contains(first, "director.phase sustain") {
		t.Fatalf("nothing happens: %q", first)
	}
	r.Steps(1234)
	r.Do("checkpoint.load", `{"name":"here"}`)
	if diff := cmp.Diff(first, live()); diff != "" {
		t.Errorf("from the checkpoint on (-first +then):\n%s", diff)
	}

	before := r.status()
	r.Do("director.stop", `{}`)
	if heard := r.Heard(); len(heard) != 1 || heard[0] != "event.emit director.stopped" {
		t.Errorf("at the end viewers are told %q", heard)
	}
	tick := r.World.Tick()
	if r.Steps(1000); r.World.Tick() != tick {
		t.Error("one that is stopped changes the world")
	}
	r.Do("world.undo", `{}`)
	r.Steps(1)
	r.goesOn("what was stopped and brought back", before.Phase, *before.PhaseTicksLeft)

	r = newRoom(t)
	r.hero()
	r.Do("director.configure", `{"buildRate":1}`)
	r.Do("director.start", `{}`)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":600}`)
	r.Steps(100)
	r.Do("world.undo", `{"steps":3}`)
	if r.Content() != empty {
		t.Error("undo leaves something")
	}
	r.Heard()
	if r.Steps(100); len(r.Heard()) > 0 {
		t.Error("what was undone goes on")
	}
}

// TestBegunAnew undoes that one which runs has begun anew: it goes on where it was then, however long the new one ran.
func TestBegunAnew(t *testing.T) {
	r := newRoom(t)
	r.Do("director.start", `{}`)
	r.Steps(1000)
	before := r.status()
	r.Do("director.start", `{}`)
	r.Steps(600)
	r.Do("world.undo", `{}`)
	r.Steps(1)
	r.goesOn("what was begun anew and brought back", before.Phase, *before.PhaseTicksLeft)
	r.Do("world.redo", `{}`)
	r.Steps(1)
	r.goesOn("the new one, made again", "build_up", 2700-600)
}

// TestQuiet runs and writes nothing while nothing happens.
func TestQuiet(t *testing.T) {
	r := newRoom(t)
	r.Do("director.start", `{}`)
	r.Steps(1)
	tick := r.World.Tick()
	if r.Steps(600); r.World.Tick() > tick+600/60 { // that time goes on is noted once in a second
		t.Errorf("600 steps of build_up are %d commits", r.World.Tick()-tick)
	}
}

// TestMuch has more happen in a step than is looked at, and what does not fit.
func TestMuch(t *testing.T) {
	r := newRoom(t)
	r.hero()
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":1}`) // before it runs
	r.Do("director.configure", `{"pressureDamping":0.5}`)
	r.Do("director.start", `{}`)
	for range 1100 {
		r.Do("damage.apply", `{"targetEntity":"ent_0","amount":900}`)
		r.Do("damage.heal", `{"targetEntity":"ent_0","amount":900}`)
	}
	r.Steps(1)
	r.stands("half of 1, and a step of rising", "build_up", 0.1+0.5+0.02/60, 1199)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":900}`)
	r.Do("director.stop", `{}`)
	r.Steps(1)
	r.World.View(func(v *world.View) {
		if text := string(v.AppendSnapshot(nil)); strings.Contains(text, `"director.felt":{"`) {
			t.Error("what was to be felt waits for ever")
		}
	})
}

// TestHeard has a phase be heard in the step in which it begins, and a director that begins itself again and again come to an end.
func TestHeard(t *testing.T) {
	r := newRoom(t, "phase", "error", "data")
	r.Do("director.configure", `{"buildRate":1,"restLevel":0.5}`)
	r.Do("event.listen", `{"eventName":"director.phase:sustain","action":{"type":"setState","data":{"game":{"outcome":"won"}}}}`)
	r.Do("event.listen", `{"eventName":"director.phase","action":{"type":"setState","data":{"game":{"counter":{"name":"phases"}}}}}`)
	r.Do("director.start", `{}`)
	r.Steps(29)
	skilltest.Holds(t, "before", r.Do("game.counter", `{"name":"phases","action":"get"}`), `{"value":1}`)
	r.Steps(1)
	skilltest.Holds(t, "in the step", r.Do("game.counter", `{"name":"phases","action":"get"}`), `{"value":2}`)
	if got := r.Shared("game"); !strings.Contains(got, "won") {
		t.Errorf("at the peak the game is %s", got)
	}
	r.Do("event.listen", `{"eventName":"director.phase:build_up","action":{"type":"call","target":"director.start"}}`)
	r.Do("director.start", `{}`)
	r.Heard()
	r.Steps(200)
	failed := slices.DeleteFunc(r.Heard(), func(m string) bool { return !strings.Contains(m, "64 events") })
	if len(failed) != 1 {
		t.Errorf("what goes round in a circle is told %q", failed)
	}
}
