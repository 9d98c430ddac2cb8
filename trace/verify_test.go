package trace_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/trace"
)

// exported returns the lines of a log of n events of which the first ones have been dropped.
func exported(t interface{ Fatal(...any) }, dropped, n int) []string {
	log := trace.New(trace.Options{MaxEvents: n, Clock: func() time.Time { return time.UnixMilli(1) }})
	for i := range dropped + n {
		d := trace.Draft{Type: "skill.executed", Actor: "mason", Payload: fmt.Appendf(nil, `{"n":%d,"text":"a\"b"}`, i)}
		if _, err := log.Append(nil, d); err != nil {
			t.Fatal(err)
		}
	}
	var file strings.Builder
	if _, err := log.Export(&file); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(file.String()))
}

func TestVerifyNamesTheFirstBadLine(t *testing.T) {
	whole := func() []string { return exported(t, 0, 6) }
	tests := []struct {
		name   string
		line   int // 0: all is well
		reason string
		change func(lines []string) []string
	}{
		{"nothing", 0, "", func(l []string) []string { return l }},
		{"an empty file", 0, "", func([]string) []string { return nil }},
		{"begins in the middle", 0, "", func(l []string) []string { return l[3:] }},
		{"a byte of the payload", 3, "evt_2 was changed", replace(2, `"n":2`, `"n":3`)},
		{"a byte of the actor", 1, "evt_0 was changed", replace(0, "mason", "maton")},
		{"a byte of the id", 3, "evt_4 was changed", replace(2, "evt_2", "evt_4")},
		{"space between tokens", 6, "evt_5 was changed", replace(5, `"n":5`, `"n": 5`)},
		{"a payload that is no object", 2, "is not an event", replace(1, `"payload":{"n":1,"text":"a\"b"}`, `"payload":[]`)},
		{"a member behind the payload", 2, "is not an event", replace(1, `,"prev"`, `,"payload":{},"prev"`)},
		{"the brace at the end", 4, "is not JSON", replace(3, "\"}\n", "\"]\n")},
		{"upper-case digits", 2, "is not an event", func(l []string) []string {
			at := strings.LastIndex(l[1], `"hash":"`)
			at += len(`"hash":"`)
			l[1] = l[1][:at] + strings.ToUpper(l[1][at:])
			return l
		}},
		{"a line feed for a space", 2, "is not JSON", replace(1, `,"tick"`, ",\n\"tick\"")},
		{"an old Mac's line end", 1, "is not JSON", replace(0, "\n", "\r")},
		{"Windows line ends", 1, "is not an event", replace(0, "\n", "\r\n")},
		{"a line removed", 3, "evt_3 comes after evt_1: 1 are missing between", func(l []string) []string { return slices.Delete(l, 2, 3) }},
		{"three lines removed", 2, "evt_4 comes after evt_0: 3 are missing between", func(l []string) []string { return slices.Delete(l, 1, 4) }},
		{"a line doubled", 4, "evt_2 comes after evt_2: lines were put in", func(l []string) []string { return slices.Insert(l, 3, l[2]) }},
		{"a line put in", 3, "evt_5 comes after evt_1: 3 are missing", func(l []string) []string { return slices.Insert(l, 2, l[5]) }},
		{"an empty line put in", 3, "is not JSON", func(l []string) []string { return slices.Insert(l, 2, "\n") }},
		{"JSON put in", 1, "is not an event", func(l []string) []string { return slices.Insert(l, 0, "{\"id\":\"evt_0\"}\n") }},
		{"a line changed and hashed anew", 5, "evt_4 does not follow the evt_3 before it: that has the hash ", func(l []string) []string {
			l[3] = reseal(strings.Replace(l[3], "mason", "maton", 1))
			return l
		}},
		{"lines swapped", 2, "evt_2 comes after evt_0: 1 are missing between", func(l []string) []string {
			l[1], l[2] = l[2], l[1]
			return l
		}},
		{"the first two swapped", 2, "evt_0 comes after evt_1: lines were put in or their order was changed", func(l []string) []string {
			l[0], l[1] = l[1], l[0]
			return l
		}},
		{"the last line cut off in the middle", 6, "is cut off", func(l []string) []string {
			l[5] = l[5][:100]
			return l
		}},
		{"the last line feed cut off", 6, "is cut off", replace(5, "\n", "")},
		{"not JSON at all", 1, "is not JSON", func([]string) []string { return []string{"hello\n"} }},
		{"binary", 1, "is cut off", func([]string) []string { return []string{"\x00\xff\x00"} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sum, err := trace.Verify(strings.NewReader(strings.Join(tt.change(whole()), "")))
			if tt.line == 0 {
				if err != nil {
					t.Errorf("Verify: %v", err)
				}
				return
			}
			var bad *trace.VerifyError
			if !errors.As(err, &bad) || bad.Line != tt.line || !strings.HasPrefix(bad.Reason, tt.reason) {
				t.Fatalf("Verify = %v, want line %d: %s…", err, tt.line, tt.reason)
			}
			if sum.Events != tt.line-1 {
				t.Errorf("Verify's summary has %d events, want the %d before the bad line", sum.Events, tt.line-1)
			}
		})
	}
}

func replace(line int, old, text string) func([]string) []string {
	return func(l []string) []string {
		l[line] = strings.Replace(l[line], old, text, 1)
		return l
	}
}

