package mcp_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// eager is a transport that pushes whenever it may: between any two writes.
type eager struct {
	in     chan string
	closed chan struct{}
	once   sync.Once
	slow   string        // the beginning of what the peer takes only when it reads again
	reads  chan struct{} // closed then
	turn   chan struct{} // held by who writes

	mu    sync.Mutex // guards what follows
	fill  func([]byte) []byte
	woken bool
	out   []string // what was written, a message each
}

func newEager() *eager {
	return &eager{in: make(chan string, 8), closed: make(chan struct{}), reads: make(chan struct{}), turn: make(chan struct{}, 1)}
}

func (e *eager) Next() ([]byte, error) {
	select {
	case text, ok := <-e.in:
		if !ok {
			return nil, io.EOF
		}
		return []byte(text), nil
	case <-e.closed:
		return nil, errors.New("closed")
	}
}

func (e *eager) Buffered() bool                          { return false }
func (e *eager) Seal(dst []byte, _ int) []byte           { return append(dst, '\n') }
func (e *eager) SealBinary(dst []byte, start int) []byte { return e.Seal(dst, start) }
func (e *eager) OnRoom(fill func([]byte) []byte, _ any)  { e.fill = fill }
func (e *eager) Close() error                            { e.once.Do(func() { close(e.closed) }); return nil }

func (e *eager) written() (messages []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append(messages, e.out...)
}

func (e *eager) note(p []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.out = append(e.out, strings.Split(strings.TrimSuffix(string(p), "\n"), "\n")...)
}

func (e *eager) wake(woken bool) (was bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	was, e.woken = e.woken, woken
	return was
}

func (e *eager) Wake() {
	if !e.wake(true) {
		go func() {
			e.turn <- struct{}{}
			e.push()
		}()
	}
}

// push pushes what is due and gives the turn back.
func (e *eager) push() {
	if e.wake(false) {
		if out := e.fill(nil); len(out) > 0 {
			e.note(out)
		}
	}
	<-e.turn
}

func (e *eager) Write(p []byte) error {
	e.turn <- struct{}{}
	if e.slow != "" && strings.HasPrefix(string(p), e.slow) {
		<-e.reads
	}
	e.note(p)
	e.push()
	return nil
}

// What is pushed never overtakes the first message of a subscription, also where that waits behind an answer that the peer is slow to read.
func TestDeltaBehindAnswersThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		if err := r.core.Registry().Register(registry.Define(registry.Spec[none, none]{
			Name: "demo.slow", Description: "Run beside others.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true,
			Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
		})); err != nil {
			t.Fatal(err)
		}
		for name, ask := range map[string][]string{
			"subscribed":      {`{"jsonrpc":"2.0","id":2,"method":"state/subscribe"}`},
			"and declared":    {`{"jsonrpc":"2.0","id":2,"method":"state/subscribe"}`, `{"jsonrpc":"2.0","method":"aoi/declare","params":{"center":[0,0,0],"radius":9}}`},
			"subscribed anew": {`{"jsonrpc":"2.0","id":2,"method":"state/subscribe"}`, `{"jsonrpc":"2.0","id":3,"method":"state/subscribe","params":{"encoding":"packed"}}`},
		} {
			e, ended := newEager(), make(chan error, 1)
			e.slow = `{"jsonrpc":"2.0","id":1,`
			r.core.StartPeer(t.Context(), e, mcp.Peer{}, func(err error) { ended <- err })
			e.in <- initAs("ada", name, "builder.readWrite", "")
			e.in <- request(1, "tools/call", `{"name":"demo.slow"}`)
			synctest.Wait() // its answer is being written
			for _, text := range ask {
				e.in <- text
				synctest.Wait()
			}
			r.put(world.Vec3{})
			synctest.Wait()
			close(e.reads)
			synctest.Wait()
			r.put(world.Vec3{1})
			synctest.Wait()
			close(e.in)
			if err := <-ended; err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var c replica.Copy
			for _, text := range e.written() {
				if _, err := c.Text([]byte(text)); err != nil {
					t.Errorf("%s: %v, of %q", name, err, e.written())
				}
			}
			if got, want := len(c.View("").Entities), r.entities(); got != want {
				t.Errorf("%s: there are %d entities in the copy, want %d, of %q", name, got, want, e.written())
			}
		}
	})
}

// entities returns how many there are.
func (r *stateRig) entities() (n int) {
	r.w.View(func(v *world.View) { n = v.Len() })
	return n
}
