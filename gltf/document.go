package gltf

import "encoding/json"

// Document is a scene.
type Document struct {
	Generator string // what wrote it
	Nodes     []Node
	Meshes    []Mesh
	Materials []Material
	Lights    []Light
	Textures  int             // how many the file that was read has; they are passed over
	Extras    json.RawMessage // of the scene: a JSON object, or nil
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
}

// Material is a surface. Colours are linear, as glTF has them; see [Linear].
type Material struct {
	Name        string
	Color       [4]float64 // red, green, blue, alpha, each 0 to 1; alpha below 1 is for what is seen through
	Metallic    float64    // 0 to 1
	Roughness   float64    // 0 to 1
	DoubleSided bool
}

// Identity returns a node that is in its parent's place.
func Identity() Node {
	return Node{Parent: None, Mesh: None, Light: None, Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1}}
}
