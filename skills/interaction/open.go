package interaction

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// OpenIn is the input of interaction.open, close and toggle.
type OpenIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Which thing, such as ent_7."`
	Actor  world.ID        `json:"actorEntity,omitempty" jsonschema_description:"Who does it, and has to be near: left out, your own body or character; who has none and may register things does it from nowhere."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event."`
}

// OpenOut is the output of interaction.open and close.
type OpenOut struct {
	OK      bool    `json:"ok" jsonschema_description:"Whether it is so now, or will be in seconds; if not, nothing has changed."`
	Seconds float64 `json:"seconds,omitempty" jsonschema_description:"How many simulated seconds it moves for; physics.settle with its id waits for that."`
	Reason  string  `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
}

// Open is interaction.open.
func Open(t *Things) registry.Skill {
	return opener(t, true, registry.Spec[OpenIn, OpenOut]{
		Name:  "interaction.open",
		Title: "Open something",
		Description: "Open a door, a gate, a chest that interaction.register has made one: it turns or slides in simulated time, with its body, as its registration says. What is locked needs its key in the inventory of who opens it. For a lever or a lamp use interaction.toggle. " +
			`Example: {"entity":"ent_7"}`,
		Keywords: "door gate chest lid unlock drawer window",
	})
}

// Close is interaction.close.
func Close(t *Things) registry.Skill {
	return opener(t, false, registry.Spec[OpenIn, OpenOut]{
		Name:  "interaction.close",
		Title: "Close something",
		Description: "Close what interaction.open has opened: it goes back to where it was, in simulated time. " +
			`Example: {"entity":"ent_7"}`,
		Keywords: "door gate chest lid shut drawer window",
	})
}

func opener(t *Things, open bool, spec registry.Spec[OpenIn, OpenOut]) registry.Skill {
	spec.Permissions = []profiles.Permission{"interaction.write"}
	spec.Effect = registry.Writes
	spec.Handle = func(c *registry.Call, in OpenIn) (OpenOut, error) {
		return world.Do(t.w, c, func(tx *world.Tx) (OpenOut, error) {
			actor, err := t.hand(&tx.View, c.Principal(), in.Actor)
			if err != nil {
				return OpenOut{}, err
			}
			th, s, err := t.find(&tx.View, in.Entity)
			if err != nil {
				return OpenOut{}, err
			}
			seconds, why, err := t.swing(c, tx, &deed{actor: actor, id: in.Entity, thing: th, setup: s, meta: in.Meta}, open)
			return OpenOut{OK: why == "", Seconds: seconds, Reason: why}, err
		})
	}
	return registry.Define(spec)
}

// deed is that somebody does something with a thing.
type deed struct {
	actor world.ID // 0: somebody from nowhere
	id    world.ID
	thing Thing
	setup setup
	data  registry.Object
	meta  registry.Object
}

// reach says why somebody cannot do it from where he is.
func (t *Things) reach(c caller, v *world.View, d *deed) string {
	return t.far(v, c.Principal(), d.actor, t.goal(v, d.id, d.thing.Range))
}

// happening returns what is told of a deed.
func (d *deed) happening() *happening {
	return &happening{Entity: d.id, Actor: d.actor, Type: d.thing.Type, Action: d.setup.Action, Active: d.thing.Active, Data: d.data, Meta: d.meta}
}

// done tells of a deed, and what the thing has become by it, "" if nothing.
func (t *Things) done(c caller, tx *world.Tx, kind string, d *deed, became string) error {
	at, _ := tx.Position(d.id)
	h := d.happening()
	h.State = became
	return t.tell(c, tx, kind, at, d.id, h, d.setup.Action, d.setup.turns(became))
}

// refused tells that a thing is locked to who wanted to open it. Its action is not done, so that only those hear it who listen to that.
func (t *Things) refused(c caller, tx *world.Tx, d *deed) error {
	at, _ := tx.Position(d.id)
	h := d.happening()
	h.State = stateLocked
	return t.tell(c, tx, "interaction.locked", at, d.id, h, d.setup.turns(stateLocked))
}

// swing opens or closes something, and returns how long it moves.
func (t *Things) swing(c caller, tx *world.Tx, d *deed, open bool) (seconds float64, why string, err error) {
	if !d.setup.opens(&d.thing) {
		return 0, fmt.Sprintf("%s is registered as %q, and does not open: interaction.interact does what it is for", d.id, d.thing.Type), nil
	}
	if why := t.reach(c, &tx.View, d); why != "" {
		return 0, why, nil
	}
	if d.thing.Open == open {
		return 0, "", nil
	}
	if key := d.setup.Key; open && key != "" && d.actor != 0 {
		if has, _ := t.owned.Own(&tx.View, d.actor, key); has == 0 {
			return 0, fmt.Sprintf("%s is locked: %s needs the item %q", d.id, d.actor, key), t.refused(c, tx, d)
		}
	}
	d.thing.Open = open
	if err := t.things.Set(tx, d.id, d.thing); err != nil {
		return 0, "", err
	}
	if d.setup.Way != nil {
		steps, err := t.send(tx, d.id, d.setup.Way, open)
		if err != nil {
			return 0, "", err
		}
		seconds = t.w.Seconds(steps)
	}
	became := stateClosed
	if open {
		became = stateOpened
	}
	return seconds, "", t.done(c, tx, "interaction."+became, d, became)
}

// ToggleOut is the output of interaction.toggle.
type ToggleOut struct {
	OK      bool    `json:"ok" jsonschema_description:"Whether it was done; if not, nothing has changed."`
	State   State   `json:"state" jsonschema_description:"How it is now."`
	Seconds float64 `json:"seconds,omitempty" jsonschema_description:"How many simulated seconds it moves for."`
	Reason  string  `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
}

