package httpmcp

import (
	"bytes"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/limina-mcp/limina/internal/around"
)

const (
	firstRead = 4 << 10  // bytes that are read of a connection at a time
	maxPlain  = 64 << 10 // of a body that is plain

	maxBlank = 4 // of line ends behind a body, as net/http has it

	soon = time.Second // within which the rest of a body has to come

	// A client is quick if its next request has come within quickly, the time to wake up included; then the next one is
	// looked for as long as lookFor before it is waited for.
	quickly = 100 * time.Microsecond
	lookFor = 50 * time.Microsecond
)

// plain is a connection of which a [Front] answers the requests. It belongs to the goroutine that runs it.
type plain struct {
	front *Front
	conn  net.Conn
	visit *visit

	buf   []byte // what has been read
	at    int    // of which so much has been answered
	known *head  // of the request before; nil at first
	blank int    // bytes of line ends that may still come before the next
	out   []byte
	armed time.Time // when deadlines were set

	poller   poller
	answered time.Time // when the last answer was sent; zero before the first
	quick    bool      // and the request after it came at once
}

// run answers requests until one is not plain, or the connection is over.
func (p *plain) run() {
	defer p.front.running.Done()
	defer func() {
		if v := recover(); v != nil {
			p.front.endpoint.opts.Logger.Error().Any("panic", v).Bytes("stack", debug.Stack()).Msg("answering a request panicked")
			p.close()
		}
	}()
	p.buf = make([]byte, 0, firstRead)
	_ = p.conn.SetReadDeadline(time.Now().Add(p.front.opts.Silent))
	p.heed()
	for {
		if p.at == len(p.buf) && !p.more(firstRead) {
			p.close()
			return
		}
		if p.skip() {
			continue
		}
		y, size, ok := p.serve()
		if !ok || y.sending != nil {
			p.hand(&y, ok)
			return
		}
		p.at += size
		if !p.answer(&y) || p.front.closing.Load() {
			p.close()
			return
		}
	}
}

// leave takes the connection off the list of those that the Front answers.
func (p *plain) leave() {
	p.front.mu.Lock()
	defer p.front.mu.Unlock()
	delete(p.front.conns, p)
}

func (p *plain) close() {
	p.leave()
	_ = p.conn.Close()
}

// heed has the next read fail if the Front has been closed: the deadline that it has set may just have been
// overwritten.
func (p *plain) heed() {
	if p.front.closing.Load() {
		_ = p.conn.SetReadDeadline(past)
	}
}

// more reads what has come, as much as there is room for, at least n bytes. It reports false if there
// is nothing to come.
func (p *plain) more(n int) bool {
	if p.at == len(p.buf) {
		p.buf, p.at = p.buf[:0], 0
	}
	if cap(p.buf)-len(p.buf) < n {
		p.buf = append(make([]byte, 0, len(p.buf)-p.at+n), p.buf[p.at:]...)
		p.at = 0
	}
	room := p.buf[len(p.buf):cap(p.buf)]
	if p.quick {
		if got := p.poller.poll(room, lookFor); got > 0 {
			p.buf = p.buf[:len(p.buf)+got]
			return true
		}
		p.quick = false
	}
	got, err := p.conn.Read(room)
	p.buf = p.buf[:len(p.buf)+got]
	return got > 0 || err == nil
}

// skip passes over line ends behind a body, which some clients send and net/http passes over too.
func (p *plain) skip() (some bool) {
	for p.blank > 0 && p.at < len(p.buf) && (p.buf[p.at] == '\r' || p.buf[p.at] == '\n') {
		p.at++
		p.blank--
		some = true
	}
	return some
}

