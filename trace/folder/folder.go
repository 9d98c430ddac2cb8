package folder

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/trace"
)

const (
	fileSize  = 16 << 20 // what a file has at most: as much is read at a start
	room      = 32 << 20 // bytes of events that wait at most
	pieceSize = 256 << 10
	fewFiles  = 8 // that there are at least before the oldest is removed
)

// What Options.Keep is by default, and the least that it may be.
const (
	DefaultKeep = 1 << 30
	MinKeep     = 1 << 20
)

// Options are how a log is kept. The zero value is useful.
type Options struct {
	Keep int64 // bytes that all files have at most; default 1 GiB, at least MinKeep

	// Closed says that who wrote the folder last has ended in order, so that all of it was on the disk but for what he said at the very end: a line there that
	// was not written to its end is dropped, and all else that is not whole is damage. Else the machine may have stopped, too, and a disk writes in any order.
	Closed bool

	// Had is the newest event that the folder is known to have had, see [Folder.Newest]; 0 if that is not known. If its newest is an older one by now somebody, or the disk, has taken those
	// between away: the log goes on behind them, and an event says which they were. A folder without any events begins a trace of its own.
	Had trace.ID

	// Interval is how long [Folder.Run] lets an event wait to be written, unless there are many. Default a second.
	Interval time.Duration

	// Tick is the world's newest commit, for what the Folder itself has to say in the log. Default: 0.
	Tick func() uint64

	// Told is told what a person should know: that the log cannot be written, that it can again, that events are lost. err is
	// why something failed just now, nil where nothing did. It must not call the Folder.
	Told func(what string, err error)

	open disk.Opener // for tests: disk.Open
	size int64       // for tests: of a file
	room int         // for tests
}

// Folder keeps one log. Its methods may be called concurrently.
type Folder struct {
	dir      string
	options  Options
	log      *trace.Log
	follower *trace.Follower
	cut      int64
	found    []trace.Event // the newest that it had when it was opened, if any

	mu     sync.Mutex
	files  []part       // oldest first; the last is the one that is written, if file is not nil
	file   disk.File    // nil: the next event begins one
	next   trace.ID     // the event that comes next in file
	good   int64        // bytes of file that are on the disk
	behind trace.ID     // the event that comes next after those
	ragged bool         // file may have others behind those that the last of files has
	newest trace.ID     // that was on the disk
	moved  bool         // it may not be on the disk yet which files there are
	gaps   []trace.Span // lost, and not said yet; in their order
	said   []notice     // what was said of others, in files that there are or in none yet
	taken  atomic.Int64 // events that were on the disk, until somebody removed their file
	closed bool
	since  disk.Since // of what was appended and is not on the disk
}

// notice is an event that says what is lost. If it is lost itself, that has to be said again.
type notice struct {
	id  trace.ID
	gap trace.Span
}

// part is one of the files.
type part struct {
	first trace.ID
	size  int64
}

// Open has log kept in dir, which is made if it is not there. If it holds one, log goes on from there, with the newest events in it: it must be as
// [trace.New] left it then. Only the last file is read, and the one before if the last has less than the log holds. Open fails if what is read is
// damaged; the error says in which file and line. Nobody else may have the folder meanwhile: that is the caller's to see to, as
// who has the world's does.
func Open(log *trace.Log, dir string, o Options) (*Folder, error) {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	if o.Keep < MinKeep {
		return nil, fmt.Errorf("%s: to keep %d bytes of trace is too few: want at least %d", dir, o.Keep, MinKeep)
	}
	if o.Interval <= 0 {
		o.Interval = time.Second
	}
	if o.Told == nil {
		o.Told = func(string, error) {}
	}
	if o.Tick == nil {
		o.Tick = func() uint64 { return 0 }
	}
	if o.open == nil {
		o.open = disk.Open
	}
	if o.size == 0 {
		o.size = min(fileSize, o.Keep/fewFiles)
	}
	if o.room == 0 {
		o.room = room
	}
	if err := disk.MkdirAll(dir); err != nil {
		return nil, err
	}
	f := &Folder{dir: dir, options: o, log: log, moved: true}
	if err := f.load(); err != nil {
		_ = f.release()
		return nil, err
	}
	if f.next > 0 {
		f.found, _ = log.Tail(trace.Filter{Newest: true, Limit: 1})
	}
	if err := f.skip(o.Had); err != nil {
		return nil, errors.Join(err, f.release())
	}
	f.follower = log.Follow(max(f.next, 1, f.newest+1)-1, o.room)
	return f, nil
}

