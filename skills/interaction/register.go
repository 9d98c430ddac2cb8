package interaction

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// RegisterIn is the input of interaction.register.
type RegisterIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"What it is, such as ent_7: for a door its leaf, with a hinge in config.open, or a group whose origin is the hinge."`
	Prompt   string          `json:"prompt" validate:"min=1,max=100" jsonschema_description:"What players are told that they can do: Open the door."`
	MaxRange float64         `json:"maxRange" validate:"gt=0" jsonschema:"default=3" jsonschema_description:"From how far, in metres, from box to box."`
	Type     string          `json:"type" validate:"oneof=pickup use talk open toggle custom" jsonschema:"default=custom" jsonschema_description:"pickup: it goes into an inventory. open: it opens and closes. toggle: it is on or off. talk: a dialogue begins. use, custom, and talk without a dialogue: those who see it and who listen are told."`
	Action   string          `json:"action,omitempty" validate:"omitempty,max=120" jsonschema_description:"The name of an event that is emitted each time something is done with it, for those who listen, such as door; then also door.opened or door.closed, lever.on or lever.off, and when the key is missing door.locked alone. Needs the permission event.write."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"pickup: itemId and quantity, {\"itemId\":\"gold_coin\",\"quantity\":5}. What opens: open, where it is then, as three.setTransform has it (not by how much: one that is turned by 1.57 already turns back to 0), and in how many seconds, {\"open\":{\"rotationEuler\":[0,1.57,0],\"seconds\":1}}; with hinge, a point of the world, it turns about that and not about its position, {\"open\":{\"rotationEuler\":[0,1.57,0],\"hinge\":[-0.6,1,0]}}; key, an item without which it stays shut. talk: treeId, the dialogue that begins. Of use, talk and custom all else is handed on; of the others it is refused."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event interaction.registered."`
}

// RegisterOut is the output of interaction.register.
type RegisterOut struct {
	OK    bool    `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Turns float64 `json:"turns,omitempty" jsonschema_description:"By how many degrees it turns as it opens, from how it is when it is closed."`
	Moves float64 `json:"moves,omitempty" jsonschema_description:"How far its position goes, in metres."`
	Note  string  `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Register is interaction.register.
func Register(t *Things) registry.Skill {
	return registry.Define(registry.Spec[RegisterIn, RegisterOut]{
		Name:  "interaction.register",
		Title: "Make something usable",
		Description: "Say that something can be done with an entity by those who are near: a door opens, a coin is picked up, a lever is thrown, somebody is spoken to. Registered again it is changed, and stays open or on; interaction.unregister ends it. For what happens when somebody only comes near use trigger.create. " +
			`Example, a door with a hinge at its edge: {"entity":"ent_7","prompt":"Open the door","type":"open","config":{"open":{"rotationEuler":[0,1.57,0],"hinge":[-0.6,1,0],"seconds":1}}}`,
		Keywords:    "interactive door chest lever switch button pickup coin loot collect npc talk lock key openable usable gate drawer press pressed click pick collect treasure when used keypad combination lock safe vault craft crafting workbench",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in RegisterIn) (RegisterOut, error) {
			if err := config.Fits("config", len(in.Config), MaxConfig); err != nil {
				return RegisterOut{}, err
			}
			if err := action.CheckName("action", in.Action); err != nil {
				return RegisterOut{}, err
			}
			if in.Action != "" && !c.Principal().Grants.Has("event.write") {
				return RegisterOut{}, registry.Errorf(registry.CodeForbidden, "missing permission: event.write, which an action needs; leave it out")
			}
			if in.Type == "talk" && wire.Member(in.Config, "treeId") != nil && !c.Principal().Grants.Has("dialogue.write") {
				return RegisterOut{}, registry.Errorf(registry.CodeForbidden, "missing permission: dialogue.write, which config.treeId needs; leave it out")
			}
			return world.Do(t.w, c, func(tx *world.Tx) (RegisterOut, error) {
				out, err := t.register(tx, &in)
				if err != nil {
					return RegisterOut{}, err
				}
				return out, c.Emit("interaction.registered", happening{Entity: in.Entity, By: c.Principal().ID, Type: in.Type, Action: in.Action, Meta: in.Meta})
			})
		},
	})
}

// opening is the open of a config.
type opening struct {
	Position      *world.Vec3 `json:"position,omitempty"`
	RotationEuler *world.Vec3 `json:"rotationEuler,omitempty"`
	Hinge         *world.Vec3 `json:"hinge,omitempty"`
	Seconds       float64     `json:"seconds" validate:"gt=0,lte=3600" jsonschema:"default=1"`
}

