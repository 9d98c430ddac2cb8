package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// extras is what stands in the extras of a node, a record, or of a material, what it is made of.
type extras[T record | madeOf] struct {
	Limina *T `json:"limina,omitempty"`
}

// extrasOf returns what scene.export has written into extras, nil for nothing: others may have written what they like.
func extrasOf[T record | madeOf](text json.RawMessage) (*T, error) {
	if text == nil {
		return nil, nil
	}
	var x extras[T]
	if err := json.Unmarshal(text, &x); err != nil {
		if !strings.Contains(string(text), `"limina"`) {
			return nil, nil // somebody else's
		}
		return nil, fmt.Errorf("extras.limina: %w", err)
	}
	return x.Limina, nil
}

// generator is what files say wrote them.
const generator = "Limina"

// record is what glTF has no place for.
type record struct {
	Entity string   `json:"entity,omitempty"` // its id when it was exported
	Name   string   `json:"name,omitempty"`
	Tags   []string `json:"tags,omitempty"`

	foreign bool // another program has written it

	Shape     *world.Shape    `json:"shape,omitempty"` // the mesh, if its kind is that, is the node's
	Material  *world.Material `json:"material,omitempty"`
	Body      *world.Body     `json:"body,omitempty"`
	Light     *world.Light    `json:"light,omitempty"`
	Ground    *world.Ground   `json:"ground,omitempty"` // what the node's mesh shows, if the shape's kind is terrain
	Water     *world.Water    `json:"water,omitempty"`
	Joint     *physics.Joint  `json:"joint,omitempty"`     // how it hangs; on what says HangsOn
	HangsOn   string          `json:"hangsOn,omitempty"`   // the entity that it hangs on; "" for a place
	Aim       *float64        `json:"aim,omitempty"`       // where the joint's motor pushes to now, on its way
	House     json.RawMessage `json:"house,omitempty"`     // of the group of a building: what that was built from
	ShapeOf   string          `json:"shapeOf,omitempty"`   // of a node that is nothing but an entity's shape
	LightOf   string          `json:"lightOf,omitempty"`   // of a node that is nothing but an entity's light
	Copies    []int           `json:"copies,omitempty"`    // of which vertices of the node's mesh the last ones are copies, on which images lie otherwise
	Flat      bool            `json:"flat,omitempty"`      // the node's mesh has normals only because images lie on it
	OwnCoords bool            `json:"ownCoords,omitempty"` // the coordinates in images that the node's mesh has are its own
	Pieces    [][]uint32      `json:"pieces,omitempty"`    // of which convex pieces the node's mesh consists, by its vertices and, behind those, the corners
	Corners   [][3]float32    `json:"corners,omitempty"`   // of pieces, where the mesh has no vertex
}

// part reports whether a node is not an entity of its own, but what is to be seen of one.
func (r *record) part() bool { return r.ShapeOf != "" || r.LightOf != "" }

// writer makes a document of entities.
type writer struct {
	w         *world.World
	v         *world.View
	meshes    *mesh.Meshes
	doc       gltf.Document
	at        map[world.ID]int // nodes of entities
	materials map[surface]int
	solids    map[string]*gltf.Geometry
	shown     map[showing]int // meshes
	lights    map[gltf.Light]int
	lamps     []int // nodes of lights
	binary    bool  // the file has extras as they are, and all geometries
	room      int   // bytes that the file may have beside what it is known to need

	clips   *animation.Clips // by which things move; nil if nothing does
	motions motions
	houses  *architecture.Plans // nil if there are none
	physics *physics.Physics    // by which things hang on one another; nil if nothing does
	who     figure.Who          // lives in the world
	wanted  func(world.ID) bool // whether an entity is to be in the document
	torn    int                 // how many hang on what is not

	library *material.Library // whose images lie on things; nil for none
	sets    map[string]*material.Set
	images  map[string][]byte // files, by their hashes
	coats   []coat
}

// errFull is the failure of a document that is sure to make a longer file than there is room for.
var errFull = errors.New("there is no room for all entities")

// need notes that the file will have n bytes more, at least.
func (x *writer) need(n int) error {
	if x.room -= n; x.room < 0 {
		return errFull
	}
	return nil
}

// leastLine is how long the line of an entity in a log is at least.
const leastLine = len(`{"op":"entity","position":[0,0,0],"rotation":[0,0,0,1],"scale":[1,1,1],"entity":"ent_0"}`)

// least is how many bytes the file has for an entity, at least. In the two kinds of logs texts may be written shorter than in
// extras, but not shorter than they are.
func (x *writer) least(rec *record, extras []byte) int {
	if x.binary {
		return len(extras)
	}
	n := leastLine + len(rec.Name)
	for _, tag := range rec.Tags {
		n += len(tag)
	}
	return n
}

// surface is what makes two materials of glTF the same.
type surface struct {
	name                string
	color               uint32
	metallic, roughness float64
	emissive            uint32
	both                bool    // seen from both sides
	clear               float64 // how much of what is behind it shows
}

