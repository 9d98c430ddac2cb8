//go:build !linux

package httpmcp

import (
	"net"
	"time"
)

// poller does nothing here.
type poller struct{}

func (*poller) open(net.Conn) {}

func (*poller) poll([]byte, time.Duration) int { return 0 }
