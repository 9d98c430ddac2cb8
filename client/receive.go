package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"
)

// validEnd reports whether text does not end in the middle of a character.
func validEnd(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return r != utf8.RuneError || size > 1
}

// read takes what comes until the connection ends, and says why it did.
func (l *link) read() error {
	for {
		if err := l.next(); err != nil {
			return err
		}
	}
}

// expect gives the server time to say something, unless the link is over: then it has what is left of the goodbye's.
func (l *link) expect() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == nil {
		_ = l.conn.SetReadDeadline(time.Now().Add(readTimeout))
	}
}

// next takes one frame.
func (l *link) next() error {
	l.expect()
	kind, r, err := l.ws.NextReader()
	if err != nil {
		return l.explain(err)
	}
	if l.buf.Cap() > keepBuffer {
		l.buf = bytes.Buffer{}
	}
	l.buf.Reset()
	for more := true; more; {
		l.limited = io.LimitedReader{R: r, N: piece}
		if _, err := l.buf.ReadFrom(&l.limited); err != nil {
			return l.explain(err)
		}
		if more = l.limited.N == 0; more {
			l.expect()
		}
	}
	return l.take(kind, l.buf.Bytes())
}

// badFrame is what gorilla does not take, and has already told the server.
type badFrame struct{ error }

// misunderstood is what the server says of a message that it did not take, without saying which: one that is too
// long for it.
type misunderstood struct{ why *Error }

func (e misunderstood) Error() string {
	return "the server did not take a message of ours: " + e.why.Error()
}

func (e misunderstood) Unwrap() error { return e.why }

// said reports whether reading ended with what the server said: that it closes the connection, or that it did not take
// a message. Else it ended with what we found out for ourselves.
func said(err error) bool {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code != websocket.CloseAbnormalClosure // which is gorilla's for an end without a word
	}
	return errors.As(err, new(misunderstood))
}

// hopeless reports whether a request was not made because the server would not read it to its end: it is too long, or
// takes too long. A short one takes long only if the line was disturbed, which it need not be the next time.
func hopeless(a answer) bool {
	var closed *websocket.CloseError
	switch {
	case a.torn == 0:
		return false
	case errors.As(a.lost, &closed) && closed.Code == websocket.ClosePolicyViolation:
		return a.torn > piece
	case errors.As(a.lost, &closed):
		return closed.Code == websocket.CloseMessageTooBig
	default:
		return errors.As(a.lost, new(misunderstood))
	}
}

// explain says in our words why reading failed.
func (l *link) explain(err error) error {
	var (
		closed  *websocket.CloseError
		timeout net.Error
	)
	switch {
	case errors.Is(err, websocket.ErrReadLimit):
		return violation("%w", badFrame{fmt.Errorf("a message is longer than MaxMessage, %d bytes", l.client.o.MaxMessage)})
	case errors.As(err, &closed) && closed.Code == websocket.CloseAbnormalClosure:
		return fmt.Errorf("the connection broke: %w", err)
	case errors.As(err, &closed):
		return fmt.Errorf("the server closed the connection: %w", err)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("the server has not even answered pings for %v: %w", readTimeout, err)
	case strings.HasPrefix(err.Error(), "websocket: "): // gorilla has no other mark for it
		return violation("%w", badFrame{err})
	default:
		return fmt.Errorf("read: %w", err)
	}
}

// take takes the content of a frame. It keeps nothing of it.
func (l *link) take(kind int, content []byte) error {
	if kind == websocket.BinaryMessage {
		return l.client.applyBinary(l, content)
	}
	if !utf8.Valid(content) {
		return violation("a text frame is not UTF-8")
	}
	if text := bytes.TrimLeft(content, " \t\r\n"); len(text) == 0 || text[0] != '[' {
		return l.takeMessage(content)
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(content, &batch); err != nil {
		return violation("not a batch: %.100q: %w", content, err)
	}
	for _, text := range batch {
		if err := l.takeMessage(text); err != nil {
			return err
		}
	}
	return nil
}

// stateHead is how a server of Limina's begins a snapshot or a delta.
var stateHead = []byte(`{"jsonrpc":"2.0","method":"state/`)

// message is what comes, of any kind.
type message struct {
	Version *string         `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *Error          `json:"error"`
}

// takeMessage takes one message: an answer, or a notification. Notifications that are not known are
// passed over, as are requests: servers of this protocol make none.
func (l *link) takeMessage(text []byte) error {
	if bytes.HasPrefix(text, stateHead) {
		return l.client.applyText(l, text)
	}
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return violation("not a message: %.100q: %w", text, err)
	}
	switch {
	case m.Method == "state/snapshot", m.Method == "state/delta":
		return l.client.applyText(l, text)
	case m.Version == nil && m.Method == "" && m.ID == nil && m.Result == nil && m.Error == nil: // a packed delta
		return l.client.applyText(l, text)
	case m.Method == "notifications/progress":
		return l.client.takeProgress(m.Params)
	case m.Method != "":
		return nil
	case m.Result == nil && m.Error == nil:
		return violation("neither a notification nor an answer: %.100q", text)
	case (m.ID == nil || string(m.ID) == "null") && m.Error != nil:
		return misunderstood{m.Error}
	}
	return l.answer(m.ID, answer{result: m.Result, refused: m.Error})
}

// answer hands an answer to who waits for it, if he still does.
func (l *link) answer(text json.RawMessage, a answer) error {
	id, err := strconv.ParseUint(string(text), 10, 64)
	l.mu.Lock()
	then, last := l.asked[id], l.last
	delete(l.asked, id)
	l.mu.Unlock()
	if err != nil || id == 0 || id > last {
		return violation("an answer to a request that was not made: id %.100s", text)
	}
	if then != nil {
		then(a)
	}
	return nil
}