// tick is the world's newest commit. While the folder is opened the world may be an older one, which is behind what was found.
func (f *Folder) tick() uint64 {
	tick := f.options.Tick()
	if len(f.found) > 0 {
		tick = max(tick, f.found[0].Tick)
	}
	return tick
}

// skip has the log go on behind events that the folder has had.
func (f *Folder) skip(had trace.ID) error {
	if len(f.found) == 0 || had < f.next {
		return nil
	}
	if err := f.log.Skip(had + 1); err != nil {
		return err
	}
	gap := trace.Span{First: f.next, Last: had}
	f.newest = had
	f.taken.Add(gap.Len())
	f.lost(gap, "they were on the disk, and the files end before them")
	return nil
}

// Found returns the newest event that Open has found, if there was any.
func (f *Folder) Found() (newest trace.Event, has bool) {
	if len(f.found) == 0 {
		return newest, false
	}
	return f.found[0], true
}

// Newest returns the newest event that was on the disk at the end of the last [Folder.Sync] that returned nil, or that Open has found; 0 if there was none. Who has a place of his own to note it, and gives it to
// Open ([Options].Had), knows when the end of the trace was taken away: the files cannot tell.
func (f *Folder) Newest() trace.ID {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.newest
}

// Cut returns how many bytes were dropped by Open, of lines that were not written to their end, and of others behind those, which are put aside.
func (f *Folder) Cut() int64 { return f.cut }

// Sync writes what was appended. When it returns nil all that was appended before is on the disk, or an event says that it is lost. If it
// fails nothing more is lost, unless there is no room for what waits: the next one writes it.
func (f *Folder) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return errClosed
	}
	return f.sync()
}

var errClosed = fmt.Errorf("trace: the folder: %w", disk.ErrEnded)

func (f *Folder) sync() error {
	err := f.write()
	if errors.Is(err, errRemoved) {
		err = f.write()
	}
	if err != nil {
		f.since.Begin()
		return fmt.Errorf("trace: %w", err)
	}
	f.since.Done()
	return nil
}

// Run writes what is appended, until ctx ends: a second after it was (Options.Interval), or at once while it is much. If the disk does not
// take it Run tries again, after a minute at the latest. What was appended since is for Close. It writes by sync, which is to call [Folder.Sync], or is
// that, if the folder is still the caller's.
func (f *Folder) Run(ctx context.Context, sync func() error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.follower.Woken():
		}
		f.mu.Lock()
		f.since.Begin()
		f.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-f.follower.Many():
		case <-time.After(f.options.Interval):
		}
		if !disk.Until(ctx, 0, sync, f.told) {
			return
		}
	}
}

func (f *Folder) told(err error) {
	if err != nil {
		f.options.Told("the trace cannot be written to the disk", err)
	} else {
		f.options.Told("the trace is written to the disk again", nil)
	}
}

// Stats is how it goes.
type Stats struct {
	Waiting int64         // events that are not on the disk yet
	Lost    int64         // events that never will be
	Unsaved time.Duration // for how long the disk has been behind; 0 if it is not
}

// Stats returns how it goes.
func (f *Folder) Stats() (s Stats) {
	s.Waiting, s.Lost = f.follower.Waits()
	s.Lost += f.taken.Load()
	s.Unsaved = f.since.For()
	return s
}

// Close writes what was appended, and lets go of the log and the folder. What is appended from now on is not kept. It may be called
// again; whoever is first gets the error.
func (f *Folder) Close() error { return f.close(f.sync) }

// Leave is Close of a folder that is another's by now: nothing more is written there.
func (f *Folder) Leave() error { return f.close(func() error { return nil }) }

func (f *Folder) close(last func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	err := last()
	f.follower.Stop()
	return errors.Join(err, f.release())
}

// release lets go of the file.
func (f *Folder) release() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

func (f *Folder) path(first trace.ID) string { return filepath.Join(f.dir, fileName(first)) }
