package durable

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

	"github.com/limina-mcp/limina/internal/disk/baddisk"
	"github.com/limina-mcp/limina/world"
)

// sample is a world with something of each kind of state.
type sample struct {
	*world.World
	secrets *world.Component[string]
	rows    *world.Table[string, int]
	saved   *world.Table[string, int]
	global  *world.Global[float64]
	states  [][32]byte // its ContentHash after each commit
}

func newSample() *sample {
	w := world.New(world.Config{Seed: 7})
	s := &sample{
		World:   w,
		secrets: world.NewComponent[string](w, "secret", world.Private),
		rows:    world.NewTable[string, int](w, "rows", 0),
		saved:   world.NewTable[string, int](w, "saved", 0, world.Private, world.Lasting),
		global:  world.NewGlobal(w, "global", 1.0),
	}
	s.note()
	return s
}

func (s *sample) note() {
	s.View(func(v *world.View) { s.states = append(s.states, v.ContentHash()) })
}

// change makes the n-th commit, of something that depends on n only.
func (s *sample) change(t rapid.TB, n int) {
	t.Helper()
	_, err := s.Update(context.Background(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Name: fmt.Sprint("thing ", n), Position: world.Vec3{float64(n), 1.5, -2}})
		if err != nil {
			return err
		}
		if old := id - 3; n%3 == 0 && tx.Exists(old) {
			tx.Destroy(old)
		}
		tx.Rand().Uint64()
		return errors.Join(
			s.secrets.Set(tx, id, `a "secret"`), s.global.Set(tx, float64(n)), s.rows.Set(tx, fmt.Sprint(n%5), int(s.rows.Next(tx))),
			s.saved.Set(tx, "n", n),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	if n%4 == 0 {
		_, _ = s.Update(context.Background(), func(tx *world.Tx) error { s.rows.Delete(tx, "0"); return nil })
	}
	s.note()
}

// copied is a folder as it would be if the process were killed now.
func copied(t rapid.TB, dir, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, text)
}

