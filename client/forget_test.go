package client_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/client"
)

// frames takes apart what a client has written: the content of messages, and the kind of other frames.
func frames(p []byte) (all []string) {
	for len(p) >= 6 {
		kind, n, at := p[0], int(p[1]&0x7f), 2
		if n == 126 {
			n, at = int(binary.BigEndian.Uint16(p[2:])), 4
		}
		key, content := p[at:at+4], p[at+4:at+4+n]
		for i := range content {
			content[i] ^= key[i&3]
		}
		if p = p[at+4+n:]; kind == 0x81 {
			all = append(all, string(content))
		} else {
			all = append(all, fmt.Sprintf("frame %#x", kind))
		}
	}
	return all
}

// stuck is a client of a server that has stopped to read in the middle of a call: a first one is under way, and a second one is being
// written.
type stuck struct {
	*client.Client
	giveUp context.CancelFunc // gives up the first call
	goOn   func() []string    // has the server read on until the client hangs up or has said no more for a while
}

func stick(t *testing.T) *stuck {
	t.Helper()
	f := serve(t)
	goOn, rest := make(chan struct{}), make(chan []byte, 1)
	f.answer(t, script{"first": func(s *session, _, _ json.RawMessage) {
		<-goOn
		_ = s.conn.NetConn().SetReadDeadline(time.Now().Add(5 * time.Second))
		p, _ := io.ReadAll(s.conn.NetConn())
		rest <- p
	}})
	ctx, cancel := context.WithCancel(t.Context())
	s := &stuck{Client: f.dial(t), giveUp: cancel, goOn: func() []string {
		close(goOn)
		return frames(<-rest)
	}}
	go func() { _ = s.Call(ctx, "first", nil, nil) }()
	synctest.Wait()
	go func() { _ = s.Call(t.Context(), "second", nil, nil) }()
	synctest.Wait()
	return s
}

// heard fails unless each of what was heard has in it what is wanted in its place.
func heard(t *testing.T, got []string, want ...string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.Contains(got[i], want[i])
	}
	if !ok {
		t.Errorf("the server heard %q, want %q", got, want)
	}
}

// The server hears nothing of a call that is given up before it was written, and of one that it has heard of it hears so.
func TestGivenUpBeforeItIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stick(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _ = s.Call(ctx, "third", nil, nil) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		s.giveUp()
		synctest.Wait()
		heard(t, s.goOn(), `"second"`, `"notifications/cancelled"`)
	})
}

// The goodbye is the last that the server hears.
func TestGivenUpAfterTheGoodbye(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stick(t)
		var closing sync.WaitGroup
		closing.Go(s.Close)
		synctest.Wait()
		s.giveUp()
		synctest.Wait()
		heard(t, s.goOn(), `"second"`, "frame 0x88")
		closing.Wait()
	})
}

// late is a context that ends when somebody is about to wait for an answer that has come.
type late struct {
	context.Context
	cancel context.CancelFunc
	asked  atomic.Int64
}

func (c *late) Done() <-chan struct{} {
	if c.asked.Add(1) == 2 { // the first who asks waits to be let in
		synctest.Wait()
		c.cancel()
	}
	return c.Context.Done()
}

// Who gives up a call in the moment in which its answer comes does not tell the server of it any more.
func TestGivenUpWithTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		var told atomic.Int64
		f.answer(t, script{"notifications/cancelled": func(*session, json.RawMessage, json.RawMessage) { told.Add(1) }})
		c := f.dial(t)
		given := 0
		for range 64 { // each ends one way or the other
			ctx, cancel := context.WithCancel(t.Context())
			if c.Ping(&late{Context: ctx, cancel: cancel}) != nil {
				given++
			}
		}
		synctest.Wait()
		if given == 0 || told.Load() != 0 {
			t.Errorf("%d of 64 calls were given up, and the server heard of %d", given, told.Load())
		}
	})
}
