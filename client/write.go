package client

import (
	"errors"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// serve reads, and has a goroutine write, until the link is over, and returns why.
func (l *link) serve() error {
	var writing sync.WaitGroup
	writing.Go(l.write)
	err := l.read()
	last, polite := l.goodbye(err)
	l.end(err, last...)
	if broken := l.hear(err); polite && !broken {
		// Until the server hangs up: if we did, with bytes unread, it might never see why.
		_ = l.conn.SetReadDeadline(time.Now().Add(linger))
		_, _ = io.Copy(io.Discard, l.conn)
	}
	close(l.deaf)
	writing.Wait()
	return l.reason()
}

// piece is how much is written, or read, within one timeout: who is slow is not taken for dead because a
// message is long.
const piece = 64 << 10

// flush writes what is queued. It reports whether the link is over.
func (l *link) flush(buf []byte) (_ []byte, over bool, err error) {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	over = l.why != nil
	l.mu.Unlock()
	buf = buf[:0]
	for i := range queue {
		buf = queue[i].append(buf)
		queue[i].end = len(buf)
	}
	if len(buf) > 0 {
		var n int
		n, err = l.writeAll(buf)
		l.cutOff(queue, n)
	}
	if cap(buf) > keepBuffer {
		buf = nil
	}
	return buf, over, err
}

// writeAll writes p. The server has the timeout for each piece of it, and what is left of the goodbye's once the
// link is over.
func (l *link) writeAll(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		l.mu.Lock()
		if l.why == nil {
			_ = l.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
		}
		l.mu.Unlock()
		var wrote int
		wrote, err = l.conn.Write(p[n:min(n+piece, len(p))])
		n += wrote
	}
	return n, err
}

// cutOff notes which requests are not within the first n bytes of what was to be written. The server
// cannot have read them.
func (l *link) cutOff(queue []frame, n int) {
	if n >= queue[len(queue)-1].end {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	begin := 0
	for i := range queue {
		if queue[i].end > n {
			l.unsent[queue[i].request] = true
			if begin < n {
				l.torn = map[uint64]int{queue[i].request: queue[i].end - begin}
			}
		}
		begin = queue[i].end
	}
}

// write writes what is queued, and pings, until the link is over. Then it closes the connection, after
// the server had a moment to say goodbye, or why it takes nothing more.
func (l *link) write() {
	failed := false
	defer func() { l.hangUp(failed) }()
	pings := time.NewTicker(pingEvery)
	defer pings.Stop()
	var buf []byte
	for {
		select {
		case <-l.some:
		case <-pings.C:
			l.mu.Lock()
			if l.why == nil {
				l.push(frame{kind: framePing})
			}
			l.mu.Unlock()
		}
		var (
			over bool
			err  error
		)
		buf, over, err = l.flush(buf)
		failed = err != nil
		if err != nil && !l.fail(err) {
			return
		}
		if over || err != nil {
			break
		}
	}
	patience := time.NewTimer(linger)
	defer patience.Stop()
	select {
	case <-l.deaf:
	case <-patience.C:
	}
}

// goodbye is what the server is told when reading ends with an error. polite says that it will listen.
func (l *link) goodbye(err error) (last []frame, polite bool) {
	var (
		closed *websocket.CloseError
		told   badFrame
	)
	switch {
	case errors.As(err, &told):
		return nil, true
	case errors.As(err, &closed) && closed.Code == websocket.CloseNoStatusReceived:
		return []frame{{kind: frameClose}}, true
	case errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure:
		return []frame{closeFrame(uint16(closed.Code), "")}, true
	case errors.Is(err, ErrProtocol), errors.As(err, new(misunderstood)):
		return []frame{closeFrame(websocket.CloseProtocolError, err.Error())}, true
	default:
		return nil, false
	}
}
