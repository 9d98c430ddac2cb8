package server

import (
	"fmt"
	"io/fs"
	"net"
	"strings"
)

// unixPrefix begins the addresses of unix sockets.
const unixPrefix = "unix:"

// open listens on the address, with a mode for the file of a unix socket, and reports whether only this machine can reach it. It refuses an
// address that others can reach unless allowed says that they are asked for tokens.
func open(address string, tokens bool, mode fs.FileMode) (l net.Listener, local bool, err error) {
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		l, err = openUnix(path, mode)
		return l, true, err
	}
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, false, fmt.Errorf("listen on %q: %w", address, err)
	}
	local = at.IP.IsLoopback() // an address without a host is every interface
	if !local && !tokens {
		return nil, false, &ExposedError{Address: address}
	}
	network := "tcp"
	if at.IP.To4() != nil {
		network = "tcp4" // 0.0.0.0 would be every address of IPv6 as well
	}
	l, err = net.ListenTCP(network, at)
	return l, local, err
}

// ExposedError says that a server would have been open to everybody who can reach it.
type ExposedError struct{ Address string }

func (e *ExposedError) Error() string {
	return fmt.Sprintf("listen on %s: not a loopback address, so tokens are needed", e.Address)
}
