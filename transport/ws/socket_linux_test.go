package ws_test

import (
	"net"
	"syscall"
	"testing"

	"github.com/limina-mcp/limina/transport/ws"
)

// A connection may be closed from below, as by who needs the room. What is pushed to it then goes nowhere, also not to whoever has got the number of
// its socket meanwhile.
func TestPushAfterSocketIsClosed(t *testing.T) {
	given, over := make(chan *ws.Conn, 1), make(chan struct{})
	l := &kept{pairs: pairs{arrived: make(chan net.Conn), closed: make(chan struct{})}}
	r := startOn(t, l, ws.Options{Pushers: 1}, func(c *ws.Conn) error {
		c.OnRoom(func(dst []byte) []byte { return c.Seal(append(dst, "for nobody"...), len(dst)) }, nil)
		given <- c
		<-over // it is busy, and does not see yet that its connection is closed
		_, err := c.Next()
		return err
	})
	r.dial()
	c := <-given
	number := -1
	raw, err := l.last.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) { number = int(fd) }); err != nil {
		t.Fatal(err)
	}
	_ = l.last.Close()
	other, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	mine, far := other[0], other[1]
	if far == number {
		mine, far = far, mine
	}
	if mine != number {
		if err := syscall.Dup3(mine, number, 0); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Close(mine)
	}
	r.endpoint.Hold()
	c.Wake()
	r.endpoint.Release(true) // pushes, on this goroutine
	_ = syscall.Close(number)
	var got [64]byte
	if n, err := syscall.Read(far, got[:]); n != 0 || err != nil {
		t.Errorf("whoever has the number now was sent %q, %v", got[:max(n, 0)], err)
	}
	_ = syscall.Close(far)
	close(over)
	if err := <-r.ended; err == nil {
		t.Error("the connection ended in order")
	}
}

// kept is pairs that knows the newest connection.
type kept struct {
	pairs
	last *net.UnixConn
}

func (l *kept) Accept() (net.Conn, error) {
	c, err := l.pairs.Accept()
	if err == nil {
		l.last = c.(*net.UnixConn)
	}
	return c, err
}
