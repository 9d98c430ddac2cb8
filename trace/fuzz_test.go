package trace_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/trace"
)

// FuzzLine checks that every line is JSON and verifies, whatever the texts are, that reading it gives the draft back, and that
// a change of any one byte is found in its line.
func FuzzLine(f *testing.F) {
	f.Add("skill.executed", "mason", "s1", "hello", int64(1), uint64(1), uint(0), byte(1))
	f.Add("a\"b\\", "\xff\x00\n", "\u2028😀\ufffd", "\"},\"hash\":\"", int64(-1), ^uint64(0), uint(700), byte(0x20))
	f.Add("\\u0022", `","actorId":"root`, "\\", "\\\\\"", int64(1<<62), uint64(0), uint(250), byte(0x80))
	f.Fuzz(func(t *testing.T, typ, actor, session, text string, millis int64, tick uint64, offset uint, bits byte) {
		if typ == "" {
			typ = "a"
		}
		payload, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		d := trace.Draft{Type: typ, Actor: actor, Session: session, Tick: tick, Time: time.UnixMilli(millis), Payload: payload}
		child := d
		child.Parent = 1
		log := trace.New(trace.Options{})
		ids, err := log.Append(nil, d, child)
		if err != nil {
			t.Fatal(err)
		}
		var file strings.Builder
		if _, err := log.Export(&file); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(file.String(), "\n")
		if len(lines) != 3 {
			t.Fatalf("two events make %d lines: %q", len(lines)-1, lines)
		}
		for i, id := range ids {
			want := decodeLine(t, lines[i])
			if want.Type != valid(typ) || want.ActorID != valid(actor) || want.ThreadID != valid(session) || want.Tick != tick {
				t.Fatalf("the line of draft %+v says %+v", d, want)
			}
			got, ok := log.Get(id)
			if diff := cmp.Diff(want, got); !ok || diff != "" {
				t.Fatalf("Get against encoding/json (-want +got):\n%s", diff)
			}
		}
		if _, err := trace.Verify(strings.NewReader(file.String())); err != nil {
			t.Fatalf("Verify(%q): %v", file.String(), err)
		}
		if events, _ := log.Tail(trace.Filter{Type: typ, Actor: actor, Session: session}); len(events) != 2 {
			t.Fatalf("Tail by the draft's own texts finds %d events, want 2", len(events))
		}

		changed := []byte(file.String())
		at := int(offset % uint(len(changed)))
		changed[at] ^= max(bits, 1)
		wantLine := 1 + strings.Count(file.String()[:at], "\n")
		var bad *trace.VerifyError
		if _, err := trace.Verify(strings.NewReader(string(changed))); !errors.As(err, &bad) || bad.Line != wantLine {
			t.Fatalf("Verify with byte %d changed = %v, want an error in line %d", at, err, wantLine)
		}
	})
}

// FuzzVerify gives Verify anything, as it is and with the hash of its one line set right. It must not panic, and what it finds in
// order must be JSON.
func FuzzVerify(f *testing.F) {
	f.Add(strings.Join(exported(f, 0, 2), ""))
	f.Add(strings.Join(exported(f, 1, 1), ""))
	f.Add(`{"id":"evt_1","type":"a","actorId":"\"","threadId":"","parentEventId":"evt_0","causedBy":["evt_0","evt_0"],"timestamp":1,"tick":0,"payload":{},"prev":"","hash":""}` + "\n")
	f.Add(strings.Replace(exported(f, 0, 1)[0], `,"prev":`, `,"more":{},"prev":`, 1))
	f.Fuzz(func(t *testing.T, file string) {
		for _, text := range []string{file, reseal(file)} {
			sum, err := trace.Verify(strings.NewReader(text))
			if err != nil {
				continue
			}
			if sum.Bytes != int64(len(text)) || sum.Events != strings.Count(text, "\n") {
				t.Fatalf("Verify(%q) = %+v, want all of it", text, sum)
			}
			for line := range strings.Lines(text) {
				decodeLine(t, line)
			}
		}
	})
}

// reseal writes the right hash into a file of one line.
func reseal(line string) string {
	at := strings.LastIndex(line, `,"hash":`)
	if at < 0 {
		return line
	}
	sum := sha256.Sum256([]byte(line[:at]))
	return line[:at] + `,"hash":"` + hex.EncodeToString(sum[:]) + "\"}\n"
}
