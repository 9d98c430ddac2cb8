package trace

import (
	"bytes"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// everyLine is a sink that keeps all lines.
type everyLine struct{ bytes.Buffer }

func (e *everyLine) Write(lines []byte, _ ID) error {
	_, err := e.Buffer.Write(lines)
	return err
}

// Hashes that are made afterwards are those that a sink gets at once, and hardly any is missing for long.
func TestSealedBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const events = 5 * sealFrom
		var sink everyLine
		log, twin := New(Options{}), New(Options{Sink: &sink})
		for i := range events {
			d := Draft{Type: "a", Actor: "mason", Time: time.UnixMilli(int64(i)), Payload: slices.Repeat([]byte(" "), i%300)}
			d.Payload = append(append([]byte("{"), d.Payload...), '}')
			for _, l := range []*Log{log, twin} {
				if _, err := l.Append(nil, d); err != nil {
					t.Fatal(err)
				}
			}
		}
		synctest.Wait()
		if missing := events - int(log.index.sealed); missing >= sealFrom || log.sealing {
			t.Errorf("%d of %d events have no hash, want less than %d and nobody at work", missing, events, sealFrom)
		}
		var file bytes.Buffer
		if _, err := log.Export(&file); err != nil || !bytes.Equal(file.Bytes(), sink.Bytes()) {
			t.Errorf("Export: %v; its %d bytes are not those that the sink got", err, file.Len())
		}
	})
}

// Settle leaves less than some dozens without a hash, does no more than it has a moment for, and waits for nobody.
func TestSettle(t *testing.T) {
	log := New(Options{})
	log.sealing = true // no goroutine
	add := func(n int) {
		for range n {
			if _, err := log.Append(nil, Draft{Type: "a"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct{ more, missing int }{
		{settleFrom - 1, settleFrom - 1},
		{1, 0},
		{sealBatch + 1, 1},
		{settleMost*sealBatch + 99, 100},
	} {
		add(tt.more)
		log.Settle()
		if missing := int(log.index.next - 1 - log.index.sealed); missing != tt.missing {
			t.Errorf("after %d more, %d have no hash, want %d", tt.more, missing, tt.missing)
		}
	}
	log.turn.Lock()
	log.Settle() // somebody is at it
	log.turn.Unlock()
	mustVerify(t, log)
}

// Where the goroutine that makes hashes gets no processor, those who append make them.
func TestUnsealedAreBounded(t *testing.T) {
	log := New(Options{})
	log.sealing = true // it is at work, and never gets anywhere
	for range 2 * maxUnsealed {
		if _, err := log.Append(nil, Draft{Type: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if missing := log.index.next - 1 - log.index.sealed; missing > maxUnsealed {
		t.Errorf("%d events have no hash, want at most %d", missing, maxUnsealed)
	}
	mustVerify(t, log)
}

func mustVerify(t *testing.T, log *Log) {
	t.Helper()
	var file bytes.Buffer
	_, err := log.Export(&file)
	if err == nil {
		_, err = Verify(&file)
	}
	if err != nil {
		t.Error(err)
	}
}
