package picture

import (
	"slices"
	"sync"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// wall is what makes two surfaces one: an entity may have a roughness and a metalness of its own.
type wall struct {
	name                 string
	roughness, metalness float64
}

// surface returns what images lie on an entity with a material, nil if none do; done are those that were copied already.
func (s Source) surface(v *world.View, m *world.Material, done map[wall]*render.Surface) *render.Surface {
	if s.Materials == nil || m.Name == "" || material.IsBuiltin(m.Name) {
		return nil
	}
	set, ok := material.SetOf(v, m.Name)
	if !ok {
		return nil
	}
	if m.Roughness != nil {
		set.BaseRoughness = *m.Roughness
	}
	if m.Metalness != nil {
		set.Metalness = *m.Metalness
	}
	key := wall{m.Name, set.BaseRoughness, set.Metalness}
	f := done[key]
	if f == nil {
		f = &render.Surface{
			Albedo: s.image(v, set.Albedo), Normal: s.image(v, set.Normal), Roughness: s.image(v, set.Roughness), Light: s.image(v, set.Light),
			Mapped: set.Mapped, Triplanar: set.Triplanar, Scale: set.Scale, NormalStrength: set.NormalStrength, Sharpness: set.Sharpness,
			Metalness: set.Metalness, BaseRoughness: set.BaseRoughness, Color: set.Color, Cutoff: set.Cutoff,
		}
		done[key] = f
	}
	return f
}

// image returns how a picture gets an image of the world, nil if there is none. It keeps the file, and does not need the view any more.
func (s Source) image(v *world.View, hash string) func(side int) *render.Texture {
	data, ok := s.Materials.File(v, hash)
	if !ok {
		return nil
	}
	return func(side int) *render.Texture {
		key := texture{hash, side}
		if t, ok := s.gallery.get(key); ok {
			return t
		}
		img, err := material.Decode(data)
		if err != nil { // it was read when it was imported: by another program, perhaps
			return nil
		}
		t := render.NewTexture(img, side)
		s.gallery.keep(key, t)
		return t
	}
}

// texture names an image of which no side has more texels than that.
type texture struct {
	hash string
	side int
}

// gallery keeps the images that were looked at last, ready for the next picture. Its methods may be called concurrently; nil keeps nothing.
type gallery struct {
	mu    sync.Mutex
	kept  map[texture]*render.Texture
	order []texture // the one that was looked at last is the last
	bytes int
}

// maxKept is how many bytes a gallery keeps: no more than what one picture needs, see [render.Surface].
const maxKept = 80 << 20

func (g *gallery) get(key texture) (*render.Texture, bool) {
	if g == nil {
		return nil, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t, ok := g.kept[key]
	if ok {
		g.touch(key)
	}
	return t, ok
}

func (g *gallery) keep(key texture, t *render.Texture) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, there := g.kept[key]; there { // by another picture meanwhile
		return
	}
	if g.kept == nil {
		g.kept = map[texture]*render.Texture{}
	}
	g.kept[key] = t
	g.order = append(g.order, key)
	for g.bytes += t.Bytes(); g.bytes > maxKept; g.order = g.order[1:] {
		oldest := g.order[0]
		g.bytes -= g.kept[oldest].Bytes()
		delete(g.kept, oldest)
	}
}

// touch makes a texture the one that was looked at last.
func (g *gallery) touch(key texture) {
	i := slices.Index(g.order, key)
	g.order = append(slices.Delete(g.order, i, i+1), key)
}
