// Package transcript runs the transcripts of a package's tests: archives in testdata, of which each file is
// one conversation, written down with what is to be said back. What its lines mean is the package's own;
// here is what all of them share.
//
//	go test ./mcp -run Transcripts -update    # writes down what is said now
package transcript

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata to what is said now")

// Play plays one side of a script and returns the whole as it went, for comparison. It runs in a bubble of
// testing/synctest. name is that of the file in its archive, and says with which options it is played.
type Play func(t *testing.T, name, script string) string

// Run plays all transcripts, and fails where one goes another way than it is written down; with -update
// it writes that down.
func Run(t *testing.T, play Play) {
	t.Helper()
	each(t, func(file string, archive *txtar.Archive) {
		t.Run(base(file), func(t *testing.T) {
			for i, f := range archive.Files {
				synctest.Test(t, func(t *testing.T) {
					got := play(t, f.Name, string(f.Data))
					if diff := cmp.Diff(string(f.Data), got); diff != "" && !*update {
						t.Errorf("%s, %s (-want +got):\n%s", file, f.Name, diff)
					}
					archive.Files[i].Data = []byte(got)
				})
			}
			if !*update {
				return
			}
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	})
}

// Again plays those transcripts that fit over another transport, where they have to go as they are
// written down, to the letter. It fails if fewer than least fit.
func Again(t *testing.T, least int, fits func(name, script string) bool, play Play) {
	t.Helper()
	played := 0
	each(t, func(file string, archive *txtar.Archive) {
		for _, f := range archive.Files {
			script := string(f.Data)
			if !fits(f.Name, script) {
				continue
			}
			played++
			t.Run(base(file)+" "+f.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					if diff := cmp.Diff(script, play(t, f.Name, script)); diff != "" {
						t.Errorf("(-as written +here):\n%s", diff)
					}
				})
			})
		}
	})
	if played < least {
		t.Errorf("only %d transcripts were played", played)
	}
}

// Lines returns the rest of all lines in the transcripts that begin with prefix, each once.
func Lines(tb testing.TB, prefix string) (lines []string) {
	tb.Helper()
	known := map[string]bool{}
	each(tb, func(_ string, archive *txtar.Archive) {
		for _, f := range archive.Files {
			for line := range strings.Lines(string(f.Data)) {
				text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), prefix)
				if ok && !known[text] {
					known[text] = true
					lines = append(lines, text)
				}
			}
		}
	})
	return lines
}

func each(tb testing.TB, do func(file string, archive *txtar.Archive)) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		do(file, archive)
	}
}

func base(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txtar") }
