//go:build linux && (amd64 || arm64)

package ws

import (
	"io"
	"net"
	"sync"
	"syscall"
	"unsafe"
)

// socket reads and writes a socket of the kernel's in ways that net.Conn lacks: it sends without ever
// waiting, and has no buffer while it waits for something to read. System calls that do not wait are
// made without telling the scheduler: they take less than that would.
type socket struct {
	conn syscall.RawConn // nil if the connection is no socket. It lends its number, which is somebody else's once the connection is closed
	// Of who writes:
	send struct {
		p   []byte
		n   int
		err error
		try func(fd uintptr) bool
	}
	// Of who reads:
	receive struct {
		p     []byte
		chunk *chunk // that has bytes for whoever reads next, or nil
		from  int
		to    int
		err   error
		try   func(fd uintptr) bool
	}
}

// chunk is what one read takes at most, unless there is room for more where it goes.
type chunk [16 << 10]byte

// chunks are shared by all sockets: one is taken only while there is something in it.
var chunks = sync.Pool{New: func() any { return new(chunk) }}

// open looks for the socket of a connection.
func (s *socket) open(c net.Conn) {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return
	}
	conn, err := sc.SyscallConn()
	if err != nil {
		return
	}
	if conn.Control(func(uintptr) {}) != nil {
		return
	}
	s.conn, s.receive.try, s.send.try = conn, s.tryReceive, s.trySend
}

// Native reports whether there is a socket. If there is none, nothing else may be asked of it but Buffered.
func (s *socket) Native() bool { return s.conn != nil }

// Send sends what there is room for now. Of a connection that is closed, by whomever, it fails. It is for one at a time, and nobody may write to the
// connection meanwhile: who does would be waited for.
func (s *socket) Send(p []byte) (n int, err error) {
	w := &s.send
	w.p, w.n, w.err = p, 0, nil
	err = s.conn.Write(w.try)
	w.p = nil
	if err == nil {
		err = w.err
	}
	return w.n, err
}

// trySend never has the runtime wait for room.
func (s *socket) trySend(fd uintptr) bool {
	w := &s.send
	for w.n < len(w.p) {
		sent, _, e := syscall.RawSyscall6(syscall.SYS_SENDTO, fd, uintptr(unsafe.Pointer(&w.p[w.n])), uintptr(len(w.p)-w.n),
			syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
		switch e {
		case 0:
			w.n += int(sent)
		case syscall.EINTR:
		case syscall.EAGAIN:
			return true
		default:
			w.err = e
			return true
		}
	}
	return true
}

// Buffered reports whether Receive would return without looking at the socket.
func (s *socket) Buffered() bool { return s.receive.chunk != nil }

// Receive reads, waiting for the peer if it has to. More than p has room for is there for the next call.
func (s *socket) Receive(p []byte) (int, error) {
	r := &s.receive
	if r.chunk == nil {
		r.p, r.to, r.err = p, 0, nil
		err := s.conn.Read(r.try)
		r.p = nil
		if err == nil {
			err = r.err
		}
		if err != nil || r.chunk == nil {
			return r.to, err
		}
	}
	n := copy(p, r.chunk[r.from:r.to])
	if r.from += n; r.from == r.to {
		chunks.Put(r.chunk)
		r.chunk = nil
	}
	return n, nil
}

func (s *socket) tryReceive(fd uintptr) bool {
	r := &s.receive
	into := r.p
	if len(into) < len(chunk{})/2 {
		r.chunk, r.from = chunks.Get().(*chunk), 0
		into = r.chunk[:]
	}
	for {
		n, _, e := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(&into[0])), uintptr(len(into)),
			syscall.MSG_DONTWAIT, 0, 0)
		if e == syscall.EINTR {
			continue
		}
		if e == 0 && n > 0 {
			r.to = int(n)
			return true
		}
		if r.chunk != nil {
			chunks.Put(r.chunk)
			r.chunk = nil
		}
		switch e {
		case 0:
			r.err = io.EOF
		case syscall.EAGAIN:
			return false // wait, and be called again
		default:
			r.err = e
		}
		return true
	}
}