// spins says that what opens turns about its own middle, where it stays in the way, as the leaf of a door would, and which hinge at its edge it may
// be given; "" if it does not.
func (t *Things) spins(v *world.View, id world.ID, to *opening) string {
	s, ok := t.w.Shapes.Get(v, id)
	if !ok || s.Kind != "box" || to.Hinge != nil || to.Position != nil || to.RotationEuler == nil {
		return ""
	}
	at, _ := v.WorldTransform(id)
	wide, thick := math.Abs(s.Size[0]*at.Scale[0]), math.Abs(s.Size[2]*at.Scale[2])
	edge := world.Vec3{-wide / 2, 0, 0}
	if thick > wide {
		wide, thick, edge = thick, wide, world.Vec3{0, 0, -thick / 2}
	}
	closed := t.closed(v, id)
	turn := closed.Rotation.Conj().Mul(world.QuatFromEuler(to.RotationEuler[0], to.RotationEuler[1], to.RotationEuler[2]))
	if wide < 2*thick || math.Abs(turn[1]) < 2*max(math.Abs(turn[0]), math.Abs(turn[2])) { // it turns about another axis, as a flap does
		return ""
	}
	hinge, _ := json.Marshal(shown.Point(at.Position.Add(at.Rotation.Rotate(edge))))
	return fmt.Sprintf(`it turns about its own middle, and stays in the doorway; config.open with "hinge":%s has it turn about its edge there`, hinge)
}

func (t *Things) register(tx *world.Tx, in *RegisterIn) (out RegisterOut, err error) {
	out.OK = true
	if !tx.Exists(in.Entity) {
		return out, tx.Unknown(in.Entity)
	}
	s := setup{Action: in.Action, Config: in.Config}
	if in.Type == "pickup" {
		if err := t.registerPickup(tx, in, &s); err != nil {
			return out, err
		}
	}
	for _, read := range []func(tx *world.Tx, in *RegisterIn, s *setup, out *RegisterOut) error{t.registerWay, t.registerTalk, t.registerKey} {
		if err := read(tx, in, &s, &out); err != nil {
			return out, err
		}
	}
	if err := in.known(); err != nil {
		return out, err
	}
	th, _ := t.things.Get(&tx.View, in.Entity)
	th.Prompt, th.Type, th.Range = in.Prompt, in.Type, in.MaxRange
	th.Open = th.Open && s.opens(&th)
	if s.Way == nil { // it stays where it is
		t.ajar.Remove(tx, in.Entity)
		t.moving.Remove(tx, in.Entity)
	}
	return out, t.put(tx, in.Entity, th, s)
}

// registerWay reads how something moves when it opens.
func (t *Things) registerWay(tx *world.Tx, in *RegisterIn, s *setup, out *RegisterOut) error {
	var open opening
	there, err := config.Read("config", in.Config, "open", &open)
	switch {
	case err != nil:
		return err
	case !there:
		if in.Type == "open" {
			out.Note = `it does not move, only its flag changes: config {"open":{"rotationEuler":[0,1.57,0]}} has it turn about its position, {"open":{"position":[x,y,z]}} slide`
		}
		return nil
	}
	if s.Way, err = t.way(&tx.View, in.Entity, &open); err != nil {
		return err
	}
	out.Turns, out.Moves = s.Way.far()
	if a := open.RotationEuler; a != nil {
		out.Note = angle.Note("config.open.rotationEuler", a[:]...)
	}
	if note := t.spins(&tx.View, in.Entity, &open); note != "" && out.Note == "" && out.Turns > 0 {
		out.Note = note
	}
	if out.Turns == 0 && out.Moves == 0 {
		out.Note = "it does not move: config.open says how it is when it is open, as three.setTransform would have it, and so it is already"
	}
	return nil
}

// registerTalk reads which dialogue somebody begins who is spoken to.
func (t *Things) registerTalk(tx *world.Tx, in *RegisterIn, s *setup, out *RegisterOut) error {
	if in.Type != "talk" || t.talks == nil {
		return nil
	}
	if _, err := config.Read("config", in.Config, "treeId", &s.Tree); err != nil {
		return err
	}
	if s.Tree == "" {
		out.Note = `nothing is said, those who listen are told: config {"treeId":"smith"} begins that dialogue of dialogue.define`
		return nil
	}
	return registry.Under("config.treeId", t.talks.Check(&tx.View, s.Tree))
}

