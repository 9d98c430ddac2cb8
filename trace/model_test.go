package trace_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/trace"
)

var errSink = errors.New("disk full")

// model is a log made of a slice: what Log shall do, without rings, chunks and indexes. It is the log's sink too, which
// is how it comes by the lines.
type model struct {
	maxEvents, maxBytes int

	next   trace.ID
	hash   string
	lines  []string // of all events that are kept, line feeds included
	events []trace.Event
	each   int           // newest events of an actor that are found when they have left the chain
	left   []trace.Event // all that have

	broken bool   // the sink fails
	wrote  string // what the sink got last
	last   trace.ID
}

func (m *model) Write(lines []byte, last trace.ID) error {
	if m.broken {
		return errSink
	}
	m.wrote, m.last = string(lines), last
	return nil
}

// appended takes the lines that the sink got in, and checks each against its draft.
func (m *model) appended(t *rapid.T, drafts []trace.Draft) {
	lines := slices.Collect(strings.Lines(m.wrote))
	if len(lines) != len(drafts) {
		t.Fatalf("the sink got %d lines for %d drafts:\n%s", len(lines), len(drafts), m.wrote)
	}
	first := m.next
	for i, line := range lines {
		e := m.wantEvent(drafts[i], first)
		sum := sha256.Sum256([]byte(line[:max(0, strings.LastIndex(line, `,"hash":`))]))
		e.Integrity = &trace.Integrity{Prev: m.hash, Hash: hex.EncodeToString(sum[:])}
		if diff := gocmp.Diff(e, decodeLine(t, line)); diff != "" {
			t.Fatalf("line of draft %d (-want +got):\n%s", i+1, diff)
		}
		m.lines, m.events = append(m.lines, line), append(m.events, e)
		m.hash = e.Integrity.Hash
		m.next++
	}
	for len(m.lines) > m.maxEvents || len(strings.Join(m.lines, "")) > m.maxBytes {
		m.left = append(m.left, m.events[0])
		m.lines, m.events = m.lines[1:], m.events[1:]
	}
}

func (m *model) wantEvent(d trace.Draft, first trace.ID) trace.Event {
	e := trace.Event{
		ID: m.next, Type: valid(d.Type), ActorID: valid(d.Actor), ThreadID: valid(d.Session), CausedBy: []trace.ID{},
		Timestamp: d.Time.UnixMilli(), Tick: d.Tick, Payload: bytes.ReplaceAll(bytes.TrimSpace(d.Payload), []byte("\n"), []byte(" ")),
	}
	if d.Parent > 0 {
		parent := first + trace.ID(d.Parent) - 1
		e.ParentEventID = &parent
	}
	for _, id := range d.CausedBy {
		if id != 0 {
			e.CausedBy = append(e.CausedBy, id)
		}
	}
	if d.Payload == nil {
		e.Payload = []byte("{}")
	}
	return e
}

func valid(s string) string { return string([]rune(s)) }

// decodeLine reads a line with encoding/json.
func decodeLine(t interface{ Fatalf(string, ...any) }, line string) trace.Event {
	var e struct {
		trace.Event
		trace.Integrity
	}
	dec := json.NewDecoder(strings.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		t.Fatalf("the line %q does not decode: %v", line, err)
	}
	e.Event.Integrity = &e.Integrity
	return e.Event
}

// all returns what is found, oldest first.
func (m *model) all() []trace.Event {
	all, of := slices.Clone(m.events), map[string]int{}
	for _, e := range m.events {
		of[e.ActorID]++
	}
	for _, e := range slices.Backward(m.left) {
		if of[e.ActorID]++; of[e.ActorID] <= m.each {
			all = slices.Insert(all, 0, e)
		}
	}
	return all
}

// tail is Log.Tail by looking at everything.
func (m *model) tail(f trace.Filter) (events []trace.Event, last trace.ID) {
	if f.Limit == 0 {
		f.Limit = 100
	}
	last = max(f.After, m.next-1)
	for _, e := range m.all() {
		if e.ID <= f.After || (f.Type != "" && e.Type != valid(f.Type)) ||
			(f.Actor != "" && e.ActorID != valid(f.Actor)) || (f.Session != "" && e.ThreadID != valid(f.Session)) {
			continue
		}
		events = append(events, e)
		if len(events) == f.Limit && !f.Newest {
			return events, e.ID
		}
	}
	if len(events) > f.Limit {
		events = events[len(events)-f.Limit:]
	}
	return events, last
}

// recent is Log.AppendRecent by looking at everything.
func (m *model) recent(actor, session string, n int) (events []trace.Event) {
	for _, e := range slices.Backward(m.all()) {
		if e.ActorID == actor && e.ThreadID == session && len(events) < n {
			events = append(events, e)
		}
	}
	slices.Reverse(events)
	return events
}

