// Package hangup bounds what it takes to close a connection with TLS, which says goodbye before: crypto/tls waits five
// seconds for a peer that reads nothing, whatever deadline the connection has.
package hangup

import (
	"crypto/tls"
	"net"
	"time"
)

// Within closes the stream below c after d, if c is a connection with TLS: whoever closes c, or its half for writing,
// waits no longer than that for the goodbye. Other connections say none, and are left alone. To be told when c is
// closed, call what it returns.
func Within(c net.Conn, d time.Duration) (closed func()) {
	secure, ok := c.(*tls.Conn)
	if !ok {
		return func() {}
	}
	enough := time.AfterFunc(d, func() { _ = secure.NetConn().Close() })
	return func() { enough.Stop() }
}
