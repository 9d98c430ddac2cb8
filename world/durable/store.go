package durable

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/world"
)

// The files of a folder.
const (
	fileName = "world.jsonl"
	newName  = "world.jsonl.new" // while the file is written anew
	lockName = "lock"
)

// After an end that was none, whoever was told of the world may have been told more of it than is there: the next commit and
// the next entity have numbers that were not given before.
const (
	SkippedTicks = 1 << 32 // commits that come next begin behind so many; more are not lost at once
	reservedIDs  = 1 << 20 // a world gives no more ids than so many beyond what is on the disk, see [world.Tracker.Reserve]
)

// small is how many bytes a file may have before it is written anew, and is then twice as large as it need be.
const small = 4 << 20

// pace is how many bytes a second are written at most, unless a second's changes are more: of what changes all the time not each state
// is worth being kept.
const pace = 1 << 20

// Options are how a world is kept. The zero value is useful.
type Options struct {
	Interval time.Duration // how long after a change it is written; default a tenth of a second. While much changes it is up to a second

	// Patience is how long Open waits for another process that has the folder: one that is ending needs a moment. Default 5 s, negative: not at all.
	Patience time.Duration

	// Told is told what a person should know: that the last end was none, that the world cannot be written, and that it
	// can again. err is why something failed just now, nil where nothing did. It must not call the Store.
	Told func(what string, err error)

	// Anew is told that somebody has removed what was written, moved it, or put something else in its place, why, and that all of the world is
	// written again where it belongs; that may fail yet. It is called before that, and must not call the Store. nil for nobody.
	Anew func(why string)

	// Ahead keeps what has to be on the disk before the world is, such as who has done what; nil for nothing.
	Ahead Ahead

	open    disk.Opener // for tests: disk.Open
	reserve uint64      // for tests: reservedIDs
}

// Store keeps one world. Its methods may be called concurrently.
type Store struct {
	dir     string
	options Options
	world   *world.World
	tracker *world.Tracker

	mu      sync.Mutex
	lock    *flock.Flock
	file    disk.File // nil if it could not be opened again: it is to be written anew
	size    int64     // bytes of the file that are good
	need    int64     // bytes that it had when it was last written anew, or would have: as many as it need have
	pending []byte    // what lines that are to come next have, each but for its end and its sum
	wrote   int       // how many bytes were written last
	moved   bool      // it may not be on the disk yet that the file took the place of another
	closed  bool
	ending  bool                  // Close writes: it does not wait for what is ahead
	behind  error                 // why what is ahead was not written then
	mark    uint64                // of what is ahead: what was on the disk when it was written last
	synced  uint64                // tick of the newest commit that is on the disk, as far as was noted
	since   disk.Since            // of what was changed and is not written
	failed  atomic.Pointer[error] // why the newest write has failed; nil if it has not
}

// Open has w kept in dir, which is made if it is not there. If it holds a world, w becomes that: it must be as
// [world.New] left it then, with everything declared, and w.Load says what it refuses. From now on what changes in w is written by [Store.Run].
// It fails if another process has the folder, what it holds is damaged, or w is kept already; the error says where.
func Open(w *world.World, dir string, o Options) (*Store, error) {
	if o.Interval <= 0 {
		o.Interval = time.Second / 10
	}
	if o.Patience == 0 {
		o.Patience = 5 * time.Second
	}
	if o.Told == nil {
		o.Told = func(string, error) {}
	}
	if o.Anew == nil {
		o.Anew = func(string) {}
	}
	if o.open == nil {
		o.open = disk.Open
	}
	if o.reserve == 0 {
		o.reserve = reservedIDs
	}
	s := &Store{dir: dir, options: o, world: w}
	if err := s.take(o.Patience); err != nil {
		return nil, err
	}
	found, err := s.load(w)
	if err != nil {
		return nil, errors.Join(err, s.release())
	}
	if s.tracker, err = w.Track(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.dir, err), s.release())
	}
	if o.Ahead != nil {
		found.skip = s.tracker.Skip
		err = o.Ahead.Begin(found)
	}
	switch {
	case err != nil:
	case found.New:
		if err = s.spare(); err == nil {
			err = s.writeAnew()
		}
	default:
		if !found.Closed {
			s.options.Told(found.unclosed(), nil)
		}
		err = s.begin()
	}
	if err != nil {
		s.tracker.Stop()
		return nil, errors.Join(s.end(err), s.release())
	}
	return s, nil
}

// ErrTaken is in the errors of [Open], and of a Store whose folder somebody has removed or moved, while another process has the folder.
var ErrTaken = errors.New("another process keeps its world there")

