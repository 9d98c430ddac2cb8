package registry_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// TestConcurrentCalls makes many calls at once, while the set of skills changes. Run it with -race.
func TestConcurrentCalls(t *testing.T) {
	const workers, calls = 8, 200
	r := newRig(t, registry.Options{Trace: trace.New(trace.Options{MaxEvents: 100_000, MaxBytes: 64 << 20})})
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range calls {
				id := fmt.Sprintf("w%d-%d", w, i)
				switch i % 4 {
				case 0:
					res := r.call(writer(), "test.echo", fmt.Sprintf(`{"text":%q}`, id))
					if want := fmt.Sprintf(`{"text":%q,"n":0,"list":[]}`, id); string(res.Output) != want {
						t.Errorf("got %s %s, want %s", text(res.Err), res.Output, want)
					}
				case 1:
					res := r.call(writer(), "test.seq", seq(`,"go":true`,
						fmt.Sprintf(`test.write {"line":%q}`, id), fmt.Sprintf(`test.write {"line":%q,"then":"fail"}`, id)))
					if res.Err != nil {
						t.Error(res.Err)
					}
				case 2:
					out, err := registry.Invoke[writeIn, writeOut](t.Context(), r.reg, writer(), "test.write", writeIn{Line: id})
					if err != nil || out.Lines != 1 {
						t.Errorf("got %+v, %v", out, err)
					}
				default:
					name := fmt.Sprintf("tmp.w%d", w)
					if err := r.reg.Register(named(name, "1.0.0")); err != nil {
						t.Error(err)
					}
					r.reg.Unregister(name)
				}
			}
		})
	}
	wg.Wait()
	if got, want := len(r.ledger.all()), workers*calls/2; got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
	verify(t, r.log)
	// An intent each, and the events in the order of the commits.
	seen := map[float64]bool{}
	tick := uint64(0)
	for _, e := range r.events() {
		p := r.payload(e)
		if e.ParentEventID != nil {
			continue
		}
		if seen[p["intent"].(float64)] {
			t.Fatalf("intent %v twice", p["intent"])
		}
		seen[p["intent"].(float64)] = true
		if p["skill"] != "test.echo" {
			if e.Tick <= tick {
				t.Fatalf("tick %d after %d", e.Tick, tick)
			}
			tick = e.Tick
		}
	}
	if want := workers * calls * 3 / 4; len(seen) != want {
		t.Errorf("%d calls are in the log, want %d", len(seen), want)
	}
}
