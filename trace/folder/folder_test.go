package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/internal/disk/baddisk"
	"github.com/limina-mcp/limina/trace"
)

// say appends an event.
func say(t rapid.TB, log *trace.Log, n, size int) {
	t.Helper()
	if _, err := log.Append(nil, trace.Draft{Type: "a", Actor: "ann", Payload: fmt.Appendf(nil, `{"n":%d,"text":"%*d"}`, n, size, n)}); err != nil {
		t.Fatal(err)
	}
}

func newLog() *trace.Log { return trace.New(trace.Options{MaxEvents: 20, MaxBytes: 10_000}) }

// verified is what all files of a folder hold.
func verified(t rapid.TB, dir string) (all trace.Summary) {
	t.Helper()
	paths, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := trace.Verify(strings.NewReader(string(file)))
		if err == nil {
			err = all.Join(sum)
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return all
}

func copied(t rapid.TB, dir, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
}

// Three processes, one after the other, write one chain; each begins with the newest events of those before.
func TestGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of", "mine")
	n := 0
	for round := range 3 {
		log := newLog()
		f, err := Open(log, dir, Options{size: 4000})
		if err != nil {
			t.Fatal(err)
		}
		if next, _ := log.Head(); int(next) != n+1 || log.Len() != min(n, 20) || f.Cut() != 0 {
			t.Errorf("round %d begins with %d events, next %v, cut %d", round, log.Len(), next, f.Cut())
		}
		for range 25 {
			say(t, log, n, 10)
			n++
		}
		for range 2 {
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			if sum := verified(t, dir); sum.Events != n || sum.First != 1 || sum.Missing != nil {
				t.Errorf("round %d has written %+v of %d", round, sum, n)
			}
		}
		say(t, log, n, 10)
		n++
		for range 2 {
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Sync(); err == nil {
			t.Error("a closed folder syncs")
		}
		say(t, log, n, 10) // is not kept
		if sum := verified(t, dir); sum.Events != n {
			t.Errorf("round %d has left %+v of %d", round, sum, n)
		}
	}
	for path, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, filepath.Join(dir, fileName(1)): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	log := newLog()
	say(t, log, 0, 0)
	if _, err := Open(log, dir, Options{}); err == nil || !strings.Contains(err.Error(), "events of its own") {
		t.Errorf("a log with events of its own goes on from others: %v", err)
	}
	if _, err := Open(newLog(), t.TempDir(), Options{Keep: MinKeep - 1}); err == nil {
		t.Error("less is kept than can be")
	}
}

// Wherever the end of a trace is taken away, who knows how far it was sees that: the ids of what is gone are not given again, and an event says which they are.
func TestHad(t *testing.T) {
	dir, base, n := t.TempDir(), t.TempDir(), 0
	fill := func(f *Folder, log *trace.Log, events int) {
		t.Helper()
		for range events {
			say(t, log, n, 300)
			n++
		}
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	log := newLog()
	f, err := Open(log, dir, Options{size: 4000})
	if err != nil {
		t.Fatal(err)
	}
	if _, has := f.Found(); has || f.Newest() != 0 {
		t.Errorf("in an empty folder %v was found", f.Newest())
	}
	fill(f, log, 30)
	say(t, log, n, 300)
	had := f.Newest()
	if had != 30 {
		t.Errorf("the newest is %v", had)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	paths, err := Files(dir)
	if err != nil || len(paths) < 3 {
		t.Fatal(paths, err)
	}
	rest := 0 // files that are left but for the one that is cut
	for cut := 0; rest < len(paths); cut += 150 {
		at := filepath.Join(base, fmt.Sprintf("%d-%d", rest, cut))
		copied(t, dir, at)
		left, err := Files(at)
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range left {
			if i > rest {
				err = errors.Join(err, os.Remove(path))
			}
		}
		info, statErr := os.Stat(left[rest])
		if err = errors.Join(err, statErr); err != nil {
			t.Fatal(err)
		}
		if int64(cut) >= info.Size() {
			rest, cut = rest+1, -150
			continue
		}
		if err := os.Truncate(left[rest], int64(cut)); err != nil {
			t.Fatal(err)
		}
		var told []string
		log := newLog()
		f, err := Open(log, at, Options{size: 4000, Closed: cut%300 == 0, Had: had, Told: func(what string, _ error) { told = append(told, what) }})
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		found, has := f.Found()
		next, _ := log.Head()
		switch {
		case !has && next != 1, has && next != max(had, found.ID)+1:
			t.Errorf("%s: has found %v, %v, and goes on with %v", at, found.ID, has, next)
		case (has && found.ID < had) != (len(told) == 1 && strings.Contains(told[0], fmt.Sprintf("the trace lacks %v to %v: they were on the disk", found.ID+1, had))):
			t.Errorf("%s: has found %v, and tells %q", at, found.ID, told)
		}
		for range 2 {
			fill(f, log, 3)
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			sum := verified(t, at)
			if gap := (trace.Span{First: found.ID + 1, Last: had}); has && gap.Len() > 0 && (fmt.Sprint(sum.Missing) != fmt.Sprint([]trace.Span{gap}) || sum.Unsaid() != nil) || (!has || gap.Len() <= 0) && sum.Missing != nil {
				t.Errorf("%s: %v are missing, of which nobody says %v", at, sum.Missing, sum.Unsaid())
			}
			log = newLog()
			if f, err = Open(log, at, Options{size: 4000, Had: f.Newest()}); err != nil {
				t.Fatalf("%s: once more: %v", at, err)
			}
			if next, _ := log.Head(); next != sum.Last+1 {
				t.Errorf("%s: goes on with %v behind %v", at, next, sum.Last)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What a log has when its first folder is opened is kept, too.
func TestBegunBefore(t *testing.T) {
	log, dir := newLog(), t.TempDir()
	say(t, log, 0, 10)
	f, err := Open(log, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if sum := verified(t, dir); sum.Events != 1 {
		t.Errorf("%+v", sum)
	}
}

// A file is not much larger than it may be, nor all of them; the oldest go.
func TestBounds(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		log := trace.New(trace.Options{})
		f, err := Open(log, dir, Options{Keep: MinKeep})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 2500 {
			say(t, log, n, 500)
			if n%100 > 0 {
				continue
			}
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			all := int64(0)
			files, err := find(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range files {
				if all += k.size; k.size > MinKeep/fewFiles {
					t.Fatalf("a file has %d bytes", k.size)
				}
			}
			if all > MinKeep {
				t.Fatalf("all files have %d bytes", all)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	sum := verified(t, dir)
	if sum.Last != 5000 || sum.First == 1 || sum.Bytes < MinKeep*3/4 || sum.Missing != nil {
		t.Errorf("%+v", sum)
	}
}

// A file that ends anywhere is the events that it has as a whole. One that is another in any byte is refused, and left as it is, but that an end that is no line is dropped.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	calm := &baddisk.Disk{Fail: func(string) bool { return false }} // and syncs nothing, which takes time
	log := newLog()
	f, err := Open(log, dir, Options{open: calm.Open})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		say(t, log, n, 3)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName(1))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(text []byte) (events int, err error) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		log := newLog()
		f, err := Open(log, dir, Options{open: calm.Open})
		if err != nil {
			if left, _ := os.ReadFile(path); !slices.Equal(left, text) {
				t.Fatal("a file that was refused was changed")
			}
			return 0, err
		}
		events = log.Len()
		say(t, log, 7, 3)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if sum := verified(t, dir); sum.Events != events+1 {
			t.Fatalf("after %d events there are %d", events, sum.Events)
		}
		return events, nil
	}
	for n := range len(whole) + 1 {
		if got, err := try(whole[:n]); err != nil || got != strings.Count(string(whole[:n]), "\n") {
			t.Fatalf("the first %d bytes are %d events, %v", n, got, err)
		}
	}
	for n := range whole {
		text := slices.Clone(whole)
		text[n] ^= 4
		line := strings.Count(string(whole[:n]), "\n") + 1
		got, err := try(text)
		switch {
		case err == nil && n == len(whole)-1 && got == 2: // the last line feed
		case err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s: line %d: ", path, line)):
			t.Fatalf("byte %d, in line %d, is another: %d events, %v", n, line, got, err)
		}
		text[n] = 0 // a hole: what lies behind it was not synced
		if got, err := try(text); err != nil || got != line-1 {
			t.Fatalf("byte %d, in line %d, is a zero: %d events, %v", n, line, got, err)
		}
	}
}

// Of several files the last may end in the middle, or be empty; others are whole, or refused.
func TestDamageOfSeveral(t *testing.T) {
	begun := t.TempDir()
	log := newLog()
	f, err := Open(log, begun, Options{size: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		say(t, log, n, 300) // two in a file
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	paths, err := Files(begun)
	if err != nil || len(paths) != 6 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	cut := func(i int, to int64) func(dir string) error {
		return func(dir string) error { return os.Truncate(filepath.Join(dir, filepath.Base(paths[i])), to) }
	}
	tests := []struct {
		name   string
		damage func(dir string) error
		events int
		want   string
	}{
		{"none", func(string) error { return nil }, 6, ""},
		{"the last is empty", cut(5, 0), 5, ""},
		{"the last has half an event", cut(5, 100), 5, ""},
		{"zeros only", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, fileName(7)), make([]byte, 20_000), 0o600)
		}, 6, ""},
		{"zeros only, twice", func(dir string) error {
			return errors.Join(cut(5, 0)(dir), os.WriteFile(filepath.Join(dir, fileName(7)), make([]byte, 20_000), 0o600))
		}, 5, ""},
		{"others", func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "events-1.jsonl"), nil, 0o600), os.Mkdir(filepath.Join(dir, fileName(9)), 0o700))
		}, 6, ""},
		{"one in between is cut", cut(4, 100), 0, "line 1: is cut off"},
		{"one in between has zeros", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, fileName(5)), []byte("\x00\n"), 0o600)
		}, 0, "line 1: is not an event"},
		{"one is called something else", func(dir string) error {
			return os.Rename(filepath.Join(dir, fileName(6)), filepath.Join(dir, fileName(8)))
		}, 0, "begins with evt_5"},
		{"one is of another trace", func(dir string) error {
			text, err := os.ReadFile(filepath.Join(dir, fileName(4)))
			return errors.Join(err, os.WriteFile(filepath.Join(dir, fileName(6)), text, 0o600))
		}, 0, "line 1: begins with evt_3, and the file before it ends with evt_4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "x")
			copied(t, begun, dir)
			if err := tt.damage(dir); err != nil {
				t.Fatal(err)
			}
			log := newLog()
			f, err := Open(log, dir, Options{size: 1000})
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
					t.Errorf("Open = %v, want %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if next, _ := log.Head(); int(next) != tt.events+1 {
				t.Errorf("the next event is %v", next)
			}
			say(t, log, 7, 300)
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if sum := verified(t, dir); sum.Events != tt.events+1 || sum.Missing != nil {
				t.Errorf("%+v", sum)
			}
		})
	}
}

