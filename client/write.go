package client

import (
	"errors"
	"fmt"
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
	if polite {
		// Until the server hangs up: if we did, with bytes unread, it might never see why.
		_ = l.conn.SetReadDeadline(time.Now().Add(linger))
		_, _ = io.Copy(io.Discard, l.conn)
	}
	close(l.deaf)
	writing.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

// flush writes what is queued. It reports whether the link is over.
func (l *link) flush(buf []byte) (_ []byte, over bool, err error) {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	if over = l.why != nil; !over {
		_ = l.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	}
	l.mu.Unlock()
	buf = buf[:0]
	for i := range queue {
		buf = queue[i].append(buf)
		queue[i].end = len(buf)
	}
	if len(buf) > 0 {
		var n int
		n, err = l.conn.Write(buf)
		l.cutOff(queue, n)
	}
	if cap(buf) > keepBuffer {
		buf = nil
	}
	return buf, over, err
}

// cutOff notes which requests are not within the first n bytes of what was to be written. The server
// cannot have read them.
func (l *link) cutOff(queue []frame, n int) {
	if n >= queue[len(queue)-1].end {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range queue {
		if queue[i].end > n {
			l.unsent[queue[i].request] = true
		}
	}
}

// write writes what is queued, and pings, until the link is over. Then it closes the connection, after
// the server had a moment to say goodbye.
func (l *link) write() {
	defer func() { _ = l.conn.Close() }()
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
		if err != nil {
			l.end(fmt.Errorf("write: %w", err))
			return
		}
		if over {
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
	case errors.Is(err, ErrProtocol):
		return []frame{closeFrame(websocket.CloseProtocolError, err.Error())}, true
	default:
		return nil, false
	}
}
