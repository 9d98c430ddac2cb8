package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/trace"
)

// whole is a sink that keeps the lines of all events.
type whole struct{ lines []string }

func (w *whole) Write(lines []byte, _ trace.ID) error {
	w.lines = slices.AppendSeq(w.lines, strings.Lines(string(lines)))
	return nil
}

// A follower gets every line of a log that drops most, in order, but those that it is told are lost, which are not those that the log has room for.
func TestFollower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := &whole{}
		o := trace.Options{MaxEvents: rapid.IntRange(1, 20).Draw(t, "maxEvents"), MaxBytes: rapid.SampledFrom([]int{1500, 5000}).Draw(t, "maxBytes")}
		room := rapid.SampledFrom([]int{0, 3000, 1 << 20}).Draw(t, "room")
		log := trace.New(o)
		o.Sink = all
		same := trace.New(o)
		appended := func(t *rapid.T) {
			for range rapid.IntRange(1, 8).Draw(t, "events") {
				d := someDraft(t, trace.ID(len(all.lines)+1), 0)
				for _, l := range []*trace.Log{log, same} {
					if _, err := l.Append(nil, d); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		earlier := rapid.Bool().Draw(t, "earlier")
		if earlier {
			appended(t)
		}
		var got []string
		safe, lost := 0, 0 // how many of all are safe, and how many of them lost
		f := log.Follow(0, room)
		broken := errors.New("broken")
		t.Repeat(map[string]func(*rapid.T){
			"append": appended,
			"lines": func(t *rapid.T) {
				before, left := len(got), rapid.IntRange(0, 20).Draw(t, "pieces")
				gap, err := f.Lines(rapid.IntRange(1, 3000).Draw(t, "size"), func(lines []byte, first, last trace.ID) error {
					if left--; left < 0 {
						return broken
					}
					if len(got) < int(first)-1 {
						for len(got) < int(first)-1 {
							got = append(got, "")
						}
					}
					got = slices.AppendSeq(got, strings.Lines(string(lines)))
					if len(got) != int(last) {
						t.Fatalf("a piece of %v to %v ends with %d", first, last, len(got))
					}
					return nil
				})
				if (err != nil) != (left < 0) {
					t.Fatalf("Lines = %v", err)
				}
				if gap != nil {
					if int(gap.First) != before+1 || room == 1<<20 && (before > 0 || !earlier) {
						t.Fatalf("%v are lost, %d came before", gap, before)
					}
					lost += int(gap.Len())
					for len(got) < int(gap.Last) {
						got = append(got, "")
					}
					safe = max(safe, int(gap.Last))
				}
				if err == nil && len(got) != len(all.lines) {
					t.Fatalf("it got %d lines of %d", len(got), len(all.lines))
				}
				if rapid.Bool().Draw(t, "safe") {
					f.Safe()
					safe = len(got)
					return
				}
				got = got[:safe]
				if next := f.Back(); int(next) != safe+1 {
					t.Fatalf("Back = %v, want number %d", next, safe)
				}
			},
			"": func(t *rapid.T) {
				missing := 0
				for i := range got {
					if got[i] == "" {
						missing++
					} else if got[i] != all.lines[i] {
						t.Fatalf("line %d is %s, want %s", i, got[i], all.lines[i])
					}
				}
				if missing != lost {
					t.Fatalf("%d lines are missing, it was told of %d", missing, lost)
				}
				if len(all.lines) > len(got) { // else nothing is to be seen of it
					if _, n := f.Waits(); n < int64(lost) {
						t.Fatalf("Waits says that %d are lost, it was told of %d", n, lost)
					}
				}
			},
		})
	})
}

