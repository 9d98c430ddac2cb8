package registry

import (
	"runtime"
	"sync"

	"github.com/limina-mcp/limina/profiles"
)

// Turns has calls that keep a processor busy for long, or take much memory, run a few at a time. One client may have 64
// slow calls running: all at once they take longer than one after the other, and whoever else wants something
// waits. Callers that wait, see [profiles.Principal.Owner], are served in rotation, a call of each, and so are the sessions of one, so that who asks for
// much holds up himself. One Turns may
// serve several skills. It may be used concurrently.
type Turns struct {
	mu    sync.Mutex // guards what follows
	free  int
	lines []*line // of sessions that wait: the first is served next, and then of those of others the first. There are none while a turn is free.
}

// line is the calls of one session that wait.
type line struct {
	owner, agent, session string
	calls                 []chan struct{}
}

// NewTurns returns turns for as many calls at a time as width says: if that is 0 for as many as there are processors, less
// one that is left for all else.
func NewTurns(width int) *Turns {
	if width <= 0 {
		width = max(runtime.GOMAXPROCS(0)-1, 1)
	}
	return &Turns{free: width}
}

// Take waits for a turn, until done is called, which must happen once; or fails with what the context says when the call has ended. A
// call that has a transaction open, see [Call.Transaction], does not wait, as everybody would wait for it. Nor does one have two
// turns: who has one and takes another may wait for himself.
func (t *Turns) Take(c *Call) (done func(), err error) {
	if c.Transaction() != nil {
		return func() {}, nil
	}
	ready := t.join(c.principal)
	if ready == nil {
		return t.done, nil
	}
	select {
	case <-ready:
		return t.done, nil
	case <-c.Context().Done():
		t.leave(ready)
		return nil, c.Context().Err()
	}
}

// join takes a turn, or a place in its session's line and returns what is closed when it is its turn.
func (t *Turns) join(p *profiles.Principal) (ready chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.free > 0 {
		t.free--
		return nil
	}
	ready = make(chan struct{})
	for _, l := range t.lines {
		if l.agent == p.ID && l.session == p.Session {
			l.calls = append(l.calls, ready)
			return ready
		}
	}
	t.lines = append(t.lines, &line{p.Owner(), p.ID, p.Session, []chan struct{}{ready}})
	return ready
}

// leave takes a call that has ended out of its line; if it is its turn by now the next has it.
func (t *Turns) leave(ready chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, l := range t.lines {
		for j, call := range l.calls {
			if call != ready {
				continue
			}
			if l.calls = append(l.calls[:j], l.calls[j+1:]...); len(l.calls) == 0 {
				t.lines = append(t.lines[:i], t.lines[i+1:]...)
			}
			return
		}
	}
	t.pass()
}

func (t *Turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass()
}

// pass gives a turn to the first who waits, whose session is the last then, behind the others of its caller, who are behind all of other callers.
func (t *Turns) pass() {
	if len(t.lines) == 0 {
		t.free++
		return
	}
	l := t.lines[0]
	var own []*line
	others := t.lines[:0]
	for _, other := range t.lines[1:] {
		if other.owner == l.owner {
			own = append(own, other)
		} else {
			others = append(others, other)
		}
	}
	close(l.calls[0])
	if l.calls = l.calls[1:]; len(l.calls) > 0 {
		own = append(own, l)
	}
	had := len(t.lines)
	others = append(others, own...)
	t.lines = others
	clear(t.lines[len(t.lines):had])
}
