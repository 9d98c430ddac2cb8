package httpmcp

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Nothing comes behind the answer of an exchange, also from who tells something at that very moment.
func TestNothingIsToldBehindTheAnswer(t *testing.T) {
	for range 30 {
		s := newStream(64 << 20)
		var tellers sync.WaitGroup
		for range 4 {
			tellers.Go(func() {
				for s.Tell([]byte("told")) {
				}
			})
		}
		for !s.told() {
			runtime.Gosched()
		}
		s.Answer([]byte("answer"), 0)
		tellers.Wait()
		r, next := s.attach(0)
		events, _, last := s.take(r, next)
		if text := string(events[len(events)-1]); !last || text != "answer" {
			var all []string
			for _, text := range events {
				all = append(all, string(text))
			}
			t.Fatalf("the last of %d messages is %q, want the answer: %s", len(events), text, strings.Join(all[max(0, len(all)-3):], ", "))
		}
	}
}
