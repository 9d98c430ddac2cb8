package trace_test

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/limina-mcp/limina/trace"
)

// payloadOf returns a JSON object of n bytes.
func payloadOf(n int) []byte {
	const frame = `{"input":""}`
	return []byte(`{"input":"` + strings.Repeat("x", n-len(frame)) + `"}`)
}

// BenchmarkAppend measures one event in a full log, its clock fixed: the registry has read the clock already.
func BenchmarkAppend(b *testing.B) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	benchmarks := []struct {
		name  string
		draft trace.Draft
	}{
		{"payload=100", trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s1", Time: at, Tick: 12345, Payload: payloadOf(100)}},
		{"payload=300", trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s1", Time: at, Tick: 12345, Payload: payloadOf(300)}},
		{"payload=300,now", trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s1", Tick: 12345, Payload: payloadOf(300)}},
		{"payload=300,cause", trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s1", Time: at, Tick: 12345, Parent: 0, Payload: payloadOf(300)}},
		{"payload=3000", trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s1", Time: at, Tick: 12345, Payload: payloadOf(3000)}},
	}
	b.Run("floor/sha256 of 500 bytes", func(b *testing.B) {
		line := payloadOf(500)
		for b.Loop() {
			sha256.Sum256(line)
		}
	})
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			log := trace.New(trace.Options{})
			ids := make([]trace.ID, 0, 1)
			for range 10_000 {
				if _, err := log.Append(ids[:0], bm.draft); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := log.Append(ids[:0], bm.draft); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
