package agent

import (
	"bytes"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

// What a perception is bounded by.
const (
	Radius     = 20      // metres around the body
	MaxSeen    = 32      // entities, the nearest
	MaxEvents  = 8       // events, the newest
	MaxPayload = 2 << 10 // bytes of the payload of one event; a longer one is left out

	lookedAt = 4 * MaxEvents // events, of which some are not told
)

// GetPerceptionIn is the input of agent.getPerception.
type GetPerceptionIn struct{}

// GetPerceptionOut is the output of agent.getPerception.
type GetPerceptionOut struct {
	Perception *Perception `json:"perception" jsonschema:"nullable" jsonschema_description:"What you perceive; null while you have neither a body nor a character."`
	Reason     string      `json:"reason,omitempty" jsonschema_description:"Why it is null, and what would help."`
}

// Perception is what the caller perceives.
type Perception struct {
	agents.Perception
	Events []Event `json:"events" jsonschema_description:"The newest events of your own calls in this session, oldest first; at most 8."`
}

// Event is an event of the caller's own.
type Event struct {
	ID      trace.ID        `json:"id" jsonschema_description:"Its id."`
	Type    string          `json:"type" jsonschema_description:"What happened, such as skill.executed or skill.failed."`
	Tick    uint64          `json:"tick" jsonschema_description:"The newest commit of the world when it happened."`
	Payload registry.Object `json:"payload,omitempty" jsonschema_description:"The rest, by type; left out if it is long. Of a call its skill and, if it was refused, code and reason."`
}

// GetPerception is agent.getPerception.
func GetPerception(w *world.World, a *agents.Agents) registry.Skill {
	return registry.Define(registry.Spec[GetPerceptionIn, GetPerceptionOut]{
		Name:  "agent.getPerception",
		Title: "Perceive the surroundings",
		Description: "Perceive the world through your body, or without one through the first character that you spawned (player.spawn): where you are, what is within 20 metres (the 32 nearest things, nearest first), what others have said there lately, where you are walking to, and the last events of your own calls. " +
			"The perception is null while you have neither; agent.embody gives you a body. To look at the world as a whole use scene.inspect or scene.queryEntities.",
		Keywords:    "near around who nearby surrounding hear listen heard said speech conversation here",
		Permissions: []profiles.Permission{"agent.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, _ GetPerceptionIn) (GetPerceptionOut, error) {
			id := c.Principal().ID
			out, err := world.Read(w, c, func(v *world.View) (GetPerceptionOut, error) {
				if _, ok := a.Eyes(v, id); !ok {
					return GetPerceptionOut{Reason: "you have no body and no character: agent.embody {} or player.spawn makes one"}, nil
				}
				p, err := a.Perceive(v, id, Radius, MaxSeen)
				return GetPerceptionOut{Perception: &Perception{Perception: told(p)}}, err
			})
			if err != nil || out.Perception == nil {
				return out, err
			}
			out.Perception.Events = recent(c)
			return out, nil
		},
	})
}

// told is a perception with its places and distances as answers tell them.
func told(p agents.Perception) agents.Perception {
	p.Position = shown.Point(p.Position)
	if p.Walking != nil {
		way := *p.Walking
		way.Point = shown.Point(way.Point)
		p.Walking = &way
	}
	for i := range p.Seen {
		s := &p.Seen[i]
		s.Position, s.Distance = shown.Point(s.Position), shown.Number(s.Distance)
	}
	for i := range p.Heard {
		p.Heard[i].SecondsAgo = shown.Number(p.Heard[i].SecondsAgo)
	}
	return p
}

// recent returns the newest events of the caller's own. Of a call it is told what a reader needs to know it by, which has had its answer: the skill and, if
// it was refused, why; and of one that another has made for him, as skills.call does, that one alone.
func recent(c *registry.Call) (told []Event) {
	p := c.Principal()
	var usual [lookedAt]trace.Brief
	for _, n := range [...]int{MaxEvents + 1, lookedAt} { // the first do, unless some of them are not told
		events := c.Registry().Trace().AppendRecent(usual[:0], p.ID, p.Session, n)
		if told = tell(events); len(told) == MaxEvents || len(events) < n {
			break
		}
	}
	return told
}

// tell returns the newest of the caller's events that are told, oldest first.
func tell(events []trace.Brief) []Event {
	told := make([]Event, MaxEvents)
	text := make([]byte, 0, 48*MaxEvents) // of calls
	first := len(told)
	for i := len(events) - 1; i >= 0 && first > 0; i-- {
		e := &events[i]
		own := Event{ID: e.ID, Type: e.Type, Tick: e.Tick}
		switch {
		case e.Type == registry.EventExecuted || e.Type == registry.EventRefused:
			if i+1 < len(events) && relayed(e, &events[i+1]) {
				continue
			}
			start := len(text)
			text = appendCall(text, e)
			own.Payload = text[start:len(text):len(text)]
		case len(e.Payload) <= MaxPayload:
			own.Payload = registry.Object(e.Payload)
		}
		first--
		told[first] = own
	}
	return told[first:]
}

// relayed reports whether the event behind it is of the call that this one has made.
func relayed(e, next *trace.Brief) bool {
	return e.Type == next.Type && string(wire.Member(e.Payload, "skill")) == `"skills.call"` &&
		bytes.Equal(wire.Member(e.Payload, "intent"), wire.Member(next.Payload, "intent"))
}

// appendCall appends what is told of a call.
func appendCall(text []byte, e *trace.Brief) []byte {
	names := [...]string{"skill", "code", "reason"}
	says := names[:]
	if e.Type == registry.EventExecuted {
		says = names[:1]
	}
	text = append(text, '{')
	for _, name := range says {
		if value := wire.Member(e.Payload, name); value != nil && len(value) <= MaxPayload {
			if text[len(text)-1] != '{' {
				text = append(text, ',')
			}
			text = append(append(append(text, '"'), name...), `":`...)
			text = append(text, value...)
		}
	}
	return append(text, '}')
}
