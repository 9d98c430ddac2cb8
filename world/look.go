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

// Water is a level square of water. Its middle is where the entity is.
type Water struct {
	Size  float64 `json:"size"`  // edge length in metres
	Color uint32  `json:"color"` // 0xRRGGBB
}

func (a *Water) fits() bool { return fits(a.Size) }

// Spans reports whether x, z is over or under water whose middle is at a place: it is not turned.
func (a *Water) Spans(middle Vec3, x, z float64) bool {
	return math.Abs(x-middle[0]) <= a.Size/2 && math.Abs(z-middle[2]) <= a.Size/2
}

// WaterLevel returns how high the water is that is over or under x, z, of several the highest; false if none is.
func (w *World) WaterLevel(v *View, x, z float64) (y float64, ok bool) {
	if w.Waters.Len(v) == 0 {
		return 0, false
	}
	y = math.Inf(-1)
	for id, water := range w.Waters.All(v) {
		if at, _ := v.Position(id); at[1] > y && water.Spans(at, x, z) {
			y, ok = at[1], true
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
	Mass        float64 `json:"mass,omitempty"` // in kg; 0: by volume, at 1 kg/m³
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
	return o.end()
}

func (b *Body) fits() bool { return fits(b.Friction) && fits(b.Restitution) && fits(b.Mass) }
