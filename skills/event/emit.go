package event

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// EmitIn is the input of event.emit.
type EmitIn struct {
	EventName string          `json:"eventName" validate:"min=1,max=128" jsonschema_description:"The name of the event, as event.listen has it."`
	Payload   registry.Object `json:"payload" jsonschema:"default={}" jsonschema_description:"What viewers are told with it."`
	Entity    world.ID        `json:"entity,omitempty" jsonschema_description:"Whom it is about: the target of actions that name none, and where it is told. Left out: nobody, and everybody is told."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// Dispatched is what a listener will do.
type Dispatched struct {
	ListenerID Handle        `json:"listenerId" jsonschema_description:"Who listens."`
	EventName  string        `json:"eventName" jsonschema_description:"To what."`
	Action     action.Action `json:"action" jsonschema_description:"What will be done."`
}

// EmitOut is the output of event.emit.
type EmitOut struct {
	OK         bool         `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Fired      int          `json:"fired" jsonschema_description:"How many listeners of event.listen hear it; quests hear it too, and are not counted."`
	Reacting   int          `json:"reacting,omitempty" jsonschema_description:"How many entities have a reaction to it (behavior.define, behavior.onEvent) that does not rest and is about such an event. Whether the condition of that holds is seen when it is their turn."`
	Dispatched []Dispatched `json:"dispatched" jsonschema_description:"What the next simulation step does about it, in this order. What fails there is told as event.failed, and by game.rules."`
	Note       string       `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Emit is event.emit.
func Emit(e *Events) registry.Skill {
	return registry.Define(registry.Spec[EmitIn, EmitOut]{
		Name:  "event.emit",
		Title: "Emit an event",
		Description: "Emit an event by its name: viewers are told, and what event.listen attached to the name is done by the server in the next simulation step; dispatched says what that is. " +
			"To emit one where something enters a zone use an emit action of trigger.onEnter, after some time game.timer, when something becomes true game.condition. To tell other agents something use agent.emitEvent. " +
			`Example: {"eventName":"alarm","payload":{"where":"gate"},"entity":"ent_7"}`,
		Keywords:    "fire trigger dispatch send broadcast raise signal game event",
		Permissions: []profiles.Permission{"event.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in EmitIn) (EmitOut, error) {
			if err := config.Fits("payload", len(in.Payload), MaxData); err != nil {
				return EmitOut{}, err
			}
			if err := action.CheckName("eventName", in.EventName); err != nil {
				return EmitOut{}, err
			}
			return world.Do(e.w, c, func(tx *world.Tx) (EmitOut, error) { return e.emit(tx, c.Principal().ID, &in) })
		},
	})
}

// emit emits an event and says what comes of it.
func (e *Events) emit(tx *world.Tx, by string, in *EmitIn) (EmitOut, error) {
	ev := action.Event{Name: in.EventName, By: by}
	if string(in.Payload) != "{}" {
		ev.Data = in.Payload
	}
	if in.Entity != 0 {
		if ev.Entity = in.Entity; !tx.Exists(ev.Entity) {
			return EmitOut{}, tx.Unknown(ev.Entity)
		}
	}
	if err := e.does.Announce(tx, ev); err != nil {
		return EmitOut{}, err
	}
	to, _ := e.names.Get(&tx.View, in.EventName)
	out := EmitOut{OK: true, Fired: len(to), Reacting: e.does.Reacting(&tx.View, &ev), Dispatched: make([]Dispatched, len(to))}
	for i, h := range to {
		l, _ := e.listeners.Get(&tx.View, h)
		out.Dispatched[i] = Dispatched{h, l.Name, l.Action()}
	}
	if near := e.near(&tx.View, in.EventName); near != "" && len(to) == 0 && out.Reacting == 0 {
		out.Note = "nobody listens to this name; did you mean \"" + quote.Clip(near) + "\"?"
	}
	return out, nil
}
