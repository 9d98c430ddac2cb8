package tracing

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// TailIn is the input of trace.tail.
type TailIn struct {
	AfterSeq *int64 `json:"afterSeq,omitempty" validate:"omitempty,gte=-1" jsonschema_description:"Only events after this sequence number, from the oldest on: the n of evt_n, -1 for all. Leave it out for the newest events."`
	Limit    int    `json:"limit,omitempty" validate:"omitempty,gte=0,lte=1000" jsonschema:"default=100" jsonschema_description:"At most so many events."`
	ActorID  string `json:"actorId,omitempty" jsonschema_description:"Only events of this agent."`
	Type     string `json:"type,omitempty" jsonschema_description:"Only events of this type, such as skill.refused."`
}

// TailOut is the output of trace.tail.
type TailOut struct {
	Events       []Event `json:"events" jsonschema_description:"The events, oldest first."`
	NextAfterSeq *int64  `json:"nextAfterSeq" jsonschema:"nullable" jsonschema_description:"There is more: the afterSeq that continues here. Null: nothing newer yet; to ask again later take the sequence number of the last event that you have."`
}

// Tail is trace.tail.
func Tail() registry.Skill {
	return registry.Define(registry.Spec[TailIn, TailOut]{
		Name:  "trace.tail",
		Title: "Read the trace",
		Description: "Read the log of events: who called what, what was refused and why. Without afterSeq it gives the newest events; " +
			"with it, page by page, all that came after. To follow one event's causes use trace.explainEvent.",
		Category:    "system",
		Keywords:    "event log error",
		Permissions: []profiles.Permission{readTrace},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in TailIn) (TailOut, error) {
			return tail(log(c), in), nil
		},
	})
}

func tail(l *trace.Log, in TailIn) TailOut {
	f := trace.Filter{Limit: in.Limit, Actor: in.ActorID, Type: in.Type}
	if in.AfterSeq == nil {
		if in.Limit == 0 {
			return TailOut{}
		}
		f.Newest = true
		events, _ := l.Tail(f)
		return TailOut{Events: EventsOf(events)}
	}
	f.After = trace.ID(*in.AfterSeq + 1)
	f.Limit++ // one more, to see whether there is more
	events, _ := l.Tail(f)
	if len(events) <= in.Limit {
		return TailOut{Events: EventsOf(events)}
	}
	events = events[:in.Limit]
	next := *in.AfterSeq
	if n := len(events); n > 0 {
		next = seq(events[n-1].ID)
	}
	return TailOut{Events: EventsOf(events), NextAfterSeq: &next}
}

// seq is an event's sequence number, the n of its evt_n.
func seq(id trace.ID) int64 { return int64(id) - 1 }
