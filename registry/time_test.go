package registry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// nap is a skill that takes as long as it is told, and looks at its context if it is told to.
func nap(name string, timeout time.Duration, l *ledger) registry.Skill {
	type in struct {
		Ms     int  `json:"ms"`
		Listen bool `json:"listen,omitempty"`
	}
	return registry.Define(registry.Spec[in, struct{}]{
		Name: name, Description: "Sleep.", Permissions: []profiles.Permission{profiles.Anyone}, Timeout: timeout,
		Handle: func(c *registry.Call, in in) (struct{}, error) {
			l.write(c, name)
			if !in.Listen {
				time.Sleep(time.Duration(in.Ms) * time.Millisecond)
				return struct{}{}, nil
			}
			select {
			case <-time.After(time.Duration(in.Ms) * time.Millisecond):
				return struct{}{}, nil
			case <-c.Context().Done():
				return struct{}{}, c.Context().Err()
			}
		},
	})
}

// newNaps is a rig with nap.second, nap.default and nap.ever.
func newNaps(t *testing.T, o registry.Options) *rig {
	t.Helper()
	r := newRig(t, o)
	if err := r.reg.Register(nap("nap.second", time.Second, r.ledger), nap("nap.default", 0, r.ledger), nap("nap.ever", -1, r.ledger)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTimeout(t *testing.T) {
	const timedOut = "handler_error: timed out; nothing was changed"
	tests := []struct {
		name, input, want string
		took              time.Duration
	}{
		{"nap.second", `{"ms":999}`, "ok", 999 * time.Millisecond},
		{"nap.second", `{"ms":1001}`, timedOut, 1001 * time.Millisecond}, // deaf, so it is found out afterwards
		{"nap.second", `{"ms":5000,"listen":true}`, timedOut, time.Second},
		{"nap.default", `{"ms":29999}`, "ok", 29999 * time.Millisecond},
		{"nap.default", `{"ms":90000,"listen":true}`, timedOut, 30 * time.Second},
		{"nap.ever", `{"ms":3600000}`, "ok", time.Hour},
		{"nap.ever", `{"ms":3600000,"listen":true}`, "ok", time.Hour},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			r := newNaps(t, registry.Options{})
			res := r.call(writer(), tt.name, tt.input)
			if got := text(res.Err); got != tt.want || res.Elapsed != tt.took {
				t.Errorf("%s %s: got %s after %v, want %s after %v", tt.name, tt.input, got, res.Elapsed, tt.want, tt.took)
			}
			if got := len(r.ledger.all()); (got == 1) != (tt.want == "ok") {
				t.Errorf("%s %s: %d lines were committed", tt.name, tt.input, got)
			}
		})
	}
}

// TestNestedTimeout has calls inside a call that is older than they may become.
func TestNestedTimeout(t *testing.T) {
	slow := registry.Define(registry.Spec[seqIn, seqOut]{
		Name: "slow.seq", Description: "Call skills, with an hour for it.", Permissions: []profiles.Permission{profiles.Anyone},
		Timeout: time.Hour,
		Handle:  sequence,
	})
	tests := []struct {
		outer, input, want string
		took               time.Duration
	}{
		{"slow.seq", seq("", `nap.ever {"ms":60000}`, `nap.second {"ms":900}`), "ok", 60900 * time.Millisecond},
		{"slow.seq", seq("", `nap.ever {"ms":60000}`, `nap.second {"ms":2000,"listen":true}`), "handler_error: timed out; nothing was changed", 61 * time.Second},
		{"slow.seq", seq(`,"go":true`, `nap.second {"ms":2000,"listen":true}`, `nap.second {"ms":900}`), "ok", 1900 * time.Millisecond},
		{"test.seq", seq("", `nap.ever {"ms":60000,"listen":true}`), "handler_error: timed out; nothing was changed", 30 * time.Second},
		{"test.seq", seq(`,"go":true`, `nap.ever {"ms":60000,"listen":true}`), "handler_error: timed out; nothing was changed", 30 * time.Second},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			r := newNaps(t, registry.Options{})
			if err := r.reg.Register(slow); err != nil {
				t.Fatal(err)
			}
			res := r.call(writer(), tt.outer, tt.input)
			if got := text(res.Err); got != tt.want || res.Elapsed != tt.took {
				t.Errorf("%s %s: got %s after %v, want %s after %v", tt.outer, tt.input, got, res.Elapsed, tt.want, tt.took)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	for _, input := range []string{`{"ms":5000}`, `{"ms":5000,"listen":true}`} {
		synctest.Test(t, func(t *testing.T) {
			r := newNaps(t, registry.Options{})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				time.Sleep(time.Second)
				cancel()
			}()
			res := r.reg.Invoke(ctx, &registry.Request{Name: "nap.default", Input: []byte(input), Principal: writer()}, nil)
			if got, want := text(res.Err), "handler_error: cancelled; nothing was changed"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if e := r.events(); len(e) != 1 || e[0].Type != registry.EventFailed || len(r.ledger.all()) != 0 {
				t.Errorf("events %v, lines %v", r.types(), r.ledger.all())
			}
		})
	}
}

// TestFrozenClock has a clock that is not the system's: a context must not be over before it began.
func TestFrozenClock(t *testing.T) {
	at := time.UnixMilli(1_000_000)
	r := newNaps(t, registry.Options{Clock: func() time.Time { return at }})
	r.must("nap.second", `{"ms":0,"listen":true}`)
	if got := r.events()[0].Timestamp; got != 1_000_000 {
		t.Errorf("the event is of %d", got)
	}
}

// lazy is a ledger that takes its time to commit.
type lazy struct{ *ledger }

func (l lazy) Commit(intent uint64) {
	time.Sleep(time.Minute)
	l.ledger.Commit(intent)
}

// TestElapsed checks that a call takes until its handler has returned, or it was refused, and not until it is committed.
func TestElapsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newNaps(t, registry.Options{})
		if err := r.reg.Register(registry.Define(registry.Spec[struct{}, struct{}]{
			Name: "test.lazy", Description: "Begin, and sleep.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
				r.ledger.mu.Lock()
				r.ledger.begun = true
				c.Begin(lazy{r.ledger})
				time.Sleep(time.Second)
				return struct{}{}, nil
			},
		})); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		res := r.call(writer(), "test.lazy", "")
		if whole := time.Since(start); text(res.Err) != "ok" || res.Elapsed != time.Second || whole != 61*time.Second {
			t.Errorf("the call took %v of %v, %s; want 1s of 1m1s", res.Elapsed, whole, text(res.Err))
		}
		if k, _ := r.reg.Lookup("test.lazy"); k.Stats().Elapsed != time.Second {
			t.Errorf("the call was counted as one of %v", k.Stats().Elapsed)
		}
	})
}

// TestContextEnds checks that a handler's context is over when its call is: what it started ends.
func TestContextEnds(t *testing.T) {
	var ctx context.Context
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.ctx", Description: "Keep the context.", Permissions: []profiles.Permission{profiles.Anyone}, Timeout: -1,
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			if ctx = c.Context(); ctx != c.Context() {
				t.Error("a call has two contexts")
			}
			return struct{}{}, ctx.Err()
		},
	}))
	r.must("test.ctx", "")
	if ctx.Err() == nil {
		t.Error("the context outlives its call")
	}
}
