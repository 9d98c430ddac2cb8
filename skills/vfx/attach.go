package vfx

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// AttachIn is the input of vfx.attach.
type AttachIn struct {
	ID     string          `json:"vfxId" validate:"max=64" jsonschema_description:"The emitter, as vfx.create named it: \"vfx_0\"."`
	Entity world.ID        `json:"entity" jsonschema_description:"What it is to stay at, such as ent_3: it moves and turns with it, and goes when that is destroyed."`
	Offset world.Vec3      `json:"offset" jsonschema:"default=0 0 0" jsonschema_description:"Where it is from the entity's position, in metres along the entity's own axes: [0,0.5,0] is on top of a box of size 1."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event vfx.attached."`
}

func (e *Effects) attach() registry.Skill {
	return registry.Define(registry.Spec[AttachIn, Done]{
		Name:  "vfx.attach",
		Title: "Put an emitter at an entity",
		Description: "Have an emitter stay at an entity, in place of where it was: a torch burns as it is carried. It emits along the entity's y axis. " +
			`Example: {"vfxId":"vfx_0","entity":"ent_3","offset":[0,0.5,0]}`,
		Keywords:    "follow carry torch trail particles",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in AttachIn) (Done, error) {
			return world.Do(e.w, c, func(tx *world.Tx) (Done, error) {
				h, em, err := e.emitter(&tx.View, in.ID)
				if err != nil {
					return Done{}, err
				}
				if err := e.put(tx, h, em, in.Entity, in.Offset); err != nil {
					return Done{}, err
				}
				out := Done{OK: true}
				if !em.Playing {
					out.Note = "it does not play: vfx.play has it emit"
				}
				return out, c.Emit("vfx.attached", attached{h, in.Entity, in.Meta})
			})
		},
	})
}

// attached is the payload of the event of that name.
type attached struct {
	ID     Handle          `json:"vfxId"`
	Entity world.ID        `json:"entity"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// put has an emitter stay at an entity.
func (e *Effects) put(tx *world.Tx, h Handle, em Emitter, id world.ID, offset world.Vec3) error {
	if !tx.Exists(id) {
		return tx.Unknown(id)
	}
	if em.Entity == id && em.Position == offset {
		return nil
	}
	before := em.Entity
	em.Entity, em.Position = id, offset
	if err := e.rows.Set(tx, h, em); err != nil {
		return err
	}
	e.leave(tx, before)
	if e.carriers.Has(&tx.View, id) {
		return nil
	}
	return e.carriers.Set(tx, id, struct{}{})
}
