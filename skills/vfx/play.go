package vfx

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// NamedIn is the input of the skills that need an emitter and nothing else.
type NamedIn struct {
	ID   string          `json:"vfxId" validate:"max=64" jsonschema_description:"The emitter, as vfx.create named it: \"vfx_0\"."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

func (e *Effects) play() registry.Skill {
	return registry.Define(registry.Spec[NamedIn, Done]{
		Name:        "vfx.play",
		Title:       "Have an emitter emit",
		Description: `Have an emitter of vfx.create emit from now on, until vfx.stop. What plays already plays on. Example: {"vfxId":"vfx_0"}`,
		Keywords:    "start begin ignite particles",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in NamedIn) (Done, error) {
			return e.change(c, &in, "vfx.played", func(em *Emitter, now uint64) {
				if !em.Playing {
					em.Playing, em.Start, em.Stop = true, now, 0
				}
			})
		},
	})
}

func (e *Effects) stop() registry.Skill {
	return registry.Define(registry.Spec[NamedIn, Done]{
		Name:        "vfx.stop",
		Title:       "Have an emitter stop",
		Description: `Have an emitter emit nothing more; its particles live on to their end. It stays, for vfx.play; vfx.destroy frees it. Example: {"vfxId":"vfx_0"}`,
		Keywords:    "extinguish particles",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in NamedIn) (Done, error) {
			return e.change(c, &in, "vfx.stopped", func(em *Emitter, now uint64) {
				if em.Playing {
					em.Playing, em.Stop = false, now
				}
			})
		},
	})
}

// change does something to an emitter.
func (e *Effects) change(c *registry.Call, in *NamedIn, kind string, do func(em *Emitter, now uint64)) (Done, error) {
	return world.Do(e.w, c, func(tx *world.Tx) (Done, error) {
		h, em, err := e.emitter(&tx.View, in.ID)
		if err != nil {
			return Done{}, err
		}
		before := em.Playing
		if do(&em, tx.Step()); em.Playing != before {
			if err := e.rows.Set(tx, h, em); err != nil {
				return Done{}, err
			}
		}
		return Done{OK: true}, c.Emit(kind, event{h, in.Meta})
	})
}

func (e *Effects) destroy() registry.Skill {
	return registry.Define(registry.Spec[NamedIn, Done]{
		Name:        "vfx.destroy",
		Title:       "Free an emitter",
		Description: `Free an emitter or a burst: it is gone at once, with all of its particles. To let it fade use vfx.stop first. Example: {"vfxId":"vfx_0"}`,
		Keywords:    "remove delete particles",
		Permissions: mayWrite,
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in NamedIn) (Done, error) {
			return world.Do(e.w, c, func(tx *world.Tx) (Done, error) {
				h, _, err := e.find(&tx.View, in.ID)
				if err != nil {
					return Done{}, err
				}
				e.remove(tx, h)
				return Done{OK: true}, c.Emit("vfx.destroyed", event{h, in.Meta})
			})
		},
	})
}
