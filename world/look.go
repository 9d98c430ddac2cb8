package world

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

// Material is the surface of an entity. Of water its colour counts and its own light, and of an earthwork the colour, which is that of the ground within its radius.
type Material struct {
	Name          string   `json:"name,omitempty"`
	PBR           bool     `json:"pbr,omitempty"`
	Color         *uint32  `json:"color,omitempty"` // 0xRRGGBB; nil: that of the shape, the water or the earthwork
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

// Over returns the colour of what has the material, and has another by itself, both 0xRRGGBB.
func (m *Material) Over(own uint32) uint32 {
	if m.Color != nil {
		return *m.Color
	}
	return own
}

func (m *Material) fits() bool {
	return (m.Roughness == nil || fits(*m.Roughness)) && (m.Metalness == nil || fits(*m.Metalness))
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
