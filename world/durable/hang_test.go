package durable

import (
	"testing"

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
	if s.Unsaved() <= 0 {
		t.Error("nobody is told that it is not saved")
	}
	close(h.over)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := s.Unsaved(); got != 0 {
		t.Errorf("it is saved, and said to wait for %v", got)
	}
	s.file = h.File
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
