package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

// clockwork sets up what goes by time, and counts how often it is heard.
func clockwork(t *testing.T, e *engine.Engine) {
	t.Helper()
	for _, x := range []int{0, 2, 4} {
		does(t, e, "scene.createEntity", fmt.Sprintf(`{"position":[%d,0.5,0]}`, x))
	}
	for _, event := range []string{"dawn", "beat", "burns", "over", "scene", "done"} {
		does(t, e, "event.listen", fmt.Sprintf(`{"eventName":%q,"action":{"type":"call","target":"game.counter","data":{"name":%q,"action":"increment"}}}`, event, event))
	}
	for _, call := range [][2]string{
		{"world.setTime", `{"time":5,"hoursPerMinute":60}`}, // a day of 24 s
		{"behavior.define", `{"id":"watch","name":"Watch","routines":[{"id":"day","name":"","schedule":[{"hour":6,"action":"emit","target":"dawn"}]}]}`},
		{"behavior.assign", `{"entity":"ent_2","profileId":"watch"}`},
		{"event.listen", `{"eventName":"beat","action":{"type":"call","target":"game.timer","data":{"name":"beat","duration":7,"onComplete":"beat"}}}`},
		{"game.timer", `{"name":"beat","duration":7,"onComplete":"beat"}`},
		{"game.timer", `{"name":"long","duration":500,"onComplete":"done"}`},
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":1000000,"maxValue":1000000}]}`},
		{"status.apply", `{"targetEntity":"ent_1","type":"burn","duration":300,"tickInterval":1,"onTick":"burns","onRemove":"over"}`},
		{"ability.define", `{"id":"dash","cooldownTicks":36000}`},
		{"ability.cast", `{"entity":"ent_1","id":"dash"}`},
		{"cutscene.define", `{"id":"loop","loop":true,"keyframes":[{"atTick":0,"action":{"type":"emit","target":"scene"}},{"atTick":599,"action":{"type":"emit","target":"x"}}]}`},
		{"cutscene.play", `{"id":"loop"}`},
		{"world.claim", `{"min":[90,0,90],"max":[99,9,99],"seconds":55}`}, // which really pass
		{"world.setTimeScale", `{"scale":10}`},
	} {
		does(t, e, call[0], call[1])
	}
}

// tally returns how often what clockwork has set up was heard, and what is left of it.
func tally(t *testing.T, e *engine.Engine) string {
	t.Helper()
	var b strings.Builder
	for _, event := range []string{"dawn", "beat", "burns", "over", "scene", "done"} {
		var out struct{ Value int }
		answer(t, e, "game.counter", fmt.Sprintf(`{"name":%q,"action":"get"}`, event), &out)
		fmt.Fprintf(&b, "%s %d, ", event, out.Value)
	}
	for _, left := range [][2]string{{"world.claims", `{}`}, {"status.list", `{"targetEntity":"ent_1"}`}, {"ability.status", `{"entity":"ent_1","id":"dash"}`}} {
		var out struct {
			Claims, Effects []json.RawMessage
			Ready           bool
		}
		answer(t, e, left[0], left[1], &out)
		switch left[0] {
		case "world.claims":
			fmt.Fprintf(&b, "%d claims, ", len(out.Claims))
		case "status.list":
			fmt.Fprintf(&b, "%d effects, ", len(out.Effects))
		default:
			fmt.Fprintf(&b, "ready %v", out.Ready)
		}
	}
	return b.String()
}

// answer calls a skill and reads its answer.
func answer(t *testing.T, e *engine.Engine, skill, input string, out any) {
	t.Helper()
	res := operator(t, e, skill, input)
	if res.Err != nil {
		t.Fatalf("%s %s: %v", skill, input, res.Err)
	}
	if err := json.Unmarshal(res.Output, out); err != nil {
		t.Fatal(err)
	}
}

// goesOn runs an engine for so long, which closes it, calls during, unless it is nil, when that begins, and returns what was heard until then, and the step.
func goesOn(t *testing.T, e *engine.Engine, d time.Duration, during func()) (heard string, step uint64) {
	t.Helper()
	if err := e.Run(t.Context(), func(context.Context) error {
		if during != nil {
			during()
		}
		time.Sleep(d)
		synctest.Wait()
		heard, step = tally(t, e), stepOf(e)
		return nil
	}); err != nil {
		t.Error(err)
	}
	if missed := e.World.Missed(); missed != 0 {
		t.Errorf("%d steps were missed", missed)
	}
	return heard, step
}

func stepOf(e *engine.Engine) (n uint64) {
	e.World.View(func(v *world.View) { n = v.Step() })
	return n
}

// What goes by time goes by that of the world: it does not matter to it that the machine's clock is set, back or by a year, nor that nobody ran the
// world for a day. What was to end ends when it would have, and once; nothing is caught up with, and the trace is good.
func TestClockOfTheMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var set atomic.Int64 // by how much the machine's clock is wrong
		clock := func() time.Time { return time.Now().Add(time.Duration(set.Load())) }
		const part = 20 * time.Second // of which 600 s of the world's time are three
		plain := town(t, t.TempDir(), engine.Config{})
		clockwork(t, plain)
		want, steps := goesOn(t, plain, 3*part, nil)
		const heard = "dawn 26, beat 85, burns 300, over 1, scene 60, done 1, 0 claims, 0 effects, ready true"
		if want != heard {
			t.Errorf("in ten minutes %s, want %s", want, heard)
		}

		dir := t.TempDir()
		c := engine.Config{Trace: trace.Options{Clock: clock}}
		e := town(t, dir, c)
		clockwork(t, e)
		before, _ := goesOn(t, e, part, nil)
		time.Sleep(24 * time.Hour)
		set.Store(int64(365 * 24 * time.Hour))
		e = town(t, dir, c)
		if after := tally(t, e); after != before {
			t.Errorf("a day later %s, want it as it was: %s", after, before)
		}
		goesOn(t, e, part, nil)
		set.Store(int64(-100 * 365 * 24 * time.Hour)) // as where a machine has lost its battery
		e = town(t, dir, c)
		got, n := goesOn(t, e, part, func() {
			for i := range 10 {
				time.AfterFunc(time.Duration(i)*time.Second, func() { set.Add(-int64(time.Hour)) })
			}
		})
		if got != want || n != steps {
			t.Errorf("at step %d %s, want at step %d %s", n, got, steps, want)
		}
		if events, _ := told(t, dir); len(events) == 0 {
			t.Error("nothing is in the trace")
		}
	})
}
