package places

import (
	"math"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/world"
)

// Box is a box along the axes of the world. It is read in each of the forms in which skills answer and take one: by its corners, min and max, by its
// middle and its size, or as a [Rect].
type Box struct {
	Min, Max world.Vec3

	// Flat says that nothing was said of y, which is 0 then.
	Flat bool
}

// Rect is a rectangle of the ground, read in the same forms as a [Box]. What they say of y does not count.
type Rect struct{ MinX, MinZ, MaxX, MaxZ float64 }

// corners is a box as most skills have it.
type corners struct {
	Min world.Vec3 `json:"min" jsonschema_description:"Its lower corner x, y, z."`
	Max world.Vec3 `json:"max" jsonschema_description:"Its upper corner x, y, z."`
}

// known is what a box that was answered may have besides.
type known struct {
	corners
	Center *world.Vec3 `json:"center,omitempty"`
	Size   *world.Vec3 `json:"size,omitempty"`
}

// flat is a box of the ground by its corners, as it is seen from above.
type flat struct {
	Min [2]float64 `json:"min" validate:"dive,gte=-3.4e38,lte=3.4e38"`
	Max [2]float64 `json:"max" validate:"dive,gte=-3.4e38,lte=3.4e38"`
}

// middle is a box about a point.
type middle struct {
	Center world.Vec3 `json:"center"`
	Size   world.Vec3 `json:"size" validate:"dive,gte=0"`
}

// edges is a rectangle as navmesh.build has it.
type edges struct {
	MinX float64 `json:"minX" jsonschema_description:"Smallest x in metres."`
	MinZ float64 `json:"minZ" jsonschema_description:"Smallest z in metres."`
	MaxX float64 `json:"maxX" jsonschema_description:"Largest x; not below minX."`
	MaxZ float64 `json:"maxZ" jsonschema_description:"Largest z; not below minZ."`
}

// sides is the same with heights.
type sides struct {
	edges
	MinY *float64 `json:"minY,omitempty"`
	MaxY *float64 `json:"maxY,omitempty"`
}

// UnmarshalJSON takes any of the forms.
func (b *Box) UnmarshalJSON(data []byte) error { return b.read(data, b.JSONWords()) }

// read reads a box, of which words say what it has to be.
func (b *Box) read(data []byte, words string) error {
	has := func(names ...string) bool {
		for _, name := range names {
			if wire.Member(data, name) != nil {
				return true
			}
		}
		return false
	}
	switch {
	case data[0] != '{':
	case has("min", "max"):
		return b.byCorners(data)
	case has("minX", "minZ", "maxX", "maxZ"):
		var s sides
		if err := wire.Unmarshal(data, &s); err != nil {
			return err
		}
		*b = Box{Min: world.Vec3{s.MinX, 0, s.MinZ}, Max: world.Vec3{s.MaxX, 0, s.MaxZ}, Flat: s.MinY == nil && s.MaxY == nil}
		if b.Flat {
			return nil
		}
		if s.MinY == nil || s.MaxY == nil {
			return wire.Errors{{Message: "must have both of minY and maxY, or none"}}
		}
		b.Min[1], b.Max[1] = *s.MinY, *s.MaxY
		return nil
	case has("center", "size"):
		var m middle
		if err := wire.Unmarshal(data, &m); err != nil {
			return err
		}
		half := m.Size.Scale(0.5)
		*b = Box{Min: m.Center.Sub(half).Bounded(), Max: m.Center.Add(half).Bounded()}
		return nil
	}
	return wire.Errors{{Message: "must be " + words}}
}

// byCorners reads a box by its corners, of two numbers each or of three.
func (b *Box) byCorners(data []byte) error {
	var f flat
	if wire.Unmarshal(data, &f) == nil {
		*b = Box{Min: world.Vec3{f.Min[0], 0, f.Min[1]}, Max: world.Vec3{f.Max[0], 0, f.Max[1]}, Flat: true}
		return nil
	}
	var k known
	if err := wire.Unmarshal(data, &k); err != nil {
		return err
	}
	*b = Box{Min: k.Min, Max: k.Max}
	return nil
}

// JSONWords says what it is.
func (Box) JSONWords() string {
	return `an object with min and max, each [x, y, z], or with center and size, or with minX, minZ, maxX, maxZ`
}

// MarshalJSON writes the corners.
func (b Box) MarshalJSON() ([]byte, error) {
	if b.Flat {
		return Rect{b.Min[0], b.Min[2], b.Max[0], b.Max[2]}.MarshalJSON()
	}
	return wire.PlanOf[corners]().Append(nil, &corners{b.Min, b.Max})
}

// Check holds one that Go code made to the limits of one that was read.
func (b Box) Check() error { return wire.PlanOf[corners]().Check(&corners{b.Min, b.Max}) }

// JSONSchema describes the corners: schemas of all forms would be longer than what they are read for.
func (Box) JSONSchema() *jsonschema.Schema { return schemaOf[corners]() }

// UnmarshalJSON takes any of the forms.
func (r *Rect) UnmarshalJSON(data []byte) error {
	var b Box
	if err := b.read(data, r.JSONWords()); err != nil {
		return err
	}
	*r = Rect{b.Min[0], b.Min[2], b.Max[0], b.Max[2]}
	return nil
}

// JSONWords says what it is.
func (Rect) JSONWords() string {
	return `an object with minX, minZ, maxX, maxZ, or with min and max, each [x, y, z], or with center and size`
}

// MarshalJSON writes the edges.
func (r Rect) MarshalJSON() ([]byte, error) {
	e := edges(r)
	return wire.PlanOf[edges]().Append(nil, &e)
}

// Check holds one that Go code made to the limits of one that was read.
func (r Rect) Check() error {
	e := edges(r)
	return wire.PlanOf[edges]().Check(&e)
}

// JSONSchema describes the edges.
func (Rect) JSONSchema() *jsonschema.Schema { return schemaOf[edges]() }

// schemaOf returns a schema of one's own, as the plan's is shared.
func schemaOf[T any]() *jsonschema.Schema {
	s := *wire.PlanOf[T]().Schema()
	return &s
}

// Everywhere returns the box with no limit along y if nothing was said of that.
func (b Box) Everywhere() Box {
	if b.Flat {
		b.Min[1], b.Max[1] = -math.MaxFloat32, math.MaxFloat32
	}
	return b
}
