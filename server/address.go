package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
)

// unixPrefix begins the addresses of unix sockets.
const unixPrefix = "unix:"

// open listens on the address, and reports whether only this machine can reach it. It refuses an
// address that others can reach unless allowed says that they are asked for tokens.
func open(address string, tokens bool) (l net.Listener, local bool, err error) {
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		l, err = openUnix(path)
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

// openUnix listens on a socket that only our user may open. A socket that a dead process has left
// behind is replaced.
func openUnix(path string) (net.Listener, error) {
	if path == "" {
		return nil, errors.New("listen on unix: without a path")
	}
	at := &net.UnixAddr{Name: path, Net: "unix"}
	l, err := net.ListenUnix("unix", at)
	if errors.Is(err, syscall.EADDRINUSE) && abandoned(path) {
		_ = os.Remove(path)
		l, err = net.ListenUnix("unix", at)
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE) && !isSocket(path):
		return nil, fmt.Errorf("listen on unix:%s: there is something that is no socket", path)
	case errors.Is(err, syscall.EINVAL):
		return nil, fmt.Errorf("listen on unix:%s: %w: its %d bytes may be too many", path, syscall.EINVAL, len(path))
	case err != nil:
		return nil, err
	}
	if !strings.HasPrefix(path, "@") {
		if err := os.Chmod(path, 0o600); err != nil {
			_ = l.Close()
			return nil, err
		}
	}
	return l, nil
}

// isSocket reports whether there is a socket at path; one that has no place among the files is.
func isSocket(path string) bool {
	if strings.HasPrefix(path, "@") {
		return true
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == os.ModeSocket
}

// abandoned reports whether path is a socket that nobody listens on.
func abandoned(path string) bool {
	if !isSocket(path) {
		return false
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		return errors.Is(err, syscall.ECONNREFUSED)
	}
	_ = c.Close()
	return false
}