func write(t rapid.TB, dir string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, fileName), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// opened is what a folder holds, opened by a process of its own.
func opened(t testing.TB, dir string) *sample {
	t.Helper()
	s := newSample()
	store, err := Open(s.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return s
}

func TestCloseKeepsEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of", "mine")
	s := newSample()
	s.change(t, 0) // before there is a store
	store, err := Open(s.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.change(t, 1)
	for range 3 {
		s.change(t, 2)
		s.Step(t.Context())
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Errorf("to close again fails: %v", err)
		}
		if err := store.Sync(); err == nil {
			t.Error("a closed store syncs")
		}
		next := newSample()
		store, err = Open(next.World, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Hash() != next.Hash() {
			t.Fatal("the world has another hash when it is opened again")
		}
		s = next
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// Who is killed has all that was synced; neither ticks nor ids that may have been told are given again.
func TestKilled(t *testing.T) {
	dir, dead := t.TempDir(), t.TempDir()
	s := newSample()
	store, err := Open(s.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s.change(t, 1)
	s.change(t, 2)
	if err := store.Sync(); err != nil {
		t.Fatal(err)
	}
	copied(t, dir, dead)
	s.change(t, 3)

	n, told := newSample(), ""
	other, err := Open(n.World, dead, Options{Told: func(what string, _ error) { told = what }})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if !strings.Contains(told, "was not closed") {
		t.Errorf("it tells %q", told)
	}
	n.note()
	if n.states[1] != s.states[2] {
		t.Error("it is not the world that was synced")
	}
	if n.Tick() <= s.Tick() {
		t.Errorf("the world goes on at tick %d, and was at %d when it was killed", n.Tick(), s.Tick())
	}
	s.View(func(before *world.View) {
		n.View(func(now *world.View) {
			if now.NextID() <= before.NextID() {
				t.Errorf("the next entity is %s, and would have been %s", now.NextID(), before.NextID())
			}
		})
	})
	n.change(t, 4) // ids that were left out do no harm
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	store, err := Open(newSample().World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, patience := range []time.Duration{-1, time.Millisecond} {
		if _, err := Open(newSample().World, dir, Options{Patience: patience}); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("a second store gets the error %v", err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	opened(t, dir)
}

// Who opens a folder while another process is ending waits for it.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := newSample()
		ending, err := Open(s.World, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.change(t, 1)
		closed := make(chan error)
		go func() {
			time.Sleep(3 * time.Second)
			closed <- ending.Close()
		}()
		n := newSample()
		go func() {
			if err := <-closed; err != nil {
				t.Error(err)
			}
		}()
		store, err := Open(n.World, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n.Hash() != s.Hash() {
			t.Error("it is another world")
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A file that ends anywhere is a world as it was after one of its commits, the newest of which all is there, and
// one that differs in any byte is such a world or refused. Either way nobody gets another world.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	s := newSample()
	store, err := Open(s.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		s.change(t, n)
		if err := store.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	first := strings.Index(string(whole), `,"whole":true}`) + len(`,"whole":true}`) + 1
	seen := map[[32]byte]int{}
	try := func(what string, text []byte) (state [32]byte, err error) {
		write(t, dir, text)
		n := newSample()
		store, err := Open(n.World, dir, Options{})
		if err != nil {
			if left, _ := os.ReadFile(path); !slices.Equal(left, text) {
				t.Fatalf("%s: a file that was refused was changed", what)
			}
			return state, err
		}
		n.note()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		state = n.states[1]
		if !slices.Contains(s.states, state) {
			t.Fatalf("%s: this is another world", what)
		}
		seen[state]++
		return state, nil
	}
	for n := range whole {
		what := fmt.Sprintf("the first %d bytes", n)
		if _, err := try(what, whole[:n]); (err != nil) != (n < first) {
			t.Fatalf("%s, of which %d hold the world as it was first: %v", what, first, err)
		}
	}
	if len(seen) < 3 {
		t.Errorf("only %d worlds were seen", len(seen))
	}
	newest := s.states[len(s.states)-1]
	last := strings.LastIndexByte(strings.TrimSuffix(string(whole), "\n"), '\n')
	for n := 0; n < len(whole); n += 3 {
		text := slices.Clone(whole)
		text[n] ^= 4
		state, err := try(fmt.Sprintf("byte %d is another", n), text)
		if err == nil && (n < last || state == newest) { // of the last line, and of what ends the one before, it may be that it was not written to its end
			t.Fatalf("that byte %d is another is not seen", n)
		}
	}
}

func (s *Store) anewNow() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writeAnew()
}

// Whatever fails, and whenever the process is killed, what was synced is there.
func TestBrokenDisk(t *testing.T) {
	base := t.TempDir()
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		dir := filepath.Join(base, fmt.Sprint(round))
		broken := false
		d := &baddisk.Disk{Fail: func(what string) bool { return broken && rapid.IntRange(0, 2).Draw(t, what) == 0 }}
		s := newSample()
		store, err := Open(s.World, dir, Options{open: d.Open})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		least := 0 // of s.states, what is to be there
		for n := range rapid.IntRange(1, 12).Draw(t, "steps") {
			for range rapid.IntRange(0, 2).Draw(t, "commits") {
				s.change(t, n)
			}
			broken = rapid.Bool().Draw(t, "broken")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				err = store.anewNow()
			default:
				err = store.Sync()
			}
			if err == nil {
				least = len(s.states) - 1
			} else if !errors.Is(err, baddisk.Err) {
				t.Fatal(err)
			}
			broken = false

			dead := fmt.Sprint(dir, " dead ", n)
			copied(t, dir, dead)
			after := newSample()
			again, err := Open(after.World, dead, Options{})
			if err != nil {
				t.Fatal(err)
			}
			after.note()
			if !slices.Contains(s.states[least:], after.states[1]) {
				t.Fatalf("after step %d the process was killed: what was synced is lost, or it is another world", n)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		after := newSample()
		again, err := Open(after.World, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if after.Hash() != s.Hash() {
			t.Fatal("what was closed is another world")
		}
	})
}

// However often something changes, and however often the world is opened, the file is not much larger than the world.
func TestSize(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 100_000)
	var hash [32]byte
	for round := range 5 {
		s := newSample()
		store, err := Open(s.World, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 40 {
			_, err := s.Update(t.Context(), func(tx *world.Tx) error {
				if tx.Len() == 0 {
					if _, err := tx.Create(world.Spec{}); err != nil {
						return err
					}
				}
				return s.secrets.Set(tx, 1, fmt.Sprint(round, n, long))
			})
			if err := errors.Join(err, store.Sync()); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, fileName))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > small+small/4 {
			t.Errorf("when it was opened for the %d. time a world of 0.1 MB has a file of %d bytes", round+1, info.Size())
		}
		hash = s.Hash()
	}
	if now := opened(t, dir); now.Hash() != hash {
		t.Error("it is another world")
	}
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var broken atomic.Bool
		d := &baddisk.Disk{Fail: func(string) bool { return broken.Load() }}
		lines := make(chan string, 10)
		s := newSample()
		store, err := Open(s.World, dir, Options{Interval: time.Second, open: d.Open, Told: func(what string, err error) { lines <- fmt.Sprint(what, ": ", err) }})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			store.Run(ctx)
		}()
		told := func() (all []string) {
			for len(lines) > 0 {
				all = append(all, <-lines)
			}
			return all
		}
		size := func() int64 {
			store.mu.Lock()
			defer store.mu.Unlock()
			return store.size
		}
		expect := func(when string, unsaved time.Duration, grown bool, before int64) {
			t.Helper()
			synctest.Wait()
			if got := store.Unsaved(); got != unsaved {
				t.Errorf("%s: unsaved for %v, want %v", when, got, unsaved)
			}
			if now := size(); (now > before) != grown {
				t.Errorf("%s: the file has %d bytes, and had %d", when, now, before)
			}
		}
		time.Sleep(time.Hour)
		expect("nothing was changed", 0, false, size())
		before := size()
		s.change(t, 1)
		synctest.Wait()
		time.Sleep(900 * time.Millisecond)
		s.change(t, 2)
		expect("before a second", 900*time.Millisecond, false, before)
		time.Sleep(100 * time.Millisecond)
		expect("after a second", 0, true, before)
		if all := told(); all != nil {
			t.Errorf("it tells %q", all)
		}

		broken.Store(true)
		before = size()
		s.change(t, 3)
		for _, tt := range []struct {
			after time.Duration
			stuck bool
		}{{4 * time.Second, false}, {2 * time.Second, true}, {4 * time.Second, true}} { // it tries after 1, 3, 7 and 15
			time.Sleep(tt.after)
			synctest.Wait()
			if err := store.Stuck(); (err != nil) != tt.stuck || tt.stuck && !errors.Is(err, baddisk.Err) {
				t.Errorf("%v later it is stuck by %v, want %v", tt.after, err, tt.stuck)
			}
		}
		expect("the disk is broken", 10*time.Second, false, before)
		if all := told(); len(all) != 3 || !strings.Contains(all[0], "cannot be written to the disk: ") || !strings.Contains(all[0], baddisk.Err.Error()) {
			t.Errorf("it tells %q", all)
		}
		broken.Store(false)
		time.Sleep(5 * time.Second)
		expect("the disk works again", 0, true, before)
		if err := store.Stuck(); err != nil {
			t.Errorf("it is stuck still: %v", err)
		}
		if all := told(); !slices.Equal(all, []string{"the world is written to the disk again: <nil>"}) {
			t.Errorf("it tells %q", all)
		}
		cancel()
		<-ended
		s.change(t, 5)
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		if now := opened(t, dir); now.Hash() != s.Hash() {
			t.Error("it is another world")
		}
	})
}

// A change is written soon, and what changes all the time not more often than it is worth.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSample()
		store, err := Open(s.World, t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go store.Run(ctx)
		s.change(t, 1)
		for _, tt := range []struct {
			bytes int
			waits time.Duration // whatever comes after so much
		}{{0, 100 * time.Millisecond}, {pace / 2, 500 * time.Millisecond}, {5 * pace, time.Second}, {0, 100 * time.Millisecond}} {
			_, err := s.Update(ctx, func(tx *world.Tx) error { return s.secrets.Set(tx, 1, strings.Repeat("x", tt.bytes)) })
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			begun := time.Now()
			s.change(t, 2)
			synctest.Wait()
			for store.Unsaved() > 0 || begun.Equal(time.Now()) {
				time.Sleep(10 * time.Millisecond)
				synctest.Wait()
			}
			if waits := time.Since(begun).Round(100 * time.Millisecond); waits != tt.waits {
				t.Errorf("after %d bytes a change waits %v to be written, want %v", tt.bytes, waits, tt.waits)
			}
			time.Sleep(time.Minute)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	line := func(text string) string {
		return string(appendLine(nil, func(dst []byte) []byte { return append(dst, text...) }))
	}
	const image = `{"image":{"tick":1,"random":"` // … and so on
	head := line(`{"format":"limina world","version":1}`)
	tests := []struct{ name, text, want string }{
		{"an empty file", "", "is empty"},
		{"something else", "{}\n", "no world"},
		{"another format", line(`{"format":"a song","version":1}`), "no world"},
		{"a newer version", line(`{"format":"limina world","version":2}`), "version 2, and this program reads 1"},
		{"no JSON", head + line(`{`), "line 2"},
		{"a line in between", head + "oops\n" + line(`{"ended":true}`), "line 2 is damaged"},
		{"two files put together", head + line(image+random(t)+`"},"whole":true}`) + head + line(image+random(t)+`"},"whole":true}`), "line 3: another file begins here"},
		{"half a world", head + line(image+random(t)+`"}}`), "in the middle"},
		{"state of others", head + line(image+random(t)+`","globals":{"moods":1}},"whole":true}`), "knows no moods"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, []byte(tt.text))
			_, err := Open(newSample().World, dir, Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), filepath.Join(dir, fileName)) {
				t.Errorf("the error is %v, want one that names the file and has %q", err, tt.want)
			}
			if text, _ := os.ReadFile(filepath.Join(dir, fileName)); string(text) != tt.text {
				t.Error("what was refused was changed")
			}
			if err := os.Remove(filepath.Join(dir, fileName)); err != nil {
				t.Fatal(err)
			}
			opened(t, dir) // it is free
		})
	}
	t.Run("a folder that is a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(newSample().World, path, Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("the error is %v", err)
		}
	})
}

// A world is checked while another process has it, also where a line is on its way to the disk. What can be opened is found good, and what cannot is not.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	if _, err := Check(newSample().World, dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of an empty folder: %v", err)
	}
	s := newSample()
	store, err := Open(s.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.change(t, 1)
	if err := store.Sync(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for torn := range 3 {
		write(t, dir, append(slices.Clone(text), "0123"[:torn]...))
		n := newSample()
		found, err := Check(n.World, dir)
		if err != nil || found.New || found.Closed || found.Tick != s.Tick() || found.Torn != int64(torn) {
			t.Errorf("it has found %+v, %v", found, err)
		}
		if n.Hash() != s.Hash() {
			t.Error("it is another world")
		}
	}
	write(t, dir, text)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if found, err := Check(newSample().World, dir); err != nil || !found.Closed {
		t.Errorf("it has found %+v, %v", found, err)
	}
	if text, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	write(t, dir, text)
	if _, err := Check(newSample().World, dir); err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("of what is damaged: %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(text) {
		t.Error("it was changed")
	}
}

// What was written anew, and has not taken the place of a file that is gone, may be all that there is of a world: it is kept. Where the file is there it is nothing.
func TestWrittenAnewIsKept(t *testing.T) {
	for _, gone := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, fileName)
		store, err := Open(newSample().World, dir, Options{})
		if err == nil {
			err = store.Close()
		}
		text, unread := os.ReadFile(path)
		if err = errors.Join(err, unread); err == nil {
			err = os.WriteFile(path+".new", text, 0o600)
		}
		if err == nil && gone {
			err = os.Remove(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		store, err = Open(newSample().World, dir, Options{Told: func(what string, _ error) { told += what }})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(path + ".new.aside1")
		if (err == nil) != gone || gone && string(kept) != string(text) {
			t.Errorf("the file is gone: %v, and what was written anew: %v", gone, err)
		}
		if strings.Contains(told, path+".new was found, and no world: it is "+path+".new.aside1 now") != gone {
			t.Errorf("the file is gone: %v, and it is told %q", gone, told)
		}
		if _, err := os.Lstat(path + ".new"); err == nil {
			t.Error("it is there still")
		}
	}
}

// A world that is kept somewhere is not kept anywhere else as well, and does not become what is there.
func TestOpenOfAWorldThatIsKept(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other")
	for _, full := range []bool{false, true} {
		s := newSample()
		store, err := Open(s.World, t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := s.Hash()
		if _, err := Open(s.World, other, Options{}); err == nil || !strings.Contains(err.Error(), "written down already") {
			t.Errorf("the error is %v", err)
		}
		if s.Hash() != before {
			t.Error("the world was changed")
		}
		if _, err := os.Stat(filepath.Join(other, fileName)); (err == nil) != full {
			t.Errorf("the file that was not to be touched: %v", err)
		}
		next := newSample()
		keeps, err := Open(next.World, other, Options{Patience: -1})
		if err != nil {
			t.Fatal(err) // it is free
		}
		next.change(t, 0)
		if err := errors.Join(store.Close(), keeps.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// random is a state of the random source as an image has it.
func random(t *testing.T) string {
	t.Helper()
	w := newSample().World
	tracker, err := w.Track()
	if err != nil {
		t.Fatal(err)
	}
	text := string(tracker.Append(nil))
	_, text, _ = strings.Cut(text, `"random":"`)
	text, _, _ = strings.Cut(text, `"`)
	return text
}

// TestIDsAfterAKill holds that no id is given again that a process has given which was killed, however many it has made since it last wrote.
func TestIDsAfterAKill(t *testing.T) {
	dir, copied := t.TempDir(), t.TempDir()
	s := newSample()
	const reserve = 1000
	store, err := Open(s.World, dir, Options{reserve: reserve})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	create := func(n int) error {
		_, err := s.Update(t.Context(), func(tx *world.Tx) error {
			for range n {
				id, err := tx.Create(world.Spec{})
				if err != nil {
					return err
				}
				tx.Destroy(id)
			}
			return nil
		})
		return err
	}
	made := 0
	const many = 70
	for create(many) == nil {
		if made += many; made > 2*reserve {
			t.Fatalf("%d were made, and nothing is written", made)
		}
	}
	if made < reserve/2 {
		t.Errorf("no more than %d can be made", made)
	}
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil { // as it is when the process is killed
		t.Fatal(err)
	}
	var next world.ID
	again := newSample()
	after, err := Open(again.World, copied, Options{reserve: reserve})
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	again.View(func(v *world.View) { next = v.NextID() })
	if next <= world.ID(made) {
		t.Errorf("%v comes next after %d were given", next, made)
	}
	if err := store.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := create(many); err != nil {
		t.Errorf("all is written, and no more can be made: %v", err)
	}
}

// TestTakenByWhom: who has to wait for a folder is told at once who has it, and so is who is refused.
func TestTakenByWhom(t *testing.T) {
	dir := t.TempDir()
	store, err := Open(world.New(world.Config{}), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	o := Options{Patience: time.Millisecond, Told: func(what string, _ error) { told = append(told, what) }}
	_, err = Open(world.New(world.Config{}), dir, o)
	by := fmt.Sprintf("another process keeps its world there (pid %d)", os.Getpid())
	if !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), by) {
		t.Errorf("%v, want %s", err, by)
	}
	if len(told) != 1 || !strings.Contains(told[0], fmt.Sprintf("another process (pid %d) has the world that is kept there", os.Getpid())) {
		t.Errorf("told %q", told)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// TestLinkedFile: a world's file that is a symbolic link is refused, and left alone.
func TestLinkedFile(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	store, err := Open(world.New(world.Config{}), elsewhere, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(elsewhere, fileName), filepath.Join(dir, fileName)); err != nil {
		t.Skip(err)
	}
	if _, err := Open(world.New(world.Config{}), dir, Options{}); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
		t.Errorf("it is opened: %v", err)
	}
	if _, err := os.Readlink(filepath.Join(dir, fileName)); err != nil {
		t.Error(err)
	}
}