// serve serves the request at hand, of so many bytes, if it is plain.
func (p *plain) serve() (y reply, size int, ok bool) {
	rest := p.buf[p.at:]
	end := bytes.Index(rest, []byte("\r\n\r\n"))
	if end < 0 {
		return y, 0, false
	}
	end += len("\r\n\r\n")
	length, ok := p.known.fits(rest[:end])
	if !ok || revoked(&p.known.peer) {
		h, n := p.front.judge(rest[:end], p.conn)
		if h == nil {
			return y, 0, false
		}
		h.peer.Meter = p.visit.meter
		p.known, length = h, n
	}
	e := p.front.endpoint
	if length > e.opts.Limit {
		return y, 0, false
	}
	size = end + length
	if len(p.buf)-p.at < size && !p.rest(size) {
		return y, 0, false
	}
	p.arm()
	if !e.enter() {
		return y, 0, false
	}
	waits := false
	defer func() {
		if !waits {
			e.leavePlain()
		}
	}()
	body := p.buf[p.at+end : p.at+size]
	y = e.begin(p.front.ctx, p.known.header, body, p.known.takes, p.known.peer)
	waits = y.sending != nil
	return y, size, true
}

// rest reads until there are size bytes at hand. It reports false if they do not come soon: net/http waits
// longer, and says so then.
func (p *plain) rest(size int) bool {
	_ = p.conn.SetReadDeadline(time.Now().Add(soon))
	p.armed = time.Time{}
	for len(p.buf)-p.at < size {
		if !p.more(size - (len(p.buf) - p.at)) {
			return false
		}
	}
	return true
}

// arm gives the peer time to say more, and to take its answer. A deadline costs as much as a header, so
// that it is only set when a third of the last one is over.
func (p *plain) arm() {
	now := time.Now()
	if p.quick = now.Sub(p.answered) < quickly; p.quick {
		p.poller.open(p.conn)
	}
	idle := p.front.opts.Idle
	if now.Sub(p.armed) < idle/3 {
		return
	}
	p.armed = now
	_ = p.conn.SetDeadline(now.Add(idle + idle/3))
	p.heed()
}

// hand gives the connection to net/http; y is what its next request has begun, if it has.
func (p *plain) hand(y *reply, begun bool) {
	p.leave()
	_ = p.conn.SetDeadline(time.Time{})
	h := &handed{Conn: around.Conn{Conn: p.conn}, visit: p.visit, ahead: p.buf[p.at:]}
	if begun {
		h.begun.Store(y)
	}
	p.front.hand(h)
}

// answer sends a reply. It reports false if the peer does not take it.
func (p *plain) answer(y *reply) bool {
	out := p.out[:0]
	out = append(out, "HTTP/1.1 "...)
	out = strconv.AppendInt(out, int64(y.status), 10)
	out = append(append(out, ' '), http.StatusText(y.status)...)
	out = append(append(out, "\r\nDate: "...), p.front.now()...)
	if y.session != "" {
		out = append(append(out, "\r\nMcp-Session-Id: "...), y.session...)
	}
	if y.later {
		out = append(out, "\r\nRetry-After: "+retryAfter...)
	}
	if len(y.text) > 0 {
		out = append(out, "\r\nContent-Type: application/json"...)
	}
	out = append(out, "\r\nContent-Length: "...)
	out = strconv.AppendInt(out, int64(len(y.text)), 10)
	out = append(append(out, "\r\n\r\n"...), y.text...)
	sent := p.front.endpoint.counted(y.who, len(out), p.conn.SetWriteDeadline)
	_, err := p.conn.Write(out)
	sent()
	p.answered, p.blank = time.Now(), maxBlank
	if p.out = out; cap(out) > maxPlain {
		p.out = nil
	}
	if cap(p.buf) > 2*firstRead && p.at == len(p.buf) {
		p.buf, p.at = make([]byte, 0, firstRead), 0
	}
	return err == nil
}

// date is the time as HTTP has it.
type date struct {
	second int64
	text   []byte
}

// now returns the time of answers. A second's text is made once.
func (f *Front) now() []byte {
	now := time.Now()
	if d := f.date.Load(); d != nil && d.second == now.Unix() {
		return d.text
	}
	d := &date{now.Unix(), now.UTC().AppendFormat(nil, http.TimeFormat)}
	f.date.Store(d)
	return d.text
}