// Only what the log has room for is read.
func TestReadsTheEndOnly(t *testing.T) {
	dir := t.TempDir()
	log := newLog()
	f, err := Open(log, dir, Options{size: 8000})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 200 {
		say(t, log, n, 300)
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	opened := 0
	f, err = Open(newLog(), dir, Options{size: 8000, open: func(name string, flag int, perm os.FileMode) (disk.File, error) {
		opened++
		return disk.Open(name, flag, perm)
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if opened > 3 {
		t.Errorf("%d files are read", opened)
	}
}

// What says that events are lost is lost itself, because the disk does not take it and there is no room for what comes then: it is said again.
func TestNoticeLost(t *testing.T) {
	dir := t.TempDir()
	log := newLog()
	broken, noticed := false, trace.ID(0) // noticed: from which event on the disk takes nothing
	d := &baddisk.Disk{Fail: func(string) bool {
		next, _ := log.Head()
		return broken || noticed != 0 && next > noticed
	}}
	f, err := Open(log, dir, Options{room: 2000, open: d.Open})
	if err != nil {
		t.Fatal(err)
	}
	sync := func(want error) {
		t.Helper()
		if err := f.Sync(); !errors.Is(err, want) {
			t.Fatalf("Sync = %v, want %v", err, want)
		}
	}
	say(t, log, 1, 300)
	sync(nil)
	broken = true
	for range 40 {
		say(t, log, 2, 1000)
	}
	sync(baddisk.Err)
	for range 40 {
		say(t, log, 3, 1000)
	}
	broken = false
	noticed, _ = log.Head()
	sync(baddisk.Err) // what has room is written, what says the rest is not
	for range 40 {
		say(t, log, 4, 1000)
	}
	noticed = 0
	sync(nil)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	sum := verified(t, dir)
	if len(sum.Missing) < 2 || sum.Unsaid() != nil {
		t.Errorf("%v are missing, of which nobody says %v", sum.Missing, sum.Unsaid())
	}
}

// Whatever fails, and whenever the process is killed, what was synced is there, or an event says that it is lost.
func TestBrokenDisk(t *testing.T) {
	base := t.TempDir()
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		dir := filepath.Join(base, fmt.Sprint(round))
		broken := false
		d := &baddisk.Disk{Fail: func(what string) bool { return broken && rapid.IntRange(0, 2).Draw(t, what) == 0 }}
		o := Options{size: rapid.SampledFrom([]int64{1000, 5000}).Draw(t, "size"), room: rapid.SampledFrom([]int{2000, 1 << 20}).Draw(t, "room"), open: d.Open}
		log := newLog()
		f, err := Open(log, dir, o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		synced := trace.ID(0)
		for n := range rapid.IntRange(1, 12).Draw(t, "steps") {
			for range rapid.IntRange(0, 30).Draw(t, "events") {
				say(t, log, n, rapid.SampledFrom([]int{1, 300, 2000}).Draw(t, "length"))
			}
			broken = rapid.Bool().Draw(t, "broken")
			newest, _ := log.Head()
			if err = f.Sync(); err == nil {
				synced = newest - 1
				if waits := f.Stats(); waits.Waiting != 0 || waits.Unsaved != 0 {
					t.Fatalf("all is synced, and it says %+v", waits)
				}
			} else if !errors.Is(err, baddisk.Err) {
				t.Fatal(err)
			}
			broken = false

			dead := fmt.Sprint(dir, " dead ", n)
			copied(t, dir, dead)
			next := newLog()
			again, err := Open(next, dead, Options{size: o.size})
			if err != nil {
				t.Fatal(err)
			}
			say(t, next, n, 3)
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
			sum := verified(t, dead)
			if sum.Last <= synced {
				t.Fatalf("after step %d the process was killed: %v was synced, there is %+v", n, synced, sum)
			}
			for _, gap := range sum.Unsaid() {
				if gap.First <= synced {
					t.Fatalf("after step %d the process was killed: %v are missing, up to %v was synced", n, gap, synced)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		sum := verified(t, dir)
		lost := int64(0)
		for _, gap := range sum.Lost { // at the beginning, too
			lost += gap.Len()
		}
		next, _ := log.Head()
		if sum.Unsaid() != nil || sum.Last != next-1 || int64(sum.Events)+lost != int64(next-1) {
			t.Fatalf("what was closed is %+v, want up to %v", sum, next-1)
		}
		if s := f.Stats(); s.Lost != lost {
			t.Fatalf("%d are lost, it says %d", lost, s.Lost)
		}
		if o.room == 1<<20 && lost > 0 {
			t.Fatalf("there was room for %d events that are lost", lost)
		}
	})
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var broken atomic.Bool
		d := &baddisk.Disk{Fail: func(what string) bool { return broken.Load() && what != "write" }}
		lines := make(chan string, 20)
		log := trace.New(trace.Options{MaxBytes: 100_000})
		f, err := Open(log, dir, Options{open: d.Open, room: 100_000, Told: func(what string, err error) { lines <- fmt.Sprint(what, ": ", err) }})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.Run(ctx, f.Sync)
		}()
		told := func() (all []string) {
			for len(lines) > 0 {
				all = append(all, <-lines)
			}
			return all
		}
		expect := func(when string, want Stats, events int) {
			t.Helper()
			synctest.Wait()
			if got := f.Stats(); got != want {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
			if sum := verified(t, dir); sum.Events != events {
				t.Errorf("%s: there are %d events, want %d", when, sum.Events, events)
			}
		}
		time.Sleep(time.Hour)
		expect("nothing was said", Stats{}, 0)
		say(t, log, 1, 10)
		time.Sleep(900 * time.Millisecond)
		expect("before a second", Stats{Waiting: 1, Unsaved: 900 * time.Millisecond}, 0)
		time.Sleep(100 * time.Millisecond)
		expect("after a second", Stats{}, 1)
		if all := told(); all != nil {
			t.Errorf("it tells %q", all)
		}
		broken.Store(true)
		say(t, log, 2, 10)
		time.Sleep(3 * time.Second) // it tries after 1 and 1.1, 1.3, 1.7, 2.5
		expect("the disk is broken", Stats{Waiting: 1, Unsaved: 3 * time.Second}, 1)
		if all := told(); len(all) != 5 || !strings.Contains(all[0], "the trace cannot be written to the disk: ") {
			t.Errorf("it tells %q", all)
		}
		for n := range 10 { // of which ten have no room
			say(t, log, n, 50_000)
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if s := f.Stats(); s.Lost < 6 || s.Waiting > 4 {
			t.Errorf("of what has no room it says %+v", s)
		}
		told()
		broken.Store(false)
		time.Sleep(time.Minute)
		lost := f.Stats().Lost
		expect("the disk works again", Stats{Lost: lost}, 13-int(lost)) // with the one that says so
		if all := told(); len(all) != 1 || all[0] != "the trace is written to the disk again: <nil>" {
			t.Errorf("it tells %q", all)
		}
		if sum := verified(t, dir); sum.Unsaid() != nil || len(sum.Lost) != 1 || sum.Lost[0].Len() != lost {
			t.Errorf("%d are lost, the trace says %+v", lost, sum)
		}
		cancel()
		<-ended
		say(t, log, 5, 10)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if sum := verified(t, dir); sum.Events != 14-int(lost) {
			t.Errorf("what was said last is not there: %+v", sum)
		}
	})
}

// Much is written at once.
func TestRunOfMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := trace.New(trace.Options{})
		f, err := Open(log, t.TempDir(), Options{Interval: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go f.Run(ctx, f.Sync)
		for n := range 30 {
			say(t, log, n, 50_000)
		}
		synctest.Wait()
		if s := f.Stats(); s.Waiting > 25 {
			t.Errorf("%+v", s)
		}
	})
}

// Who removes the file that is written, or the folder, takes what was in it, and no more: it is noticed with the next event, which begins another file, and the
// trace says what it lacks.
func TestRemoved(t *testing.T) {
	for _, tt := range []struct {
		name           string
		remove         func(dir string, files []string) error
		first, missing trace.ID // what is there begins with, and how many are missing in between
	}{
		{"the file", func(_ string, files []string) error { return os.Remove(files[len(files)-1]) }, 1, 2},
		{"all files", func(_ string, files []string) error {
			return errors.Join(os.Remove(files[0]), os.Remove(files[1]))
		}, 5, 0},
		{"the folder", func(dir string, _ []string) error { return os.RemoveAll(dir) }, 5, 0},
		{"the folder and that around it", func(dir string, _ []string) error { return os.RemoveAll(filepath.Dir(dir)) }, 5, 0},
		{"the file, by another in its place", func(dir string, files []string) error {
			other := filepath.Join(dir, "other")
			return errors.Join(os.WriteFile(other, []byte("mine"), 0o600), os.Rename(other, files[len(files)-1]))
		}, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "town", "trace")
			log := newLog()
			var told []string
			f, err := Open(log, dir, Options{size: 1000, Told: func(what string, _ error) { told = append(told, what) }})
			if err != nil {
				t.Fatal(err)
			}
			for n := range 4 { // in two files
				say(t, log, n, 200)
			}
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			files, err := Files(dir)
			if err != nil || len(files) != 2 {
				t.Fatal(files, err)
			}
			if err := tt.remove(dir, files); err != nil {
				t.Fatal(err)
			}
			say(t, log, 4, 200)
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			sum := verified(t, dir)
			gone := int64(4)
			if tt.missing > 0 {
				gone = int64(tt.missing)
			}
			if sum.First != tt.first || sum.Last != 6 || len(sum.Unsaid()) > 0 || len(sum.Lost) != 1 || sum.Lost[0] != (trace.Span{First: 5 - trace.ID(gone), Last: 4}) {
				t.Errorf("it has %+v", sum)
			}
			if got := f.Stats(); got.Lost != gone || got.Waiting != 0 || len(told) != 1 {
				t.Errorf("%+v, told %q", got, told)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// slowDisk takes a second for whatever it syncs.
type slowDisk struct{ *os.File }

func (s slowDisk) Sync() error {
	time.Sleep(time.Second)
	return s.File.Sync()
}

// While a disk is slower than what is appended nobody waits for it, no more is held than there is room for, and all that is not there then is said to
// be lost.
func TestSlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const events, size, room = 3000, 1000, 100_000
		dir := t.TempDir()
		log := newLog()
		f, err := Open(log, dir, Options{room: room, open: func(name string, flag int, perm os.FileMode) (disk.File, error) {
			file, err := os.OpenFile(name, flag, perm)
			return slowDisk{file}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.Run(ctx, f.Sync)
		}()
		for n := range events { // half a minute of them
			begun := time.Now()
			say(t, log, n, size)
			if took := time.Since(begun); took > 0 {
				t.Fatalf("event %d took %v", n, took)
			}
			time.Sleep(10 * time.Millisecond)
			if n%100 == 0 {
				if held := log.Len(); held > 2+(room+10_000)/size {
					t.Errorf("after event %d there are %d in memory", n, held)
				}
			}
		}
		cancel()
		<-ended
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		sum, gone := verified(t, dir), int64(0)
		for _, gap := range sum.Lost {
			gone += gap.Len()
		}
		if said := len(sum.Lost); gone == 0 || int64(sum.Events)+gone != int64(events+said) || sum.Unsaid() != nil {
			t.Errorf("of %d events %d are there and %d lost, in %d gaps; not said: %v", events, sum.Events-said, gone, said, sum.Unsaid())
		}
	})
}
