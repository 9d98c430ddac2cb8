//go:build linux && (amd64 || arm64)

package ws

import (
	"net"
	"syscall"
	"unsafe"
)

// rawSender writes to a socket without ever waiting for room, and without telling the scheduler: a
// send of a frame is shorter than that would take. Who calls has the turn to write.
type rawSender struct {
	conn syscall.RawConn
	try  func(fd uintptr) bool

	p   []byte
	n   int
	err error
}

// unsentLimit is how much the kernel takes beyond what the peer's window lets it send: more would be
// old news by the time the peer reads it.
const unsentLimit = 128 << 10

// optNotSentLowAt is TCP_NOTSENT_LOWAT, which package syscall lacks.
const optNotSentLowAt = 25

// newRawSender returns nil if the connection is no socket.
func newRawSender(c net.Conn) *rawSender {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return nil
	}
	conn, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	_ = conn.Control(func(fd uintptr) { // fails for what is not TCP
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, optNotSentLowAt, unsentLimit)
	})
	s := &rawSender{conn: conn}
	s.try = s.sendTo
	return s
}

// send sends what there is room for now.
func (s *rawSender) send(p []byte) (int, error) {
	s.p, s.n, s.err = p, 0, nil
	err := s.conn.Write(s.try)
	s.p = nil
	if err == nil {
		err = s.err
	}
	return s.n, err
}

func (s *rawSender) sendTo(fd uintptr) bool {
	for s.n < len(s.p) {
		rest := s.p[s.n:]
		n, _, e := syscall.RawSyscall6(syscall.SYS_SENDTO, fd, uintptr(unsafe.Pointer(&rest[0])), uintptr(len(rest)),
			syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
		switch e {
		case 0:
			s.n += int(n)
		case syscall.EINTR:
		case syscall.EAGAIN:
			return true
		default:
			s.err = e
			return true
		}
	}
	return true
}
