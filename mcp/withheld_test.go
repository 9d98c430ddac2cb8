package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/skills/catalogue"
	"github.com/limina-mcp/limina/transport/stdio"
)

// shelf is what Options.Kept waits for.
type shelf struct {
	mu    sync.Mutex // guards what follows
	waits int        // how often it was waited for
	open  chan error // what the next ones get; one that is closed lets all pass
}

func (s *shelf) kept(ctx context.Context) error {
	s.mu.Lock()
	s.waits++
	open := s.open
	s.mu.Unlock()
	select {
	case err := <-open:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// shut has everybody wait until what it returns is called.
func (s *shelf) shut() (open func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate := make(chan error)
	s.open, s.waits = gate, 0
	return func() { close(gate) }
}

func (s *shelf) waited() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waits
}

// served is a peer over standard input and output whose answers wait for a shelf.
type served struct {
	*writes
	core *mcp.Mcp
	in   *io.PipeWriter
	done chan error
}

func serveKept(t *testing.T, s *shelf) *served {
	t.Helper()
	s.shut()()
	r, w := io.Pipe()
	p := &served{&writes{}, newCore(t, mcp.Options{Kept: s.kept}), w, make(chan error, 1)}
	go func() { p.done <- p.core.Serve(t.Context(), stdio.New(r, p, stdio.Options{})) }()
	return p
}

// say sends something, and waits until nothing more happens.
func (p *served) say(text string) {
	_, _ = io.WriteString(p.in, text)
	time.Sleep(time.Second)
	synctest.Wait()
}

// end has the peer go, in order.
func (p *served) end(t *testing.T) {
	t.Helper()
	_ = p.in.Close()
	if err := <-p.done; err != nil {
		t.Error(err)
	}
}

const (
	writeCall = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"scene.createEntity","arguments":{"color":1}}}` + "\n"
	readCall  = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}` + "\n"
	slowCall  = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":0.001}}}` + "\n"
)

// An answer leaves when what its call has changed is kept: those at hand together after one wait, those of calls that only read at once. Others do not
// wait.
func TestAnswersWaitUntilItIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		p := serveKept(t, s)
		if err := p.core.Registry().Register(catalogue.Call()); err != nil {
			t.Fatal(err)
		}
		lines := func() (n int) {
			p.mu.Lock()
			defer p.mu.Unlock()
			for _, text := range p.list {
				n += strings.Count(text, "\n")
			}
			return n
		}
		p.say(initNative)
		for _, c := range []struct {
			name, text     string
			answers, waits int
			during         int // answers before it is kept
		}{
			{"one that writes", fmt.Sprintf(writeCall, 1), 1, 1, 0},
			{"one that reads", fmt.Sprintf(readCall, 1), 1, 0, 1},
			{"several", fmt.Sprintf(writeCall+readCall+writeCall+writeCall, 1, 2, 3, 4), 4, 1, 0},
			{"slow ones", fmt.Sprintf(slowCall+slowCall, 1, 2), 2, 2, 0},
			{"a slow one and a ping", fmt.Sprintf(slowCall+ping, 1, 2), 2, 1, 1},
			{"a relayed one that reads", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"skills.call","arguments":{"name":"demo.echo","input":{"text":"x"}}}}` + "\n", 1, 0, 1},
			{"one that is refused", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"scene.createEntity","arguments":{"name":5}}}` + "\n", 1, 0, 1},
		} {
			before := lines()
			open := s.shut()
			p.say(c.text)
			if got := lines() - before; got != c.during {
				t.Errorf("%s: %d answers before it is kept, want %d: %q", c.name, got, c.during, p.list)
			}
			if got := s.waited(); got != c.waits {
				t.Errorf("%s: %d waits, want %d", c.name, got, c.waits)
			}
			other := &writes{}
			if err := p.core.Serve(t.Context(), stdio.New(strings.NewReader(initNative+fmt.Sprintf(readCall, 1)), other, stdio.Options{})); err != nil || len(other.list) == 0 {
				t.Errorf("%s: another one gets %q, %v meanwhile", c.name, other.list, err)
			}
			open()
			synctest.Wait()
			if got := lines() - before; got != c.answers {
				t.Errorf("%s: %d answers, want %d: %q", c.name, got, c.answers, p.list)
			}
		}
		p.end(t)
	})
}

// An array waits once, for all that it has changed.
func TestArraysWaitUntilTheyAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		p := serveKept(t, s)
		p.say(strings.Replace(initStandard, "2025-11-25", "2025-03-26", 1))
		open := s.shut()
		p.say("[" + strings.Join(strings.Split(strings.TrimSpace(fmt.Sprintf(writeCall+readCall+writeCall, 1, 2, 3)), "\n"), ",") + "]\n")
		if len(p.list) != 1 || s.waited() != 1 {
			t.Errorf("before it is kept there are %d writes, want the first one only, and %d waits: %q", len(p.list), s.waited(), p.list)
		}
		open()
		synctest.Wait()
		if len(p.list) != 2 || strings.Count(p.list[1], `"id":`) != 3 {
			t.Errorf("got %q", p.list)
		}
		p.end(t)
	})
}

// Who shares a link does not wait for what another one's answer waits for.
func TestLinksWaitUntilItIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{}
		s.shut()()
		core := newCore(t, mcp.Options{Kept: s.kept})
		ctx, cancel := context.WithCancel(t.Context())
		l := core.Link(ctx, mcp.Peer{}, func([]byte) bool { return true })
		deliver(l, fmt.Sprintf(hello, "2025-11-25"))
		deliver(l, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		open := s.shut()
		var first *way
		done := make(chan bool)
		go func() {
			first = deliver(l, strings.TrimSpace(fmt.Sprintf(writeCall, 1)))
			close(done)
		}()
		synctest.Wait()
		if got := deliver(l, strings.TrimSpace(fmt.Sprintf(readCall, 2))).got(); !strings.Contains(got, `"id":2,"result"`) {
			t.Errorf("meanwhile another one gets %s", got)
		}
		select {
		case <-done:
			t.Errorf("it is answered before it is kept: %s", first.got())
		default:
		}
		open()
		<-done
		if got := first.got(); !strings.Contains(got, `answer 0 {"jsonrpc":"2.0","id":1,"result"`) {
			t.Errorf("then it gets %s", got)
		}

		s.shut() // and it is never kept
		done = make(chan bool)
		go func() {
			first = deliver(l, strings.TrimSpace(fmt.Sprintf(writeCall, 3)))
			close(done)
		}()
		synctest.Wait()
		cancel()
		<-done
		if got := first.got(); got != `answer -32603 {"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"the server ends, or cannot keep what is changed now: the call was made, and may be lost; look whether it was done before you call again"}}` {
			t.Errorf("of what is not kept it gets %s", got)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Nobody is told that something is done which cannot be kept: the connection ends.
func TestWhatIsNotKeptIsNotDone(t *testing.T) {
	for _, text := range []string{fmt.Sprintf(readCall+writeCall, 1, 2), fmt.Sprintf(slowCall, 1)} {
		synctest.Test(t, func(t *testing.T) {
			s := &shelf{}
			p := serveKept(t, s)
			p.say(initNative)
			s.shut()
			broken := errors.New("the disk is broken")
			p.say(text)
			s.open <- broken
			if err := <-p.done; !errors.Is(err, broken) {
				t.Errorf("Serve = %v", err)
			}
			if len(p.list) == 0 || strings.Contains(strings.Join(p.list[1:], ""), `"result"`) {
				t.Errorf("it is told %q, want no result but of initialize", p.list)
			}
		})
	}
}
