package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/trace/folder"
)

// zeroed puts zeros into a file in place of n bytes from at on, from its end if that is below 0.
func zeroed(t *testing.T, path string, at, n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		if at < 0 {
			at += len(text)
		}
		clear(text[at : at+n])
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamageAfterTheEnd holds that a world which was closed in order, and of which something cannot be read, is refused, and nothing of it changed: no part of
// it was on its way to the disk. What to do is told, and does.
func TestDamageAfterTheEnd(t *testing.T) {
	cutOff := func(k lives, text string) error {
		var size int64
		_, number, _ := strings.Cut(text, "(truncate -s ")
		if _, err := fmt.Sscanf(number, "%d)", &size); err != nil {
			return err
		}
		return os.Truncate(k.file(), size)
	}
	for _, tt := range []struct {
		name   string
		damage func(k lives, trace string)
		want   string // in the error
		cure   func(k lives, text string) error
	}{
		{
			"the last line of the world", func(k lives, _ string) { zeroed(k.T, k.file(), -40, 30) }, "is damaged: it was closed in order, and the last", cutOff,
		},
		{"two lines of the world", func(k lives, _ string) {
			zeroed(k.T, k.file(), -40, 1)
			zeroed(k.T, k.file(), before(k.T, k.file()), 1)
		}, "is damaged, and others come after it: put a copy of the file in its place, or, to go on with the world as it was before that line, at tick 0, cut it off behind byte ", cutOff},
		{"the world as it was first", func(k lives, _ string) { zeroed(k.T, k.file(), 80, 1) }, "and others come after it: put a copy of the file in its place, or take it away", func(k lives, _ string) error { return os.Remove(k.file()) }},
		{"all of the world", func(k lives, _ string) { zeroed(k.T, k.file(), 0, 20) }, "or its beginning is damaged: put a copy of the file in its place", func(k lives, _ string) error { return os.Remove(k.file()) }},
		{"a byte of the trace", func(k lives, trace string) { zeroed(k.T, trace, 700, 1) }, "(put a copy of the file in its place, or take the folder away", func(k lives, _ string) error {
			return os.RemoveAll(folder.Of(k.dir))
		}},
		{"the first line of the trace", func(k lives, trace string) { zeroed(k.T, trace, 3, 1) }, "line 1: is not an event in the form that the log writes", func(k lives, _ string) error { return os.RemoveAll(folder.Of(k.dir)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := lives{t, t.TempDir()}
			k.makes(engine.Config{}, 12, false)
			files, err := folder.Files(folder.Of(k.dir))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			tt.damage(k, files[0])
			before := contentsOf(t, k.dir)
			var log bytes.Buffer
			e, err := engine.New(engine.Config{Rigid: true, Logger: zerolog.New(zerolog.SyncWriter(&log))})
			if err != nil {
				t.Fatal(err)
			}
			err = e.Keep(k.dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), k.dir) {
				t.Fatalf("got %v, want %s", err, tt.want)
			}
			if contentsOf(t, k.dir) != before {
				t.Error("what is damaged was changed")
			}
			if log.Len() > 0 {
				t.Errorf("of what is refused the log says something else: %s", log.String())
			}
			if err := tt.cure(k, err.Error()); err != nil {
				t.Fatal(err)
			}
			k.makes(engine.Config{}, 1, false)
		})
	}
}

// before returns where a byte of the last line but one of a file is.
func before(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.LastIndexByte(text[:len(text)-1], '\n') - 5
}

// TestTornAfterTheEnd holds that a line which a later process has not written to its end is none of that damage, whether that process kept a trace or not.
func TestTornAfterTheEnd(t *testing.T) {
	for _, later := range []engine.Config{{}, {TraceKeep: -1}} {
		for _, lines := range []int{0, 1, 2} { // of its own that the process has written before
			k := lives{t, t.TempDir()}
			k.makes(engine.Config{}, 3, false)
			before, err := os.ReadFile(k.file())
			if err != nil {
				t.Fatal(err)
			}
			k.makes(later, 3, false)
			after, err := os.ReadFile(k.file())
			if err != nil {
				t.Fatal(err)
			}
			own := bytes.SplitAfter(after[len(before):], []byte("\n"))
			text := bytes.Join(append([][]byte{before}, own[:lines]...), nil)
			text = append(text, own[lines][:len(own[lines])/2]...)
			if err := os.WriteFile(k.file(), text, 0o600); err != nil {
				t.Fatal(err)
			}
			if later.TraceKeep == 0 { // the trace of one that was killed does not say that it has ended
				cut(t, k.dir)
			}
			k.makes(engine.Config{}, 1, false)
		}
	}
}

func contentsOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"world.jsonl", "trace/*"} {
		paths, _ := filepath.Glob(filepath.Join(dir, name))
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "%s\n%s", path, text)
		}
	}
	return all.String()
}

// TestDroppedIsKept holds that whole lines of a trace which a machine that stopped has left behind zeros are kept beside it, and told.
func TestDroppedIsKept(t *testing.T) {
	k := lives{t, t.TempDir()}
	k.makes(engine.Config{}, 12, true)
	files, err := folder.Files(folder.Of(k.dir))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	zeroed(t, files[0], 700, 40)
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	logger := zerolog.New(zerolog.SyncWriter(&log))
	e := town(t, k.dir, engine.Config{Logger: logger})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(files[0] + ".cut*")
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	dropped, err := os.ReadFile(kept[0])
	if err != nil || !bytes.HasSuffix(whole, dropped) || bytes.Count(dropped, []byte("\n")) < 5 {
		t.Errorf("%d of %d bytes are kept: %v", len(dropped), len(whole), err)
	}
	if want := fmt.Sprintf("the last %d bytes are not whole, as after a machine has stopped, and are not taken; they are kept in %s", len(dropped), kept[0]); !strings.Contains(log.String(), want) {
		t.Errorf("the log has %s, want %s", log.String(), want)
	}
	told(t, k.dir)
}

