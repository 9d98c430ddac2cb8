package stdio_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/transport/stdio"
)

// drain reads c to its end: lines, and for each that was too long "!<limit>".
func drain(t *testing.T, c *stdio.Conn) []string {
	t.Helper()
	got := []string{}
	for {
		line, err := c.Next()
		var long *stdio.TooLongError
		switch {
		case errors.As(err, &long):
			got = append(got, "!")
		case errors.Is(err, io.EOF):
			return got
		case err != nil:
			t.Fatalf("Next: %v", err)
		default:
			got = append(got, string(line))
		}
	}
}

func TestNext(t *testing.T) {
	x := strings.Repeat
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", []string{}},
		{"one", "a\n", []string{"a"}},
		{"both ends", "a\r\nb\n", []string{"a", "b"}},
		{"the last needs no end", "a\nb", []string{"a", "b"}},
		{"a last carriage return is an end's", "a\r", []string{"a"}},
		{"blank lines are lines", "\n\r\na\n", []string{"", "", "a"}},
		{"a carriage return inside", "a\rb\n", []string{"a\rb"}},
		{"at the limit", x("a", 8) + "\n" + x("b", 8) + "\r\n", []string{x("a", 8), x("b", 8)}},
		{"over the limit", x("a", 9) + "\nb\n", []string{"!", "b"}},
		{"far over the limit", x("a", 100) + "\nb\n", []string{"!", "b"}},
		{"over the limit and unended", "b\n" + x("a", 100), []string{"b", "!"}},
		{"two over the limit", x("a", 100) + "\n" + x("a", 9) + "\r\nb", []string{"!", "!", "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{
				strings.NewReader(tt.in),
				iotest.OneByteReader(strings.NewReader(tt.in)),
				iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				got := drain(t, stdio.New(r, io.Discard, stdio.Options{Limit: 8}))
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("lines of %q (-want +got):\n%s", tt.in, diff)
				}
			}
		})
	}
}

func TestLargeLines(t *testing.T) {
	in := strings.Repeat("a", 3<<20) + "\n" + "b\n" + strings.Repeat("c", 200<<10) + "\n"
	got := drain(t, stdio.New(strings.NewReader(in), io.Discard, stdio.Options{}))
	if diff := cmp.Diff(strings.Split(strings.TrimSuffix(in, "\n"), "\n"), got); diff != "" {
		t.Errorf("lines differ")
	}
}

func TestTooLongNamesTheLimit(t *testing.T) {
	c := stdio.New(strings.NewReader(strings.Repeat("a", 100)), io.Discard, stdio.Options{Limit: 64})
	_, err := c.Next()
	var long interface{ TooLong() int }
	if !errors.As(err, &long) || long.TooLong() != 64 || !strings.Contains(err.Error(), "64 bytes") {
		t.Errorf("Next = %v, want an error that names the limit of 64 bytes", err)
	}
}

func TestBuffered(t *testing.T) {
	r, w := io.Pipe()
	c := stdio.New(r, io.Discard, stdio.Options{})
	go func() {
		_, _ = w.Write([]byte("a\nb\nhalf"))
		_, _ = w.Write([]byte(" done\n"))
		_ = w.Close()
	}()
	if c.Buffered() {
		t.Error("Buffered before the first read")
	}
	for _, want := range []struct {
		line     string
		buffered bool // after it
	}{{"a", true}, {"b", false}, {"half done", false}} {
		line, err := c.Next()
		if err != nil || string(line) != want.line || c.Buffered() != want.buffered {
			t.Errorf("Next = %q, %v, then Buffered = %v; want %q, then %v", line, err, c.Buffered(), want.line, want.buffered)
		}
	}
	if _, err := c.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("Next at the end = %v, want io.EOF", err)
	}
	if !c.Buffered() {
		t.Error("not Buffered at the end, where Next does not wait")
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		r    io.Reader
		want error
	}{
		{"the reader's own, half a line is dropped", io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(broken)), broken},
		{"a reader that never reads", io.MultiReader(strings.NewReader("a\n"), stuck{}), io.ErrNoProgress},
	} {
		c := stdio.New(tt.r, io.Discard, stdio.Options{})
		if line, err := c.Next(); string(line) != "a" || err != nil {
			t.Errorf("%s: Next = %q, %v; want the line before", tt.name, line, err)
		}
		for range 2 {
			if _, err := c.Next(); !errors.Is(err, tt.want) {
				t.Errorf("%s: Next = %v, want %v", tt.name, err, tt.want)
			}
		}
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	c := stdio.New(strings.NewReader(""), &out, stdio.Options{})
	p := c.Seal([]byte(`{}`), 0)
	p = c.Seal(append(p, `[]`...), len(p))
	if err := c.Write(p); err != nil || out.String() != "{}\n[]\n" {
		t.Errorf("Write = %v, wrote %q", err, out.String())
	}
	if err := stdio.New(nil, shortWriter{}, stdio.Options{}).Write(p); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Write to a writer that takes less = %v, want io.ErrShortWrite", err)
	}
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) - 1, nil }

func TestCloseWakesNext(t *testing.T) {
	file, fileEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer fileEnd.Close()
	pipe, pipeEnd := io.Pipe()
	defer pipeEnd.Close()
	for name, r := range map[string]io.Reader{"a file with deadlines": file, "a closer": pipe} {
		c := stdio.New(r, io.Discard, stdio.Options{})
		woken := make(chan error)
		go func() {
			_, err := c.Next()
			woken <- err
		}()
		if err := c.Close(); err != nil {
			t.Errorf("%s: Close = %v", name, err)
		}
		if err := <-woken; err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: Next = %v, want an error that is not the stream's end", name, err)
		}
	}
	if err := stdio.New(strings.NewReader(""), io.Discard, stdio.Options{}).Close(); err == nil {
		t.Error("Close of a reader that cannot be interrupted = nil")
	}
}

