// Package hangup ends connections: the peer sees what was said last, and it takes no longer than it may.
package hangup

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"time"
)

// Answer is the last that is said on a connection of HTTP: an answer to a request that nobody will read.
func Answer(w io.Writer, status, text string) error {
	_, err := fmt.Fprintf(w, "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s\n",
		status, len(text)+1, text)
	return err
}

// Drain says that nothing more is written to c, if it can, and reads what still comes, up to its end or its deadline. To close a connection with bytes unread
// would reset it, and take back what was said last.
func Drain(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, c)
	}
}

// Within closes the stream below c after d, if c is a connection with TLS, which says goodbye before: crypto/tls waits five seconds for a peer that reads
// nothing, whatever deadline the connection has. Whoever closes c, or its half for writing, waits no longer than d for the goodbye. Other connections say none, and are left alone. To be told when c is
// closed, call what it returns.
func Within(c net.Conn, d time.Duration) (closed func()) {
	secure, ok := c.(*tls.Conn)
	if !ok {
		return func() {}
	}
	enough := time.AfterFunc(d, func() { _ = secure.NetConn().Close() })
	return func() { enough.Stop() }
}
