package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/limina-mcp/limina/internal/disk"
)

// takeDown has what has changed in the world come next. more is what its line has besides.
func (s *Store) takeDown(more string) {
	s.pending = append(append(s.changed(s.pending), more...), '\n')
}

// changed appends what has changed in the world, as the JSON of a line, which goes on.
func (s *Store) changed(dst []byte) []byte { return s.tracker.Append(append(dst, `{"image":`...)) }

// line appends the line of JSON that goes on, with the mark of what is ahead.
func (s *Store) line(dst, contents []byte) []byte {
	return appendLine(dst, func(dst []byte) []byte {
		dst = append(dst, contents...)
		if s.mark > 0 {
			dst = strconv.AppendUint(append(dst, `,"mark":`...), s.mark, 10)
		}
		return append(dst, '}')
	})
}

// append writes what is to come next, each line when the one before is on the disk: a disk writes in any order, and if the machine stops meanwhile
// nobody can tell a line that was not written from one that is damaged, if there is another behind it.
func (s *Store) append() error {
	if err := s.ahead(); err != nil {
		return err
	}
	s.wrote = len(s.pending)
	for len(s.pending) > 0 {
		contents, rest, _ := bytes.Cut(s.pending, []byte{'\n'})
		next := s.line(nil, contents)
		if _, err := s.file.WriteAt(next, s.size); err != nil {
			return err
		}
		if err := s.file.Sync(); err != nil {
			return err // what comes next is written again then: the system may have let go of what it could not write
		}
		s.size += int64(len(next))
		s.pending = rest
	}
	s.pending = nil
	s.tracker.Reserve(s.options.reserve)
	return nil
}

// writeAnew writes all of the world into another file, which takes the place of the one that is there. If that fails the one that is
// there is good still, with what is to come next.
func (s *Store) writeAnew() error {
	path := filepath.Join(s.dir, newName)
	f, err := s.options.open(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	size, err := s.writeAll(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = s.ahead()
	}
	if err != nil {
		_ = os.Remove(path) // on a full disk it has what room there was for what comes next
		return err
	}
	if s.file != nil {
		_ = s.file.Close() // Windows moves nothing over an open file
		s.file = nil
	}
	err = os.Rename(path, s.path())
	if err == nil {
		s.size, s.need, s.pending, s.moved = size, size, nil, true
		err = s.syncDir()
	}
	if err == nil {
		s.tracker.Reserve(s.options.reserve)
	}
	return errors.Join(err, s.reopen())
}

// writeAll writes all of the world to f. What has changed meanwhile is to come next in the old file, too: it may have to do.
func (s *Store) writeAll(f disk.File) (size int64, err error) {
	write := func(text []byte) error {
		n, err := f.WriteAt(text, size)
		size += int64(n)
		return err
	}
	first, err := json.Marshal(line{Format: format, Version: version})
	if err != nil {
		return 0, err
	}
	buf := appendLine(nil, func(dst []byte) []byte { return append(dst, first...) })
	if err := write(buf); err != nil {
		return 0, err
	}
	err = s.tracker.Whole(func(piece []byte) error {
		buf = appendLine(buf[:0], func(dst []byte) []byte {
			return append(append(append(dst, `{"image":`...), piece...), '}')
		})
		return write(buf)
	})
	if err != nil {
		return 0, err
	}
	last := append(s.changed(nil), `,"whole":true`...)
	if s.file != nil {
		s.pending = append(append(s.pending, last...), '\n')
	}
	if err := write(s.line(buf[:0], last)); err != nil {
		return 0, err
	}
	return size, f.Sync()
}

// reopen opens the file that is there, to go on with it.
func (s *Store) reopen() (err error) {
	s.file, err = s.options.open(s.path(), os.O_RDWR, 0o600)
	if err != nil {
		s.file = nil
	}
	return err
}

// syncDir has it on the disk which file is there.
func (s *Store) syncDir() error {
	if !s.moved {
		return nil
	}
	err := disk.SyncDir(s.options.open, s.dir)
	s.moved = err != nil
	return err
}

// write writes what has changed, and sees to it that it is where it belongs.
func (s *Store) write() error {
	const tries = 2
	for range tries {
		if err := s.settle(); err != nil {
			return err
		}
		if err := s.put(); err != nil {
			return err
		}
		if s.strayed() == "" {
			return nil
		}
	}
	return fmt.Errorf("%s: somebody removes what is written again and again", s.dir)
}

// put writes what has changed.
func (s *Store) put() error {
	if s.file == nil || s.size > 2*s.need+small {
		err := s.writeAnew()
		if err == nil || s.file == nil {
			return err
		}
		s.need = s.size // the file that is there does, for as long again
		s.options.Told(s.path()+" cannot be written anew, and grows", err)
	}
	if err := s.syncDir(); err != nil {
		return err
	}
	if s.pending != nil { // an earlier try has failed
		if err := s.append(); err != nil {
			return err
		}
	}
	if !s.tracker.Changed() {
		return nil
	}
	s.takeDown("")
	return s.append()
}
