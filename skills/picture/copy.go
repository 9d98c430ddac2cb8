package picture

import (
	"strings"
	"unicode/utf8"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/camera"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/post"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Source is what pictures are made of.
type Source struct {
	World  *world.World
	Panels *ui.Panels   // may be nil
	Meshes *mesh.Meshes // may be nil: then meshes are drawn as boxes

	Materials *material.Library // whose images lie on what has a material that was imported; may be nil, then it is plain

	Particles *vfx.Effects    // may be nil: then there are none
	Cameras   *camera.Cameras // whose cameras pictures are seen through; may be nil, then a picture says itself where its camera is

	Physics *physics.Physics // whose ropes and springs are drawn, and whose characters are people; may be nil
	Agents  *agents.Agents   // whose bodies are people, who say something; may be nil
	Paces   []Pace           // the fastest of which people walk by; without any they stand

	Post *post.Post // what is done to pictures in the end; may be nil

	// Turns is what pictures are drawn in; nil for turns of their own.
	Turns *registry.Turns

	// Plays says whether an entity is an agent's body or character, on whose screen panels may be; nil if nobody plays.
	Plays func(v *world.View, agent string, id world.ID) bool

	App string // what is shown beside pictures, see [registry.Spec.App]

	gallery *gallery // nil if each picture reads its images anew
}

// Copy returns what can be seen: entities that have a shape, in id order, the sun, the weather, lamps, particles, panels, what is being said, and what is done to the picture in the end.
// It is a copy: the world need not be locked while it is drawn. Of the panels on screens it has those that are on everybody's, and on the agent's.
func (s Source) Copy(v *world.View, agent string) *render.Scene {
	w := s.World
	scene := &render.Scene{Objects: make([]render.Object, 0, v.Len()), Light: light(w.Environment.Lighting.Get(v), w.Environment.Time.Get(v).Hour)}
	sky := w.Environment.Weather.Get(v)
	scene.Weather = render.Weather{Kind: render.WeatherKind(sky.Kind), Intensity: sky.Intensity}
	behind := w.Environment.Sky.Get(v)
	scene.Sky = render.Sky{Space: behind.Kind == "space", Bare: behind.Bare}
	meshes, surfaces := map[string]*render.Mesh{}, map[wall]*render.Surface{}
	for id := range v.All() {
		shape, ok := w.Shapes.Get(v, id)
		if !ok {
			continue
		}
		o := object(v, id, shape)
		if m, ok := w.Materials.Get(v, id); ok {
			wear(&o, &m)
			o.Surface = s.surface(v, &m, surfaces)
		}
		s.figure(v, id, shape.Kind, &o)
		if shape.Kind == mesh.Shape && s.Meshes != nil {
			if m := s.mesh(v, id, meshes); m != nil {
				o.Kind, o.Mesh = render.Solid, m
			}
		}
		if g, ok := w.Grounds.Get(v, id); ok {
			ground(w, g, &o, v, id)
		}
		scene.Objects = append(scene.Objects, o)
	}
	if s.Physics != nil {
		scene.Objects = append(scene.Objects, ropes(s.Physics, v)...)
	}
	for id, l := range w.Lights.All(v) {
		if lamp, ok := lamp(v, id, &l); ok {
			scene.Lamps = append(scene.Lamps, lamp)
		}
	}
	for id, water := range w.Waters.All(v) {
		t, _ := v.WorldTransform(id)
		m, _ := w.Materials.Get(v, id)
		shown := render.Water{ID: id, Color: m.Over(water.Color), Emissive: m.Emissive}
		if len(water.Line) > 0 {
			pool := water.Pool(t)
			shown.Banks = pool.Banks()
		} else {
			shown.Center = t.Position
			shown.Right, shown.Front = water.Edges(&t)
		}
		scene.Waters = append(scene.Waters, shown)
	}
	scene.Particles = s.particles(v)
	if s.Post != nil {
		look := s.Post.Look(v)
		scene.Post = look.Render()
	}
	scene.Speeches = s.speeches(v)
	if s.Panels != nil {
		for _, p := range s.Panels.All(v) {
			if a := p.Anchor.Screen; a != nil && a.Entity != 0 && (s.Plays == nil || !s.Plays(v, agent, a.Entity)) {
				continue
			}
			s.write(v, &p, scene)
		}
	}
	return scene
}

// mesh returns the mesh of an entity, nil if it has none; done are those that were copied already.
func (s Source) mesh(v *world.View, id world.ID, done map[string]*render.Mesh) *render.Mesh {
	g, asset, ok := s.Meshes.Of(v, id)
	if !ok {
		return nil
	}
	m := done[asset]
	if m == nil {
		m = &render.Mesh{Vertices: wide(g.Positions), Normals: wide(g.Normals), Triangles: g.Triangles, Coords: g.Coords}
		done[asset] = m
	}
	return m
}

func wide(list [][3]float32) []world.Vec3 {
	out := make([]world.Vec3, len(list))
	for i, v := range list {
		out[i] = world.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
	}
	return out
}

// kindOf returns the shape of a name; one that the renderer does not know is drawn as a box of its size.
func kindOf(name string) render.Kind {
	switch name {
	case "sphere":
		return render.Sphere
	case "capsule":
		return render.Capsule
	case "cylinder":
		return render.Cylinder
	case "cone":
		return render.Cone
	case "wedge":
		return render.Wedge
	}
	return render.Box
}

func object(v *world.View, id world.ID, shape world.Shape) render.Object {
	o := render.Object{ID: id, Name: v.Name(id), Kind: kindOf(shape.Kind), Size: shape.Size, Color: shape.Color}
	o.Transform, _ = v.WorldTransform(id)
	return o
}

// wear gives an object what of a material needs no images.
func wear(o *render.Object, m *world.Material) {
	o.Color = m.Over(o.Color)
	o.Emissive = m.Emissive
	o.Clear = m.Name == material.Glass
	o.NoCast = m.CastShadow != nil && !*m.CastShadow
	o.NoReceive = m.ReceiveShadow != nil && !*m.ReceiveShadow
}

// light returns the sun. The picture has its own idea of how bright a usual day is, and always
// enough light to see by.
func light(l world.Lighting, hour float64) render.Light {
	usual := world.DefaultLighting().DirectionalIntensity
	return render.Light{Sun: l.Direction, Color: max(l.DirectionalColor, 1), Power: max(l.DirectionalIntensity/usual, 0.001), Night: night(hour)}
}

// night returns how far it is night at an hour: the sun sets from six to eight and rises from five to seven.
func night(hour float64) float64 {
	return min(max((hour-18)/2, (7-hour)/2, 0), 1)
}

// lamp returns what an entity shines like, and false if it shines at no place.
func lamp(v *world.View, id world.ID, l *world.Light) (render.Lamp, bool) {
	if l.Kind != "point" && l.Kind != "spot" {
		return render.Lamp{}, false
	}
	t, _ := v.WorldTransform(id)
	out := render.Lamp{ID: id, At: t.Position, Color: l.Color, Power: l.Intensity, Range: l.Range}
	if l.Kind == "spot" {
		out.Toward, out.Angle = t.Rotation.Rotate(world.Vec3{0, 0, 1}), l.Angle
		if out.Angle == 0 {
			out.Angle = world.SpotAngle
		}
	}
	return out, true
}

// write puts what a panel says into a scene.
func (s Source) write(v *world.View, p *ui.Panel, scene *render.Scene) {
	var lines []string
	for _, part := range append([]string{p.Title, p.Text}, p.Lines...) {
		for line := range strings.SplitSeq(s.Panels.Say(v, p, part), "\n") {
			lines = append(lines, wrap(line)...)
		}
	}
	switch {
	case len(lines) == 0:
	case p.Anchor.World != nil:
		text := render.Text{At: p.Anchor.World.At(v), Lines: lines}
		switch p.Kind {
		case ui.KindSpeechBubble, ui.KindThoughtBubble, ui.KindCallout:
			if at, ok := v.Position(p.Anchor.World.Entity); ok {
				text.Of = &at
			}
		}
		scene.Texts = append(scene.Texts, text)
	default:
		scene.Notes = append(scene.Notes, render.Note{Corner: render.Corner(p.Anchor.Screen.Corner), Lines: lines})
	}
}

// wrap breaks a text into lines between words.
func wrap(text string) (lines []string) {
	const width = 32
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
