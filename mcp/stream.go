package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/limina-mcp/limina/internal/wire"
)

// flushSize is when answers leave although more messages are at hand.
const flushSize = 32 << 10

// aBurst is how many messages have to come at a time for the peer to have something to do with the answers, while what
// was left for later is done. Who waits for each answer is back before.
const aBurst = 16

// stream is what jsonrpc2 takes for its ObjectStream. It lets jsonrpc2 see well-formed messages
// only, and of those only the ones that are not answered at once: malformed input is answered here,
// and so are tool calls, lists and pings, on the goroutine that reads, at a tenth of the cost.
//
// jsonrpc2 mangles ids (-5 comes back as 18446744073709551611, 1.0 ends the connection) and
// re-encodes params, so it gets a number of ours for the id and nothing else. What was sent stays
// here beside that number.
type stream struct {
	c     *conn
	ended chan struct{} // closed when nothing more is read
	err   error         // why, nil for an orderly end; set before ended is closed
	tells bool          // the framer is a Waiter

	// Of the reading goroutine:
	queue   []message // of a batch, not yet looked at
	current *message  // the one that jsonrpc2 has
	lastID  uint64    // of those that jsonrpc2 got
	lane    []byte    // sealed answers, not yet written
	burst   int       // messages since it waited last
	room    *[]byte   // what lane was given of the scratch that connections share; nil while it waits

	// Guarded by jsonrpc2, which sends one message at a time:
	request  *jsonrpc2.Request
	response *jsonrpc2.Response

	mu   sync.Mutex // guards held
	held map[uint64]heldID

	closing  sync.Once
	closeErr error
}

// heldID is the id of a request that jsonrpc2 has, as it was sent.
type heldID struct {
	text []byte
	way  Exchange
}

var _ jsonrpc2.ObjectStream = (*stream)(nil)

// ReadObject reads until there is a message that jsonrpc2 is needed for, and stores it in v.
func (s *stream) ReadObject(v any) error {
	for {
		m, err := s.next()
		if err != nil {
			return s.end(err)
		}
		if m == nil || s.c.take(m) {
			continue
		}
		handed := false
		aside(func() { handed = s.hand(m, v) })
		if handed {
			return nil
		}
	}
}

