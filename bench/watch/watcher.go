package watch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limina-mcp/limina/statesync/replica"
)

// watcher reads what one client is sent.
type watcher struct {
	*socket
	run     *run
	stalled bool // reads nothing
	counts  bool // keeps a copy, and so knows how many entities change

	tick uint64 // of the newest message, where Limina says it
	copy replica.Copy

	mu       sync.Mutex // guards what follows
	err      error
	messages int
	bytes    int
	updates  int
	arrived  []arrival
}

// arrival is a message of a tick, or of a stamp if there is one, and when it came, in microseconds.
type arrival struct {
	tick        uint64
	stamp, when int64
}

// watch reads until the connection ends.
func (w *watcher) watch() {
	for {
		op, message, wire, err := w.receive()
		if err != nil {
			return // the run is over
		}
		if err := w.take(op, message, wire, now()); err != nil {
			w.mu.Lock()
			w.err = err
			w.mu.Unlock()
			return
		}
	}
}

// take looks at one message.
func (w *watcher) take(op byte, message []byte, wire int, when int64) error {
	a := arrival{when: when}
	switch w.run.Protocol {
	case Colyseus:
		if len(message) == 0 || message[0] != colyseusState && message[0] != colyseusPatch {
			return nil
		}
		a.stamp = stamp(message)
	case SocketIO:
		if len(message) == 1 && message[0] == '2' { // its own ping
			return w.send(opText, []byte("3"))
		}
		a.stamp = stamp(message)
	default:
		told, err := w.told(op, message)
		if err != nil || !told {
			return err
		}
		a.tick = w.tick
	}
	updates, err := w.apply(op, message)
	if err != nil {
		return err
	}
	if !w.run.counting.Load() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages, w.bytes, w.updates = w.messages+1, w.bytes+wire, w.updates+updates
	if a.tick != 0 || a.stamp != 0 {
		w.arrived = append(w.arrived, a)
	}
	return nil
}

// told notes the tick of a message of Limina's and reports whether it is one about the state. Ticks must
// grow: no order may be lost. With several subscriptions in one frame nothing is noted.
func (w *watcher) told(op byte, message []byte) (bool, error) {
	if w.run.Each > 1 {
		return op == opBinary || message[0] == '[', nil
	}
	var first bool
	before := w.tick
	if op == opBinary {
		first = message[0]&3 != 0
		body := message[1:]
		if first { // precision
			body, w.tick = body[1:], 0
		}
		n, _ := binary.Uvarint(body)
		w.tick += n
	} else {
		head := message[:min(len(message), 120)]
		if bytes.HasPrefix(head, []byte(`{"jsonrpc":"2.0","id"`)) {
			return false, nil
		}
		first = bytes.Contains(head, []byte("state/snapshot"))
		_, rest, found := bytes.Cut(head, []byte(`"tick":`))
		n := w.tick + 1 // as a packed delta leaves it out
		if found {
			var err error
			if n, err = strconv.ParseUint(string(rest[:max(bytes.IndexAny(rest, ",}"), 0)]), 10, 64); err != nil {
				return false, err
			}
		}
		w.tick = n
	}
	if !first && w.tick <= before {
		return false, fmt.Errorf("tick %d came after %d", w.tick, before)
	}
	return true, nil
}

// apply has the copy follow and returns how many entities have changed.
func (w *watcher) apply(op byte, message []byte) (int, error) {
	if !w.counts {
		return 0, nil
	}
	read := w.copy.Text
	if op == opBinary {
		read = w.copy.Binary
	}
	updates, err := read(message)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, u := range updates {
		if len(u.View.Entities) == 0 {
			return 0, errors.New("a client sees nothing")
		}
		n += len(u.Changed)
	}
	return n, nil
}

// stamp returns the clock that a peer has put into a message, 0 if there is none.
func stamp(message []byte) int64 {
	at := bytes.Index(message, []byte("@@"))
	if at < 0 || len(message) < at+17 {
		return 0
	}
	n, _ := strconv.ParseInt(string(message[at+2:at+17]), 10, 64)
	return n
}

// latencies returns how long what came was on its way.
func (w *watcher) latencies() []time.Duration {
	var all []time.Duration
	for _, a := range w.arrived {
		begun := a.stamp
		if a.tick != 0 {
			at, ok := w.run.server.at(a.tick)
			if !ok {
				continue
			}
			begun = at
		}
		all = append(all, time.Duration(a.when-begun)*time.Microsecond)
	}
	return all
}

// ownCPU is the processor time that this process has used.
func ownCPU() time.Duration {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano())
}