func (m *model) children(id trace.ID, limit int) []trace.Event {
	var events []trace.Event
	for _, e := range m.all() {
		isParent := e.ParentEventID != nil && *e.ParentEventID == id
		if id != 0 && (isParent || slices.Contains(e.CausedBy, id)) && (limit == 0 || len(events) < limit) {
			events = append(events, e)
		}
	}
	return events
}

var (
	someName = rapid.SampledFrom([]string{
		"mason", "smith", "s1", "a\"b", "\\", "c:\\\"", "tab\tline\nend", "é€😀", "bad\xff\xfeutf8", "bad\ufffd\ufffdutf8", "\u2028", "\x00\x1f\x7f", "",
	})
	// someActor has few names, so that they come again; the last two are one in the log.
	someActor   = rapid.SampledFrom([]string{"mason", "a\"b", "bad\xff", "bad\ufffd"})
	somePayload = rapid.SampledFrom([]string{
		`{}`, `{"skill":"scene.createEntity","input":{"shape":"box"}}`, "\n {\"a\":\n 1}\r\n", `{"prev":"","hash":"\"}"}`, `{"a":{"hash":1,"prev":["\"}"]}}`,
		`{"long":"` + strings.Repeat("x", 600) + `"}`,
	})
)

func someDraft(t *rapid.T, next trace.ID, earlier int) trace.Draft {
	d := trace.Draft{
		Type:    rapid.SampledFrom([]string{"skill.executed", "skill.refused", "\"\xff"}).Draw(t, "type"),
		Actor:   someActor.Draw(t, "actor"),
		Session: someName.Draw(t, "session"),
		Tick:    rapid.Uint64().Draw(t, "tick"),
		Time:    time.UnixMilli(rapid.Int64Range(-1e15, 1e15).Draw(t, "time")),
		Parent:  rapid.IntRange(0, earlier).Draw(t, "parent"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "causes") {
		d.CausedBy = append(d.CausedBy, trace.ID(rapid.Uint64Range(0, uint64(next-1)).Draw(t, "cause")))
	}
	if payload := somePayload.Draw(t, "payload"); payload != "{}" {
		d.Payload = []byte(payload)
	}
	return d
}

// TestLogAgainstModel runs random commands on a small log and on the model.
func TestLogAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &model{
			maxEvents: rapid.IntRange(1, 80).Draw(t, "maxEvents"),
			maxBytes:  rapid.SampledFrom([]int{1500, 2500, 5000, 1 << 20}).Draw(t, "maxBytes"),
			each:      rapid.IntRange(0, 5).Draw(t, "aside"),
			next:      1,
			hash:      strings.Repeat("0", 64),
		}
		aside := cmp.Or(m.each, -1)
		if m.maxBytes < 1<<20 {
			m.each, aside = 0, -1 // what is aside has bytes of its own, which this model does not count
		}
		log := trace.New(trace.Options{MaxEvents: m.maxEvents, MaxBytes: m.maxBytes, Aside: aside, Sink: m})
		late := trace.New(trace.Options{MaxEvents: m.maxEvents, MaxBytes: m.maxBytes, Aside: aside}) // makes hashes when they are asked for
		someID := func(t *rapid.T) trace.ID { return trace.ID(rapid.Uint64Range(0, uint64(m.next+1)).Draw(t, "id")) }
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				var drafts []trace.Draft
				for i := range rapid.IntRange(0, 4).Draw(t, "drafts") {
					drafts = append(drafts, someDraft(t, m.next, i))
				}
				m.wrote = ""
				m.broken = rapid.IntRange(0, 9).Draw(t, "broken") == 0
				ids, err := log.Append([]trace.ID{77}, drafts...)
				if m.broken && len(drafts) > 0 {
					if !errors.Is(err, errSink) || len(ids) != 1 {
						t.Fatalf("Append with a broken sink = %v, %v, want nothing and the sink's error", ids, err)
					}
					return
				}
				if err != nil {
					t.Fatalf("Append: %v", err)
				}
				want := []trace.ID{77}
				for i := range drafts {
					want = append(want, m.next+trace.ID(i))
				}
				if !slices.Equal(ids, want) || (len(drafts) > 0 && m.last != want[len(want)-1]) {
					t.Fatalf("Append = %v and told the sink %v, want %v", ids, m.last, want)
				}
				m.appended(t, drafts)
				if lateIDs, err := late.Append([]trace.ID{77}, drafts...); err != nil || !slices.Equal(lateIDs, want) {
					t.Fatalf("Append without a sink = %v, %v, want %v", lateIDs, err, want)
				}
			},
			"get": func(t *rapid.T) {
				id := someID(t)
				got, ok := someLog(t, log, late).Get(id)
				all := m.all()
				at := slices.IndexFunc(all, func(e trace.Event) bool { return e.ID == id })
				if ok != (at >= 0) {
					t.Fatalf("Get(%v) finds %t, want %t", id, ok, at >= 0)
				}
				if ok {
					mustEqual(t, fmt.Sprintf("Get(%v)", id), all[at], got)
				}
			},
			"children": func(t *rapid.T) {
				id, limit := someID(t), rapid.IntRange(0, 3).Draw(t, "limit")
				mustEqual(t, fmt.Sprintf("Children(%v, %d)", id, limit), m.children(id, limit), someLog(t, log, late).Children(id, limit))
			},
			"tail": func(t *rapid.T) {
				f := trace.Filter{
					After:  someID(t),
					Limit:  rapid.SampledFrom([]int{0, 1, 2, 5}).Draw(t, "limit"),
					Newest: rapid.Bool().Draw(t, "newest"),
				}
				if rapid.Bool().Draw(t, "by actor") {
					f.Actor = someActor.Draw(t, "actor")
				}
				if rapid.Bool().Draw(t, "by session") {
					f.Session = someName.Draw(t, "session")
				}
				if rapid.Bool().Draw(t, "by type") {
					f.Type = "skill.refused"
				}
				events, last := someLog(t, log, late).Tail(f)
				wantEvents, wantLast := m.tail(f)
				mustEqual(t, fmt.Sprintf("Tail(%+v)", f), wantEvents, events)
				if last != wantLast {
					t.Fatalf("Tail(%+v) looked up to %v, want %v", f, last, wantLast)
				}
			},
			"recent": func(t *rapid.T) {
				actor, session, n := someActor.Draw(t, "actor"), someName.Draw(t, "session"), rapid.IntRange(0, 4).Draw(t, "n")
				want := []trace.Brief{{Type: "before"}}
				for _, e := range m.recent(valid(actor), valid(session), n) {
					want = append(want, trace.Brief{ID: e.ID, Type: e.Type, Tick: e.Tick, Payload: e.Payload})
				}
				got := someLog(t, log, late).AppendRecent([]trace.Brief{{Type: "before"}}, actor, session, n)
				mustEqual(t, fmt.Sprintf("AppendRecent(%q, %q, %d)", actor, session, n), want, got)
			},
			"whole": func(t *rapid.T) { checkWhole(t, late, m) },
			"":      func(t *rapid.T) { checkWhole(t, log, m) },
		})
	})
}

