// Package around is for connections that are inside others. What a type has that embeds a net.Conn is what
// net.Conn says; what the one inside can do besides, others ask for by its methods.
package around

import (
	"errors"
	"net"
	"syscall"
)

// Conn is a net.Conn inside of another type, which embeds it, and that can still be asked for what only some
// can do.
type Conn struct{ net.Conn }

var _ syscall.Conn = Conn{}

// NetConn returns the connection inside.
func (c Conn) NetConn() net.Conn { return c.Conn }

// CloseWrite closes the half that we write. Where that is not possible it returns errors.ErrUnsupported.
func (c Conn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

// SyscallConn implements syscall.Conn. Where there is no socket it returns errors.ErrUnsupported.
func (c Conn) SyscallConn() (syscall.RawConn, error) {
	socket, ok := c.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return socket.SyscallConn()
}
