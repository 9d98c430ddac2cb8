package folder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/trace"
)

const prefix, suffix = "events-", ".jsonl"

// fileName is the name of the file that begins with an event.
func fileName(first trace.ID) string {
	return fmt.Sprintf("%s%020d%s", prefix, uint64(first-1), suffix)
}

// Of returns the folder of the trace in that of a world.
func Of(world string) string { return filepath.Join(world, "trace") }

// Files returns the paths of the files in a folder, oldest first. There may be others in it, which are left alone.
func Files(dir string) (paths []string, err error) {
	found, err := find(dir)
	for i := range found {
		paths = append(paths, filepath.Join(dir, fileName(found[i].first)))
	}
	return paths, err
}

func find(dir string) (files []part, err error) {
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		digits := strings.TrimSuffix(strings.TrimPrefix(entry.Name(), prefix), suffix)
		n, err := strconv.ParseUint(digits, 10, 64)
		first := trace.ID(n + 1)
		if err != nil || fileName(first) != entry.Name() || !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, os.ErrNotExist) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		files = append(files, part{first, info.Size()})
	}
	return files, nil
}

// load has the log go on from the newest files, and the last of them be the one that is written.
func (f *Folder) load() (err error) {
	if f.files, err = find(f.dir); err != nil {
		return err
	}
	for len(f.files) > 0 {
		from := len(f.files)
		for size := int64(0); from > 0 && size < f.log.Room(); {
			from--
			size += f.files[from].size
		}
		for i := from; i < len(f.files); i++ {
			if err := f.loadFile(i); err != nil {
				return err
			}
		}
		if f.file != nil {
			return nil
		}
		if f.files = f.files[:len(f.files)-1]; from < len(f.files) {
			return nil // the others are loaded; the next event begins a file
		}
	}
	return nil
}

// loadFile loads file number i. If it is the last it is the one that is written, or, if it has no event, is removed.
func (f *Folder) loadFile(i int) error {
	k, path := &f.files[i], f.path(f.files[i].first)
	file, err := f.options.open(path, os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	sum, err := f.log.Load(io.NewSectionReader(file, 0, k.size))
	last := i == len(f.files)-1
	bad := (*trace.VerifyError)(nil)
	if errors.As(err, &bad) && last {
		rest := func() *io.SectionReader { return io.NewSectionReader(file, sum.Bytes, k.size-sum.Bytes) }
		zeros, lines, unread := look(rest())
		switch {
		case unread != nil:
		case lines == 0:
			err = nil
		case zeros && !f.options.Closed:
			err = nil
			f.keepAside(path, rest())
		}
	}
	switch {
	case err == nil && sum.Events > 0 && sum.First != k.first:
		err = fmt.Errorf("begins with %v", sum.First)
	case err == nil && sum.Events == 0 && !last && k.size > 0:
		err = errors.New("holds no events, and others come after it")
	}
	if err != nil {
		_ = file.Close()
		return fmt.Errorf("%s: %w (put a copy of the file in its place, or take the folder away to begin a new trace)", path, err)
	}
	if sum.Events > 0 {
		f.next, f.newest = sum.Last+1, sum.Last
	}
	if !last {
		return file.Close()
	}
	f.cut += k.size - sum.Bytes
	if sum.Events == 0 {
		return errors.Join(file.Close(), os.Remove(path))
	}
	f.file, f.good, f.behind, f.ragged = file, sum.Bytes, f.next, true
	k.size = sum.Bytes
	return nil
}

// look looks at what was not read as events: whether it has zeros before a line ends, as a disk leaves where the machine stopped before it had
// written a part, and how many lines end in it.
func look(rest io.Reader) (zeros bool, lines int, err error) {
	in := bufio.NewReader(rest)
	for {
		switch c, err := in.ReadByte(); {
		case errors.Is(err, io.EOF):
			return zeros, lines, nil
		case err != nil:
			return zeros, lines, err
		case c == 0:
			zeros = zeros || lines == 0
		case c == '\n':
			lines++
		}
	}
}

// keepAside keeps what is dropped of a file although lines end in it: somebody may be able to read them. If it cannot be kept a person is told; nothing else
// depends on it.
func (f *Folder) keepAside(path string, dropped *io.SectionReader) {
	to := fmt.Sprintf("%s.cut%d", path, f.next)
	kept, err := f.options.open(to, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		_, err = io.Copy(io.NewOffsetWriter(kept, 0), dropped)
		err = errors.Join(err, kept.Sync(), kept.Close())
	}
	what := fmt.Sprintf("%s: the last %d bytes are not whole, as after a machine has stopped, and are not taken", path, dropped.Size())
	if err != nil {
		f.options.Told(what+"; they could not be kept", err)
		return
	}
	f.options.Told(what+"; they are kept in "+to, nil)
}
