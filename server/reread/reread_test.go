package reread_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/server/reread"
)

// What is written into a file, put in its place, or in the place that a link leads to is read, once, and not before whoever writes it seems to be done.
func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		write := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		move := func(from, to string) {
			t.Helper()
			if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
		}
		var mu sync.Mutex // guards what follows
		var read []string
		var failures []error
		bad := errors.New("bad")
		write("file", "one")
		f := reread.Look(path)
		go f.Run(t.Context(), func() error {
			text, err := os.ReadFile(path)
			mu.Lock()
			defer mu.Unlock()
			read = append(read, string(text))
			if strings.HasPrefix(string(text), "bad") {
				return bad
			}
			return err
		}, func(err error) {
			mu.Lock()
			defer mu.Unlock()
			failures = append(failures, err)
		})
		is := func(what string, want ...string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(read, want) {
				t.Errorf("%s: read %q, want %q", what, read, want)
			}
			read = nil
		}
		time.Sleep(time.Minute)
		is("nothing has changed")
		write("file", "one and tw")
		time.Sleep(1500 * time.Millisecond)
		is("it was changed a moment ago")
		write("file", "one and two")
		time.Sleep(1000 * time.Millisecond)
		is("it was changed again")
		time.Sleep(time.Minute)
		is("it was changed", "one and two")
		write("new", "one and 2!!")
		move("new", "file")
		time.Sleep(3 * time.Second)
		is("another took its place", "one and 2!!")
		write("file", "bad")
		time.Sleep(time.Minute)
		is("it is bad", "bad")
		mu.Lock()
		failed := slices.Clone(failures)
		mu.Unlock()
		if len(failed) != 1 || !errors.Is(failed[0], bad) {
			t.Errorf("failures %v", failed)
		}
		move("file", "gone")
		time.Sleep(time.Minute)
		is("it has gone", "")
		write("target", "linked")
		if err := os.Symlink("target", path); err != nil {
			t.Skip("no links here: ", err)
		}
		time.Sleep(time.Minute)
		is("a link came", "linked")
		write("other", "LINKED")
		move("other", "target")
		time.Sleep(time.Minute)
		is("the link leads elsewhere", "LINKED")
	})
}
