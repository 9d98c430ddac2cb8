package interaction

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// InteractIn is the input of interaction.interact.
type InteractIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Which thing, such as ent_7, as interaction.query lists it."`
	Actor  world.ID        `json:"actorEntity,omitempty" jsonschema_description:"Who does it, and has to be near: left out, your own body or character; who has none and may register things does it from nowhere."`
	Data   registry.Object `json:"data,omitempty" jsonschema_description:"Anything that those who are told are to know."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event."`
}

// InteractOut is the output of interaction.interact.
type InteractOut struct {
	OK     bool    `json:"ok" jsonschema_description:"Whether it was done; if not, nothing has changed."`
	Result *Result `json:"result,omitempty" jsonschema_description:"What was done."`
	Reason string  `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
}

// Result is what was done.
type Result struct {
	Did      string             `json:"did" jsonschema_description:"pickup, open, close, toggle, talk, or told: those who see it and who listen were told."`
	ItemID   string             `json:"itemId,omitempty" jsonschema_description:"What was picked up."`
	Quantity int                `json:"quantity,omitempty" jsonschema_description:"How many."`
	Slot     *int               `json:"slot,omitempty" jsonschema_description:"In which slot they are, or the first of them."`
	Active   *bool              `json:"active,omitempty" jsonschema_description:"Whether it is on now."`
	Seconds  float64            `json:"seconds,omitempty" jsonschema_description:"How many simulated seconds it moves for."`
	Talk     *dialogue.StartOut `json:"talk,omitempty" jsonschema_description:"Of talk: what is said, and what may be answered by dialogue.choose, as dialogue.start answers."`
	Config   registry.Object    `json:"config,omitempty" jsonschema_description:"What the thing was registered with, of use, talk and custom."`
}

// Interact is interaction.interact.
func Interact(t *Things) registry.Skill {
	return registry.Define(registry.Spec[InteractIn, InteractOut]{
		Name:  "interaction.interact",
		Title: "Do what it is there for",
		Description: "Do with a thing what it is there for: pick up what is to be picked up, open or close what opens, switch what is switched, talk to who is spoken to, and tell those who see it, and who listen, of all else. You have to be near. To use an item that you have use interaction.use. " +
			`Example: {"entity":"ent_7"}`,
		Core:        true,
		Keywords:    "use press push pull activate talk door lever pick up touch operate",
		Permissions: []profiles.Permission{"interaction.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in InteractIn) (InteractOut, error) {
			if err := config.Fits("data", len(in.Data), MaxConfig); err != nil {
				return InteractOut{}, err
			}
			return world.Do(t.w, c, func(tx *world.Tx) (InteractOut, error) {
				result, why, err := t.interact(c, tx, &in)
				if why != "" || err != nil {
					return InteractOut{Reason: why}, err
				}
				return InteractOut{OK: true, Result: result}, nil
			})
		},
	})
}

func (t *Things) interact(c caller, tx *world.Tx, in *InteractIn) (r *Result, why string, err error) {
	th, s, err := t.find(&tx.View, in.Entity)
	if err != nil {
		return nil, "", err
	}
	as := t.hand
	if th.Type == "pickup" {
		as = t.actor
	}
	actor, err := as(&tx.View, c.Principal(), in.Actor)
	if err != nil {
		return nil, "", err
	}
	return t.deal(c, tx, &deed{actor: actor, id: in.Entity, thing: th, setup: s, data: in.Data, meta: in.Meta})
}

// deal does with a thing what it is there for.
func (t *Things) deal(c caller, tx *world.Tx, d *deed) (r *Result, why string, err error) {
	switch {
	case d.thing.Type == "pickup":
		slot, why, err := t.pickup(c, tx, d, nil)
		return &Result{Did: "pickup", ItemID: d.setup.Item, Quantity: d.setup.N, Slot: &slot}, why, err
	case d.setup.opens(&d.thing):
		did := "open"
		if d.thing.Open {
			did = "close"
		}
		seconds, why, err := t.swing(c, tx, d, !d.thing.Open)
		return &Result{Did: did, Seconds: seconds}, why, err
	case d.thing.Type == "toggle":
		_, why, err := t.toggle(c, tx, d)
		return &Result{Did: "toggle", Active: &d.thing.Active}, why, err
	}
	if why := t.reach(c, &tx.View, d); why != "" {
		return nil, why, nil
	}
	if d.setup.Tree != "" && t.talks != nil {
		return t.converse(c, tx, d)
	}
	return &Result{Did: "told", Config: d.setup.Config}, "", t.done(c, tx, "interaction.interacted", d, "")
}

// converse has somebody who is there talk with a thing.
func (t *Things) converse(c caller, tx *world.Tx, d *deed) (r *Result, why string, err error) {
	if d.actor == 0 {
		return nil, "a dialogue needs somebody who listens: give actorEntity, or make a body with agent.embody or player.spawn", nil
	}
	out, err := t.talks.Begin(c, tx, d.setup.Tree, d.id, d.actor, d.thing.Range)
	if err != nil || !out.OK {
		return nil, out.Reason, err
	}
	return &Result{Did: "talk", Talk: &out, Config: d.setup.Config}, "", t.done(c, tx, "interaction.interacted", d, "")
}

// voiced says why somebody who plays does not talk with an entity by a tree, "" if he may: where things are registered for that tree he does with one of these, and has to reach it.
func (t *Things) voiced(v *world.View, caller *profiles.Principal, tree string, speaker, listener world.ID) (why string, err error) {
	var voices []world.ID
	for id, s := range t.setups.All(v) {
		if s.Tree == tree {
			voices = append(voices, id)
		}
	}
	switch {
	case len(voices) == 0:
		return "", nil
	case !slices.Contains(voices, speaker):
		return "", registry.Errorf(registry.CodeForbidden, `speaker: %q is for %s: go there, interaction.interact {"entity":%[2]q} begins it; to have others speak by it needs the permission dialogue.configure`,
			quote.Clip(tree), voices[0])
	}
	th, _ := t.things.Get(v, speaker)
	return t.far(v, caller, listener, t.goal(v, speaker, th.Range)), nil
}
