package httpmcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/statesync"
	httpmcp "github.com/limina-mcp/limina/transport/http"
	"github.com/limina-mcp/limina/world"
)

// Who reads is told all of the world on a listen, however long the message that has it, and then what changes.
func TestLargeWorldOnListen(t *testing.T) {
	for name, fronted := range map[string]bool{"front": true, "net/http": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := world.New(world.Config{})
				const many = 1000
				put(t, w, many)
				hub := statesync.New(w, statesync.Config{})
				defer hub.Close()
				r := serveState(t, httpmcp.Options{History: 64 << 10}, fronted, hub)

				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				told := r.listen(ctx, `{"dev.limina/state-sync":{}}`)
				if ack := told(); ack.Method != "notifications/subscriptions/acknowledged" {
					t.Fatalf("first came %q", ack.Method)
				}
				if first := told(); first.Method != "state/snapshot" || len(first.Params.Entities) != many {
					t.Fatalf("then came %q of %d entities, want a snapshot of %d", first.Method, len(first.Params.Entities), many)
				}
				put(t, w, many)
				if next := told(); next.Method != "state/delta" || len(next.Params.Changes) != many {
					t.Errorf("then came %q of %d entities, want a delta of %d", next.Method, len(next.Params.Changes), many)
				}
			})
		})
	}
}

// A moment is told in one piece, however its payload is written: an event of a stream is a line.
func TestMomentWithLineEndsOnListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(world.Config{})
		hub := statesync.New(w, statesync.Config{})
		defer hub.Close()
		r := serveState(t, httpmcp.Options{}, true, hub)
		told := r.listen(t.Context(), `{"dev.limina/state-sync":{}}`)
		told()
		told()
		_, err := w.Update(t.Context(), func(tx *world.Tx) error {
			return tx.Moment(world.Moment{Kind: "bell", Payload: json.RawMessage("{\n\t\"text\": \"a\\nb\",\r\n\"n\":\r1\n}")})
		})
		if err != nil {
			t.Fatal(err)
		}
		next := told()
		var got map[string]any
		if len(next.Params.Events) != 1 || json.Unmarshal(next.Params.Events[0].Payload, &got) != nil || got["text"] != "a\nb" || got["n"] != 1.0 {
			t.Errorf("it is told %+v", next)
		}
	})
}

// put makes entities.
func put(t *testing.T, w *world.World, n int) {
	t.Helper()
	_, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for range n {
			if _, err := tx.Create(world.Spec{}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// listened is a message that comes on a listen.
type listened struct {
	Method string
	Params struct {
		Entities, Changes []json.RawMessage
		Events            []struct{ Payload json.RawMessage }
	}
}

// listen opens a listen, and returns what returns the next message on it.
func (r *rig) listen(ctx context.Context, filter string) (next func() listened) {
	r.tb.Helper()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://limina/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{}},"notifications":`+filter+`}}`))
	if err != nil {
		r.tb.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
	} {
		q.Header.Set(name, value)
	}
	answer, err := r.client.Do(q)
	if err != nil {
		r.tb.Fatal(err)
	}
	r.tb.Cleanup(func() { _ = answer.Body.Close() })
	in := bufio.NewReader(answer.Body)
	return func() (m listened) {
		r.tb.Helper()
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				r.tb.Fatalf("nothing more is told: %v", err)
			}
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				if err := json.Unmarshal([]byte(text), &m); err != nil {
					r.tb.Fatal(err)
				}
				return m
			}
		}
	}
}
