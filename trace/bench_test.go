package trace_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"strconv"
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
		{"payload=300,cause", trace.Draft{Type: "skill.executed", Actor: "mason", Session: "s1", Time: at, Tick: 12345, CausedBy: []trace.ID{1}, Payload: payloadOf(300)}},
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
			ids, err := log.Append(nil, trace.Draft{Type: "first"})
			if err != nil {
				b.Fatal(err)
			}
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

// fullLog returns a log of 8,192 events of 200 actors.
func fullLog(b *testing.B) *trace.Log {
	b.Helper()
	log := trace.New(trace.Options{})
	for i := range 10_000 {
		d := trace.Draft{Type: "skill.executed", Actor: "agent-" + strconv.Itoa(i%200), Session: "s1", Payload: payloadOf(200)}
		if _, err := log.Append(nil, d); err != nil {
			b.Fatal(err)
		}
	}
	return log
}

func BenchmarkGet(b *testing.B) {
	log := fullLog(b)
	b.ReportAllocs()
	for b.Loop() {
		log.Get(9000)
	}
}

func BenchmarkTail(b *testing.B) {
	log := fullLog(b)
	benchmarks := map[string]trace.Filter{
		"the newest 10":                {Newest: true, Limit: 10},
		"an actor's newest 10":         {Newest: true, Limit: 10, Actor: "agent-7"},
		"the newest 10 of a rare type": {Newest: true, Limit: 10, Type: "approval.held"},
		"the next 10 of an actor":      {After: 5000, Limit: 10, Actor: "agent-7"},
	}
	for name, f := range benchmarks {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				log.Tail(f)
			}
		})
	}
}

func BenchmarkRecent(b *testing.B) {
	log := fullLog(b)
	var dst []trace.Brief
	b.ReportAllocs()
	for b.Loop() {
		dst = log.AppendRecent(dst[:0], "agent-7", "s1", 8)
	}
}

func BenchmarkChildren(b *testing.B) {
	log := fullLog(b)
	b.ReportAllocs()
	for b.Loop() {
		log.Children(2000, 0)
	}
}

func BenchmarkExport(b *testing.B) {
	log := fullLog(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := log.Export(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	var file bytes.Buffer
	if _, err := fullLog(b).Export(&file); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		if _, err := trace.Verify(bytes.NewReader(file.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
