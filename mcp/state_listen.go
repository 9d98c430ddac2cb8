package mcp

import (
	"bytes"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/statesync"
)

// stateExtension is the state channel as an extension of MCP. A modern client opens it as a part of what
// it listens to, and each message has the tag of the listen; a legacy client by the methods that native
// ones have.
const stateExtension = "dev.limina/state-sync"

const (
	// stateInterval is the least time between two deltas on a listen: what happens meanwhile is folded
	// into one.
	stateInterval = time.Second / 20
	// stateRetry is when a peer that had no room for a message is tried again.
	stateRetry = time.Second
)

// stateListen is what one listen is told of the state of the world.
//
// Its messages go where answers go, and may be dropped there if the peer does not read. Then what the
// peer holds is told anew: what has changed since, or all of it.
type stateListen struct {
	pacer
	core *Mcp
	of   one // whose it is
	o    statesync.Options
	tag  []byte // what every message has in its params
	tell func(text []byte) bool
	over atomic.Bool // the feed has come to hold too much
	open atomic.Bool // begin has told something: before that nothing is flushed

	// Of whoever runs, and before that of begin.
	feed *statesync.Feed // nil: the peer has missed something
	view *statesync.View
	told bool   // the peer holds something
	tick uint64 // of the newest message that it got
}

// listenState subscribes for a listen and returns its first message, for begin.
func (c *conn) listenState(l *listen, o statesync.Options) (first []byte, e *rpcError) {
	s := &stateListen{core: c.mcp, of: one(l.by.Owner()), o: o, tag: append(append([]byte(`"_meta":{"`+subscriptionKey+`":`), l.id...), "},"...)}
	s.tell = func(text []byte) bool {
		return c.ctx.Err() == nil && c.listens.find(l.key) == l && c.tell(l.way, text)
	}
	s.pacer = pacer{interval: stateInterval, do: s.flush}
	first, err := s.subscribe(c.large)
	if err != nil {
		return nil, stateError(err)
	}
	l.state = s
	return first, nil
}

// subscribe opens a feed and returns its first message, nil if there is nothing to tell.
func (s *stateListen) subscribe(large func() (done func())) ([]byte, error) {
	feed := s.core.opts.State.Connect(s.wake)
	feed.For(string(s.of))
	feed.OnLarge(large)
	feed.OnOver(func() {
		s.over.Store(true)
		if s.open.Load() {
			s.wake()
		}
	})
	text, view, err := feed.Subscribe(nil, s.o)
	if err != nil {
		feed.Close()
		return nil, err
	}
	s.feed, s.view = feed, view
	return s.tagged(text), nil
}

// tagged puts the tag into a message. A packed delta, which is bare where it is known whose it is, becomes the parameters of one.
func (s *stateListen) tagged(text []byte) []byte {
	head := []byte(`"params":{`)
	at := bytes.Index(text, head)
	switch {
	case len(text) == 0: // there is none
		return text
	case !bytes.HasPrefix(text, []byte(`{"jsonrpc"`)):
		const delta = `{"jsonrpc":"2.0","method":"state/delta","params":{`
		out := append(make([]byte, 0, len(delta)+len(s.tag)+len(text)), delta...)
		return append(append(append(out, s.tag...), text[1:]...), '}')
	}
	at += len(head)
	return append(append(append(make([]byte, 0, len(text)+len(s.tag)), text[:at]...), s.tag...), text[at:]...)
}

// begin tells the first message, and has what is due told from now on. It reports whether the peer had
// room.
func (s *stateListen) begin(first []byte, tell func([]byte) bool) bool {
	if len(first) > 0 && !tell(first) {
		s.miss()
		return false
	}
	s.told, s.tick = true, s.view.Tick()
	s.open.Store(true)
	s.view.Start() // from now on somebody else may run
	if s.over.Load() {
		s.wake()
	}
	return true
}

// flush tells the peer what is due.
func (s *stateListen) flush() {
	if s.over.Swap(false) && s.feed != nil {
		s.miss()
		return
	}
	if s.feed == nil && !s.recover() {
		return
	}
	for {
		text, kind := s.feed.Append(nil)
		if kind == statesync.NoFrame {
			return
		}
		if !s.tell(s.tagged(text)) {
			s.miss()
			return
		}
		s.tick = s.view.Tick()
	}
}

// miss notes that the peer did not get a message.
func (s *stateListen) miss() {
	s.feed.Close()
	s.feed = nil
	s.wakeIn(stateRetry)
}

// recover subscribes again, from what the peer was told last.
func (s *stateListen) recover() bool {
	if s.told {
		s.o.Since, s.o.Resume, s.o.Epoch = s.tick, true, ""
	}
	text, err := s.subscribe(func() func() { return s.core.large(s.of) })
	if err != nil { // there is no room for so many entities now
		s.wakeIn(stateRetry)
		return false
	}
	return s.begin(text, s.tell)
}

// end ends it. Nothing is told any more once it has returned.
func (s *stateListen) end() {
	s.close()
	if s.feed != nil {
		s.feed.Close()
	}
}

// stateFilter reads what a listen wants to be told of the state.
func stateFilter(value []byte) (o statesync.Options, e *rpcError) {
	const path = "notifications." + stateExtension
	if value[0] != '{' {
		return o, invalidParams(path + ": must be an object: {} for the whole world, or as state/subscribe takes it")
	}
	o, _, e = subscribeParams(value)
	switch {
	case e != nil:
		e.message = path + "." + e.message
	case o.Name != "":
		e = invalidParams(path + ".subscription: a listen has one, without a name; open another one")
	case o.Batch:
		e = invalidParams(path + ".batch: a listen has each message by itself; leave it out")
	case o.Encoding != "" && o.Encoding != statesync.JSON && o.Encoding != statesync.Packed:
		e = invalidParams(path + `.encoding: must be one of "json", "packed"`)
	}
	return o, e
}
