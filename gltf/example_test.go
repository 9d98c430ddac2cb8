package gltf_test

import (
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/gltf"
)

// A scene with one triangle, written and read again.
func Example() {
	triangle := &gltf.Geometry{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		Triangles: [][3]uint32{{0, 1, 2}},
	}
	node := gltf.Identity()
	node.Name, node.Mesh, node.Translation = "flag", 0, [3]float64{0, 2.5, 0}
	node.Extras = json.RawMessage(`{"entity":"ent_7"}`)
	file, err := gltf.Encode(&gltf.Document{
		Nodes:     []gltf.Node{node},
		Meshes:    []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: triangle, Material: 0}}}},
		Materials: []gltf.Material{{Name: "cloth", Color: gltf.Linear(0xb5563c), Roughness: 1}},
	})
	if err != nil {
		panic(err)
	}
	doc, err := gltf.Decode(file, gltf.Limits{})
	if err != nil {
		panic(err)
	}
	read := doc.Nodes[0]
	fmt.Println(read.Name, read.Translation, string(read.Extras))
	fmt.Printf("%s #%06x\n", doc.Materials[0].Name, gltf.SRGB(doc.Materials[0].Color))
	_, err = gltf.Decode(file[:40], gltf.Limits{})
	fmt.Println(err)
	// Output:
	// flag [0 2.5 0] {"entity":"ent_7"}
	// cloth #b5563c
	// the header says 800 bytes, the file has 40
}
