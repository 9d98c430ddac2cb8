package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// socket is a listener on a unix socket that has a place among the files, from where it takes itself away when it is closed, and nothing that has
// come to its place since.
type socket struct {
	*net.UnixListener
	path   string
	file   os.FileInfo
	closed sync.Once
}

// openUnix listens on a socket that those may open whom mode lets write. A socket that a dead process has left
// behind is replaced.
func openUnix(path string, mode fs.FileMode) (net.Listener, error) {
	if path == "" {
		return nil, errors.New("listen on unix: without a path")
	}
	if strings.HasPrefix(path, "@") {
		return listenUnix(path)
	}
	defer lockFolder(path)()
	l, err := listenUnix(path)
	if errors.Is(err, syscall.EADDRINUSE) && abandoned(path) {
		_ = os.Remove(path)
		l, err = listenUnix(path)
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE) && !isSocket(path):
		return nil, fmt.Errorf("listen on unix:%s: there is something that is no socket", path)
	case err != nil:
		return nil, err
	}
	s := &socket{UnixListener: l, path: path}
	if err = os.Chmod(path, mode); err == nil {
		s.file, err = os.Lstat(path)
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return s, nil
}

// listenUnix listens on a socket, the file of which is the caller's to remove.
func listenUnix(path string) (*net.UnixListener, error) {
	config := net.ListenConfig{Control: private}
	l, err := config.Listen(context.Background(), "unix", path)
	if errors.Is(err, syscall.EINVAL) {
		return nil, fmt.Errorf("listen on unix:%s: %w: its %d bytes may be too many", path, syscall.EINVAL, len(path))
	}
	if err != nil {
		return nil, err
	}
	u := l.(*net.UnixListener)
	u.SetUnlinkOnClose(false)
	return u, nil
}

// Close implements net.Listener.
func (s *socket) Close() (err error) {
	s.closed.Do(func() {
		defer lockFolder(s.path)()
		if there, e := os.Lstat(s.path); e == nil && os.SameFile(there, s.file) {
			_ = os.Remove(s.path)
		}
		err = s.UnixListener.Close()
	})
	return err
}

// lockPatience is how long another may have a folder locked, who needs it for no longer than it takes to make a file.
const lockPatience = 2 * time.Second

// lockFolder has no other server take what is at path for dead, and no other come there, until unlock is called: that a socket is there which nobody listens on
// is also how one begins and ends. A folder that cannot be locked, as on some systems, is not.
func lockFolder(path string) (unlock func()) {
	lock := flock.New(filepath.Dir(path), flock.SetFlag(os.O_RDONLY))
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	_, _ = lock.TryLockContext(ctx, time.Millisecond)
	return func() { _ = lock.Close() }
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
