package durable

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/world"
)

type hanging struct {
	disk.File
	begun, over chan struct{}
}

func (h hanging) Sync() error {
	close(h.begun)
	<-h.over
	return h.File.Sync()
}

// TestUnsavedOfADiskThatHangs: whoever watches is told while a write waits for a disk that neither takes nor refuses it.
func TestUnsavedOfADiskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(world.Config{})
		s, err := Open(w, t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		h := hanging{s.file, make(chan struct{}), make(chan struct{})}
		s.file = h
		if _, err := w.Update(t.Context(), func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		s.late()
		s.mu.Unlock()
		done := make(chan error)
		go func() { done <- s.Sync() }()
		<-h.begun
		time.Sleep(59 * time.Second)
		if got, err := s.Unsaved(), s.Stuck(); got != 59*time.Second || err != nil {
			t.Errorf("it is not saved for %v, and stuck by %v", got, err)
		}
		time.Sleep(2 * time.Second)
		if err := s.Stuck(); !errors.Is(err, ErrHangs) {
			t.Errorf("after a minute it is stuck by %v, want %v", err, ErrHangs)
		}
		close(h.over)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if got, err := s.Unsaved(), s.Stuck(); got != 0 || err != nil {
			t.Errorf("it is saved, and said to wait for %v, and to be stuck by %v", got, err)
		}
		s.file = h.File
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
