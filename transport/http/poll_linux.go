package httpmcp

import (
	"errors"
	"net"
	"runtime"
	"syscall"
	"time"
)

// poller looks for what comes next on a connection without waiting for it.
//
// Who waits for a connection sleeps, and so does a processor that has nothing else to do: to wake both takes some ten
// microseconds, and more of the processor's time than a call. A client that sends the next request as soon as it has
// an answer is back before that. So if it has been quick, it is looked for a moment longer.
type poller struct {
	raw  syscall.RawConn // nil if the connection is no socket
	buf  []byte
	got  int
	err  error
	look func(fd uintptr) bool // bound once
}

// open looks for the socket of a connection, if it has not been found yet.
func (p *poller) open(c net.Conn) {
	socket, ok := c.(syscall.Conn)
	if !ok || p.raw != nil {
		return
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return
	}
	p.raw, p.look = raw, p.try
}

// try reads what there is. It never waits.
func (p *poller) try(fd uintptr) bool {
	p.got, p.err = syscall.Read(int(fd), p.buf)
	return true
}

// poll reads what comes within d, 0 bytes if nothing does, or nothing ever will: a read that waits says so. Others
// that could run, here or elsewhere, are let before.
func (p *poller) poll(buf []byte, d time.Duration) int {
	if p.raw == nil {
		return 0
	}
	p.buf = buf
	for began := time.Now(); time.Since(began) < d; {
		switch err := p.raw.Read(p.look); {
		case err != nil:
			return 0
		case p.err == nil:
			return p.got
		case !errors.Is(p.err, syscall.EAGAIN) && !errors.Is(p.err, syscall.EINTR):
			return 0
		}
		runtime.Gosched()
		_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
	}
	return 0
}
