package interaction

import (
	"encoding/json"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// happening is the payload of the events and moments of this package.
type happening struct {
	Entity   world.ID        `json:"entity,omitempty"` // the thing
	Actor    world.ID        `json:"actorEntity,omitempty"`
	By       string          `json:"by"` // the agent
	Type     string          `json:"type,omitempty"`
	Action   string          `json:"action,omitempty"`
	Item     string          `json:"itemId,omitempty"`
	Quantity int             `json:"quantity,omitempty"`
	Usage    string          `json:"usageBehavior,omitempty"`
	Target   world.ID        `json:"targetEntity,omitempty"`
	Active   bool            `json:"active,omitempty"`
	State    string          `json:"state,omitempty"` // what the thing has become
	Data     registry.Object `json:"data,omitempty"`
	Meta     registry.Object `json:"meta,omitempty"` // in the event only
}

// What a thing becomes. With its action and a dot before it, it is the name of an event, door.opened, which is why an action is 120 bytes at most.
const (
	stateOn     = "on"
	stateOff    = "off"
	stateOpened = "opened"
	stateClosed = "closed"
	stateLocked = "locked" // it was to be opened without its key, and stays as it is
)

// turns returns the name of the event that a thing has become something, "" if it has no action or has become nothing.
func (s *setup) turns(became string) string {
	if s.Action == "" || became == "" {
		return ""
	}
	return s.Action + "." + became
}

// emits are the names of the events that using a thing has: its action, and what it becomes by that.
func (s *setup) emits(th *Thing) (names []string) {
	if s.Action == "" {
		return nil
	}
	names = append(names, s.Action)
	switch {
	case s.opens(th):
		names = append(names, s.turns(stateOpened), s.turns(stateClosed))
		if s.Key != "" {
			names = append(names, s.turns(stateLocked))
		}
	case th.Type == "toggle":
		names = append(names, s.turns(stateOn), s.turns(stateOff))
	}
	return names
}

// tell tells those who see a place what happens there, those who listen to the events that have a name, about whom it is,
// and those who read the trace.
func (t *Things) tell(c caller, tx *world.Tx, kind string, at world.Vec3, about world.ID, h *happening, events ...string) error {
	h.By = c.Principal().ID
	meta := h.Meta
	h.Meta = nil
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := tx.Moment(world.Moment{Kind: kind, Entity: about, Placed: true, At: at, Payload: text}); err != nil {
		return err
	}
	for _, name := range events {
		if t.events == nil || name == "" {
			continue
		}
		if err := t.events.Emit(tx, action.Event{Name: name, Entity: about, Actor: h.Actor, Nobody: h.Actor == 0, At: &at, Data: text, By: h.By}); err != nil {
			return err
		}
	}
	h.Meta = meta
	return c.Emit(kind, h)
}
