package tracing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/numbered"
	"github.com/limina-mcp/limina/trace"
)

// maxEventBytes bounds what a read of an event shows of its payload.
const maxEventBytes = 32 << 10

// Resources returns what can be read of l: its events.
func Resources(l *trace.Log) []registry.Resource { return []registry.Resource{eventResource(l)} }

// eventResource is limina://trace/{event}. Events never change, so nobody need subscribe to one.
func eventResource(l *trace.Log) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: "limina://trace/{event}", Name: "event", Title: "An event",
		Description: "One event of the trace, such as limina://trace/evt_12: who called what, what came of it, and its place in the chain of hashes. " +
			"To read on page by page call trace.tail; for causes and effects trace.explainEvent.",
		MIMEType:    "application/json",
		Permissions: []profiles.Permission{readTrace},
		Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
			id, err := trace.ParseID(at.Var("event"))
			if err != nil {
				return nil, registry.Errorf(registry.CodeNotFound, "%v", err)
			}
			e, ok := l.Get(id)
			if !ok {
				var said *registry.Error
				errors.As(notInLog(l, id), &said)
				return nil, registry.Errorf(registry.CodeNotFound, "%s", said.Message)
			}
			out := EventOf(e)
			if len(out.Payload) > maxEventBytes {
				out.Payload = fmt.Appendf(nil, `{"bytes":%d,"note":"too long to show here: skills_call {\"name\":\"trace.tail\",\"input\":{\"afterSeq\":%d,\"limit\":1}} has it all"}`, len(out.Payload), seq(id)-1)
			}
			text, err := json.Marshal(out)
			return []registry.Contents{{URI: at.URI, MIMEType: "application/json", Text: string(text)}}, err
		},
		Complete: func(_ context.Context, p registry.Partial) (registry.Suggestions, error) {
			next, _ := l.Head()
			first := next - trace.ID(l.Len())
			has := func(uint64) bool { return true }
			return numbered.IDs{Prefix: "evt_", First: uint64(first) - 1, End: uint64(next) - 1, Has: has}.Complete(p.Value), nil
		},
	})
}