// TestVerifyForged checks first lines whose hash is right but which the log would not write.
func TestVerifyForged(t *testing.T) {
	const form = "line 1: is not an event in the form that the log writes"
	zeros := strings.Repeat("0", 64)
	tests := []struct{ name, old, text, want string }{
		{"nothing", "", "", ""},
		{"another id", `"evt_0"`, `"evt_18446744073709551614"`, ""},
		{"a time before 1970", `"timestamp":1,`, `"timestamp":-1,`, ""},
		{"the earliest time", `"timestamp":1,`, `"timestamp":-9223372036854775808,`, ""},
		{"the latest time", `"timestamp":1,`, `"timestamp":9223372036854775807,`, ""},
		{"causes", `"causedBy":[]`, `"parentEventId":"evt_1","causedBy":["evt_2","evt_3"]`, ""},
		{"something came before the first event", zeros, strings.Repeat("1", 64), "line 1: evt_0 is the first event, but states a hash of one before"},
		{"upper-case digits", zeros, strings.Repeat("A", 64), form},
		{"no id", `"evt_0"`, `""`, form},
		{"an id with a zero in front", `"evt_0"`, `"evt_00"`, form},
		{"an id that is too large", `"evt_0"`, `"evt_18446744073709551615"`, form},
		{"an id of something else", `"evt_0"`, `"ent_0"`, form},
		{"another key", `"actorId"`, `"actorID"`, form},
		{"keys in another order", `"type":"skill.executed","actorId":"mason"`, `"actorId":"mason","type":"skill.executed"`, form},
		{"a key more", `,"tick":`, `,"tock":1,"tick":`, form},
		{"space", `"tick":`, `"tick": `, form},
		{"a parent that is none", `"causedBy"`, `"parentEventId":"","causedBy"`, form},
		{"a cause that is none", `"causedBy":[]`, `"causedBy":[""]`, form},
		{"a cause that is no text", `"causedBy":[]`, `"causedBy":[1]`, form},
		{"a time that is text", `"timestamp":1,`, `"timestamp":"1",`, form},
		{"a zero with a sign", `"timestamp":1,`, `"timestamp":-0,`, form},
		{"a time that is too early", `"timestamp":1,`, `"timestamp":-9223372036854775809,`, form},
		{"a time that is too late", `"timestamp":1,`, `"timestamp":9223372036854775808,`, form},
		{"a negative tick", `"tick":0`, `"tick":-1`, form},
		{"a tick with a fraction", `"tick":0`, `"tick":0.0`, form},
		{"a tick that is too large", `"tick":0`, `"tick":18446744073709551616`, form},
		{"a payload that is none", `"payload":{`, `"payload":null,"more":{`, form},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line := exported(t, 0, 1)[0]
			if !strings.Contains(line, tt.old) {
				t.Fatalf("%s has no %s", line, tt.old)
			}
			got := ""
			if _, err := trace.Verify(strings.NewReader(reseal(strings.Replace(line, tt.old, tt.text, 1)))); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Verify = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestVerifyTampering changes, at random, one thing about a file and expects the line where it shows.
func TestVerifyTampering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "events")
		lines := exported(t, rapid.IntRange(0, 3).Draw(t, "dropped"), n)
		at := rapid.IntRange(0, n-1).Draw(t, "line")
		want := at + 1
		switch rapid.SampledFrom([]string{"byte", "remove", "insert", "swap", "cut"}).Draw(t, "what") {
		case "byte":
			b := []byte(lines[at])
			b[rapid.IntRange(0, len(b)-1).Draw(t, "offset")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
			lines[at] = string(b)
		case "remove":
			if at == 0 || at == n-1 {
				want = 0 // from the file alone, nobody can tell
			}
			lines = slices.Delete(lines, at, at+1)
		case "insert":
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			lines = slices.Insert(lines, at, lines[from])
			if from == at || at == 0 {
				want++ // a file may begin with any line: it is the next one that does not follow
			}
		case "swap":
			with := rapid.IntRange(0, n-1).Filter(func(i int) bool { return i != at }).Draw(t, "with")
			lines[at], lines[with] = lines[with], lines[at]
			if want = min(at, with) + 1; want == 1 {
				want++
			}
		case "cut":
			lines = lines[:at+1]
			lines[at] = lines[at][:rapid.IntRange(1, len(lines[at])-1).Draw(t, "length")]
		}
		_, err := trace.Verify(strings.NewReader(strings.Join(lines, "")))
		var bad *trace.VerifyError
		if want == 0 {
			if err != nil {
				t.Fatalf("Verify = %v, want nil", err)
			}
			return
		}
		if !errors.As(err, &bad) || bad.Line != want {
			t.Fatalf("Verify = %v, want an error in line %d of\n%s", err, want, strings.Join(lines, ""))
		}
	})
}

func TestVerifyReportsTheReadersError(t *testing.T) {
	lines := exported(t, 0, 3)
	broken := errors.New("pulled out")
	sum, err := trace.Verify(io.MultiReader(strings.NewReader(lines[0]+lines[1]), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || sum.Events != 2 {
		t.Errorf("Verify = %+v, %v, want two events and %v", sum, err, broken)
	}
}

// TestVerifySlowReader checks lines that are longer than the buffer and come in single bytes.
func TestVerifySlowReader(t *testing.T) {
	log := trace.New(trace.Options{})
	for range 3 {
		if _, err := log.Append(nil, trace.Draft{Type: "a", Payload: payloadOf(100_000)}); err != nil {
			t.Fatal(err)
		}
	}
	var file strings.Builder
	if _, err := log.Export(&file); err != nil {
		t.Fatal(err)
	}
	sum, err := trace.Verify(iotest.OneByteReader(strings.NewReader(file.String())))
	if err != nil || sum.Events != 3 || sum.Bytes != int64(file.Len()) {
		t.Errorf("Verify = %+v, %v, want 3 events of %d bytes", sum, err, file.Len())
	}
}
