package load

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/bench/call"
)

// driver sends calls on one stream and notes how long each answer took.
type driver struct {
	stream
	request  call.Request
	echo     bool // the server sends back what it gets: nothing to check
	deadline time.Time
	buf      []byte
	took     []time.Duration
}

// checkEvery is how many answers pass for each one that is parsed and checked in full.
const checkEvery = 1000

func (d *driver) check(n int, answer []byte) error {
	if d.echo || n%checkEvery != 0 {
		return nil
	}
	return call.Check(answer)
}

// due reports whether the time is up. It looks at the clock only now and then.
func (d *driver) due(k int) bool { return k&63 == 63 && time.Now().After(d.deadline) }

// serial makes n calls, one at a time.
func (d *driver) serial(n int) error {
	d.took = make([]time.Duration, 0, n)
	for k := range n {
		if d.due(k) {
			return nil
		}
		d.buf = d.request.Append(d.buf[:0], k)
		begun := time.Now()
		if err := d.send(d.buf); err != nil {
			return err
		}
		answer, err := d.await(k)
		if err != nil {
			return err
		}
		d.took = append(d.took, time.Since(begun))
		if err := d.check(k, answer); err != nil {
			return err
		}
	}
	return nil
}

// await returns the answer to call id; notifications in between are passed over.
func (d *driver) await(id int) ([]byte, error) {
	for {
		answer, err := d.receive()
		if err != nil {
			return nil, err
		}
		if got, ok := call.ID(answer); ok && got == id {
			return answer, nil
		}
	}
}

// window makes n calls with up to inFlight of them unanswered at any time.
func (d *driver) window(n, inFlight int) error {
	w := &window{
		driver: d, begun: make([]time.Time, n), took: make([]time.Duration, n),
		slots: make(chan struct{}, inFlight), failed: make(chan error, 1),
	}
	w.total.Store(int64(n))
	go func() { w.failed <- w.collect() }()
	sendErr := w.send()
	if sendErr != nil {
		return sendErr // the server is gone, and collect ends with its output
	}
	err := <-w.failed
	d.took = w.took[:w.total.Load()]
	return err
}

type window struct {
	*driver
	begun  []time.Time
	took   []time.Duration
	slots  chan struct{}
	total  atomic.Int64 // how many calls there will be; lowered when time is up
	failed chan error
}

func (w *window) send() error {
	for k := range w.begun {
		select {
		case w.slots <- struct{}{}:
		case err := <-w.failed:
			return fmt.Errorf("after %d calls: %w", k, err)
		}
		last := w.due(k)
		if last { // said before the last call leaves, so that its answer finds it said
			w.total.Store(int64(k + 1))
		}
		w.buf = w.request.Append(w.buf[:0], k)
		w.begun[k] = time.Now()
		if err := w.stream.send(w.buf); err != nil {
			return err
		}
		if last {
			return nil
		}
	}
	return nil
}

func (w *window) collect() error {
	for got := int64(0); got < w.total.Load(); {
		answer, err := w.receive()
		if err != nil {
			return err
		}
		id, ok := call.ID(answer)
		if !ok || id >= len(w.begun) {
			continue
		}
		w.took[id] = time.Since(w.begun[id])
		if err := w.check(int(got), answer); err != nil {
			return err
		}
		got++
		<-w.slots
	}
	return nil
}
