//go:build !linux || !(amd64 || arm64)

package ws

import "net"

// socket reads and writes sockets in ways that net.Conn lacks. Here there are none.
type socket struct{}

func newSocket(net.Conn) *socket { return nil }

// Send is not called.
func (*socket) Send([]byte) (int, error) { return 0, nil }

// Receive is not called.
func (*socket) Receive([]byte) (int, error) { return 0, nil }

// Buffered is not called.
func (*socket) Buffered() bool { return false }
