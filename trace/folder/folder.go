package folder

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

	mu     sync.Mutex
	files  []part       // oldest first; the last is the one that is written, if file is not nil
	file   disk.File    // nil: the next event begins one
	next   trace.ID     // the event that comes next in file
	good   int64        // bytes of file that are on the disk
	behind trace.ID     // the event that comes next after those
	ragged bool         // file may have others behind those that the last of files has
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
		if f.file != nil {
			_ = f.file.Close()
		}
		return nil, err
	}
	f.follower = log.Follow(max(f.next, 1)-1, o.room)
	return f, nil
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

// errRemoved says that somebody has removed what is written to. That is noted then, and the next try has another place to write to.
var errRemoved = errors.New("somebody has removed it")

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

// write writes what was appended, and what is to be said of what is lost.
func (f *Folder) write() error {
	for {
		gap, err := f.follower.Lines(int(min(pieceSize, f.options.size)), f.take)
		if gap != nil {
			f.lost(*gap, "too many events waited to be written")
		}
		if err == nil {
			err = f.settle()
		}
		if err != nil {
			f.back()
			return err
		}
		if len(f.gaps) == 0 {
			return nil
		}
		if err := f.say(); err != nil {
			return err
		}
	}
}

// lost notes which events are lost, and why. What they said to be lost is to be said anew. What is lost next to something is one with it.
func (f *Folder) lost(gap trace.Span, why string) {
	f.options.Told(fmt.Sprintf("the trace lacks %v: %s", gap, why), nil)
	all := append(slices.Clone(f.gaps), gap)
	f.said = slices.DeleteFunc(f.said, func(n notice) bool {
		gone := gap.First <= n.id && n.id <= gap.Last
		if gone {
			all = append(all, n.gap)
		}
		return gone
	})
	slices.SortFunc(all, func(a, b trace.Span) int { return cmp.Compare(a.First, b.First) })
	f.gaps = all[:1]
	for _, gap := range all[1:] {
		if last := &f.gaps[len(f.gaps)-1]; last.Last+1 == gap.First {
			last.Last = gap.Last
		} else {
			f.gaps = append(f.gaps, gap)
		}
	}
}

// say has it in the log what is lost.
func (f *Folder) say() error {
	for len(f.gaps) > 0 {
		payload, err := json.Marshal(f.gaps[0])
		var ids []trace.ID
		if err == nil {
			ids, err = f.log.Append(nil, trace.Draft{Type: trace.EventLost, Actor: "engine", Tick: f.options.Tick(), Payload: payload})
		}
		if err != nil {
			return err
		}
		f.said = append(f.said, notice{ids[0], f.gaps[0]})
		f.gaps = f.gaps[1:]
	}
	return nil
}

// take writes lines to the file that they belong to. They are not on the disk yet.
func (f *Folder) take(lines []byte, first, last trace.ID) error {
	if f.file != nil && (first != f.next || f.size() > 0 && f.size()+int64(len(lines)) > f.options.size) {
		if err := f.end(); err != nil {
			return err
		}
	}
	if f.file == nil {
		if err := f.begin(first); err != nil {
			return err
		}
	}
	if f.ragged {
		if err := f.file.Truncate(f.size()); err != nil {
			return err
		}
	}
	f.ragged = true // until all is there
	if _, err := f.file.WriteAt(lines, f.size()); err != nil {
		return err
	}
	f.ragged = false
	f.files[len(f.files)-1].size += int64(len(lines))
	f.next = last + 1
	return nil
}

// size returns how many bytes of the file count.
func (f *Folder) size() int64 { return f.files[len(f.files)-1].size }

// begin makes a file. The oldest go, so that all files have no more than they may.
func (f *Folder) begin(first trace.ID) error {
	open := func() (disk.File, error) {
		return f.options.open(f.path(first), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	}
	file, err := open()
	if errors.Is(err, os.ErrNotExist) && disk.MkdirAll(f.dir) == nil { // somebody has removed it
		file, err = open()
	}
	if err != nil {
		return err
	}
	f.file, f.next, f.good, f.behind, f.ragged, f.moved = file, first, 0, first, false, true
	f.files = append(f.files, part{first: first})
	all := f.options.size
	for i := range f.files {
		all += f.files[i].size
	}
	for all > f.options.Keep && len(f.files) > 1 {
		if err := os.Remove(f.path(f.files[0].first)); err != nil && !errors.Is(err, os.ErrNotExist) {
			f.options.Told("an old file of the trace cannot be removed", err)
			break
		}
		all -= f.files[0].size
		f.files = f.files[1:]
	}
	f.said = slices.DeleteFunc(f.said, func(n notice) bool { return n.id < f.files[0].first && n.gap.Last < f.files[0].first })
	return nil
}

// end has all of the file on the disk, and nothing else in it, and closes it. A file without lines is removed.
func (f *Folder) end() error {
	if f.ragged {
		if err := f.file.Truncate(f.size()); err != nil {
			return err
		}
		if err := f.file.Sync(); err != nil { // settle need not: what was cut off must not come back before the next file
			return err
		}
		f.ragged = false
	}
	if err := f.settle(); err != nil {
		return err
	}
	if err := f.there(); err != nil {
		return err
	}
	_ = f.file.Close() // all of it is synced
	f.file = nil
	if last := f.files[len(f.files)-1]; last.size == 0 {
		f.files = f.files[:len(f.files)-1]
		if err := os.Remove(f.path(last.first)); err != nil {
			return err
		}
	}
	return nil
}

// settle has what was written on the disk, and the log hold it no longer.
func (f *Folder) settle() error {
	if f.file != nil && f.size() > f.good {
		if err := f.file.Sync(); err != nil {
			return err // what comes next is written again then: the system may have let go of what it could not write
		}
		if err := f.there(); err != nil {
			return err
		}
	}
	if f.moved {
		if err := disk.SyncDir(f.options.open, f.dir); err != nil {
			return err
		}
		f.moved = false
	}
	if f.file != nil {
		f.good, f.behind = f.size(), f.next
	}
	f.follower.Safe()
	return nil
}

// there fails with errRemoved if somebody has removed the file that is written, or the folder, or put others in their place: what is written to it now is
// nowhere, though the system takes it. The next event begins another; those that were in what was removed are lost.
func (f *Folder) there() error {
	n := len(f.files)
	if path := f.path(f.files[n-1].first); disk.At(f.file, path) {
		return nil
	} else if _, err := disk.Aside(path); err != nil { // it is none of ours
		return err
	}
	for n--; n > 0 && !exists(f.path(f.files[n-1].first)); {
		n--
	}
	gap := trace.Span{First: f.files[n].first, Last: f.behind - 1}
	_ = f.file.Close()
	f.file, f.files = nil, f.files[:n]
	if gap.Len() > 0 {
		f.taken.Add(gap.Len())
		f.lost(gap, "somebody has removed the file that they were in")
	}
	return fmt.Errorf("%s: %w", f.path(gap.First), errRemoved)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// back has all written again that is not sure to be on the disk.
func (f *Folder) back() {
	f.follower.Back()
	if f.file != nil {
		f.files[len(f.files)-1].size, f.next, f.ragged = f.good, f.behind, true
	}
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
	if f.file != nil {
		err = errors.Join(err, f.file.Close())
	}
	return err
}

func (f *Folder) path(first trace.ID) string { return filepath.Join(f.dir, fileName(first)) }
