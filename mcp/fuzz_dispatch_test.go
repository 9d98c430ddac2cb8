package mcp_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
)

// FuzzDispatch sends messages that are nearly right, from every transcript, to the dispatcher: nothing
// panics, nothing hangs, each message has its exchange answered exactly once, and each well-formed
// request gets one answer with its id as it was sent, unless it is cancelled. Skills that ask their
// client are among those that are called; sometimes they are answered.
func FuzzDispatch(f *testing.F) {
	lines := transcript.Lines(f, "-> ")
	for i := range lines {
		f.Add([]byte{byte(i), byte(i >> 8), 0})
		f.Add([]byte{byte(i), byte(i >> 8), 1, byte(i * 7), byte(i * 11)})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) {
			core := newCore(t, mcp.Options{})
			if err := core.Registry().Register(askSkills()...); err != nil {
				t.Fatal(err)
			}
			l := core.Link(t.Context(), mcp.Peer{}, func([]byte) bool { return true })
			var sent []*once
			cancels := false
			for m := (mutator{data: data}); len(m.data) > 0 && len(sent) < 24; {
				text := m.message(lines)
				cancels = cancels || bytes.Contains(text, []byte("ancel")) || bytes.Contains(text, []byte(`\u`))
				x := &once{sent: slices.Clone(text)}
				sent = append(sent, x)
				var o mcp.Outline
				o.Read(text)
				l.Deliver(&o, x)
				synctest.Wait()
			}
			time.Sleep(time.Minute)
			if err := l.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			core.Close()
			for _, x := range sent {
				x.judge(t, cancels)
			}
		})
	})
}

// once is the way back of one message.
type once struct {
	sent []byte

	mu       sync.Mutex // guards what follows
	said     []string
	answered int
}

var _ mcp.Exchange = (*once)(nil)

func (x *once) Tell(text []byte) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.answered == 0 {
		x.said = append(x.said, string(text))
	}
	return true
}

func (x *once) Answer(text []byte, _ int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answered++
	if text != nil {
		x.said = append(x.said, string(text))
	}
}

// judge holds what was said against what the oracle of FuzzServe says.
func (x *once) judge(t *testing.T, cancels bool) {
	t.Helper()
	if x.answered != 1 {
		t.Errorf("%s: its exchange was answered %d times: %q", x.sent, x.answered, x.said)
	}
	text := bytes.TrimSpace(x.sent)
	if len(text) == 0 || text[0] == '[' || cancels {
		return // an array may be a batch or not, by what was negotiated
	}
	var replies []string
	for _, said := range x.said {
		if !strings.Contains(said, `"method":`) || strings.Contains(said, "notifications/subscriptions/acknowledged") || strings.Contains(said, `"result":`) || strings.Contains(said, `"error":`) {
			replies = append(replies, said)
		}
	}
	got, want := answered(t, replies), expected(x.sent, false)
	if !slices.Equal(want, got) {
		t.Errorf("%s is answered for the ids %q, want %q: %q", x.sent, got, want, x.said)
	}
}

// mutator makes messages of bytes.
type mutator struct{ data []byte }

func (m *mutator) next() int {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[0]
	m.data = m.data[1:]
	return int(b)
}

// oddities are what is put in the place of values.
var oddities = []any{
	nil, true, json.Number("-5"), json.Number("1.5"), json.Number("9007199254740993"), json.Number("1e400"), "", "x", "name", "2026-07-28",
	"2025-03-26", "\u0000\ufffd",
	[]any{},
	map[string]any{},
	[]any{[]any{nil}},
	map[string]any{"_meta": map[string]any{}},
	strings.Repeat("long ", 300),
}

// message takes one of the lines and changes it in up to seven places.
func (m *mutator) message(lines []string) []byte {
	text := []byte(lines[(m.next()|m.next()<<8)%len(lines)])
	for range m.next() % 8 {
		switch how := m.next(); how % 8 {
		case 0: // of the text
			at := m.next() * len(text) / 256
			text = slices.Concat(text[:at], []byte{byte(m.next())}, text[min(at+1, len(text)):])
		case 1:
			at := m.next() * len(text) / 256
			text = text[:at:at]
		default: // of the value
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			var v any
			if d.Decode(&v) != nil {
				break
			}
			at := m.next()
			v, _ = m.change(v, &at)
			if changed, err := json.Marshal(v); err == nil {
				text = changed
			}
		}
	}
	return text
}

// change changes the at-th value below v, counted in the order of the keys.
func (m *mutator) change(v any, at *int) (changed any, gone bool) {
	if *at == 0 {
		*at = -1
		switch how := m.next(); how % 3 {
		case 0:
			return nil, true
		default:
			return oddities[how/3%len(oddities)], false
		}
	}
	*at--
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if *at < 0 {
				break
			}
			if inner, gone := m.change(v[k], at); gone {
				delete(v, k)
			} else {
				v[k] = inner
			}
		}
	case []any:
		for i := range v {
			if *at < 0 {
				break
			}
			v[i], _ = m.change(v[i], at)
		}
	}
	return v, false
}