// State is how a thing is.
type State struct {
	Open   *bool `json:"open,omitempty" jsonschema_description:"Whether it is open, of what opens."`
	Active *bool `json:"active,omitempty" jsonschema_description:"Whether it is on, of all else."`
}

// state returns how a thing is.
func (d *deed) state() State {
	if d.setup.opens(&d.thing) {
		return State{Open: &d.thing.Open}
	}
	return State{Active: &d.thing.Active}
}

// Toggle is interaction.toggle.
func Toggle(t *Things) registry.Skill {
	return registry.Define(registry.Spec[OpenIn, ToggleOut]{
		Name:  "interaction.toggle",
		Title: "Switch something",
		Description: "Switch a lever, a lamp, a machine on or off: its flag changes, viewers see it, and its action tells those who listen. What opens is opened or closed. To say which of the two use interaction.open and interaction.close. " +
			`Example: {"entity":"ent_7"}`,
		Keywords:    "lever switch button lamp on off flip machine",
		Permissions: []profiles.Permission{"interaction.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OpenIn) (ToggleOut, error) {
			return world.Do(t.w, c, func(tx *world.Tx) (ToggleOut, error) {
				actor, err := t.hand(&tx.View, c.Principal(), in.Actor)
				if err != nil {
					return ToggleOut{}, err
				}
				th, s, err := t.find(&tx.View, in.Entity)
				if err != nil {
					return ToggleOut{}, err
				}
				d := &deed{actor: actor, id: in.Entity, thing: th, setup: s, meta: in.Meta}
				seconds, why, err := t.toggle(c, tx, d)
				return ToggleOut{why == "", d.state(), seconds, why}, err
			})
		},
	})
}

// toggle opens or closes what opens, and switches all else.
func (t *Things) toggle(c caller, tx *world.Tx, d *deed) (seconds float64, why string, err error) {
	if d.setup.opens(&d.thing) {
		return t.swing(c, tx, d, !d.thing.Open)
	}
	if why := t.reach(c, &tx.View, d); why != "" {
		return 0, why, nil
	}
	d.thing.Active = !d.thing.Active
	if err := t.things.Set(tx, d.id, d.thing); err != nil {
		return 0, "", err
	}
	became := stateOff
	if d.thing.Active {
		became = stateOn
	}
	return 0, "", t.done(c, tx, "interaction.toggled", d, became)
}