// showing is what makes two meshes of glTF the same.
type showing struct {
	geometry *gltf.Geometry
	material int
}

// Document returns entities, and what is below them, as glTF; all of them if ids is nil. An entity whose
// parent is not among them is where it is in the world.
func Document(w *world.World, v *world.View, meshes *mesh.Meshes, ids []world.ID) (*gltf.Document, error) {
	x := writer{w: w, v: v, meshes: meshes, room: math.MaxInt, binary: true}
	if err := x.write(ids); err != nil {
		return nil, err
	}
	return &x.doc, nil
}

// write makes the document, see [Document]. It fails with errFull as soon as it is sure that the file will have more bytes than
// there is room for.
func (x *writer) write(ids []world.ID) error {
	x.at, x.materials, x.solids = map[world.ID]int{}, map[surface]int{}, map[string]*gltf.Geometry{}
	x.shown, x.lights = map[showing]int{}, map[gltf.Light]int{}
	x.sets, x.images = map[string]*material.Set{}, map[string][]byte{}
	v := x.v
	x.doc.Generator = generator
	x.wanted = v.Exists
	if ids != nil {
		among := map[world.ID]bool{}
		for _, id := range ids {
			among[id] = true
		}
		x.wanted = func(id world.ID) bool {
			for up := range v.Up(id) {
				if among[up] {
					return true
				}
			}
			return false
		}
	}
	for id := range v.All() {
		if x.wanted(id) {
			x.at[id] = len(x.doc.Nodes)
			x.doc.Nodes = append(x.doc.Nodes, gltf.Identity())
			if err := x.entity(id); err != nil {
				return err
			}
		}
	}
	for id := range v.All() { // a parent may have a higher id than its child
		at, ok := x.at[id]
		if !ok {
			continue
		}
		if parent, ok := x.at[v.Parent(id)]; ok {
			x.doc.Nodes[at].Parent = parent
			t, _ := v.Transform(id)
			place(&x.doc.Nodes[at], t)
		}
	}
	if x.clips != nil {
		for id := range v.All() {
			if _, ok := x.at[id]; ok {
				if err := x.move(id); err != nil {
					return err
				}
			}
		}
	}
	for _, lamp := range x.lamps {
		n := &x.doc.Nodes[lamp]
		n.Rotation = turn(&x.doc, n.Parent)
	}
	return nil
}

func place(n *gltf.Node, t world.Transform) {
	n.Translation, n.Rotation, n.Scale = t.Position, t.Rotation, t.Scale
}

// entity fills the newest node, which is an entity's, and adds those for its water, its light and its shape.
func (x *writer) entity(id world.ID) error {
	at := len(x.doc.Nodes) - 1
	n := &x.doc.Nodes[at]
	t, _ := x.v.WorldTransform(id)
	place(n, t)
	rec := record{Entity: id.String(), Name: x.v.Name(id), Tags: x.v.Tags(id)}
	n.Name = rec.Name
	if n.Name == "" {
		n.Name = rec.Entity
	}
	rec.Shape, rec.Material = get(x.w.Shapes, x.v, id), get(x.w.Materials, x.v, id)
	rec.Body, rec.Light = get(x.w.Bodies, x.v, id), get(x.w.Lights, x.v, id)
	rec.Ground, rec.Water = get(x.w.Grounds, x.v, id), get(x.w.Waters, x.v, id)
	x.hang(id, &rec)
	if x.houses != nil {
		rec.House, _ = x.houses.Text(x.v, id)
	}
	var g *gltf.Geometry
	meshed := false
	if rec.Shape != nil && rec.Shape.Kind == mesh.Shape {
		g, _, meshed = x.meshes.Of(x.v, id)
		rec.OwnCoords = meshed && len(g.Coords) > 0
		pieces := x.meshes.Pieces(x.v, id)
		rec.Pieces, rec.Corners = pieces.Of, pieces.Corners
	}
	text, err := json.Marshal(extras[record]{&rec})
	if err != nil {
		return err
	}
	n.Extras = text
	if err := x.need(x.least(&rec, text)); err != nil {
		return err
	}
	if rec.Water != nil {
		if err := x.water(at, &rec); err != nil {
			return err
		}
	}
	if rec.Light != nil {
		if err := x.light(at, &rec); err != nil {
			return err
		}
	}
	n = &x.doc.Nodes[at] // there are more nodes now
	if rec.Shape == nil {
		return nil
	}
	if meshed {
		n.Mesh = x.mesh(g, x.material(&rec, true))
		x.wear(at, id, &rec, world.Vec3{1, 1, 1}, true)
		return nil
	}
	if rec.Ground != nil && rec.Shape.Kind == ground {
		if tile := x.w.Surface(*rec.Ground); tile != nil {
			g, surface := land(tile), rec
			if x.binary && (rec.Material == nil || rec.Material.Color == nil) {
				tint(g, tile)
				shape := *rec.Shape
				shape.Color = 0xffffff
				surface.Shape = &shape
			}
			n.Mesh = x.mesh(g, x.material(&surface, true))
			x.wear(at, id, &rec, world.Vec3{1, 1, 1}, true)
			if x.binary {
				return x.need(12 * (len(g.Positions) + len(g.Normals) + len(g.Colors)))
			}
		}
		return nil
	}
	if x.who.Is(x.v, id, rec.Shape.Kind) {
		return x.figure(at, id, &rec)
	}
	return x.shape(at, id, &rec)
}