// aside runs what needs a deep stack, and is not called often, on a stack that is given back. The
// reading goroutine's own stays with it while it waits, which is what most connections do: for one
// that only subscribes it is half as large.
func aside(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// next returns the next well-formed message, nil if what came was answered or held none.
func (s *stream) next() (*message, error) {
	if len(s.queue) > 0 {
		s.c.turn.step(s.c)
		return s.unqueue(), nil
	}
	if s.c.over {
		return nil, io.EOF
	}
	text, err := s.read()
	if err != nil {
		return nil, s.skipped(err)
	}
	s.burst++
	s.c.turn.step(s.c)
	if skipSpace(text, 0) == len(text) { // a blank line
		return nil, nil
	}
	return s.open(text, nil), nil
}

// unqueue returns the next message of a batch.
func (s *stream) unqueue() *message {
	m := &s.queue[0]
	s.queue = s.queue[1:]
	return m
}

// open takes text apart. It returns nil if that was answered, or is a batch, which is now queued. Should it panic, for a mistake of
// ours, that is answered, too, and the connection goes on: it is one of many, and the world is everybody's.
func (s *stream) open(text []byte, way Exchange) (m *message) {
	start := len(s.lane)
	defer func() {
		if p := recover(); p != nil {
			s.lane, s.queue = s.lane[:min(start, len(s.lane))], nil
			s.c.refuse(&message{way: way}, s.c.panicked(p))
			m = nil
		}
	}()
	m = &s.c.message
	*m = message{way: way}
	if isBatch(text) && s.c.bound.Load().dialect.batches() {
		s.split(text, way)
		return nil
	}
	if e := vet(text, m, s.c.reader); e != nil {
		s.c.refuse(m, e)
		return nil
	}
	return m
}

// enter is open for what a transport has read.
func (s *stream) enter(o *Outline, way Exchange) *message {
	if o.Kind == KindBatch {
		return s.open(o.text, way)
	}
	m := &s.c.message
	*m = o.message
	m.way = way
	if o.problem != nil {
		s.c.refuse(m, o.problem)
		return nil
	}
	return m
}

// skipped answers for a message that was too long; any other error it returns.
func (s *stream) skipped(err error) error {
	var long tooLong
	if !errors.As(err, &long) {
		return err
	}
	s.c.refuse(&message{}, &rpcError{
		code:    codeInvalidRequest,
		message: fmt.Sprintf("Invalid Request: the message is longer than the limit of %d bytes", long.TooLong()),
	})
	return nil
}

// read returns the framer's next message. Before it may have to wait, everything that was answered
// is written and busy is given back.
func (s *stream) read() ([]byte, error) {
	f := s.c.framer
	if s.tells || f.Buffered() {
		if len(s.lane) > flushSize {
			if err := s.flush(); err != nil {
				return nil, err
			}
		}
		if err := s.c.ctx.Err(); err != nil {
			return nil, err
		}
		return s.heed(f.Next())
	}
	if err := s.rest(); err != nil {
		return nil, err
	}
	text, err := f.Next()
	s.wake()
	return s.heed(text, err)
}

// rest is what comes before waiting for the peer, wake what comes after it.
func (s *stream) rest() error {
	if err := s.flush(); err != nil {
		return err
	}
	if s.room != nil {
		if cap(s.lane) <= keepBuffer {
			*s.room = s.lane[:0]
		}
		s.c.mcp.scratch.Put(s.room)
		s.room, s.lane = nil, nil
	}
	if s.c.scratch != nil {
		*s.c.scratch = scratch{}
		s.c.mcp.scratches.Put(s.c.scratch)
		s.c.scratch, s.current = nil, nil
	}
	if s.burst >= aBurst {
		s.c.mcp.reg.Trace().Settle()
	}
	s.burst = 0
	s.c.busy.release()
	return nil
}

func (s *stream) wake() {
	s.c.busy.acquire()
	s.room = s.c.mcp.scratch.Get().(*[]byte)
	s.lane = (*s.room)[:0]
	s.c.scratch = s.c.mcp.scratches.Get().(*scratch)
}

// heed has nothing more read once the connection's calls have been cancelled.
func (s *stream) heed(text []byte, err error) ([]byte, error) {
	if err == nil {
		err = s.c.ctx.Err()
	}
	return text, err
}

// split queues the messages of a batch, whose answers go the way given; malformed ones are answered at
// once.
func (s *stream) split(text []byte, way Exchange) {
	if err := wire.Valid(text); err != nil {
		s.c.refuse(&message{way: way}, parseError(err))
		return
	}
	parts := elements(text[skipSpace(text, 0):], maxParts)
	if len(parts) == 0 {
		s.c.refuse(&message{way: way}, invalidRequest("an empty batch"))
		return
	}
	if len(parts) > maxParts {
		s.c.refuse(&message{way: way}, invalidRequest(fmt.Sprintf("an array has at most %d messages: none of these was carried out, send several arrays", maxParts)))
		return
	}
	_ = s.flush() // the answers before go first; if that fails, so does the next read
	b := &batch{c: s.c, way: way, open: len(parts)}
	s.queue = s.queue[:0]
	for _, part := range parts {
		m := message{way: b}
		if e := vet(part, &m, nil); e != nil {
			s.c.refuse(&m, e)
			continue
		}
		s.queue = append(s.queue, m)
	}
}

// hand gives m to jsonrpc2.
func (s *stream) hand(m *message, v any) bool {
	s.current = m
	text := append([]byte(nil), `{"jsonrpc":"2.0","method":`...)
	text = wire.AppendString(text, string(m.Method))
	if m.kind == call {
		s.lastID++
		s.mu.Lock()
		s.held[s.lastID] = heldID{append([]byte(nil), m.ID...), m.way}
		s.mu.Unlock()
		text = append(text, `,"id":`...)
		text = strconv.AppendUint(text, s.lastID, 10)
	}
	return json.Unmarshal(append(text, '}'), v) == nil
}

// sending is told by jsonrpc2 what it is about to write. WriteObject gets the same in a form that
// can only be marshalled.
func (s *stream) sending(request *jsonrpc2.Request, response *jsonrpc2.Response) {
	s.request, s.response = request, response
}

// WriteObject writes what jsonrpc2 sends. Responses come from the reading goroutine only, see
// conn.Handle, and take their place among the other answers.
func (s *stream) WriteObject(v any) error {
	if s.response == nil {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return s.c.out.send(s.c.framer.Seal(text, 0))
	}
	s.mu.Lock()
	id := s.held[s.response.ID.Num]
	delete(s.held, s.response.ID.Num)
	s.mu.Unlock()
	start := len(s.lane)
	s.lane = appendHead(s.lane, id.text)
	if e := s.response.Error; e != nil {
		out := rpcError{code: int(e.Code), message: e.Message}
		if e.Data != nil {
			out.data = *e.Data
		}
		s.lane = out.append(s.lane)
	} else {
		s.lane = append(append(s.lane, `"result":`...), *s.response.Result...)
	}
	s.finish(start, id.way)
	return nil
}

// forget says that jsonrpc2 does not answer a request: it is answered from elsewhere.
func (s *stream) forget(number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, number)
}

