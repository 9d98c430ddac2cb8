//go:build unix

package durable

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// A pipe where the lock should be is refused: to open one is to wait for who writes into it.
func TestPipeForALock(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, lockName), 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Open(world.New(world.Config{}), dir, Options{}); err == nil || !strings.Contains(err.Error(), "is no file: remove it") {
		t.Error(err)
	}
}