// FuzzLines holds the reader against a splitter that has the whole text before it.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\r\nbb\n\nccc"), uint8(2), uint8(3))
	f.Add([]byte(strings.Repeat("x", 300)+"\ny"), uint8(7), uint8(0))
	f.Add([]byte("\r\r\n\r"), uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, limit, chunk uint8) {
		r := &chunks{in, int(chunk)%7 + 1}
		got := drain(t, stdio.New(r, io.Discard, stdio.Options{Limit: int(limit) + 1}))
		if diff := cmp.Diff(split(string(in), int(limit)+1), got); diff != "" {
			t.Errorf("lines of %q with limit %d (-want +got):\n%s", in, int(limit)+1, diff)
		}
	})
}

func split(in string, limit int) []string {
	lines := strings.Split(in, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
		if len(lines[i]) > limit {
			lines[i] = "!"
		}
	}
	return lines
}

// chunks reads n bytes at a time.
type chunks struct {
	data []byte
	n    int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.data[:min(c.n, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}

// greedy notes how much room reads are given.
type greedy struct {
	r    io.Reader
	most int
	last int
}

func (g *greedy) Read(p []byte) (int, error) {
	g.last = len(p)
	g.most = max(g.most, g.last)
	return g.r.Read(p)
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// What is kept of a line that is too long is bounded by the limit, however long the line is; what a long line took is given back
// when the next is read.
func TestMemory(t *testing.T) {
	g := &greedy{r: io.MultiReader(io.LimitReader(endless{}, 64<<20), strings.NewReader("\nb\n"))}
	if got := drain(t, stdio.New(g, io.Discard, stdio.Options{Limit: 1 << 20})); len(got) != 2 || got[0] != "!" || got[1] != "b" {
		t.Errorf("%d lines, want one that is too long and b", len(got))
	}
	if g.most > 4<<20 {
		t.Errorf("a read of %d bytes with a limit of %d", g.most, 1<<20)
	}
	g = &greedy{r: &cut{text: strings.Repeat(strings.Repeat("x", 999)+"\n", 4000), sizes: []int{64<<10 + 1}}}
	if got := drain(t, stdio.New(g, io.Discard, stdio.Options{})); len(got) != 4000 || g.most > 256<<10 {
		t.Errorf("%d lines of 1000 bytes, and a read of %d bytes", len(got), g.most)
	}
	g = &greedy{r: io.MultiReader(io.LimitReader(endless{}, 5<<20), strings.NewReader("\n"), strings.NewReader("b\n"))}
	if got := drain(t, stdio.New(g, io.Discard, stdio.Options{})); len(got) != 2 || len(got[0]) != 5<<20 || got[1] != "b" {
		t.Errorf("%d lines, want a long one and b", len(got))
	}
	if g.last > 64<<10 {
		t.Errorf("a read of %d bytes after the long line", g.last)
	}
}

// Lines come as they were written, however they are cut up on the way and wherever they lie in the buffer.
func TestLinesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const limit = 60 << 10
		var in strings.Builder
		want := []string{}
		for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
			n := rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(20<<10, limit), rapid.IntRange(limit-1, limit+2)).Draw(t, "length")
			line := strings.Repeat(string(rune('a'+i)), n)
			in.WriteString(line + rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"))
			if n > limit {
				line = "!"
			}
			want = append(want, line)
		}
		r := &cut{text: in.String(), sizes: rapid.SliceOfN(rapid.IntRange(1, 50<<10), 1, 20).Draw(t, "reads")}
		c := stdio.New(r, io.Discard, stdio.Options{Limit: limit})
		for i, line := range want {
			got, err := c.Next()
			var long *stdio.TooLongError
			if errors.As(err, &long) {
				got, err = []byte("!"), nil
			}
			if err != nil || string(got) != line {
				t.Fatalf("line %d: %d bytes, %v; want %d", i, len(got), err, len(line))
			}
		}
		if _, err := c.Next(); !errors.Is(err, io.EOF) {
			t.Fatalf("after the last line: %v", err)
		}
	})
}

// cut is a reader of a text in pieces of some sizes.
type cut struct {
	text  string
	sizes []int
	n     int
}

func (c *cut) Read(p []byte) (int, error) {
	if c.text == "" {
		return 0, io.EOF
	}
	n := copy(p, c.text[:min(len(c.text), c.sizes[c.n%len(c.sizes)])])
	c.text = c.text[n:]
	c.n++
	return n, nil
}

// That a write failed is said.
func TestWriteFails(t *testing.T) {
	broken := errors.New("broken pipe")
	r, w := io.Pipe()
	_ = r.CloseWithError(broken)
	if err := stdio.New(r, w, stdio.Options{}).Write([]byte("a\n")); !errors.Is(err, broken) {
		t.Errorf("Write = %v, want %v", err, broken)
	}
}

// A file whose reads cannot be woken says so, and stays open: it is its owner's.
func TestCloseOfAFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := stdio.New(f, io.Discard, stdio.Options{}).Close(); err == nil {
		t.Error("Close says that a read of a file was interrupted")
	}
	if _, err := f.Stat(); err != nil {
		t.Errorf("the file is closed: %v", err)
	}
}