// appendHead appends an answer up to its result or error. An id of nil leaves it out.
func appendHead(dst, id []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0",`...)
	if id == nil {
		return dst
	}
	dst = append(dst, `"id":`...)
	dst = append(dst, id...)
	return append(dst, ',')
}

// finish completes the answer at lane[start:], which lacks its last brace, and seals it or gives it
// to its exchange.
func (s *stream) finish(start int, way Exchange) {
	s.lane = append(s.lane, '}')
	if way == nil {
		s.lane = s.c.framer.Seal(s.lane, start)
		return
	}
	answer := s.lane[start:]
	s.lane = s.lane[:start]
	if array, part := way.(*batch); part && s.c.owes {
		array.owe()
	}
	s.c.reply(way, answer)
}

// flush writes what was answered.
func (s *stream) flush() (err error) {
	s.c.turn.end() // to write is to wait
	if s.c.owes {
		s.c.owes = false
		err = s.c.keep()
	}
	if err == nil && len(s.lane) > 0 {
		err = s.c.out.send(s.lane)
	}
	if state := s.c.state.Load(); state != nil && len(state.fresh) > 0 {
		s.c.out.written() // somebody else may be writing: till then what is pushed would come first
		state.written()   // also without an answer: a notification may have declared an area
	}
	s.lane = s.lane[:0]
	if cap(s.lane) > keepBuffer {
		s.lane = nil
	}
	return err
}

// end is what reading ends with. After an orderly end the running calls are answered, after any
// other they are cancelled.
func (s *stream) end(err error) error {
	if !errors.Is(err, io.EOF) {
		s.c.cancel(err)
		s.err = err
	}
	_ = s.flush()
	s.c.asks.close()
	stopLingering := s.c.linger()
	s.c.running.wait()
	stopLingering()
	s.c.unlisten()
	s.c.out.wait()
	s.c.busy.release()
	close(s.ended)
	go s.c.conclude()
	return io.EOF
}

// Close closes the framer, once; jsonrpc2 calls it when it is done, and Serve to wait for it.
func (s *stream) Close() error {
	s.closing.Do(func() { s.closeErr = s.c.framer.Close() })
	return s.closeErr
}