// take makes the folder if it is not there, and locks it; if another has it, it waits so long.
func (s *Store) take(patience time.Duration) error {
	if err := disk.MkdirAll(s.dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), max(patience, 0))
	defer cancel()
	lock := flock.New(filepath.Join(s.dir, lockName))
	if info, err := os.Stat(lock.Path()); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is no file: remove it", lock.Path()) // a pipe would be opened for ever
	}
	held, err := lock.TryLock()
	if err == nil && !held {
		if patience > 0 {
			s.options.Told(fmt.Sprintf("%s: another process%s has the world that is kept there: it may be ending, and is waited for, %v at most", s.dir, s.holder(), patience), nil)
		}
		_, err = lock.TryLockContext(ctx, time.Second/20)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.Join(fmt.Errorf("%s: %w%s", s.dir, ErrTaken, s.holder()), lock.Close())
	case err != nil:
		return errors.Join(fmt.Errorf("%s: %w", s.dir, err), lock.Close())
	}
	if s.lock != nil {
		_ = s.lock.Close() // of a folder that is not here any more
	}
	s.lock = lock
	_ = os.WriteFile(lock.Path(), strconv.AppendInt(nil, int64(os.Getpid()), 10), 0o600) // for who is told that it is taken; where a locked file cannot be written he is not told by whom
	return nil
}

// holder names the process that has the folder, behind "another process": " (pid 7)", or "" if it has not said.
func (s *Store) holder() string {
	text, err := os.ReadFile(filepath.Join(s.dir, lockName))
	if err != nil {
		return ""
	}
	pid, err := strconv.ParseUint(string(text), 10, 31)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (pid %d)", pid)
}

func (s *Store) path() string { return filepath.Join(s.dir, fileName) }

// load makes w what the folder holds.
func (s *Store) load(w *world.World) (found Found, err error) {
	if info, err := os.Lstat(s.path()); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// Now and then another file takes its place: the link would be gone, and what it leads to would be an old world.
		return found, fmt.Errorf("%s: is a symbolic link, and the file is replaced when it is written anew: put the file itself there; the folder may be a link", s.path())
	}
	s.file, err = s.options.open(s.path(), os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		s.file = nil
		return Found{New: true, Closed: true, Tick: w.Tick()}, nil
	}
	if err != nil {
		s.file = nil
		return found, err
	}
	if info, err := s.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return found, errors.Join(fmt.Errorf("%s: is no file", s.path()), err)
	}
	c, err := read(s.file)
	if err != nil {
		return found, fmt.Errorf("%s: %w", s.path(), err)
	}
	s.mark = c.mark
	found = c.found(s.path())
	if !c.ended {
		c.image.Tick += SkippedTicks
		c.image.Given += s.options.reserve
	}
	if err := w.Load(&c.image); err != nil {
		return found, fmt.Errorf("%s: %w", s.path(), err)
	}
	s.size, s.need = c.size, c.need()
	return found, nil
}

// spare gives what may have been written anew another name, where there is no world: who has taken that away may have nothing else of it.
func (s *Store) spare() error {
	path := filepath.Join(s.dir, newName)
	to, err := disk.Aside(path)
	if to != "" && err == nil {
		s.options.Told(path+" was found, and no world: it is "+to+" now, and an empty world begins", nil)
	}
	return err
}

// begin goes on with the file: whatever happens now, it does not say any more that it was closed. What somebody has left who was killed while
// he wrote it anew takes room for nothing.
func (s *Store) begin() error {
	_ = os.Remove(filepath.Join(s.dir, newName))
	if err := s.file.Truncate(s.size); err != nil {
		return err
	}
	s.takeDown("")
	return s.append()
}

// Close writes what has changed, and lets others have the folder. If what is [Ahead] fails the world is written nevertheless, as one that was not closed. What is changed in the world from now on is not kept. It may be called
// again; whoever is first gets the error. Inside a transaction or a view of the world it fails at once, and closes nothing.
func (s *Store) Close() error {
	if err := s.locked(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed, s.ending = true, true
	err := s.sync()
	if err == nil {
		err = s.ahead() // which says whether it ends in order, also where nothing was to be written
	}
	if err == nil { // with what has changed meanwhile
		last := ""
		if s.behind == nil {
			last = `,"ended":true`
		}
		s.takeDown(last)
		err = s.append()
	}
	s.tracker.Stop()
	return disk.Join(s.end(disk.Join(err, s.behind)), s.release())
}

// end has what is ahead end, while nobody else has the folder.
func (s *Store) end(err error) error {
	if s.options.Ahead == nil {
		return err
	}
	return s.options.Ahead.End(err)
}

// release lets go of the files.
func (s *Store) release() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
	}
	return errors.Join(err, s.lock.Close())
}
