package picture

import (
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/world"
)

// blends are how particles and what is behind them become one, by the words of vfx.create.
var blends = map[string]render.Blend{"additive": render.Glow, "alpha": render.Cover, "multiply": render.Multiply}

// particles returns the particles that there are now.
func (s Source) particles(v *world.View) (all []render.Particle) {
	if s.Particles == nil {
		return nil
	}
	for h, em := range s.Particles.All(v) {
		for p := range s.Particles.Particles(v, h, &em) {
			all = append(all, particle(&p, blends[em.BlendMode]))
		}
	}
	return all
}

func particle(p *vfx.Particle, blend render.Blend) render.Particle {
	return render.Particle{At: p.At, Size: p.Size, Color: [3]float64(p.Color[:3]), Opacity: p.Color[3], Blend: blend}
}