// registerKey reads which item opens something.
func (t *Things) registerKey(tx *world.Tx, in *RegisterIn, s *setup, _ *RegisterOut) error {
	locked, err := config.Read("config", in.Config, "key", &s.Key)
	if err != nil || !locked {
		return err
	}
	_, err = t.owned.Kind(&tx.View, s.Key)
	return registry.Under("config.key", err)
}

// What the config of a pickup has, and that of what opens or is switched.
type (
	pickupConfig struct {
		Item     string   `json:"itemId"`
		Quantity int      `json:"quantity,omitempty"`
		Open     *opening `json:"open,omitempty"`
		Key      string   `json:"key,omitempty"`
	}
	doorConfig struct {
		Open *opening `json:"open,omitempty"`
		Key  string   `json:"key,omitempty"`
	}
)

// known reports what the config has that nobody reads. Of what is used, spoken to or of the caller's own making all of it is handed on.
func (in *RegisterIn) known() error {
	switch in.Type {
	case "pickup":
		return config.Only[pickupConfig]("config", in.Config)
	case "open", "toggle":
		return config.Only[doorConfig]("config", in.Config)
	}
	return nil
}

// put makes a thing of an entity.
func (t *Things) put(tx *world.Tx, id world.ID, th Thing, s setup) error {
	if !t.things.Has(&tx.View, id) && t.things.Len(&tx.View) >= MaxThings {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities can be used, which is the most: destroy some", MaxThings)
	}
	if err := t.things.Set(tx, id, th); err != nil {
		return err
	}
	return t.setups.Set(tx, id, s)
}

// registerPickup reads what a pickup is.
func (t *Things) registerPickup(tx *world.Tx, in *RegisterIn, s *setup) error {
	if t.cast.Lives(&tx.View, in.Entity) {
		return registry.Failf("%s is a body or a character, which nobody picks up; talk, use and custom are for those", in.Entity)
	}
	there, err := config.Read("config", in.Config, "itemId", &s.Item)
	if err != nil {
		return err
	}
	if !there {
		return registry.Invalidf(`config.itemId: a pickup needs the item that it is, of item.define: {"itemId":"gold_coin","quantity":5}`)
	}
	if _, err := t.owned.Kind(&tx.View, s.Item); err != nil {
		return registry.Under("config.itemId", err)
	}
	s.N = 1
	if _, err := config.Read("config", in.Config, "quantity", &s.N); err != nil {
		return err
	}
	const most = 1_000_000
	if s.N < 1 || s.N > most {
		return registry.Invalidf("config.quantity: must be from 1 to %d, got %d", most, s.N)
	}
	return nil
}

// way returns how a thing opens: from where it is, or is when it is closed.
func (t *Things) way(v *world.View, id world.ID, to *opening) (*way, error) {
	if to.Position == nil && to.RotationEuler == nil {
		return nil, registry.Invalidf("config.open: give position, rotationEuler or both: where it is when it is open")
	}
	if b, ok := t.w.Bodies.Get(v, id); ok && b.Type == "dynamic" || t.cast.Lives(v, id) {
		return nil, registry.Failf("config.open: %s moves by itself; what opens has a static body or none", id)
	}
	closed := t.closed(v, id)
	open := closed
	var hinge *world.Vec3
	if to.Hinge != nil {
		if to.RotationEuler == nil || to.Position != nil {
			return nil, registry.Invalidf("config.open.hinge: is about which point it turns: give rotationEuler with it, and no position")
		}
		at := world.Identity()
		at.Position = *to.Hinge
		own := closed.Rotation.Conj().Rotate(v.InSpaceOf(v.Parent(id), at).Position.Sub(closed.Position))
		hinge = &own
	}
	if to.Position != nil {
		open.Position = *to.Position
	}
	if e := to.RotationEuler; e != nil {
		open.Rotation = world.QuatFromEuler(e[0], e[1], e[2])
	}
	if hinge != nil {
		open.Position = about(closed, *hinge, open.Rotation)
	}
	r := closed.transform().Relative(open.transform())
	return &way{Move: r.Position, Turn: r.Rotation, Steps: t.w.StepsIn(to.Seconds), Hinge: hinge}, nil
}

// far returns how far a thing turns on its way, in degrees, and goes, in metres, as people are told.
func (w *way) far() (turns, moves float64) {
	sin := math.Sqrt(float64(w.Turn[0]*w.Turn[0]) + float64(w.Turn[1]*w.Turn[1]) + float64(w.Turn[2]*w.Turn[2]))
	turn := 2 * math.Atan2(sin, math.Abs(w.Turn[3])) * 180 / math.Pi
	return math.Round(turn*10) / 10, shown.Number(w.Move.Len())
}
