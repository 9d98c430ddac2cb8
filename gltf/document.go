package gltf

import "encoding/json"

// Document is a scene.
type Document struct {
	Generator  string // what wrote it
	Nodes      []Node
	Meshes     []Mesh
	Materials  []Material
	Lights     []Light
	Animations []Animation     // written and not read
	Textures   int             // how many the file that was read has
	Lost       []string        // what is in the file that was read and not here: images that cannot be had, and why, and of materials and meshes what is not shown; at most 100 are told
	Extras     json.RawMessage // of the scene: a JSON object, or nil
}

// None is where a node has no parent, mesh or light, or a primitive no material.
const None = -1

// Node is a place in the scene, in the space of its parent.
type Node struct {
	Name        string
	Parent      int // index of a node, or None
	Translation [3]float64
	Rotation    [4]float64 // x, y, z, w, of length 1
	Scale       [3]float64
	Mesh        int             // index of a mesh, or None
	Light       int             // index of a light, or None
	Extras      json.RawMessage // a JSON object, or nil
}

// Mesh is what a node shows.
type Mesh struct {
	Name       string
	Primitives []Primitive
}

// Primitive is a part of a mesh that has one material.
type Primitive struct {
	Geometry *Geometry // primitives that point to the same share it in the file
	Material int       // index of a material, or None
}

// Geometry is a surface of triangles. Their front is where their corners are counterclockwise.
type Geometry struct {
	Positions [][3]float32
	Normals   [][3]float32 // one for each position, of length 1; or none
	Triangles [][3]uint32

	// Coords say where each position is in the images of a material: u to the right, v down, from 0 to 1 across the image, which repeats beyond
	// that. There are none, or one for each position.
	Coords [][2]float32
	// Tangents are the directions, of length 1, in which u grows, and as the fourth number 1, or -1 where the image lies mirrored. There are
	// none, or one for each normal.
	Tangents [][4]float32
	// Colors are what the colour of a material is multiplied by at each position: red, green, blue, linear, each 0 to 1. There are none, or one for
	// each position. They are written and not read: see [UnshownColors].
	Colors [][3]float32
}

// Material is a surface. Colours are linear, as glTF has them; see [Linear].
type Material struct {
	Name        string
	Color       [4]float64 // red, green, blue, alpha, each 0 to 1; alpha below 1 is for what is seen through
	Metallic    float64    // 0 to 1
	Roughness   float64    // 0 to 1
	Emissive    [3]float64 // light that it gives off by itself: red, green, blue, each 0 to 1
	DoubleSided bool
	Cutoff      float64 // 0 to 1: where the ColorImage is less opaque than this there is nothing; 0 where its alpha counts for nothing

	// Images that lie on it as the Coords of a geometry say, which has to have them; nil for none.
	ColorImage   *Image  // what Color is multiplied by; in sRGB, as images are
	SurfaceImage *Image  // its green is what Roughness is multiplied by, its blue Metallic
	NormalImage  *Image  // directions of bumps: red is to the right, green up, blue outward
	NormalScale  float64 // how much the bumps show, 1 as they are in the image; 0 if there is no NormalImage
	LightImage   *Image  // what Emissive is multiplied by; in sRGB

	Extras json.RawMessage // a JSON object, or nil
}

// Image is the file of a picture. Materials that point to the same share it in the file.
type Image struct {
	Name string
	MIME string // PNG or JPEG
	Data []byte
}

// What an image can be.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
)

// Identity returns a node that is in its parent's place.
func Identity() Node {
	return Node{Parent: None, Mesh: None, Light: None, Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1}}
}