// Who waits for events is woken by the first, and told when there are many; a log that nobody follows any more is bounded again.
func TestFollowerIsWoken(t *testing.T) {
	log := trace.New(trace.Options{MaxBytes: 10_000})
	add := func(n, size int) {
		for range n {
			if _, err := log.Append(nil, trace.Draft{Type: "a", Payload: payloadOf(size)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	told := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	add(1, 100)
	f := log.Follow(1, 4<<20)
	if told(f.Woken()) {
		t.Error("it is woken by an event that it does not want")
	}
	add(2, 100)
	if !told(f.Woken()) || told(f.Woken()) || told(f.Many()) {
		t.Error("it is not woken once by what comes first")
	}
	add(2000, 700)
	if told(f.Woken()) || !told(f.Many()) {
		t.Error("it is not told of many")
	}
	if n, lost := f.Waits(); n != 2002 || lost != 0 {
		t.Errorf("%d events wait and %d are lost", n, lost)
	}
	if _, err := f.Lines(1<<20, func([]byte, trace.ID, trace.ID) error { return nil }); err != nil {
		t.Fatal(err)
	}
	f.Safe()
	add(1, 100)
	if n, _ := f.Waits(); n != 1 || !told(f.Woken()) || log.Len() > 20 {
		t.Errorf("%d events wait, the log holds %d", n, log.Len())
	}
	f.Stop()
	add(100, 700)
	if log.Len() > 20 {
		t.Errorf("the log holds %d", log.Len())
	}
	log.Follow(0, 1)
	defer func() {
		if recover() == nil {
			t.Error("two follow it")
		}
	}()
	log.Follow(0, 1)
}

// A log that was loaded from files is the log that wrote them, and goes on like it.
func TestLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := &whole{}
		o := trace.Options{MaxEvents: rapid.IntRange(1, 20).Draw(t, "maxEvents"), MaxBytes: rapid.SampledFrom([]int{1500, 5000}).Draw(t, "maxBytes"), Sink: all}
		old := trace.New(o)
		o.Sink = nil
		next := trace.New(o)
		add := func(logs ...*trace.Log) {
			d := someDraft(t, trace.ID(len(all.lines)+1), 0)
			for _, l := range logs {
				if _, err := l.Append(nil, d); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "before") {
			add(old)
		}
		from := rapid.IntRange(0, max(0, len(all.lines)-o.MaxEvents)).Draw(t, "from")
		cut := rapid.IntRange(from, len(all.lines)).Draw(t, "cut")
		for _, lines := range [][]string{all.lines[from:cut], all.lines[cut:]} {
			if sum, err := next.Load(strings.NewReader(strings.Join(lines, ""))); err != nil || sum.Events != len(lines) {
				t.Fatalf("Load of %d lines = %+v, %v", len(lines), sum, err)
			}
		}
		for range rapid.IntRange(0, 10).Draw(t, "after") {
			add(old, next)
		}
		var want, got bytes.Buffer
		_, err := old.Export(&want)
		if _, err2 := next.Export(&got); err != nil || err2 != nil || want.String() != got.String() {
			t.Fatalf("the log that was loaded has\n%s\nwant\n%s", &got, &want)
		}
	})
}

// A log that skips ids begins behind them, with the hash of what is before them.
func TestSkip(t *testing.T) {
	lines := exported(t, 0, 8)
	log := trace.New(trace.Options{})
	if _, err := log.Load(strings.NewReader(strings.Join(lines[:3], ""))); err != nil {
		t.Fatal(err)
	}
	_, before := log.Head()
	for _, next := range []trace.ID{0, 4, 9, 7} {
		if err := log.Skip(next); err != nil {
			t.Fatal(err)
		}
		if got, hash := log.Head(); next > 4 && (got != 9 || log.Len() != 0) || next <= 4 && (got != 4 || log.Len() != 3) || hash != before {
			t.Errorf("at %v: the next is %v, behind %x, of %d", next, got, hash, log.Len())
		}
	}
	if _, err := log.Append(nil, trace.Draft{Type: "own", Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	if err := log.Skip(20); err == nil {
		t.Error("a log with events of its own skips ids")
	}
	var text bytes.Buffer
	if _, err := log.Export(&text); err != nil {
		t.Fatal(err)
	}
	sum, err := trace.Verify(&text)
	if err != nil || sum.First != 9 || sum.Last != 9 || sum.Prev != fmt.Sprintf("%x", before) {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	lines := exported(t, 0, 8)
	text := func(from, to int) string { return strings.Join(lines[from:to], "") }
	tests := []struct {
		name  string
		files []string
		want  string // "": nothing
	}{
		{"nothing", []string{"", text(0, 8)}, ""},
		{"two files", []string{text(2, 5), text(5, 8)}, ""},
		{"a gap", []string{text(0, 3), text(5, 8)}, ""},
		{"a changed line", []string{strings.Replace(text(0, 8), `"n":3`, `"n":4`, 1)}, "line 4: evt_3 was changed"},
		{"a line left out", []string{text(0, 3) + text(4, 8)}, "line 4: evt_4 comes after evt_2: 1 are missing between"},
		{"half a line", []string{text(0, 8)[:len(text(0, 8))-5]}, "line 8: is cut off"},
		{"a file twice", []string{text(0, 3), text(0, 3)}, "line 1: begins with evt_0, and the file before it ends with evt_2"},
		{"another file", []string{text(0, 3), reseal(strings.Replace(lines[3], `"prev":"`, `"prev":"0`, 1)[:len(lines[3])])}, "line 1: is not"},
		{"what does not follow", []string{text(0, 3), reseal(replacePrev(lines[3]))}, "line 1: does not go on from the file before it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log, err := trace.New(trace.Options{}), error(nil)
			var sums trace.Summary
			for _, file := range tt.files {
				var sum trace.Summary
				if sum, err = log.Load(strings.NewReader(file)); err != nil {
					break
				}
				if err := sums.Join(sum); err != nil {
					t.Errorf("Join: %v", err)
				}
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
				t.Errorf("Load = %v, want %q", err, tt.want)
			}
			if next, _ := log.Head(); tt.want == "" && next != 9 {
				t.Errorf("the next event is %v", next)
			}
			if missing := fmt.Sprint(sums.Unsaid()); tt.name == "a gap" && missing != "[evt_3 to evt_4]" {
				t.Errorf("%s are missing", missing)
			}
		})
	}
	log := trace.New(trace.Options{})
	if _, err := log.Append(nil, trace.Draft{Type: "own"}); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Load(strings.NewReader(text(0, 8))); err == nil || log.Len() != 1 {
		t.Errorf("a log with events of its own loads others: %v", err)
	}
	small := trace.New(trace.Options{MaxBytes: 10})
	if _, err := small.Load(strings.NewReader(text(0, 8))); err != nil {
		t.Error(err)
	}
	big := trace.New(trace.Options{})
	if _, err := big.Load(strings.NewReader(text(0, 8))); err != nil {
		t.Error(err)
	}
	next, hash := small.Head()
	if next2, hash2 := big.Head(); next != next2 || hash != hash2 || small.Len() != 0 {
		t.Error("a log that has no room for an event does not go on behind it")
	}
}

// replacePrev has a line state another hash before it.
func replacePrev(line string) string {
	at := strings.LastIndex(line, `"prev":"`) + len(`"prev":"`)
	return line[:at] + strings.Repeat("7", 64) + line[at+64:]
}

// Join says what is missing between files, and what an event says of that.
func TestJoin(t *testing.T) {
	lines := exported(t, 0, 12)
	verified := func(from, to int) trace.Summary {
		sum, err := trace.Verify(strings.NewReader(strings.Join(lines[from:to], "")))
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	var all trace.Summary
	for _, sum := range []trace.Summary{verified(0, 0), verified(1, 3), verified(3, 4), {}, verified(6, 12)} {
		if err := all.Join(sum); err != nil {
			t.Fatal(err)
		}
	}
	if all.Events != 9 || all.First != 2 || all.Last != 12 || all.Hash != verified(11, 12).Hash || fmt.Sprint(all.Missing) != "[evt_4 to evt_5]" || len(all.Unsaid()) != 1 {
		t.Errorf("%+v", all)
	}
	if err := all.Join(verified(11, 12)); err == nil {
		t.Error("a file is joined twice")
	}
	all.Lost = []trace.Span{{First: 5, Last: 6}}
	if got := all.Unsaid(); got != nil {
		t.Errorf("what an event says is said not to be: %v", got)
	}
	log := trace.New(trace.Options{})
	if _, err := log.Append(nil, trace.Draft{Type: trace.EventLost, Payload: []byte(`{"first":"evt_4","last":"evt_5"}`)}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := log.Export(&file); err != nil {
		t.Fatal(err)
	}
	if sum, err := trace.Verify(&file); err != nil || fmt.Sprint(sum.Lost) != "[evt_4 to evt_5]" {
		t.Errorf("Verify = %+v, %v", sum, err)
	}
}
