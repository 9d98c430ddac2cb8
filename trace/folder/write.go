package folder

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/trace"
)

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
			ids, err = f.log.Append(nil, trace.Draft{Type: trace.EventLost, Actor: "engine", Tick: f.tick(), Payload: payload})
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
		f.good, f.behind, f.newest = f.size(), f.next, f.next-1
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

// errRemoved says that somebody has removed what is written to. That is noted then, and the next try has another place to write to.
var errRemoved = errors.New("somebody has removed it")
