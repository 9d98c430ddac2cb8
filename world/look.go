package world

// Shape is what an entity looks like to those who draw it.
type Shape struct {
	Kind  string `json:"kind"`  // "box", "sphere", "capsule", …
	Size  Vec3   `json:"size"`  // full extents before the transform's scale, in metres
	Color uint32 `json:"color"` // 0xRRGGBB
}

// Material is the surface of an entity.
type Material struct {
	Name          string   `json:"name,omitempty"`
	PBR           bool     `json:"pbr,omitempty"`
	Color         *uint32  `json:"color,omitempty"` // 0xRRGGBB; nil: the shape's
	Roughness     *float64 `json:"roughness,omitempty"`
	Metalness     *float64 `json:"metalness,omitempty"`
	CastShadow    *bool    `json:"castShadow,omitempty"`
	ReceiveShadow *bool    `json:"receiveShadow,omitempty"`
}

// Light is a lamp.
type Light struct {
	Kind      string  `json:"kind"` // "point", "spot", "directional"
	Color     uint32  `json:"color"`
	Intensity float64 `json:"intensity"`
	Range     float64 `json:"range,omitempty"` // metres; 0: without end
}

// Body describes the rigid body that an entity has, or is to have once there is physics.
type Body struct {
	Type        string  `json:"type"`     // "dynamic", "static"
	Collider    string  `json:"collider"` // "box", "sphere", "capsule"
	Friction    float64 `json:"friction"`
	Restitution float64 `json:"restitution"`
}
