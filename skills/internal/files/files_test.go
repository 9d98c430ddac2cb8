package files_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
)

// folder returns a new folder and what names it, and the files in it as "name: content".
func folder(t *testing.T) (root *os.Root, list func() []string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root, func() (found []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			found = append(found, fmt.Sprintf("%s: %s%v", e.Name(), text, errors.Unwrap(err)))
		}
		return found
	}
}

// text is a file that says something, and then fails, if it does.
func text(name, content string, err error) files.File {
	return files.File{Name: name, Write: func(w io.Writer) error {
		_, failed := io.WriteString(w, content)
		return errors.Join(failed, err)
	}}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	root, list := folder(t)
	check := func(want ...string) {
		t.Helper()
		if got := list(); !slices.Equal(got, want) {
			t.Errorf("there is %q, want %q", got, want)
		}
	}
	if err := files.Replace(root, text("a", "1", nil), text("b", "2", nil)); err != nil {
		t.Error(err)
	}
	check("a: 1<nil>", "b: 2<nil>")
	if err := files.Replace(root, text("a", "longer", nil)); err != nil {
		t.Error(err)
	}
	check("a: longer<nil>", "b: 2<nil>")

	// What fails leaves all of what was there.
	broken := errors.New("broken")
	if err := files.Replace(root, text("a", "3", nil), text("b", "4", broken)); !errors.Is(err, broken) {
		t.Errorf("Replace = %v", err)
	}
	check("a: longer<nil>", "b: 2<nil>")
	if err := root.Mkdir("c", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := files.Replace(root, text("c", "5", nil)); err == nil || !strings.HasPrefix(err.Error(), "the server cannot write the file c: ") || strings.Contains(err.Error(), "part") {
		t.Errorf("Replace of a folder: %v", err)
	}
	if err := files.Replace(root, text(strings.Repeat("long", 100), "6", nil)); err == nil || !strings.Contains(err.Error(), "name too long; only its operator") {
		t.Errorf("Replace of a long name: %v", err)
	}
	if got := list(); len(got) != 3 {
		t.Errorf("there is %q", got)
	}
}

// Who writes at the same time gets whole files.
func TestReplaceAtOnce(t *testing.T) {
	t.Parallel()
	root, list := folder(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			content := strings.Repeat(string(rune('a'+i)), 100_000)
			if err := files.Replace(root, text("same", content, nil)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := list()
	if len(got) != 1 {
		t.Fatalf("there are %d files", len(got))
	}
	content := strings.TrimSuffix(strings.TrimPrefix(got[0], "same: "), "<nil>")
	if content != strings.Repeat(content[:1], 100_000) {
		t.Errorf("there are %d bytes of more than one", len(content))
	}
}

// TestAbandoned writes a file where processes were stopped while they wrote it: what is old of that goes, and nothing else.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	root, list := folder(t)
	for name, age := range map[string]time.Duration{
		".a.json.AAAAAAAA.part": 2 * time.Hour, ".a.json.BBBBBBBB.part": time.Minute, ".b.json.CCCCCCCC.part": 2 * time.Hour,
		".a.json.notes.part": 2 * time.Hour, "a.json.DDDDDDDD.part": 2 * time.Hour,
	} {
		if err := errors.Join(root.WriteFile(name, nil, 0o600), root.Chtimes(name, time.Time{}, time.Now().Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Replace(root, text("a.json", "new", nil)); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range list() {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, name)
	}
	if want := []string{".a.json.BBBBBBBB.part", ".a.json.notes.part", ".b.json.CCCCCCCC.part", "a.json", "a.json.DDDDDDDD.part"}; !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
}

// TestRoom fills a folder, by number and by bytes: what is more is refused and leaves nothing, and what takes the place of another is not.
func TestRoom(t *testing.T) { // not parallel: the bounds are of all
	number, bytes := files.MaxFiles, files.MaxBytes
	defer func() { files.MaxFiles, files.MaxBytes = number, bytes }()
	files.MaxFiles, files.MaxBytes = 3, 10
	root, list := folder(t)
	write := func(want string, all ...files.File) {
		t.Helper()
		before := list()
		err := files.Replace(root, all...)
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			return
		}
		var refused *registry.Error
		if !errors.As(err, &refused) || refused.Code != registry.CodeCapacityExceeded || !strings.Contains(refused.Message, want) {
			t.Errorf("Replace = %v, want %s", err, want)
		}
		if now := list(); !slices.Equal(now, before) {
			t.Errorf("there is %q, before %q", now, before)
		}
	}
	write("", text("a", "123", nil))
	write("would have 4 files, and may have 3", text("b", "", nil), text("c", "", nil), text("d", "", nil))
	write("", text("b", "123", nil), text("c", "123", nil))
	write("would have 4 files, and may have 3", text("d", "", nil))
	write("would have 11 bytes together, and may have 10", text("c", "12345", nil))
	write("", text("c", "1234", nil), text("a", "1", nil))

	// Where the operator has put more there, what takes no more room is still written.
	if err := errors.Join(root.WriteFile("e", []byte("12345"), 0o600), root.WriteFile("f", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	write("", text("c", "123", nil))
	write("would have 13 bytes together", text("c", "1234", nil))
	write("would have 6 files", text("g", "", nil))
}
