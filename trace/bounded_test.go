package trace

import (
	"fmt"
	"testing"
)

// TestLabelsAreForgotten checks that callers who make up names do not fill the memory.
func TestLabelsAreForgotten(t *testing.T) {
	log := New(Options{MaxEvents: 8, Aside: -1})
	for i := range 1000 {
		if _, err := log.Append(nil, Draft{Type: "a", Actor: fmt.Sprint(i / 2), Session: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	known, actors := &log.index.labels.known, &log.index.labels.actors
	if len(known.numbers) != 8 || len(known.rows) > 9 || len(actors.numbers) != 4 || len(actors.rows) > 5 {
		t.Errorf("8 events have %d labels in %d rows and %d actors in %d, want 8 in at most 9 and 4 in at most 5",
			len(known.numbers), len(known.rows), len(actors.numbers), len(actors.rows))
	}
}

// TestMemoryIsBounded checks that a full log takes hardly more than MaxBytes.
func TestMemoryIsBounded(t *testing.T) {
	const limit = 100_000
	log := New(Options{MaxBytes: limit})
	if _, err := log.Append(nil, Draft{Type: "a", Payload: fmt.Appendf(nil, `{"text":"%90000d"}`, 1)}, Draft{Type: "a", Payload: fmt.Appendf(nil, `{"text":"%90000d"}`, 1)}); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		if _, err := log.Append(nil, Draft{Type: "a", Payload: fmt.Appendf(nil, `{"text":"%*d"}`, i*7%3000, i)}); err != nil {
			t.Fatal(err)
		}
		if cap(log.draft) > 2*maxKeptDraft {
			t.Fatalf("the buffer for drafts keeps %d bytes, want at most %d", cap(log.draft), 2*maxKeptDraft)
		}
		r := &log.lines
		if took := (len(r.chunks) + len(r.spare)) * r.chunkSize; took > limit+4*r.chunkSize || log.sizeLocked() > limit {
			t.Fatalf("after event %d the log has %d bytes and takes %d, want at most %d", i, log.sizeLocked(), took, limit+4*r.chunkSize)
		}
	}
}
