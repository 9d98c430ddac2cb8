package durable

import (
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// Ahead is kept beside a world, and is never behind it on the disk: what it has when a change is taken down, to be written, is on the disk
// before the change is. While it fails the world is not written either, but by [Store.Close].
type Ahead interface {
	// Begin is called once, by [Open]: the folder is locked, the world is what it holds, and nothing has been written yet. If it
	// fails nothing is, and Open fails.
	Begin(f Found) error

	// Sync returns nil when all of it is on the disk, and a mark: how much that is. What is written of the world from then on has it, and who opens the folder next is told ([Found].Mark):
	// he sees what is not there any more by then. Nothing of the Store may be called in it.
	Sync() (mark uint64, err error)

	// End is called once, after Begin: by [Store.Close], or by an [Open] that fails. The folder is locked still, and nothing more is written of the
	// world. err is why not all of it is on the disk, nil if it is. What End returns takes its place. If err is [ErrTaken] the folder is another's, and
	// nothing may be written there.
	End(err error) error
}

// Found is what [Open] found in the folder.
type Found struct {
	New    bool   // there was no world
	Closed bool   // whoever had the world has ended in order, or there was none
	Tick   uint64 // of the world as it was kept. After an end that was none it goes on far behind it
	Mark   uint64 // the newest of [Ahead] that the file has; 0 if it has none. That much was on the disk, and perhaps more

	Torn int64 // bytes at the end of the file of a line that was not written to its end

	skip func(tick uint64, next world.ID) error // nil outside Ahead.Begin
	path string
	size int64 // bytes of the file that are whole
	ends bool  // a line says that a process has ended in order at the tick end
	end  uint64
}

// Skip has the world go on behind a tick, and with entities from next on, as [world.Tracker.Skip] does. It is for an [Ahead], in Begin, that knows of an older world which ticks and ids were given since.
func (f *Found) Skip(tick uint64, next world.ID) error {
	if f.skip == nil {
		return errors.New("durable: nothing is kept that could go on: Skip is for Ahead.Begin")
	}
	return f.skip(tick, next)
}

// Damage returns the error of who knows that the world was closed in order at a tick: that of what was written until then something cannot be read. It is nil if all
// can. Who does not know takes what is not whole for a last line that was not written to its end.
func (f *Found) Damage(closed uint64) error {
	if f.Torn == 0 || f.Tick > closed || f.ends && f.end >= closed {
		return nil // what is not whole is a later process's
	}
	return fmt.Errorf("%s is damaged: it was closed in order, and the last %d bytes cannot be read: put a copy of it in its place, or, to go on without what they hold, cut it off behind byte %d (truncate -s %d)", f.path, f.Torn, f.size, f.size)
}

// unclosed says that who has had the world has not ended in order.
func (f *Found) unclosed() string {
	what := f.path + " was not closed: what was done just before may be missing"
	if f.Torn > 0 {
		what += fmt.Sprintf("; the last %d bytes were not written to their end, and are dropped", f.Torn)
	}
	return what
}

// ahead has that on the disk which has to be there before what was taken down of the world. It comes after that: what happens in between is
// ahead only.
func (s *Store) ahead() error {
	if s.options.Ahead == nil {
		return nil
	}
	mark, err := s.options.Ahead.Sync()
	if err == nil {
		s.mark = mark
	}
	if err != nil && s.ending { // rather a world without its trace than none
		s.behind = err
		return nil
	}
	return err
}
