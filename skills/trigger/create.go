package trigger

import (
	"iter"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// CreateIn is the input of trigger.create.
type CreateIn struct {
	Shape   string          `json:"shape" validate:"oneof=box sphere" jsonschema:"default=box" jsonschema_description:"What the zone is."`
	Center  *world.Vec3     `json:"center,omitempty" jsonschema_description:"Its middle: x, y, z in metres; with entity from where that is, along its own axes, [0,0,2] is 2 m before it. Needed without entity."`
	Entity  world.ID        `json:"entity,omitempty" jsonschema_description:"The entity that it goes with, and ends with: a monster, a platform. It does not notice that one and what is below it. The edges of a box are along the axes of that, and the zone turns and grows with it, as with an instance of a prefab: size and center are metres as it is now."`
	Size    world.Vec3      `json:"size" jsonschema_description:"HALF the edges of a box along x, y, z, in metres, with entity along the axes of that; of a sphere the first number is the radius. Above 0. A box of 4 x 2 x 4 m has [2,1,2]."`
	Tag     string          `json:"tag,omitempty" validate:"omitempty,max=128" jsonschema_description:"Only entities with this tag count; characters have none until ecs.addComponent gives them one. Left out: every entity but those with a static body, and groups of such."`
	Players bool            `json:"players" jsonschema:"default=false" jsonschema_description:"Only bodies and characters of agents count, as those of who plays: a seat, a checkpoint, a door that no crate or wheel opens."`
	Config  registry.Object `json:"config,omitempty" jsonschema_description:"Kept with the zone; changes nothing."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// CreateOut is the output of trigger.create.
type CreateOut struct {
	TriggerID Handle     `json:"triggerId" jsonschema_description:"Names the zone for trigger.onEnter, onExit, onStay and remove."`
	Min       world.Vec3 `json:"min" jsonschema_description:"The lower corner of what it takes up, in metres."`
	Max       world.Vec3 `json:"max" jsonschema_description:"The upper corner: size to either side of center."`
}

// Create is trigger.create.
func Create(t *Triggers) registry.Skill {
	return registry.Define(registry.Spec[CreateIn, CreateOut]{
		Name:  "trigger.create",
		Title: "Make a zone that notices",
		Description: "Make an invisible zone, a box or a sphere, that notices what enters it, leaves it and stays in it, by its middle; with entity it goes with that. Its size is half its edges, or its radius; the answer says from where to where it goes. It does nothing until trigger.onEnter, onExit or onStay say what. " +
			`To look once at what is in a place use physics.overlap. Example: {"shape":"box","center":[0,1,0],"size":[2,1,2]}`,
		Keywords:    "door button lava checkpoint near approach event interactive open touch touched pressure plate coin pick elevator lift chest treasure game detect sensor finish trap collect area race lap step come zone kill death goal pad",
		Permissions: []profiles.Permission{"trigger.configure"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CreateIn) (CreateOut, error) {
			z, err := in.zone()
			if err != nil {
				return CreateOut{}, err
			}
			return world.Do(t.w, c, func(tx *world.Tx) (CreateOut, error) {
				if z.Entity != 0 {
					if !tx.Exists(z.Entity) {
						return CreateOut{}, registry.Under("entity", tx.Unknown(z.Entity))
					}
					at, _ := tx.WorldTransform(z.Entity)
					z.Scale = at.Scale
					*z = z.carried(&tx.View)
				}
				z.By = c.Principal().ID
				h, err := t.create(tx, z)
				half := z.half()
				return CreateOut{h, shown.Point(z.Center.Sub(half).Bounded()), shown.Point(z.Center.Add(half).Bounded())}, err
			})
		},
	})
}

func (in *CreateIn) zone() (*zone, error) {
	if err := config.Fits("config", len(in.Config), MaxData); err != nil {
		return nil, err
	}
	for i, half := range in.Size {
		if !(half > 0) && (i == 0 || in.Shape == "box") {
			return nil, registry.Invalidf("size[%d]: must be above 0, got %v; it is half an edge of a box, the radius of a sphere", i, half)
		}
	}
	if most := map[string]float64{"box": carriedHalf, "sphere": carriedRadius}[in.Shape]; in.Entity != 0 {
		for i, half := range in.Size {
			if half > most && (i == 0 || in.Shape == "box") {
				return nil, registry.Invalidf("size[%d]: must be at most %v of a zone that goes with an entity, got %v: it looks at what it passes; one that stays where it is may be larger", i, most, half)
			}
		}
	}
	z := &zone{Shape: in.Shape, Size: in.Size, Entity: in.Entity, Tag: in.Tag, Players: in.Players, Config: in.Config}
	switch {
	case in.Center == nil && in.Entity == 0:
		return nil, registry.Invalidf("center: is required, unless the zone goes with an entity")
	case in.Entity == 0:
		z.Center = *in.Center
	case in.Center != nil:
		z.Offset = *in.Center
	}
	return z, nil
}

// create adds a zone. What is in it is there already, and does not enter.
func (t *Triggers) create(tx *world.Tx, z *zone) (Handle, error) {
	author := func(z *zone) string { return z.By }
	if err := share.RoomIn(&tx.View, &share.Kept{Most: MaxZones, What: "zones", Free: "trigger.remove takes one away"}, t.zones.All(&tx.View), z.By, author); err != nil {
		return 0, err
	}
	if z.Entity != 0 {
		of := share.Kept{Most: MaxCarried, What: "zones that go with entities", Free: "trigger.remove takes one away"}
		if err := share.RoomIn(&tx.View, &of, t.going(&tx.View), z.By, author); err != nil {
			return 0, err
		}
	}
	h := Handle(t.zones.Next(tx) - 1)
	if err := t.zones.Set(tx, h, *z); err != nil {
		return 0, err
	}
	if err := t.index(tx, h, z); err != nil {
		return 0, err
	}
	if z.Entity != 0 {
		if err := t.carried.Set(tx, h, z.Entity); err != nil {
			return 0, err
		}
	}
	joined, err := t.join(tx, h, z)
	if err != nil {
		return 0, err
	}
	return h, t.roomFor(tx, z, joined)
}

// going yields the zones that go with entities.
func (t *Triggers) going(v *world.View) iter.Seq2[Handle, zone] {
	return func(yield func(Handle, zone) bool) {
		for h := range t.carried.All(v) {
			if z, ok := t.zones.Get(v, h); ok && !yield(h, z) {
				return
			}
		}
	}
}

// remove takes a zone away. What is in it does not leave it.
func (t *Triggers) remove(tx *world.Tx, h Handle, z *zone) error {
	if err := t.unindex(tx, h, z); err != nil {
		return err
	}
	t.zones.Delete(tx, h)
	t.stays.Delete(tx, h)
	t.carried.Delete(tx, h)
	return t.leave(tx, h)
}

// RemoveIn is the input of trigger.remove.
type RemoveIn struct {
	TriggerID string          `json:"triggerId" validate:"max=64" jsonschema_description:"The zone, as trigger.create named it: \"trg_0\"."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// Done is the output of the skills that change a zone.
type Done struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Remove is trigger.remove.
func Remove(t *Triggers) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, Done]{
		Name:        "trigger.remove",
		Title:       "Remove a zone that notices",
		Description: `Remove a zone of trigger.create with all its actions. What they have made stays. Example: {"triggerId":"trg_0"}`,
		Permissions: []profiles.Permission{"trigger.configure"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (Done, error) {
			return world.Do(t.w, c, func(tx *world.Tx) (Done, error) {
				h, z, err := t.find(&tx.View, in.TriggerID)
				if err != nil {
					return Done{}, err
				}
				return Done{OK: true}, t.remove(tx, h, &z)
			})
		},
	})
}
