package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/trace"
)

func TestAppendRefuses(t *testing.T) {
	good := trace.Draft{Type: "a"}
	tests := []struct {
		name   string
		drafts []trace.Draft
		want   string
	}{
		{"no type", []trace.Draft{good, {}}, "trace: draft 2: has no type"},
		{"its own parent", []trace.Draft{{Type: "a", Parent: 1}}, "trace: draft 1: its parent is draft 1, want an earlier one"},
		{"a later parent", []trace.Draft{good, {Type: "a", Parent: 3}, good}, "trace: draft 2: its parent is draft 3, want an earlier one"},
		{"a negative parent", []trace.Draft{{Type: "a", Parent: -1}}, "trace: draft 1: its parent is draft -1, want an earlier one"},
		{"a cause to come", []trace.Draft{{Type: "a", CausedBy: []trace.ID{1, 2}}}, "trace: draft 1: its cause evt_1 has not happened: the next event is evt_1"},
		{"no object", []trace.Draft{{Type: "a", Payload: []byte("[1]")}}, "trace: draft 1: the payload is not a JSON object"},
		{"half an object", []trace.Draft{{Type: "a", Payload: []byte("{")}}, "trace: draft 1: the payload is not a JSON object"},
		{"empty", []trace.Draft{{Type: "a", Payload: []byte{}}}, "trace: draft 1: the payload is not a JSON object"},
		{"too large", []trace.Draft{good, {Type: "a", Payload: payloadOf(1000)}}, "trace: draft 2: the event takes 1261 bytes, the log holds 1000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var file bytes.Buffer
			log := trace.New(trace.Options{MaxBytes: 1000, Sink: sinkFunc(func(lines []byte, _ trace.ID) error {
				_, err := file.Write(lines)
				return err
			})})
			if _, err := log.Append(nil, good); err != nil {
				t.Fatal(err)
			}
			next, hash := log.Head()
			written := file.Len()
			ids, err := log.Append(nil, tt.drafts...)
			if err == nil || err.Error() != tt.want || len(ids) != 0 {
				t.Errorf("Append = %v, %v, want no ids and %q", ids, err, tt.want)
			}
			if next2, hash2 := log.Head(); next2 != next || hash2 != hash || log.Len() != 1 || file.Len() != written {
				t.Error("an Append that failed left a mark")
			}
		})
	}
}

type sinkFunc func(lines []byte, last trace.ID) error

func (f sinkFunc) Write(lines []byte, last trace.ID) error { return f(lines, last) }

// TestSinkPanic checks that a log goes on after its sink has panicked, and that nothing of that Append remains.
func TestSinkPanic(t *testing.T) {
	broken := true
	log := trace.New(trace.Options{Sink: sinkFunc(func([]byte, trace.ID) error {
		if broken {
			panic("sink")
		}
		return nil
	})})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the sink's panic did not reach the caller")
			}
		}()
		log.Append(nil, trace.Draft{Type: "lost"})
	}()
	broken = false
	ids, err := log.Append(nil, trace.Draft{Type: "kept"})
	if err != nil || !slices.Equal(ids, []trace.ID{1}) {
		t.Fatalf("Append after the panic = %v, %v, want [evt_0]", ids, err)
	}
	mustVerify(t, log, 1)
}

