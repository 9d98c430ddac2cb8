package vfx

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/world"
)

// BurstIn is the input of vfx.atPosition.
type BurstIn struct {
	Position world.Vec3      `json:"position" jsonschema_description:"Where, in metres."`
	Color    Color           `json:"color" jsonschema:"default=1 1 1 1" jsonschema_description:"Red, green, blue, opacity, from 0 to 1: [1,0.5,0.1,1] is an explosion."`
	Size     float64         `json:"size" validate:"gt=0" jsonschema:"default=0.2" jsonschema_description:"How large a particle is at first, in metres across."`
	Lifetime float64         `json:"lifetime" validate:"gt=0" jsonschema:"default=0.5" jsonschema_description:"For how many seconds it is there; 3,600 at most count."`
	Count    int             `json:"count" validate:"gte=1,lte=200" jsonschema:"default=20" jsonschema_description:"How many particles."`
	Speed    float64         `json:"speed" jsonschema:"default=3" jsonschema_description:"How fast they fly apart at first, in metres a second."`
	Extra    registry.Object `json:"config,omitempty" jsonschema_description:"What of vfx.create is to be otherwise: gravity (-9.8), spread (360), endColor (color, fading), endSize (a tenth of size), shape (point), radius, blendMode (additive). The rest is handed to viewers as it is."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event vfx.burst."`
}

// BurstOut is the output of vfx.atPosition.
type BurstOut struct {
	OK bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	ID Handle `json:"vfxId" jsonschema_description:"Names the burst for vfx.destroy, for as long as it is there."`
}

func (e *Effects) burst() registry.Skill {
	return registry.Define(registry.Spec[BurstIn, BurstOut]{
		Name:  "vfx.atPosition",
		Title: "Burst into particles",
		Description: "Have particles burst from a place, once: an explosion, a splash, sparks, fireworks. It goes by itself after its lifetime, in simulated seconds. For what goes on use vfx.create. " +
			`Example: {"position":[0,1,5],"color":[1,0.5,0.1,1],"count":60,"lifetime":1.5}`,
		Keywords:    "explosion explode splash sparks fireworks puff confetti impact hit poof particles boom",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in BurstIn) (BurstOut, error) {
			em, err := in.emitter()
			if err != nil {
				return BurstOut{}, err
			}
			return world.Do(e.w, c, func(tx *world.Tx) (BurstOut, error) {
				em.Start = tx.Step()
				em.Stop = em.Start + e.w.StepsIn(em.Lifetime)
				h, err := e.add(tx, c.Principal().Owner(), em)
				if err != nil {
					return BurstOut{}, err
				}
				return BurstOut{true, h}, c.Emit("vfx.burst", event{h, in.Meta})
			})
		},
	})
}

// emitter returns the burst that is asked for.
func (in *BurstIn) emitter() (Emitter, error) {
	if err := config.Fits("config", len(in.Extra), MaxConfig); err != nil {
		return Emitter{}, err
	}
	em := Emitter{
		Config: Config{
			MaxParticles: in.Count, Lifetime: min(in.Lifetime, MaxBurst), StartColor: in.Color, EndColor: in.Color, StartSize: in.Size, EndSize: in.Size / 10,
			StartSpeed: in.Speed, Gravity: -9.8, Spread: 360, Shape: "point", BlendMode: "additive", Extra: in.Extra,
		},
		Radius: radius, Position: in.Position, Count: in.Count,
	}
	em.EndColor[3] = 0
	r := reader{field: "config", from: in.Extra}
	read(&r, "endColor", &em.EndColor)
	r.number("endSize", &em.EndSize, 0, world.MaxNumber)
	r.number("gravity", &em.Gravity, -world.MaxNumber, world.MaxNumber)
	r.number("spread", &em.Spread, 0, 360)
	r.number("radius", &em.Radius, 0, world.MaxNumber)
	r.word("shape", &em.Shape, shapes)
	r.word("blendMode", &em.BlendMode, blends)
	return em, r.err
}
