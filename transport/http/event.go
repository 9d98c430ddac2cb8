package httpmcp

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The values of Content-Type.
var (
	typeJSON   = []string{"application/json"}
	typeEvents = []string{"text/event-stream"}
)

// events writes server-sent events as an answer to one request.
type events struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	endpoint *Endpoint
	who      string // for whose answers it counts
	buf      []byte
}

func newEvents(w http.ResponseWriter, e *Endpoint, who string) *events {
	h := w.Header()
	h["Content-Type"] = typeEvents
	h["Cache-Control"] = []string{"no-cache, no-transform"}
	h["X-Accel-Buffering"] = []string{"no"} // nginx would keep them back
	w.WriteHeader(http.StatusOK)
	return &events{w: w, control: http.NewResponseController(w), endpoint: e, who: who}
}

// message adds an event; number 0 of a stream is the one that only brings an id. The text is one line.
func (e *events) message(stream, number int, named bool, text []byte) {
	if named {
		e.buf = append(e.buf, "id: "...)
		e.buf = appendEventID(e.buf, stream, number)
		e.buf = append(e.buf, '\n')
	}
	e.buf = append(e.buf, "data: "...)
	e.buf = append(e.buf, text...)
	e.buf = append(e.buf, "\n\n"...)
}

// retry adds how long the client is to wait before it comes back.
func (e *events) retry(after time.Duration) {
	e.buf = append(e.buf, "retry: "...)
	e.buf = strconv.AppendInt(e.buf, after.Milliseconds(), 10)
	e.buf = append(e.buf, "\n\n"...)
}

// comment adds what the client does not see, but whoever may be waiting in between.
func (e *events) comment() { e.buf = append(e.buf, ":\n\n"...) }

// flush sends what was added. It fails if the client does not take it in time.
func (e *events) flush() error {
	_ = e.control.SetWriteDeadline(time.Now().Add(e.endpoint.opts.Patience))
	defer e.endpoint.counted(e.who, len(e.buf), e.control.SetWriteDeadline)()
	_, err := e.w.Write(e.buf)
	if err == nil {
		err = e.control.Flush()
	}
	if e.buf = e.buf[:0]; cap(e.buf) > keepBody {
		e.buf = nil // a stream may be silent for long
	}
	return err
}

// The id of an event names its stream and its number there.

func appendEventID(dst []byte, stream, number int) []byte {
	dst = strconv.AppendInt(dst, int64(stream), 10)
	return strconv.AppendInt(append(dst, '-'), int64(number), 10)
}

func parseEventID(id string) (stream, number int, ok bool) {
	before, after, _ := strings.Cut(id, "-")
	stream, err := strconv.Atoi(before)
	number, err2 := strconv.Atoi(after)
	return stream, number, err == nil && err2 == nil && stream >= 0 && number >= 0
}
