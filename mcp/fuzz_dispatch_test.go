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

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// FuzzDispatch sends messages that are nearly right, from every transcript, to the dispatcher: nothing
// panics, nothing hangs, each message has its exchange answered exactly once, and each well-formed
// request gets one answer with its id as it was sent, unless it is cancelled. Skills that ask their
// client are among those that are called; sometimes they are answered. The world changes meanwhile.
func FuzzDispatch(f *testing.F) {
	lines := transcript.Lines(f, "-> ")
	for i, filter := range []string{`{}`, `true`, `{"aoi":{"center":[0,0,0],"radius":1}}`, `{"aoi":{"center":[0,0,0],"radius":0},"encoding":"packed","since":1,"epoch":"x"}`} {
		lines = append(lines, listenWorld(i, filter))
	}
	for i := range lines {
		f.Add([]byte{byte(i), byte(i >> 8), 0})
		f.Add([]byte{byte(i), byte(i >> 8), 1, byte(i * 7), byte(i * 11)})
		f.Add([]byte{byte(i), byte(i >> 8), byte(i%mcpfuzz.Disguises) << 3})
	}
	for _, version := range []string{"2025-11-25", "2025-03-26", "agentId"} { // in a session
		hello := slices.IndexFunc(lines, func(line string) bool {
			return strings.Contains(line, `"method":"initialize"`) && strings.Contains(line, version) && json.Valid([]byte(line))
		})
		for i := range lines {
			f.Add([]byte{byte(hello), byte(hello >> 8), 0, byte(i), byte(i >> 8), byte(i%mcpfuzz.Disguises) << 3})
		}
	}
	mcpfuzz.Seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) {
			w := world.New(world.Config{})
			hub := statesync.New(w, statesync.Config{})
			defer hub.Close()
			core := newCore(t, mcp.Options{State: hub, Logger: mcpfuzz.Logger(t)})
			if err := core.Registry().Register(askSkills()...); err != nil {
				t.Fatal(err)
			}
			l := core.Link(t.Context(), mcp.Peer{}, func([]byte) bool { return true })
			var sent []*once
			cancels := false
			for m := (mcpfuzz.Mutator{Data: data}); len(m.Data) > 0 && len(sent) < 24; {
				text := m.Message(lines)
				cancels = cancels || bytes.Contains(text, []byte("ancel")) || bytes.Contains(text, []byte(`\u`))
				x := &once{sent: slices.Clone(text)}
				sent = append(sent, x)
				var o mcp.Outline
				o.Read(text)
				l.Deliver(&o, x)
				if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
					_, err := tx.Create(world.Spec{Position: world.Vec3{float64(len(sent) % 3)}})
					return err
				}); err != nil {
					t.Fatal(err)
				}
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
	var replies []string
	for _, said := range x.said {
		if !strings.Contains(said, `"method":`) || strings.Contains(said, "notifications/subscriptions/acknowledged") || strings.Contains(said, `"result":`) || strings.Contains(said, `"error":`) {
			replies = append(replies, said)
		}
	}
	got, want := mcpfuzz.Answered(t, replies), mcpfuzz.Expected(x.sent, false)
	text := bytes.TrimSpace(x.sent)
	if len(text) == 0 || text[0] == '[' || cancels {
		return // an array may be a batch or not, by what was negotiated
	}
	if !slices.Equal(want, got) {
		t.Errorf("%s is answered for the ids %q, want %q: %q", x.sent, got, want, x.said)
	}
}
