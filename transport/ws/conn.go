package ws

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/internal/hangup"
)

const (
	firstBuffer = 512      // grows with the messages
	idleBuffer  = 64 << 10 // a larger buffer is given back once its message is done
	linger      = time.Second
)

// past is a deadline that wakes whoever waits.
var past = time.Unix(1, 0)

// Conn is one WebSocket connection. One goroutine may read ([Conn.Next]); any may write, and close.
type Conn struct {
	// What pushing looks at comes first.
	queued   atomic.Bool   // it is in the shard's queue
	served   uint64        // the turn in which something was pushed last, of the shard's; of who pushes
	whose    atomic.Uint32 // stands for the owner, where pushing looks for who else has the same; two may have one
	shard    *shard
	room     atomic.Pointer[room] // see OnRoom; nil before: whoever writes wakes the connection, too
	link     link
	endpoint *Endpoint
	gorilla  *websocket.Conn

	// Of the reading goroutine:
	owner   string        // see Own
	buf     *buffer       // of the message; nil while there is none
	held    *backlog.Load // what it counts for, if it is long
	failure error         // what reading ended with
	peer    int           // code of the close frame that has come, 0 for none

	reason   atomic.Pointer[Error] // why we end the connection
	stopping atomic.Bool
	closed   atomic.Bool

	asked  atomic.Bool // by Probe, until the keeper has seen it
	quiet  int64       // of the keeper: since when nothing has come
	pinged int64       // … and when a ping was sent last
	probed int64       // … or one that Probe has asked for, until there is an answer; 0 for none
}

// Own says for whom the connection counts: of what comes in part whoever holds most over all his connections has to give some up first, and where there is more to push than is
// possible, those of one owner share what he is pushed. "" are all of whom nothing is known. It is called by whoever calls Next.
func (c *Conn) Own(owner string) {
	c.owner = owner
	c.whose.Store(uint32(maphash.String(ownerSeed, owner)))
}

var ownerSeed = maphash.MakeSeed()

// Protocol returns the subprotocol that was agreed on, "" for none.
func (c *Conn) Protocol() string { return c.gorilla.Subprotocol() }

// RemoteAddr returns the peer's address.
func (c *Conn) RemoteAddr() net.Addr { return c.link.RemoteAddr() }

// OnWait sets what Next does before it waits for the peer, and after it has. If before fails, Next
// returns the error. Call it once, before the first Next.
func (c *Conn) OnWait(before func() error, after func()) { c.link.before, c.link.after = before, after }

// Buffered reports false: whether Next has to wait is only known inside it. See [Conn.OnWait].
func (c *Conn) Buffered() bool { return false }

// Next returns the next message, valid until the call after. io.EOF is the orderly end: the peer has
// closed the connection, or [Endpoint.Stop] was called. A message over the limit is an error with a
// method TooLong first. Every other error is final, and an [*Error] if the peer is to be told of it.
func (c *Conn) Next() ([]byte, error) {
	if c.failure != nil {
		return nil, c.failure
	}
	if c.stopping.Load() {
		c.failure = io.EOF
		return nil, io.EOF
	}
	message, err := c.read()
	if err == nil {
		return message, nil
	}
	c.done()
	c.failure = c.translate(err)
	if long := (*tooLong)(nil); errors.As(err, &long) {
		return nil, long
	}
	return nil, c.failure
}