// TestOlderIsTold holds that the log says of a world that was closed in order when less of it is there by now, wherever a whole line of it ends.
func TestOlderIsTold(t *testing.T) {
	k := lives{t, t.TempDir()}
	k.makes(engine.Config{}, 3, false)
	k.makes(engine.Config{}, 3, false)
	text, err := os.ReadFile(k.file())
	if err != nil {
		t.Fatal(err)
	}
	opens := func() string {
		var log bytes.Buffer
		if err := town(t, k.dir, engine.Config{Logger: zerolog.New(zerolog.SyncWriter(&log))}).Close(); err != nil {
			t.Fatal(err)
		}
		return log.String()
	}
	whole := t.TempDir()
	if err := os.CopyFS(whole, os.DirFS(k.dir)); err != nil {
		t.Fatal(err)
	}
	back := func() {
		if err := errors.Join(os.RemoveAll(k.dir), os.CopyFS(k.dir, os.DirFS(whole))); err != nil {
			t.Fatal(err)
		}
	}
	seen := 0
	for end := bytes.Index(text, []byte(`"whole":true`)); ; {
		if end += bytes.IndexByte(text[end:], '\n') + 1; end == len(text) {
			break
		}
		back()
		if err := os.WriteFile(k.file(), text[:end], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := opens(); strings.Contains(got, "and its trace tells of it up to tick 6: an older file was put in its place, or the end of the file is gone") {
			seen++
		} else if !strings.Contains(got, "was not closed") {
			t.Errorf("of %d bytes of %d the log has %s", end, len(text), got)
		}
	}
	if seen < 3 {
		t.Errorf("of %d worlds that were older it was told", seen)
	}
	back()
	if got := opens(); got != "" {
		t.Errorf("of all of it the log has %s", got)
	}
	if err := os.Remove(k.file()); err != nil {
		t.Fatal(err)
	}
	if got, want := opens(), "there is no world, and its trace tells of one up to tick 6"; !strings.Contains(got, want) {
		t.Errorf("of none the log has %s, want %s", got, want)
	}
}

// TestEndOfTheTraceIsTakenAway holds that a trace whose end somebody, or the disk, has taken away is not taken for a whole one: the log says so, and an event which are gone, whose ids are not given again.
func TestEndOfTheTraceIsTakenAway(t *testing.T) {
	for _, killed := range []bool{false, true} {
		k := lives{t, t.TempDir()}
		k.makes(engine.Config{}, 3, false)
		k.makes(engine.Config{}, 12, killed)
		files, err := folder.Files(folder.Of(k.dir))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		before := bytes.Count(text, []byte("\n"))
		for _, lines := range []int{1, 4, 9} { // of the first process, all of it, some of the next
			home := t.TempDir()
			cut := bytes.Join(bytes.SplitAfter(text, []byte("\n"))[:lines], nil)
			cut = append(cut, text[len(cut):len(cut)+20]...)
			if err := errors.Join(os.CopyFS(home, os.DirFS(k.dir)), os.WriteFile(filepath.Join(folder.Of(home), filepath.Base(files[0])), cut, 0o600)); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			if err := town(t, home, engine.Config{Logger: zerolog.New(zerolog.SyncWriter(&log))}).Close(); err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("the trace lacks evt_%d to evt_", lines); !strings.Contains(log.String(), want) {
				t.Errorf("killed: %v: with %d events of %d the log has %s, want %s", killed, lines, before, log.String(), want)
			}
			_, all := told(t, home)
			if len(all.Missing) != 1 || all.Unsaid() != nil || int(all.Missing[0].First) != lines+1 || int(all.Missing[0].Last) < before-2 {
				t.Errorf("killed: %v: with %d events of %d the trace lacks %v, and says %v", killed, lines, before, all.Missing, all.Lost)
			}
			k := lives{t, home}
			k.makes(engine.Config{}, 1, false)
			if _, again := told(t, home); len(again.Missing) != 1 {
				t.Errorf("once more the trace lacks %v", again.Missing)
			}
		}
	}
}

// TestTraceIsTakenAway holds that one who takes the folder of the trace away has a new one, which a kill does not make lack what the old one had.
func TestTraceIsTakenAway(t *testing.T) {
	k := lives{t, t.TempDir()}
	k.makes(engine.Config{}, 12, false)
	if err := os.RemoveAll(folder.Of(k.dir)); err != nil {
		t.Fatal(err)
	}
	e := town(t, k.dir, engine.Config{})
	if err := e.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	dead := t.TempDir()
	if err := os.CopyFS(dead, os.DirFS(k.dir)); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{k.dir, dead} {
		k := lives{t, dir}
		k.makes(engine.Config{}, 1, false)
		if _, all := told(t, dir); all.First != 1 || all.Missing != nil {
			t.Errorf("the new trace begins with %v, and lacks %v", all.First, all.Missing)
		}
	}
}
