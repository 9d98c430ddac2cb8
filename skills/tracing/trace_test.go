package tracing_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
	"github.com/limina-mcp/limina/trace"
)

// ids returns the ids of events in one line.
func ids(events []tracing.Event) string {
	var list []string
	for _, e := range events {
		list = append(list, strings.TrimPrefix(e.ID.String(), "evt_"))
	}
	return strings.Join(list, " ")
}

func TestTail(t *testing.T) {
	tests := []struct{ input, want, next string }{
		{`{}`, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14", "null"},
		{`{"limit":3}`, "12 13 14", "null"},
		{`{"limit":0}`, "", "null"},
		{`{"afterSeq":-1}`, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14", "null"},
		{`{"afterSeq":-1,"limit":2}`, "0 1", "1"},
		{`{"afterSeq":1,"limit":2}`, "2 3", "3"},
		{`{"afterSeq":12,"limit":2}`, "13 14", "null"},
		{`{"afterSeq":14}`, "", "null"},
		{`{"afterSeq":9007199254740991}`, "", "null"},
		{`{"afterSeq":3,"limit":0}`, "", "3"},
		{`{"actorId":"bob"}`, "2 3 10 11", "null"},
		{`{"actorId":"bob","limit":1}`, "11", "null"},
		{`{"actorId":"bob","afterSeq":2,"limit":1}`, "3", "3"},
		{`{"type":"shop.bought","afterSeq":-1}`, "1 14", "null"},
		{`{"type":"shop.bought","actorId":"bob"}`, "", "null"},
	}
	for _, tt := range tests {
		r := newRig(t, registry.Options{}, tracing.Deps{})
		r.history()
		got := read[tracing.TailOut](r, auditor, "trace.tail", tt.input)
		next := "null"
		if got.NextAfterSeq != nil {
			next = fmt.Sprint(*got.NextAfterSeq)
		}
		if ids(got.Events) != tt.want || next != tt.next {
			t.Errorf("%s: got %s, next %s; want %s, next %s", tt.input, ids(got.Events), next, tt.want, tt.next)
		}
	}
	r := newRig(t, registry.Options{}, tracing.Deps{})
	for input, want := range map[string]string{
		`{"afterSeq":-2}`:  "invalid_input: afterSeq: must be at least -1, got -2",
		`{"limit":1001}`:   "invalid_input: limit: must be from 0 to 1000, got 1001",
		`{"afterSeq":1.5}`: "invalid_input: afterSeq: ",
	} {
		if got := r.call(auditor, "trace.tail", input); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", input, got, want)
		}
	}
}

// TestTailPages reads a log page by page while it grows: every event comes once, and the reading
// comes to its end.
func TestTailPages(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.history()
	after, got := "-1", ""
	for range 100 {
		page := read[tracing.TailOut](r, auditor, "trace.tail", `{"limit":4,"afterSeq":`+after+`}`)
		got += ids(page.Events) + "|"
		if page.NextAfterSeq == nil {
			break
		}
		after = fmt.Sprint(*page.NextAfterSeq)
	}
	if want := "0 1 2 3|4 5 6 7|8 9 10 11|12 13 14 15|16 17 18 19|"; !strings.HasPrefix(got, want[:30]) || len(got) > 80 {
		t.Errorf("pages %s", got)
	}
}

func TestEventsAreWhole(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.history()
	got := r.call(auditor, "trace.tail", `{"afterSeq":-1,"limit":2}`)
	first, _ := r.log.Get(1)
	second, _ := r.log.Get(2)
	want := fmt.Sprintf(`{"events":[`+
		`{"id":"evt_0","type":"skill.executed","actorId":"ann","threadId":"s-ann","parentEventId":null,"causedBy":[],"timestamp":1000,"tick":5,`+
		`"payload":{"skill":"shop.buy","version":"1.0.0","intent":1,"profile":"buyer","input":{"n":1}},"integrity":{"prev":%q,"hash":%q}},`+
		`{"id":"evt_1","type":"shop.bought","actorId":"ann","threadId":"s-ann","parentEventId":"evt_0","causedBy":[],"timestamp":1000,"tick":5,`+
		`"payload":{"n":1},"integrity":{"prev":%q,"hash":%q}}],"nextAfterSeq":1}`,
		first.Integrity.Prev, first.Integrity.Hash, second.Integrity.Prev, second.Integrity.Hash)
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestExplainEvent(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.history()
	r.reg.Invoke(t.Context(), &registry.Request{Name: "shop.look", Principal: bob, Cause: []trace.ID{2, 14}}, nil) // evt_15
	tests := []struct{ event, parents, children string }{
		{"evt_0", "", "1"},
		{"evt_1", "0", "15"},
		{"evt_13", "12", "14 15"},
		{"evt_15", "1 13", ""},
		{"evt_9", "", ""},
	}
	for _, tt := range tests {
		got := read[tracing.ExplainEventOut](r, auditor, "trace.explainEvent", fmt.Sprintf(`{"eventId":%q}`, tt.event))
		if got.Event.ID.String() != tt.event || ids(got.Parents) != tt.parents || ids(got.Children) != tt.children {
			t.Errorf("%s: got %v, parents %s, children %s; want %s and %s", tt.event, got.Event.ID, ids(got.Parents), ids(got.Children), tt.parents, tt.children)
		}
	}
	for input, want := range map[string]string{
		`{"eventId":"evt_99"}`: "handler_error: eventId: evt_99 is not in the log, which holds evt_0 to evt_2",
		`{"eventId":"99"}`:     "invalid_input: eventId: ",
		`{}`:                   "invalid_input: eventId: is required",
	} {
		if got := r.call(auditor, "trace.explainEvent", input); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", input, got, want)
		}
	}
	empty := newRig(t, registry.Options{}, tracing.Deps{})
	want := "handler_error: eventId: evt_0 is not in the log, which is empty"
	if got := empty.call(auditor, "trace.explainEvent", `{"eventId":"evt_0"}`); got != want {
		t.Errorf("an empty log: got %s", got)
	}
}

func TestTraceNeedsPermission(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{Dir: t.TempDir()})
	for name, input := range map[string]string{"trace.tail": `{}`, "trace.explainEvent": `{"eventId":"evt_0"}`, "trace.export": `{"name":"a"}`} {
		if got, want := r.call(ann, name, input), "forbidden: missing permission: trace.read"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, registry.Options{}, tracing.Deps{Dir: dir})
	r.history()
	got := read[tracing.ExportOut](r, auditor, "trace.export", `{"name":"monday.jsonl"}`)
	f, err := os.Open(filepath.Join(dir, "monday.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum, err := trace.Verify(f)
	if err != nil || sum.Events != 15 || got != (tracing.ExportOut{Name: "monday.jsonl", Events: 15, Bytes: sum.Bytes}) {
		t.Errorf("got %+v; Verify: %+v, %v", got, sum, err)
	}
	again := read[tracing.ExportOut](r, auditor, "trace.export", `{"name":"monday.jsonl"}`) // with the export itself
	if again.Events != 16 {
		t.Errorf("again: %+v", again)
	}
	if files := list(t, dir); files != "monday.jsonl" {
		t.Errorf("the directory holds %s", files)
	}
}

// Who exports a log that has dropped events is told how many, and where else they may be.
func TestExportOfTheNewest(t *testing.T) {
	r := newRig(t, registry.Options{Trace: trace.New(trace.Options{MaxEvents: 20})}, tracing.Deps{Dir: t.TempDir()})
	r.history() // of 15 events
	for range 10 {
		r.call(bob, "shop.look", `{}`)
	}
	if got := read[tracing.ExportOut](r, auditor, "trace.export", `{"name":"a"}`); got.Events != 20 || got.Earlier != 5 {
		t.Errorf("got %+v", got)
	}
}

func TestExportNowhere(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	want := "handler_error: the server has no directory for exports: its operator gives one with --trace-dir DIR"
	if got := r.call(auditor, "trace.export", `{"name":"a"}`); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r = newRig(t, registry.Options{}, tracing.Deps{Dir: filepath.Join(t.TempDir(), "gone")})
	if got := r.call(auditor, "trace.export", `{"name":"a"}`); !strings.HasPrefix(got, "handler_error: internal error") {
		t.Errorf("a directory that does not exist: got %s", got)
	}
}

func TestExportNames(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "traces")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, registry.Options{}, tracing.Deps{Dir: dir})
	for _, name := range []string{
		"", ".", "..", "../a", "a/b", `a\\b`, "/etc/passwd", ".hidden", "a b", "a\\u0000b", "a\\nb", "é", "c:x", strings.Repeat("a", 101), "~", "*", "%2e%2e",
	} {
		got := r.call(auditor, "trace.export", `{"name":"`+name+`"}`)
		if !strings.HasPrefix(got, "invalid_input: name: must be 1 to 100 letters, digits, dots, hyphens or underscores, the first no dot") {
			t.Errorf("%q: got %s", name, got)
		}
	}
	for _, name := range []string{"a", "A-1_2.json", "-", "_.", "a..b", strings.Repeat("z", 100)} {
		if got := r.call(auditor, "trace.export", `{"name":"`+name+`"}`); !strings.HasPrefix(got, `{"name":"`+name+`"`) {
			t.Errorf("%q: got %s", name, got)
		}
	}
	if files := list(t, outside); files != "traces" {
		t.Errorf("beside the directory there is %s", files)
	}
}

// TestExportThroughLinks has a link in the directory that leads out of it: what it leads to stays as it is.
func TestExportThroughLinks(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "traces")
	secret := filepath.Join(outside, "secret")
	for _, err := range []error{
		os.Mkdir(dir, 0o700), os.WriteFile(secret, []byte("mine"), 0o600),
		os.Symlink(secret, filepath.Join(dir, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := newRig(t, registry.Options{}, tracing.Deps{Dir: dir})
	r.call(auditor, "trace.export", `{"name":"link"}`) // replaces the link
	if got, err := os.ReadFile(secret); err != nil || string(got) != "mine" {
		t.Errorf("the file outside holds %q, %v", got, err)
	}
}

func TestExportsAtOnce(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, registry.Options{}, tracing.Deps{Dir: dir})
	r.history()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := r.call(auditor, "trace.export", `{"name":"same"}`); !strings.HasPrefix(got, `{"name":"same"`) {
				t.Error(got)
			}
		})
	}
	wg.Wait()
	f, err := os.Open(filepath.Join(dir, "same"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := trace.Verify(f); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff("same", list(t, dir)); diff != "" {
		t.Errorf("the directory (-want +got):\n%s", diff)
	}
}

// list returns the names in a directory.
func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
