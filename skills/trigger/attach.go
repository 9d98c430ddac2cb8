package trigger

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// Action is what is to be done.
type Action = action.Action

// AttachIn is the input of trigger.onEnter and trigger.onExit.
type AttachIn struct {
	TriggerID string          `json:"triggerId" validate:"max=64" jsonschema_description:"The zone, as trigger.create named it: \"trg_0\"."`
	Action    Action          `json:"action" jsonschema_description:"What is to be done."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// OnEnter is trigger.onEnter.
func OnEnter(t *Triggers) registry.Skill {
	return attaching(t, onEnter, registry.Spec[AttachIn, Done]{
		Name:  "trigger.onEnter",
		Title: "What happens when something enters",
		Description: "Say what is to be done when something enters a zone of trigger.create; once for each time. Several actions run in the order in which you attach them. They may do what you may do. " +
			`For what leaves use trigger.onExit, for what stays trigger.onStay. Example: {"triggerId":"trg_0","action":{"type":"setState","target":"ent_7","data":{"color":65280}}}`,
		Keywords: "when happen approach door action open touch step respawn back zone kill fall pad",
	})
}

// OnExit is trigger.onExit.
func OnExit(t *Triggers) registry.Skill {
	return attaching(t, onExit, registry.Spec[AttachIn, Done]{
		Name:  "trigger.onExit",
		Title: "What happens when something leaves",
		Description: "Say what is to be done when something leaves a zone of trigger.create; once for each time. What is destroyed in it, or leaves the game there, leaves it too: of the actions those are done that do nothing to it, such as a counter. Actions are those of trigger.onEnter. " +
			`Example: {"triggerId":"trg_0","action":{"type":"emit","target":"left the room"}}`,
		Keywords: "when happen leave action close behind",
	})
}

func attaching(t *Triggers, on occasion, spec registry.Spec[AttachIn, Done]) registry.Skill {
	spec.Permissions = []profiles.Permission{"trigger.configure"}
	spec.Effect = registry.Writes
	spec.Handle = func(c *registry.Call, in AttachIn) (Done, error) {
		return t.attach(c, on, in.TriggerID, in.Action, 0)
	}
	return registry.Define(spec)
}

// StayIn is the input of trigger.onStay.
type StayIn struct {
	TriggerID string          `json:"triggerId" validate:"max=64" jsonschema_description:"The zone, as trigger.create named it: \"trg_0\"."`
	Action    Action          `json:"action" jsonschema_description:"What is to be done."`
	Every     float64         `json:"every" validate:"gt=0,lte=3600" jsonschema:"default=1" jsonschema_description:"How many simulated seconds pass in between, counted for each entity since it entered."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// OnStay is trigger.onStay.
func OnStay(t *Triggers) registry.Skill {
	return registry.Define(registry.Spec[StayIn, Done]{
		Name:  "trigger.onStay",
		Title: "What happens while something stays",
		Description: "Say what is to be done again and again while something stays in a zone of trigger.create: first after every seconds, then each time as many have passed. Actions are those of trigger.onEnter. " +
			`Example: {"triggerId":"trg_0","action":{"type":"audio","data":{"name":"hum"}},"every":2}`,
		Keywords:    "repeat while inside damage",
		Permissions: []profiles.Permission{"trigger.configure"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in StayIn) (Done, error) {
			return t.attach(c, onStay, in.TriggerID, in.Action, t.w.StepsIn(in.Every))
		},
	})
}

// attach adds an action to a zone, if the caller may do himself what it does.
func (t *Triggers) attach(c *registry.Call, on occasion, name string, a Action, every uint64) (Done, error) {
	if err := a.Check(t.w, c); err != nil {
		return Done{}, err
	}
	return world.Do(t.w, c, func(tx *world.Tx) (Done, error) {
		h, z, err := t.find(&tx.View, name)
		if err != nil {
			return Done{}, err
		}
		list := z.of(on)
		if len(*list) == MaxActions {
			return Done{}, registry.Errorf(registry.CodeCapacityExceeded, "%s has %d actions on %s, which is the most; trigger.remove removes the zone with all of them", h, MaxActions, on)
		}
		*list = append(slices.Clip(*list), kept{a.Keep(c.Principal()), every})
		if on == onStay && len(*list) == 1 {
			if err := t.stays.Set(tx, h, true); err != nil {
				return Done{}, err
			}
		}
		return Done{OK: true, Note: a.Note()}, t.zones.Set(tx, h, z)
	})
}
