package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/hangup"
)

// link is one connection, from the moment it is open until it is lost. gorilla reads from it and writes
// nothing; what is written is queued, and written by one goroutine.
type link struct {
	client  *Client
	ws      *websocket.Conn
	conn    net.Conn
	session Session
	buf     bytes.Buffer // of who reads
	limited io.LimitedReader

	some chan struct{} // something is queued, or the link is over
	deaf chan struct{} // closed when nobody reads any more
	gone chan struct{} // closed when the client has taken the link down

	mu     sync.Mutex // guards what follows
	last   uint64     // id of the newest request
	asked  map[uint64]func(answer)
	queue  []frame
	unsent map[uint64]bool          // requests that were not written as a whole before the link ended
	torn   map[uint64]int           // how long the one of them is that was written in part
	why    error                    // why it is over, nil while it is not
	broken bool                     // … because a write failed, and the server may still say why
	timers map[*time.Timer]struct{} // of later
}

// answer is what becomes of a request.
type answer struct {
	result  json.RawMessage
	refused *Error // what the server said instead
	lost    error  // why there will be no answer
	unsent  bool   // … and the server knows nothing of the request
	torn    int    // … but the beginning of this many bytes, 0 for not even that
}

// keepBuffer is the largest buffer that is kept for the next message.
const keepBuffer = 1 << 20

func newLink(c *Client, ws *websocket.Conn) *link {
	l := &link{
		client: c, ws: ws, conn: ws.NetConn(),
		some: make(chan struct{}, 1), deaf: make(chan struct{}), gone: make(chan struct{}),
		asked: map[uint64]func(answer){}, unsent: map[uint64]bool{}, timers: map[*time.Timer]struct{}{},
	}
	ws.SetReadLimit(c.o.MaxMessage)
	ws.SetPingHandler(func(data string) error {
		l.expect()
		l.answerPing(data)
		return nil
	})
	ws.SetPongHandler(func(string) error {
		l.expect()
		return nil
	})
	ws.SetCloseHandler(func(int, string) error { return nil }) // answered when reading has ended
	return l
}

// ask queues a request. then is called once, with what becomes of it, by the goroutine that reads or
// the one that connects. If the link is over already, ask does nothing and reports false.
func (l *link) ask(method string, params []byte, then func(answer)) (id uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return 0, false
	}
	l.last++
	l.asked[l.last] = then
	text := append(make([]byte, 0, 64+len(method)+len(params)), `{"jsonrpc":"2.0","id":`...)
	text = strconv.AppendUint(text, l.last, 10)
	l.push(frame{kind: frameText, request: l.last, payload: appendMethod(text, method, params)})
	return l.last, true
}

// forget gives up a request. The server is told, unless it has not been told of the request yet.
func (l *link) forget(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil || l.asked[id] == nil {
		return
	}
	delete(l.asked, id)
	for i := range l.queue {
		if l.queue[i].request == id {
			l.queue = append(l.queue[:i], l.queue[i+1:]...)
			return
		}
	}
	params := strconv.AppendUint([]byte(`{"requestId":`), id, 10)
	l.push(frame{kind: frameText, payload: appendMethod([]byte(`{"jsonrpc":"2.0"`), "notifications/cancelled", append(params, '}'))})
}

// appendMethod ends a message that has been begun.
func appendMethod(dst []byte, method string, params []byte) []byte {
	dst = append(append(append(dst, `,"method":"`...), method...), '"')
	if params != nil {
		dst = append(append(dst, `,"params":`...), params...)
	}
	return append(dst, '}')
}

// answerPing queues the answer to a ping, in place of one that is still queued.
func (l *link) answerPing(data string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pong := frame{kind: framePong, payload: []byte(data)}
	for i := range l.queue {
		if l.queue[i].kind == framePong {
			l.queue[i] = pong
			return
		}
	}
	if l.why == nil {
		l.push(pong)
	}
}

// push queues a frame. The caller holds mu.
func (l *link) push(f frame) {
	l.queue = append(l.queue, f)
	select {
	case l.some <- struct{}{}:
	default:
	}
}

// hangUp closes the connection. Where TLS says goodbye once more it has a moment for it, and none after a write has
// failed, since the server could make nothing of it.
func (l *link) hangUp(failed bool) {
	patience := linger
	if failed {
		patience = 0
	}
	defer hangup.Within(l.conn, patience)()
	_ = l.conn.Close()
}

// end ends the link, for the first reason that is given. The server is sent the last frame only.
func (l *link) end(why error, last ...frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == nil {
		l.finish(why, last)
	}
}

// fail ends the link because a write failed, and reports whether that is what ended it. Then who reads has a moment
// for what the server may have said about it: see [link.hear].
func (l *link) fail(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return false
	}
	l.finish(fmt.Errorf("write: %w", err), nil)
	l.broken = true
	return true
}

// hear takes note of what reading ended with, and returns whether a write had failed before. If one had, and the
// server has said why it wants no more, that is why the link is over: the failed write is only what followed from it.
func (l *link) hear(err error) (broken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken && said(err) {
		l.why = err
	}
	return l.broken
}

// reason returns why the link is over, nil while it is not.
func (l *link) reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// finish ends the link, which is not over yet. The caller holds mu.
func (l *link) finish(why error, last []frame) {
	l.why = why
	for _, f := range l.queue {
		l.unsent[f.request] = true
	}
	l.queue = nil
	_ = l.conn.SetDeadline(time.Now().Add(linger)) // frees who is stuck
	for _, f := range last {
		l.push(f)
	}
	select {
	case l.some <- struct{}{}:
	default:
	}
}

// later calls what is to be tried again in a while, unless the link is over by then.
func (l *link) later(again func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return
	}
	var t *time.Timer
	t = time.AfterFunc(retryAfter, func() {
		l.mu.Lock()
		delete(l.timers, t)
		l.mu.Unlock()
		again()
	})
	l.timers[t] = struct{}{}
}

// abandon tells those who wait for an answer that none will come.
func (l *link) abandon() {
	l.mu.Lock()
	asked, unsent, torn, why := l.asked, l.unsent, l.torn, l.why
	l.asked = nil
	for t := range l.timers {
		t.Stop()
	}
	l.mu.Unlock()
	for id, then := range asked {
		then(answer{lost: why, unsent: unsent[id], torn: torn[id]})
	}
}

// request is ask with parameters that are known to be good JSON.
func (l *link) request(method string, params any, then func(answer)) bool {
	text, err := json.Marshal(params)
	if err != nil {
		panic(fmt.Sprintf("client: parameters of %s: %v", method, err))
	}
	_, ok := l.ask(method, text, then)
	return ok
}
