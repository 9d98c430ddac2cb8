//go:build linux || darwin

package ws

import (
	"crypto/tls"
	"net"
	"syscall"
)

// unsentLimit is how much the kernel takes beyond what it can send now: more would be old news by the time the peer reads
// it, and who writes it would be woken once a third of that is sent, which a slow peer need not have read in time. As large
// as it is where streams of HTTP/2 are to overtake each other (Cloudflare: "Optimizing HTTP/2 prioritization with BBR and
// tcp_notsent_lowat", 2018).
const unsentLimit = 16 << 10

// limitUnsent says unsentLimit to the kernel, for what is a TCP socket, also below TLS.
func limitUnsent(c net.Conn) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	socket, ok := c.(syscall.Conn)
	if !ok {
		return
	}
	if raw, err := socket.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, notSentLowAt, unsentLimit) })
	}
}
