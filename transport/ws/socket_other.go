//go:build !linux || !(amd64 || arm64)

package ws

import "net"

// socket reads and writes sockets in ways that net.Conn lacks. Here there are none.
type socket struct{}

func (*socket) open(net.Conn) {}

// Native reports false.
func (*socket) Native() bool { return false }

// Send is not called.
func (*socket) Send([]byte) (int, error) { return 0, nil }

// Receive is not called.
func (*socket) Receive([]byte) (int, error) { return 0, nil }

// Buffered reports false.
func (*socket) Buffered() bool { return false }
