package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/trace"
)

// TestFlood: who says much pushes nobody's newest events out, and what is exported is a chain without gaps all the same.
func TestFlood(t *testing.T) {
	log := trace.New(trace.Options{})
	add := func(actor string, size int) trace.ID {
		t.Helper()
		ids, err := log.Append(nil, trace.Draft{Type: "skill.executed", Actor: actor, Session: "s", Payload: payloadOf(size)})
		if err != nil {
			t.Fatal(err)
		}
		return ids[0]
	}
	var anns []trace.ID
	for range 40 {
		anns = append(anns, add("ann", 300))
		add("flood", 60_000)
	}
	for range 20_000 {
		add("flood", 100)
	}
	if _, ok := log.Get(anns[7]); ok {
		t.Errorf("%v is found, and is not among the newest 32", anns[7])
	}
	for _, id := range anns[8:] {
		if e, ok := log.Get(id); !ok || e.ActorID != "ann" || e.Integrity == nil {
			t.Fatalf("Get(%v) = %+v, %t", id, e, ok)
		}
	}
	if got := log.AppendRecent(nil, "ann", "s", 8); len(got) != 8 || got[7].ID != anns[39] {
		t.Errorf("the newest 8 of ann: %v", got)
	}
	if got, _ := log.Tail(trace.Filter{Actor: "ann", Newest: true}); len(got) != 32 {
		t.Errorf("Tail has %d events of ann, want 32", len(got))
	}
	var file strings.Builder
	out, err := log.Export(&file)
	if err != nil || out.Events != log.Len() {
		t.Fatal(out, err)
	}
	if sum, err := trace.Verify(strings.NewReader(file.String())); err != nil || sum.Events != out.Events {
		t.Errorf("the export: %+v, %v", sum, err)
	}
}

// TestManyAside: what is aside is bounded, and whose events take most lose some first.
func TestManyAside(t *testing.T) {
	log := trace.New(trace.Options{MaxBytes: 1 << 20})
	add := func(actor string, size int) {
		t.Helper()
		if _, err := log.Append(nil, trace.Draft{Type: "x", Actor: actor, Payload: payloadOf(size)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		add("ann", 1000)
	}
	for range 30 {
		add("large", 60_000)
	}
	for i := range 200 {
		add(fmt.Sprint("small", i), 200)
	}
	for range 10_000 {
		add("flood", 200)
	}
	count := func(actor string) int {
		got, _ := log.Tail(trace.Filter{Actor: actor})
		return len(got)
	}
	if ann, large, small := count("ann"), count("large"), count("small0"); ann != 10 || large < 1 || large > 4 || small != 1 {
		t.Errorf("%d events of ann, %d of large, %d of small0", ann, large, small)
	}
	for i := range 1000 {
		add(fmt.Sprint("more", i), 200)
	}
	for range 10_000 {
		add("flood", 200)
	}
	if count("more999") != 1 || count("ann") != 0 {
		t.Error("of more than 256 actors it is not those who were silent for longest that are forgotten")
	}
}