func someLog(t *rapid.T, logs ...*trace.Log) *trace.Log {
	return rapid.SampledFrom(logs).Draw(t, "log")
}

// checkWhole compares all that a log has with the model.
func checkWhole(t *rapid.T, log *trace.Log, m *model) {
	next, hash := log.Head()
	if got := hex.EncodeToString(hash[:]); next != m.next || got != m.hash {
		t.Fatalf("Head() = %v, %s, want %v, %s", next, got, m.next, m.hash)
	}
	if log.Len() != len(m.events) {
		t.Fatalf("Len() = %d, want %d", log.Len(), len(m.events))
	}
	var events []trace.Event
	log.Range(func(e trace.Event) bool {
		events = append(events, e)
		return true
	})
	mustEqual(t, "Range", m.all(), events)

	var file strings.Builder
	out, err := log.Export(&file)
	n, size := out.Events, out.Bytes
	if want := strings.Join(m.lines, ""); err != nil || n != len(m.lines) || size != int64(len(want)) || file.String() != want {
		t.Fatalf("Export = %d, %d, %v and\n%s\nwant %d, %d and\n%s", n, size, err, &file, len(m.lines), len(want), want)
	}
	sum, err := trace.Verify(strings.NewReader(file.String()))
	if err != nil || sum.Events != n || sum.Bytes != size {
		t.Fatalf("Verify of the export = %+v, %v, want %d events of %d bytes", sum, err, n, size)
	}
	if n > 0 && (sum.Last != m.next-1 || sum.Hash != m.hash || sum.First != m.events[0].ID || sum.Prev != m.events[0].Integrity.Prev || out.First != sum.First) {
		t.Fatalf("Verify of the export = %+v, want the hash %s", sum, m.hash)
	}
}

func mustEqual[T any](t *rapid.T, what string, want, got T) {
	if !reflect.DeepEqual(want, got) { // much faster than cmp.Equal
		t.Fatalf("%s (-want +got):\n%s", what, gocmp.Diff(want, got))
	}
}
