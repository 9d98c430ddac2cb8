package durable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/limina-mcp/limina/internal/disk"
)

// Sync writes what has changed since it was last written. When it returns nil that is on the disk. If it fails nothing is lost: the next one
// writes it. Inside a transaction or a view of the world it fails at once.
func (s *Store) Sync() error {
	if err := s.locked(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	return s.sync()
}

// SyncAhead is Sync of what is [Ahead], for who writes that more often than the world: if the folder is the store's. Somebody may have removed or moved it, and
// another process have one in its place; where none has, all of the world is written there first, as by Sync.
func (s *Store) SyncAhead() error {
	if err := s.locked(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	if s.strayed() != "" {
		if err := s.sync(); err != nil {
			return err
		}
	}
	return s.ahead()
}

var errClosed = fmt.Errorf("durable: the store: %w", disk.ErrEnded)

// locked returns the error of who asks for a write while he has the world locked: it could not begin before he is done. What he has changed is not
// committed yet, so that nobody could promise him that it is kept.
func (s *Store) locked() error {
	if err := s.world.Locked(); err != nil {
		return fmt.Errorf("durable: what a transaction changes can be written when it has ended, so wait for that behind it: %w", err)
	}
	return nil
}

func (s *Store) sync() error {
	if err := s.write(); err != nil {
		s.late()
		err = fmt.Errorf("durable: %w", err)
		s.failed.Store(&err)
		return err
	}
	s.since.Done()
	s.failed.Store(nil)
	s.synced = s.tracker.Tick()
	return nil
}

// Await returns nil when all that was committed before it was called, and what is [Ahead] of that, is on the disk; it is what to wait for before
// somebody is told that something is done. It writes at once, not after the interval, and all who wait at a time wait for one write. While the disk does not take it, it is tried again and again, until ctx ends; a write that has begun is waited for. It fails if ctx ends before, or the store is closed, and
// at once inside a transaction or a view of the world: what that changes is not committed yet.
func (s *Store) Await(ctx context.Context) error {
	if err := s.locked(); err != nil {
		return err
	}
	tick := s.world.Tick()
	write := func() error { return s.reach(tick) }
	err := write()
	if err == nil || errors.Is(err, disk.ErrEnded) || disk.Until(ctx, 0, write, func(failed error) { err = failed }) {
		return err
	}
	return fmt.Errorf("durable: what was done is not on the disk: %w", errors.Join(context.Cause(ctx), err))
}

// reach has all on the disk up to a commit, and what is ahead of it.
func (s *Store) reach(tick uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.synced >= tick: // whoever had the lock meanwhile has written it
		return nil
	case s.closed:
		return errClosed
	}
	if err := s.sync(); err != nil {
		return err
	}
	return s.ahead() // also of a commit of which nothing is kept
}

// late remembers since when something waits to be written.
func (s *Store) late() {
	s.since.Begin()
}

// lookEvery is how often Run looks whether what was written is still there, while nothing is.
const lookEvery = time.Minute

// Run writes what changes, until ctx ends: a tenth of a second after it was changed (Options.Interval), or up to a second while so much changes
// that it is over a megabyte a second. If the disk does not take it Run tries
// again, after a minute at the latest. What has changed since it last wrote is for Close.
func (s *Store) Run(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.tracker.Woken():
		case <-look.C:
			if !s.astray() {
				continue
			}
		}
		s.mu.Lock()
		s.late()
		s.mu.Unlock()
		if !s.save(ctx) {
			return
		}
	}
}

// save writes what has changed, once an interval has passed. It returns false if there is no more to do for Run.
func (s *Store) save(ctx context.Context) bool {
	return disk.Until(ctx, s.interval(), s.Sync, func(err error) {
		if err != nil {
			s.options.Told("the world cannot be written to the disk", err)
		} else {
			s.options.Told("the world is written to the disk again", nil)
		}
	})
}

// interval is how long what changes waits to be written.
func (s *Store) interval() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.options.Interval, min(time.Second, time.Duration(s.wrote)*time.Second/pace))
}

// Unsaved returns for how long something has been changed that is not on the disk; 0 if all is. It is for who watches that the disk takes what
// is written, and so waits for no write: a disk that hangs tells nobody else.
func (s *Store) Unsaved() time.Duration { return s.since.For() }

// For how long a disk may take nothing until it is [Store.Stuck].
const (
	failsFor = 5 * time.Second // while it says why
	hangsFor = time.Minute     // while it says nothing; all of a large world is written within that
)

// ErrHangs is that of [Store.Stuck] while a write has begun and does not end.
var ErrHangs = errors.New("the disk does not answer")

// Stuck returns nil as long as the disk takes what is written, and else, once that is more than a moment ago, why: what is changed then
// may be lost. It waits for nothing.
func (s *Store) Stuck() error {
	late := s.since.For()
	if late < failsFor {
		return nil
	}
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if late < hangsFor {
		return nil
	}
	return ErrHangs
}
