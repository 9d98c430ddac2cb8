//go:build !linux && !darwin

package ws

import "net"

// limitUnsent does nothing: here the kernel takes as much as it likes.
func limitUnsent(net.Conn) {}
