package alarm_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/alarm"
)

var _ world.Alarm = (*alarm.Alarm)(nil)

func open(tb testing.TB) *alarm.Alarm {
	tb.Helper()
	a, err := alarm.New()
	if errors.Is(err, errors.ErrUnsupported) {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// A wait takes as long as it was told. The clock is the kernel's, which synctest cannot turn.
func TestWait(t *testing.T) {
	a := open(t)
	for _, d := range []time.Duration{0, time.Nanosecond, time.Millisecond, 2500 * time.Microsecond} {
		begun := time.Now()
		a.Wait(d)
		if took := time.Since(begun); took < d {
			t.Errorf("waited %v for %v", took, d)
		}
	}
}

// No ring is lost, whenever it comes: each of those who ring sees a Wait for ever end.
func TestRing(t *testing.T) {
	a := open(t)
	a.Ring()
	a.Wait(-1)
	a.Ring()
	a.Ring()
	a.Wait(time.Hour)
	const rings = 20_000
	heard := make(chan struct{})
	var waiting sync.WaitGroup
	defer waiting.Wait()
	waiting.Go(func() {
		defer close(heard)
		for range rings {
			a.Wait(-1)
			heard <- struct{}{}
		}
	})
	for range rings {
		a.Ring()
		select {
		case <-heard:
		case <-time.After(time.Minute):
			t.Fatal("nobody hears it")
		}
	}
	<-heard
}

// Many may ring at a time, and one of them is enough.
func TestRingTogether(t *testing.T) {
	a := open(t)
	for range 500 {
		var ringing sync.WaitGroup
		for range 4 {
			ringing.Go(a.Ring)
		}
		a.Wait(-1)
		ringing.Wait()
	}
}
