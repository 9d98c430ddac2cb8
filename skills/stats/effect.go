package stats

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/world"
)

// Handle names an effect. The n-th of a world, counted from 0, is "eff_<n>". No handle names two effects.
type Handle = handle.Of[kind]

type kind struct{}

func (kind) Prefix() string { return "eff_" }
func (kind) Noun() string   { return "effect" }

// effect is something that is on an entity for a while. Viewers see it.
type effect struct {
	ID        Handle          `json:"id"`
	Type      string          `json:"type"`
	Magnitude float64         `json:"magnitude"` // of a shield: what is left of it
	Since     uint64          `json:"since"`     // the step after which it began
	Until     uint64          `json:"until"`     // the step in which it ends
	Every     uint64          `json:"every,omitempty"`
	Stat      string          `json:"stat,omitempty"` // of a buff
	OnRemove  string          `json:"onRemove,omitempty"`
	OnTick    string          `json:"onTick,omitempty"`
	Config    registry.Object `json:"config,omitempty"`
	By        string          `json:"by"`            // who applied it
	From      world.ID        `json:"from,omitzero"` // whose doing it is in the world; 0: nobody's
}

// news is what viewers are told of an effect.
type news struct {
	Entity    world.ID        `json:"entity"`
	ID        Handle          `json:"effectId"`
	Type      string          `json:"type"`
	Magnitude float64         `json:"magnitude"`
	Event     string          `json:"event,omitempty"`
	Why       string          `json:"why,omitempty"` // it has ended: "time", "removed", "spent", "thawed"
	By        string          `json:"by"`
	Config    registry.Object `json:"config,omitempty"`
	Error     string          `json:"error,omitempty"` // why those who listen are not told
}

// tell hands the event that an effect names to those who listen, if it names one, and tells viewers of the effect. That too many events
// wait for those who listen does not stop it: viewers are told. For who is banned nothing is emitted.
func (s *Stats) tell(tx *world.Tx, what string, id world.ID, e *effect, event, why string) error {
	if s.deps.Does.Rests(&tx.View, e.By) {
		event = ""
	}
	n := news{id, e.ID, e.Type, e.Magnitude, event, why, e.By, e.Config, ""}
	if event != "" {
		data, err := json.Marshal(emitted{e.ID, e.Type, e.Magnitude})
		if err != nil {
			return err
		}
		if err := s.deps.Does.Emit(tx, action.Event{Name: event, Entity: id, Actor: e.doer(&tx.View), Data: data, By: e.By}); err != nil {
			n.Error = registry.Said(err)
		}
	}
	return tell(tx, "status."+what, id, &n)
}

// doer is whose doing an effect is, 0 if it is nobody's or of who is gone.
func (e *effect) doer(v *world.View) world.ID {
	if v.Exists(e.From) {
		return e.From
	}
	return 0
}

// emitted is what those get who listen to the event of an effect.
type emitted struct {
	ID        Handle  `json:"effectId"`
	Type      string  `json:"type"`
	Magnitude float64 `json:"magnitude"`
}

// harms is the type of the damage that an effect does when it ticks, "" if it does none.
func harms(effect string) string {
	switch effect {
	case "poison":
		return "poison"
	case "burn":
		return "fire"
	}
	return ""
}

// on returns an effect that is on an entity, false if it is not.
func (s *Stats) on(v *world.View, id world.ID, h Handle) (effect, bool) {
	effects, _ := s.effects.Get(v, id)
	for i := range effects {
		if effects[i].ID == h {
			return effects[i], true
		}
	}
	return effect{}, false
}

// end takes an effect from an entity, and tells why.
func (s *Stats) end(tx *world.Tx, id world.ID, h Handle, why string) error {
	e, ok := s.on(&tx.View, id, h)
	if !ok {
		return nil
	}
	effects, _ := s.effects.Get(&tx.View, id)
	if len(effects) == 1 {
		s.effects.Remove(tx, id)
	} else if err := s.effects.Set(tx, id, slices.DeleteFunc(slices.Clone(effects), func(e effect) bool { return e.ID == h })); err != nil {
		return err
	}
	return s.tell(tx, "ended", id, &e, e.OnRemove, why)
}

// thaw ends what has an entity frozen.
func (s *Stats) thaw(tx *world.Tx, id world.ID) error {
	effects, _ := s.effects.Get(&tx.View, id)
	for i := range effects {
		if effects[i].Type != "freeze" {
			continue
		}
		if err := s.end(tx, id, effects[i].ID, "thawed"); err != nil {
			return err
		}
	}
	return nil
}

// Pace is how much of its speed an entity has, 0 to 1, by what is on it.
func (s *Stats) Pace(v *world.View, id world.ID) float64 {
	effects, _ := s.effects.Get(v, id)
	slow := 0.0
	for i := range effects {
		switch e := &effects[i]; e.Type {
		case "stun", "freeze":
			return 0
		case "slow":
			slow = max(slow, e.Magnitude)
		}
	}
	return 1 / (1 + slow)
}

// Unable says why an entity cannot act, for its caller to read; "" if it can.
func (s *Stats) Unable(v *world.View, id world.ID) string {
	if alive, has := s.Alive(v, id); has && !alive {
		return id.String() + " has no health left"
	}
	effects, _ := s.effects.Get(v, id)
	for i := range effects {
		switch e := &effects[i]; e.Type {
		case "stun":
			return id.String() + " is stunned (" + e.ID.String() + ")"
		case "freeze":
			return id.String() + " is frozen (" + e.ID.String() + ")"
		}
	}
	return ""
}
