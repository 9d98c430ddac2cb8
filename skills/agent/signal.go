package agent

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/trace"
)

// SignalPrefix begins the type of every event that a caller names.
const SignalPrefix = "agent.signal."

// Limits of a signal.
const (
	MaxSignalType    = 128         // bytes
	MaxSignalPayload = 64<<10 - 64 // bytes: an event of at most 64 KiB holds it
)

// EmitEventIn is the input of agent.emitEvent.
type EmitEventIn struct {
	Type    string          `json:"type" validate:"min=1" jsonschema_description:"What the signal says, such as door.opened, of at most 128 bytes. The event's type is agent.signal. and this."`
	Payload registry.Object `json:"payload" jsonschema:"default={}" jsonschema_description:"Anything that goes with it."`
}

// EmitEventOut is the output of agent.emitEvent.
type EmitEventOut struct {
	EventID trace.ID `json:"eventId" jsonschema_description:"Id of the event."`
}

// NameEvents makes the event's id known to typed callers.
func (o *EmitEventOut) NameEvents(resolve func(trace.ID) trace.ID) { o.EventID = resolve(o.EventID) }

// EmitEvent is agent.emitEvent.
func EmitEvent() registry.Skill {
	return registry.Define(registry.Spec[EmitEventIn, EmitEventOut]{
		Name:  "agent.emitEvent",
		Title: "Leave a signal in the trace",
		Description: "Write an event of your own into the trace, for those who read it: the type agent.signal.<type>, what you give as payload under the key payload. Nothing in the world changes; to speak to those around you use social.say. " +
			`Example: {"type":"wall.finished","payload":{"entity":"ent_7"}}`,
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in EmitEventIn) (EmitEventOut, error) {
			if err := in.fit(); err != nil {
				return EmitEventOut{}, err
			}
			payload, err := json.Marshal(signal{Intent: c.Intent(), Payload: in.Payload})
			if err != nil {
				return EmitEventOut{}, err
			}
			id, err := c.EmitNamed(SignalPrefix+in.Type, json.RawMessage(payload))
			return EmitEventOut{EventID: id}, err
		},
	})
}

// signal is the payload of the event.
type signal struct {
	Intent  uint64          `json:"intent"`
	Payload registry.Object `json:"payload"`
}

// fit refuses what is too large for an event.
func (in *EmitEventIn) fit() error {
	if err := config.Fits("type", len(in.Type), MaxSignalType); err != nil {
		return err
	}
	if err := config.Fits("payload", len(in.Payload), MaxSignalPayload); err != nil {
		return err
	}
	return nil
}