// TestCopies checks that a log keeps nothing of a draft and that an event shares nothing with the log.
func TestCopies(t *testing.T) {
	log := trace.New(trace.Options{MaxEvents: 1, MaxBytes: 1000})
	payload := []byte(`{"n":1}`)
	ids, err := log.Append(nil, trace.Draft{Type: "a", Payload: payload})
	if err != nil {
		t.Fatal(err)
	}
	copy(payload, "xxxxxxx")
	e, _ := log.Get(ids[0])
	for range 20 {
		if _, err := log.Append(ids[:0], trace.Draft{Type: "b", Payload: []byte(`{"n":2}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if string(e.Payload) != `{"n":1}` || e.Type != "a" {
		t.Errorf("the event is now %s %s, want a {\"n\":1}", e.Type, e.Payload)
	}
}

func TestClock(t *testing.T) {
	calls := 0
	log := trace.New(trace.Options{Clock: func() time.Time {
		calls++
		return time.UnixMilli(int64(calls))
	}})
	ids, err := log.Append(nil, trace.Draft{Type: "a"}, trace.Draft{Type: "b", Time: time.UnixMilli(7)}, trace.Draft{Type: "c"})
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, id := range ids {
		e, _ := log.Get(id)
		got = append(got, e.Timestamp)
	}
	if diff := cmp.Diff([]int64{1, 7, 1}, got); diff != "" {
		t.Errorf("timestamps of one Append (-want +got):\n%s", diff)
	}
}

// TestTailByActorAsGivenOrAsShown asks for an actor whose name is not UTF-8, by the name given and by the one in events.
func TestTailByActorAsGivenOrAsShown(t *testing.T) {
	log := trace.New(trace.Options{})
	names := []string{"bad\xff", "bad\ufffd", "bad\xfe"}
	for _, name := range names {
		if _, err := log.Append(nil, trace.Draft{Type: "a", Actor: name}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		for _, newest := range []bool{false, true} {
			f := trace.Filter{Actor: name, Newest: newest}
			if events, _ := log.Tail(f); len(events) != len(names) {
				t.Errorf("Tail(%+v) finds %d events, want %d", f, len(events), len(names))
			}
		}
	}
}

// TestRangeWhileAppending drops every event that Range shows, while it shows them.
func TestRangeWhileAppending(t *testing.T) {
	log := trace.New(trace.Options{MaxEvents: 20, MaxBytes: 10_000})
	fill := func(kind string) {
		for range 20 {
			if _, err := log.Append(nil, trace.Draft{Type: kind, Payload: payloadOf(100)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill("old")
	var got []string
	log.Range(func(e trace.Event) bool {
		fill("new")
		got = append(got, e.Type+" "+e.ID.String())
		return len(got) < 15
	})
	var want []string
	for i := range 15 {
		want = append(want, fmt.Sprintf("old evt_%d", i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Range (-want +got):\n%s", diff)
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestExportReportsTheWritersError(t *testing.T) {
	log := trace.New(trace.Options{})
	if _, err := log.Append(nil, trace.Draft{Type: "a"}); err != nil {
		t.Fatal(err)
	}
	out, err := log.Export(&failingWriter{left: 10})
	if out != (trace.Exported{Bytes: 10}) || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("Export = %+v, %v, want 10 bytes, %v", out, err, io.ErrShortWrite)
	}
}

// TestConcurrentUse lets writers and readers loose on one small log. Every export must verify, every Append's ids must
// follow each other, and no event may get lost.
func TestConcurrentUse(t *testing.T) {
	const writers, rounds = 4, 300
	var file bytes.Buffer
	log := trace.New(trace.Options{MaxEvents: 50, MaxBytes: 20_000, Sink: sinkFunc(func(lines []byte, _ trace.ID) error {
		_, err := file.Write(lines)
		return err
	})})
	var wg sync.WaitGroup
	for w := range writers {
		name := fmt.Sprintf("writer-%d", w)
		wg.Go(func() {
			var ids []trace.ID
			for range rounds {
				var err error
				ids, err = log.Append(ids[:0], trace.Draft{Type: "a", Actor: name, Payload: payloadOf(50)}, trace.Draft{Type: "b", Actor: name, Parent: 1})
				if err != nil || len(ids) != 2 || ids[1] != ids[0]+1 {
					t.Errorf("Append = %v, %v, want two ids in a row", ids, err)
				}
			}
		})
		wg.Go(func() {
			for range rounds / 10 {
				mustVerify(t, log, -1)
				log.Tail(trace.Filter{Actor: name, Newest: true})
				log.Tail(trace.Filter{Type: "b", After: 100, Limit: 3})
				log.Children(trace.ID(log.Len()), 2)
			}
		})
	}
	wg.Wait()
	sum, err := trace.Verify(&file)
	if err != nil || sum.Events != 2*writers*rounds {
		t.Errorf("Verify of the sink's file = %+v, %v, want %d events", sum, err, 2*writers*rounds)
	}
	mustVerify(t, log, 50)
}

// mustVerify exports a log and verifies the export, which must have so many events; -1: any number.
func mustVerify(t *testing.T, log *trace.Log, events int) {
	t.Helper()
	var file strings.Builder
	out, err := log.Export(&file)
	if err != nil {
		t.Errorf("Export: %v", err)
	}
	sum, err := trace.Verify(strings.NewReader(file.String()))
	if err != nil || (trace.Exported{First: sum.First, Events: sum.Events, Bytes: sum.Bytes}) != out || (events >= 0 && out.Events != events) {
		t.Errorf("Export = %+v, Verify of it = %+v, %v, want %d events", out, sum, err, events)
	}
}

// TestLargestEvent appends an event that is exactly as large as the log.
func TestLargestEvent(t *testing.T) {
	d := trace.Draft{Type: "a", Time: time.UnixMilli(1)}
	size := 0
	measure := trace.New(trace.Options{Sink: sinkFunc(func(lines []byte, _ trace.ID) error {
		size = len(lines)
		return nil
	})})
	if _, err := measure.Append(nil, d); err != nil {
		t.Fatal(err)
	}
	log := trace.New(trace.Options{MaxBytes: size})
	for range 2 {
		if _, err := log.Append(nil, d); err != nil {
			t.Fatalf("Append of %d bytes to a log of as many: %v", size, err)
		}
	}
	mustVerify(t, log, 1)
}

func TestAppendAllocatesNothingInAFullLog(t *testing.T) {
	log := trace.New(trace.Options{MaxEvents: 200, MaxBytes: 100_000})
	payload, causes := payloadOf(300), []trace.ID{1, 2}
	actors := []string{"mason", "smith", "thatcher"}
	ids := make([]trace.ID, 0, 2)
	for range 2 {
		if _, err := log.Append(ids, trace.Draft{Type: "skill.executed"}); err != nil {
			t.Fatal(err)
		}
	}
	// AllocsPerRun rounds its average down, so one run has to be enough appends to go round the log several times.
	appendMany := func() {
		for n := range 1000 {
			_, err := log.Append(ids[:0],
				trace.Draft{Type: "skill.executed", Actor: actors[n%len(actors)], Session: "s1", Payload: payload},
				trace.Draft{Type: "skill.refused", Actor: "mason \"the\" mason", Session: "s1", Parent: 1, CausedBy: causes[:n%2]})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	appendMany()
	// Readers that are done must not keep chunks from being used again.
	log.Range(func(trace.Event) bool { return false })
	log.Tail(trace.Filter{Limit: 1})
	mustVerify(t, log, -1)
	appendMany()
	if got := testing.AllocsPerRun(10, appendMany); got != 0 {
		t.Errorf("2,000 events allocate %v times, want 0", got)
	}
}
