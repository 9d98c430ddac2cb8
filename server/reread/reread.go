// Package reread has a program take over files that others change while it runs: who renews a certificate, or takes back a token, need not know of
// the program. It knows nothing of a server, and what is in the files is the caller's.
package reread

import (
	"context"
	"os"
	"slices"
	"time"
)

// every is how long it is between two looks. What has changed is taken over once it was the same in two of them: who writes a file may not be done.
const every = time.Second

// Files are read together: a change of one of them is one of all. Files that are not independent, such as profiles and the tokens that name them, are one Files.
type Files struct {
	paths []string
	seen  []look // of what was taken over last, or could not be
	last  []look
}

// look is what a file looks like from outside; the zero value is that it cannot be seen.
type look struct {
	info os.FileInfo
	size int64
	time time.Time
}

func (l look) same(as look) bool {
	if l.info == nil || as.info == nil {
		return l.info == as.info
	}
	return os.SameFile(l.info, as.info) && l.size == as.size && l.time.Equal(as.time)
}

// Look returns files as they are now. It is called before they are read for the first time, so that no change in between is missed. A path may lead to a link, or to nothing yet: what
// it leads to counts, and that it is there, or is not, is a change too.
func Look(paths ...string) *Files {
	f := &Files{paths: paths}
	f.seen = f.look()
	f.last = f.seen
	return f
}

func (f *Files) look() []look {
	looks := make([]look, len(f.paths))
	for i, path := range f.paths {
		if info, err := os.Stat(path); err == nil { // of what a link leads to: it may lead elsewhere now
			looks[i] = look{info, info.Size(), info.ModTime()}
		}
	}
	return looks
}

// Run calls take whenever one of the files has changed, until ctx ends. It looks once a second, and a change counts once two looks have seen the same. take says by its error, which failed is told, that what is
// there now is of no use: then it is called again after the next change only, and has to leave what was read before as it was. Both are called in Run's goroutine, one at a time. Run is called once.
func (f *Files) Run(ctx context.Context, take func() error, failed func(error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := f.look()
		settled := slices.EqualFunc(now, f.last, look.same)
		f.last = now
		if !settled || slices.EqualFunc(now, f.seen, look.same) {
			continue
		}
		f.seen = now
		if err := take(); err != nil {
			failed(err)
		}
	}
}
