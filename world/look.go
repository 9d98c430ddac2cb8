package world

import "math"

// Shape is what an entity looks like to those who draw it.
type Shape struct {
	Kind  string `json:"kind"`  // "box", "sphere", "capsule", "cylinder", "cone", "wedge", "figure", …
	Size  Vec3   `json:"size"`  // full extents before the transform's scale, in metres
	Color uint32 `json:"color"` // 0xRRGGBB
}

var _ JSONAppender = (*Shape)(nil)

// AppendJSON appends what encoding/json would write.
func (s *Shape) AppendJSON(dst []byte) []byte {
	o := object{dst: dst}
	o.text("kind", s.Kind)
	o.vec("size", s.Size)
	o.count("color", uint64(s.Color))
	return o.end()
}

func (s *Shape) fits() bool { return s.Size.fits() }

// Material is the surface of an entity.
type Material struct {
	Name          string   `json:"name,omitempty"`
	PBR           bool     `json:"pbr,omitempty"`
	Color         *uint32  `json:"color,omitempty"` // 0xRRGGBB; nil: the shape's
	Roughness     *float64 `json:"roughness,omitempty"`
	Metalness     *float64 `json:"metalness,omitempty"`
	Emissive      uint32   `json:"emissive,omitempty"` // light that it gives off by itself and that falls on nothing else, 0xRRGGBB; 0: none
	CastShadow    *bool    `json:"castShadow,omitempty"`
	ReceiveShadow *bool    `json:"receiveShadow,omitempty"`
}

var _ JSONAppender = (*Material)(nil)

// AppendJSON appends what encoding/json would write.
func (m *Material) AppendJSON(dst []byte) []byte {
	o := object{dst: dst}
	if m.Name != "" {
		o.text("name", m.Name)
	}
	if m.PBR {
		o.flag("pbr", true)
	}
	if m.Color != nil {
		o.count("color", uint64(*m.Color))
	}
	if m.Roughness != nil {
		o.number("roughness", *m.Roughness)
	}
	if m.Metalness != nil {
		o.number("metalness", *m.Metalness)
	}
	if m.Emissive != 0 {
		o.count("emissive", uint64(m.Emissive))
	}
	if m.CastShadow != nil {
		o.flag("castShadow", *m.CastShadow)
	}
	if m.ReceiveShadow != nil {
		o.flag("receiveShadow", *m.ReceiveShadow)
	}
	return o.end()
}

func (m *Material) fits() bool {
	return (m.Roughness == nil || fits(*m.Roughness)) && (m.Metalness == nil || fits(*m.Metalness))
}

// Water is a square of water, or a rectangle, as its entity is scaled and turned about the vertical. It is level, however that is tilted, and its middle is where the entity is.
type Water struct {
	Size  float64 `json:"size"`  // edge length in metres, in the entity's own space
	Color uint32  `json:"color"` // 0xRRGGBB
}

func (a *Water) fits() bool { return fits(a.Size) }

// Edges returns how far it is from the middle of the water of an entity that is at t to its edges: along its own x, and along its own z.
func (a *Water) Edges(t *Transform) (right, front Vec3) {
	way := Vec3{1, 0, 0}
	if t.Rotation != (Quat{3: 1}) {
		if flat := t.Rotation.Rotate(way).Mul(Vec3{1, 0, 1}); flat.Len() > 1e-6 { // else it stands on its edge
			way = flat.Scale(1 / flat.Len())
		}
	}
	half := a.Size / 2
	right = way.Scale(float64(half * math.Abs(t.Scale[0])))
	return right, Vec3{-way[2], 0, way[0]}.Scale(float64(half * math.Abs(t.Scale[2])))
}

// Box returns the box around the water of an entity that is at t.
func (a *Water) Box(t *Transform) (lo, hi Vec3) {
	right, front := a.Edges(t)
	var half Vec3
	for i := range half {
		half[i] = math.Abs(right[i]) + math.Abs(front[i])
	}
	return t.Position.Sub(half), t.Position.Add(half)
}

// Spans reports whether x, z is over or under the water of an entity that is at t.
func (a *Water) Spans(t *Transform, x, z float64) bool {
	dx, dz := x-t.Position[0], z-t.Position[2]
	if t.Rotation == (Quat{3: 1}) {
		return math.Abs(dx) <= float64(a.Size*math.Abs(t.Scale[0]))/2 && math.Abs(dz) <= float64(a.Size*math.Abs(t.Scale[2]))/2
	}
	right, front := a.Edges(t)
	within := func(edge Vec3) bool {
		along := float64(edge[0]*dx) + float64(edge[2]*dz)
		return math.Abs(along) <= float64(edge[0]*edge[0])+float64(edge[2]*edge[2])
	}
	return within(right) && within(front)
}

// WaterLevel returns how high the water is that is over or under x, z, of several the highest; false if none is.
func (w *World) WaterLevel(v *View, x, z float64) (y float64, ok bool) {
	if w.Waters.Len(v) == 0 {
		return 0, false
	}
	y = math.Inf(-1)
	for id, water := range w.Waters.All(v) {
		if at, _ := v.WorldTransform(id); at.Position[1] > y && water.Spans(&at, x, z) {
			y, ok = at.Position[1], true
		}
	}
	return y, ok
}

// Light is a lamp. A spot and a directional one shine to where the entity's front, +z, points.
type Light struct {
	Kind      string  `json:"kind"` // "point", "spot", "directional"
	Color     uint32  `json:"color"`
	Intensity float64 `json:"intensity"`
	Range     float64 `json:"range,omitempty"` // metres; 0: without end
	Angle     float64 `json:"angle,omitempty"` // of a spot, from edge to edge of its cone, in radians; 0: SpotAngle
}

// SpotAngle is how wide the cone of a spot is that does not say so, in radians.
const SpotAngle = 0.8

// Body describes the rigid body that an entity has. Package physics moves it.
type Body struct {
	Type        string  `json:"type"`     // "dynamic", "static", "kinematic"
	Collider    string  `json:"collider"` // "box", "sphere", "capsule", "cylinder", "cone", "wedge"
	Friction    float64 `json:"friction"`
	Restitution float64 `json:"restitution"`
	Mass        float64 `json:"mass,omitempty"`    // in kg; 0: by volume, at 1 kg/m³, or at Density
	Density     float64 `json:"density,omitempty"` // in kg/m³, which gives the mass, if that is 0; 0: by what it floats or sinks says package physics
}

var _ JSONAppender = (*Body)(nil)

// AppendJSON appends what encoding/json would write.
func (b *Body) AppendJSON(dst []byte) []byte {
	o := object{dst: dst}
	o.text("type", b.Type)
	o.text("collider", b.Collider)
	o.number("friction", b.Friction)
	o.number("restitution", b.Restitution)
	if b.Mass != 0 {
		o.number("mass", b.Mass)
	}
	if b.Density != 0 {
		o.number("density", b.Density)
	}
	return o.end()
}

func (b *Body) fits() bool {
	return fits(b.Friction) && fits(b.Restitution) && fits(b.Mass) && fits(b.Density)
}
