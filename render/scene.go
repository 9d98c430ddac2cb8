package render

import (
	"github.com/limina-mcp/limina/world"
)

// Vec3 is a point or direction, y up, in metres.
type Vec3 = world.Vec3

// Scene is what there is to see. Draw does not change it. Numbers that are not finite, or too large
// to be drawn (beyond 1e12 metres), hide what they belong to and nothing else. Of meshes, fields and
// round shapes some are drawn as boxes if they come to more than a million and a half triangles.
type Scene struct {
	Objects   []Object
	Waters    []Water
	Particles []Particle
	Texts     []Text
	Notes     []Note
	Speeches  []Speech
	Lamps     []Lamp
	Light     Light
	Weather   Weather // seen in the style Shaded, but not where the sky is Space
	Sky       Sky
	Post      Post
}

// Kind is a shape.
type Kind uint8

// The shapes. All are centred on their object's position.
const (
	Box      Kind = iota
	Sphere        // an ellipsoid, if its size is uneven
	Capsule       // along y: half spheres on a cylinder
	Cylinder      // along y
	Cone          // along y, its tip up
	Wedge         // half a box: its slope falls from the upper edge at -z to the lower one at +z
	Solid         // Object.Mesh
	Field         // Object.Heights
	Figure        // a person who stands upright in its size and looks along +z, see [Pose]
)

// Object is one thing in the scene.
type Object struct {
	ID        world.ID // what [Seen] and labels call it; 0 for what they do not speak of
	Name      string   // for labels; may be empty
	Transform world.Transform
	Kind      Kind
	Size      Vec3     // full extents before the transform's scale; not of Solid and Field
	Color     uint32   // 0xRRGGBB
	Emissive  uint32   // light that it gives off by itself and that falls on nothing else, 0xRRGGBB; 0 for none. It is seen in the style Shaded
	Surface   *Surface // what lies on it, tinted by Color; nil for nothing. It is seen in the style Shaded
	Mesh      *Mesh
	Heights   *Heights
	Pose      Pose // of a Figure
	Dressed   bool // of a Figure: its Color is that of its clothes, see [Tint]; else all of it has that

	Clear     bool // what is behind it shows through it, as through glass, and so does light
	NoCast    bool // throws no shadow
	NoReceive bool // shows no shadow
}

// casts reports whether o throws a shadow.
func (o *Object) casts() bool { return !o.NoCast && !o.Clear }

// Mesh is a surface of triangles, seen from both sides.
type Mesh struct {
	Vertices  []Vec3
	Normals   []Vec3 // one per vertex, of length 1; nil for flat faces
	Triangles [][3]uint32

	// Coords say where each vertex is in the images of a surface that is Mapped: to the right and down, from 0 to 1 across an image. nil if that is
	// not known.
	Coords [][2]float32
}

// Heights is a height field on a square grid, centred on its object: At[z*Columns+x] is the height
// at sample x, z.
type Heights struct {
	Columns, Rows int
	Cell          float64 // metres between samples
	At            []float64
	Normals       []Vec3   // one per sample, of length 1; nil to go by the heights
	Colors        []uint32 // one per sample, 0xRRGGBB; nil for the object's
	Facets        *Facets  // the same surface with more detail, which is drawn from near; nil for none
}

// Facets are a surface of triangles with a colour at each point, about its object's middle. All three lists of its points are as long.
type Facets struct {
	Points, Normals []Vec3 // Normals are of length 1
	Colors          []uint32
	Triangles       [][3]uint32
}

// Water is a level, translucent rectangle, or a river, a ribbon between its banks, which is whiter where it falls.
type Water struct {
	ID           world.ID // by which a view is fitted to it; may be 0
	Center       Vec3
	Right, Front Vec3      // from the middle to two of its edges, level and square to each other, in metres
	Banks        [][2]Vec3 // of a river, across from each other, as many as there are, in place of Center, Right and Front
	Color        uint32
	Emissive     uint32 // light that it gives off by itself and that falls on nothing else, 0xRRGGBB; the brighter, the less shows what is below: lava
}

// Text is words that hang in the scene, always upright. Its lines are half a metre high, but never higher than a line of other words in a picture: what is
// farther away is smaller.
type Text struct {
	At    Vec3
	Lines []string
	Color uint32 // of the letters; 0 for white
	Of    *Vec3  // where who says it is, or what it is about: a line goes there from below the words; nil for nowhere
}

// Note is words that stay at a corner of the picture, whatever it shows. Those of one corner stand one below the other. Pictures of the style [Shaded]
// have them, but for the view [Sheet].
type Note struct {
	Corner Corner
	Lines  []string
}

// Corner is a part of the picture: "top" or "bottom" with "left", "center" or "right", as "top-left", or "center". Any other is "top-left".
type Corner string

// Sky is what is behind and under everything.
type Sky struct {
	Space bool // it is black, and has stars, whatever hour and weather it is; else it is as these are
	Bare  bool // there is no level ground at height 0, but what was made
}

// Light is the sun. Whatever the scene says, there is always enough light to see by.
type Light struct {
	Sun   Vec3    // direction towards it; zero for above, in front and to the right
	Color uint32  // 0 for white
	Power float64 // 1 is a clear day; 0 too
	Night float64 // how far it is night, 0 to 1: the sky is dark then, and lamps show; half way the sun sets or rises, and all is warmer
}