// read reads one message.
func (c *Conn) read() ([]byte, error) {
	c.done()
	kind, r, err := c.gorilla.NextReader()
	if err != nil {
		return nil, err
	}
	if kind != websocket.TextMessage {
		return nil, &Error{CodeUnsupported, "binary frames are not taken: send each message as one text frame"}
	}
	l := &c.link
	l.got, l.payload, l.partial = 0, 0, true
	defer l.whole()
	if c.buf == nil {
		c.buf = c.endpoint.buffers.Get().(*buffer)
	}
	buf := c.buf.b[:0]
	for {
		if len(buf) == cap(buf) {
			buf = grow(buf, c.endpoint.limit)
			switch {
			case c.held != nil:
				c.held.Resize(cap(buf))
			case cap(buf) > idleBuffer:
				c.held = c.endpoint.arriving.Hold(c.owner, cap(buf), func() { c.fail(errCrowded) })
			}
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		l.payload = len(buf)
		if len(buf) > c.endpoint.limit {
			return nil, &tooLong{c.endpoint.limit}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	c.buf.b = buf
	if !c.held.Keep() {
		return nil, errCrowded
	}
	if !utf8.Valid(buf) {
		return nil, &Error{CodeInvalidText, "a text frame must be UTF-8"}
	}
	return buf, nil
}

// done says that what Next has returned is over. What was long leaves nothing, also where the next message has begun to come.
func (c *Conn) done() {
	if c.held == nil {
		return
	}
	c.held.Release()
	c.held = nil
	if c.buf != nil && cap(c.buf.b) > idleBuffer {
		c.buf.b = nil
	}
}

// buffer is room for a message. Connections share them, so that one that waits has none.
type buffer struct{ b []byte }

// release gives the buffer back. What Next has returned is over.
func (c *Conn) release() {
	if c.buf == nil {
		return
	}
	if cap(c.buf.b) > idleBuffer {
		c.buf.b = nil
	}
	c.endpoint.buffers.Put(c.buf)
	c.buf = nil
}

// grow makes room for at least one byte more than the message that is read, up to one more than the limit.
func grow(buf []byte, limit int) []byte {
	room := min(max(2*cap(buf), firstBuffer), limit+1)
	return append(make([]byte, 0, room), buf...)
}

// translate returns what reading ends with, for an error of gorilla's or the stream's.
func (c *Conn) translate(err error) error {
	var (
		ours   *Error
		long   *tooLong
		closed *websocket.CloseError
	)
	if e := c.reason.Load(); e != nil {
		return e
	}
	switch {
	case c.stopping.Load():
		return io.EOF
	case c.closed.Load():
		return errEnded
	case errors.As(err, &long), errors.Is(err, websocket.ErrReadLimit):
		return &Error{CodeTooBig, fmt.Sprintf("a message may be %d bytes long", c.endpoint.limit)}
	case c.link.verdict != nil:
		return c.link.verdict
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &closed) && c.peer != 0:
		if c.peer == CodeNormal || c.peer == CodeGoingAway || c.peer == codeNone {
			return io.EOF
		}
		return fmt.Errorf("%w: %w", ErrLeft, &Error{closed.Code, closed.Text})
	case errors.As(err, &closed) && closed.Code == codeAbnormal, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrBroken
	default:
		return err
	}
}

// onClose is told of the peer's close frame. It is answered by [Conn.End], when everything else has
// been said.
func (c *Conn) onClose(code int, _ string) error {
	c.peer = code
	return nil
}

func (c *Conn) onPing(data string) error {
	_ = c.link.write(seal([]byte(data), 0, headPong)) // reading goes on, and sees what is wrong
	return nil
}

// Seal makes a text frame of the message at dst[start:].
func (c *Conn) Seal(dst []byte, start int) []byte { return seal(dst, start, headText) }

// SealBinary makes a binary frame of it.
func (c *Conn) SealBinary(dst []byte, start int) []byte { return seal(dst, start, headBinary) }

// Write writes sealed messages, all of them or it fails. It waits for the peer, up to
// Options.WriteTimeout.
func (c *Conn) Write(p []byte) error {
	if e := c.reason.Load(); e != nil {
		return e // the deadline may be yet to come
	}
	err := c.link.write(p)
	if e := c.reason.Load(); err != nil && e != nil {
		return e
	}
	return err
}

// Close makes a waiting Next return, and Write too, a second later. The peer is told nothing: see [Conn.End].
//
// What is being written, such as what is pushed, has that second: nothing can follow what a deadline has stopped, with TLS
// not even if none of it went out, because the peer would miss a record and take the next one for forged.
func (c *Conn) Close() error {
	c.closed.Store(true)
	return c.leave()
}

func (c *Conn) leave() error {
	if err := c.link.SetWriteDeadline(time.Now().Add(linger)); err != nil {
		return err
	}
	return c.link.SetReadDeadline(past)
}

// Probe finds out whether the peer is still there: it is sent a ping, and the connection is ended unless something comes from it. Within is
// how long that takes at most, but where writing to it is stuck, which [Options].WriteTimeout ends. Probe never waits, and may be called at any time.
func (c *Conn) Probe() (within time.Duration) {
	c.asked.Store(true)
	return time.Duration(c.endpoint.probeTimeout+2) * time.Second // the keeper comes once a second
}

// fail ends the connection for a reason, as Close does.
func (c *Conn) fail(e *Error) {
	if c.reason.CompareAndSwap(nil, e) {
		_ = c.leave()
	}
}

// stop makes Next return io.EOF.
func (c *Conn) stop() {
	c.stopping.Store(true)
	_ = c.link.SetReadDeadline(past)
}

// End tells the peer why the connection ends, if it can be told, and closes it. It takes a second at
// most, in which the peer may answer. A nil reason is a normal end, as is one that the peer has given;
// of an error that is no [*Error] he is told no more than that there was one. Call it once Next and
// Write are over; what is written after it fails.
func (c *Conn) End(reason error) {
	c.done()
	c.endpoint.forget(c)
	l := &c.link
	defer hangup.Within(l.Conn, linger)()
	_ = l.SetDeadline(time.Now().Add(linger)) // frees the turn too, if somebody is stuck with it
	l.turn.lock()
	err := l.put(c.farewell(reason))
	l.ended = true
	l.turn.unlock()
	if err == nil && c.peer == 0 {
		hangup.Drain(l.Conn)
	}
	_ = l.Close()
}

// farewell is the close frame.
func (c *Conn) farewell(reason error) []byte {
	var e *Error
	switch {
	case c.peer == codeNone:
		return seal(nil, 0, headClose)
	case c.peer != 0:
		return closeFrame(c.peer, "")
	case c.stopping.Load():
		return closeFrame(CodeGoingAway, "the server is shutting down")
	case errors.As(reason, &e):
		return closeFrame(e.Code, e.Reason)
	case errors.Is(reason, ErrBroken): // who has ended only his side of the stream may be reading
		return closeFrame(CodeProtocol, "the stream ended without a close frame")
	case reason != nil:
		return closeFrame(CodeInternal, "internal error")
	default:
		return closeFrame(CodeNormal, "")
	}
}