func get[T any](c *world.Component[T], v *world.View, id world.ID) *T {
	if value, ok := c.Get(v, id); ok {
		return &value
	}
	return nil
}

// water adds the node of an entity's water, as others see it, below that of the entity.
func (x *writer) water(parent int, rec *record) error {
	n := gltf.Identity()
	n.Parent = parent
	var g *gltf.Geometry
	if len(rec.Water.Line) > 0 {
		pool := rec.Water.Pool(world.Identity())
		g = ribbon(pool.Banks())
	} else {
		n.Scale = [3]float64{rec.Water.Size, 1, rec.Water.Size}
		if g = x.solids["water"]; g == nil {
			g = level()
			x.solids["water"] = g
		}
	}
	s := surface{name: "water", color: worn(rec, rec.Water.Color), roughness: 0.1, both: true, clear: 0.3}
	if m := rec.Material; m != nil && m.Emissive != 0 {
		s.emissive = m.Emissive
		c := m.Emissive
		s.clear = min(s.clear, 1-float64(max(c>>16&0xff, c>>8&0xff, c&0xff))/0xff)
	}
	n.Mesh = x.mesh(g, x.surface(s))
	return x.below(n, &record{ShapeOf: rec.Entity})
}

// shape adds the node of an entity's shape below that of the entity.
func (x *writer) shape(parent int, id world.ID, rec *record) error {
	n := gltf.Identity()
	n.Parent, n.Scale = parent, rec.Shape.Size
	key := rec.Shape.Kind
	if key == "capsule" {
		n.Scale = [3]float64{1, 1, 1}
		text, err := json.Marshal(rec.Shape.Size)
		if err != nil {
			return err
		}
		key += string(text)
	}
	g := x.solids[key]
	if g == nil {
		g = form(rec.Shape.Kind, rec.Shape.Size)
		x.solids[key] = g
	}
	n.Mesh = x.mesh(g, x.material(rec, false))
	x.wear(len(x.doc.Nodes), id, rec, n.Scale, false)
	return x.below(n, &record{ShapeOf: rec.Entity})
}

// below adds a node that is not an entity of its own, but what is to be seen of one, as its record says.
func (x *writer) below(n gltf.Node, of *record) error {
	text, err := json.Marshal(extras[record]{of})
	if err != nil {
		return err
	}
	n.Extras = text
	x.doc.Nodes = append(x.doc.Nodes, n)
	if !x.binary {
		return nil
	}
	return x.need(len(text))
}

// mesh returns the mesh of glTF that has a geometry and a material.
func (x *writer) mesh(g *gltf.Geometry, material int) int {
	key := showing{g, material}
	number, ok := x.shown[key]
	if !ok {
		number = len(x.doc.Meshes)
		x.shown[key] = number
		x.doc.Meshes = append(x.doc.Meshes, gltf.Mesh{Primitives: []gltf.Primitive{{Geometry: g, Material: material}}})
	}
	return number
}

// material returns the material of glTF for an entity.
func (x *writer) material(rec *record, both bool) int {
	s := surface{color: ownColor(rec), roughness: 0.9, both: both}
	if m := rec.Material; m != nil {
		s.name, s.emissive = m.Name, m.Emissive
		if m.Name == material.Glass {
			s.clear = 1 - render.ClearCover
		}
		if set, ok := material.SetOf(x.v, m.Name); ok {
			s.color, s.roughness, s.metallic = set.Plain(s.color), set.BaseRoughness, set.Metalness
		}
		if m.Roughness != nil {
			s.roughness = min(max(*m.Roughness, 0), 1)
		}
		if m.Metalness != nil {
			s.metallic = min(max(*m.Metalness, 0), 1)
		}
	}
	return x.surface(s)
}

// light returns the colour of light, 0xRRGGBB, as glTF has it.
func light(color uint32) [3]float64 {
	c := gltf.Linear(color)
	return [3]float64(c[:])
}

// fromLight is the way back.
func fromLight(c [3]float64) (color uint32) { return gltf.SRGB([4]float64{c[0], c[1], c[2], 1}) }

// surface returns the material of glTF that is a surface.
func (x *writer) surface(s surface) int {
	number, ok := x.materials[s]
	if !ok {
		number = len(x.doc.Materials)
		x.materials[s] = number
		m := gltf.Material{
			Name: s.name, Color: gltf.Linear(s.color), Metallic: s.metallic, Roughness: s.roughness, DoubleSided: s.both,
		}
		m.Color[3] -= s.clear
		m.Emissive = light(s.emissive)
		x.doc.Materials = append(x.doc.Materials, m)
	}
	return number
}
