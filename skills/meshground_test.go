package skills_test

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/gltf"
)

// meshSlope is a GLB file of ground, so wide and so high at one edge.
func meshSlope(t *testing.T, wide, high float32) string {
	t.Helper()
	g := &gltf.Geometry{
		Positions: [][3]float32{{0, 0, 0}, {wide, high, 0}, {wide, high, wide}, {0, 0, wide}},
		Triangles: [][3]uint32{{0, 2, 1}, {0, 3, 2}},
	}
	n := gltf.Identity()
	n.Name, n.Mesh = "valley", 0
	file, err := gltf.Encode(&gltf.Document{Nodes: []gltf.Node{n}, Meshes: []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: g, Material: gltf.None}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(file)
}

// TestMeshGround tells who brings ground along as a model what that is for all but pictures, and what makes ground that is walked on and shaped.
func TestMeshGround(t *testing.T) {
	r := moving(t)
	const note = `is a mesh of 40 m by 40 m: it is drawn as it is, but for bodies, rays, scene.place and scene.validate it is the box around it, 4 m high, and terrain.shape does not change it. Ground to build and walk on makes world.generateRegion`
	if got := r.Do("scene.import", `{"data":%q}`, meshSlope(t, 40, 4)); !strings.Contains(got, "ent_0 "+note) {
		t.Errorf("%s: want the note", got)
	}
	r.Do("scene.createEntity", `{"position":[10,20,10]}`)
	for _, how := range []string{`{"entity":"ent_1","relation":"onGround"}`, `{"entity":"ent_1","relation":"on","target":"ent_0"}`} {
		var out struct{ Note string }
		if err := json.Unmarshal([]byte(r.Do("scene.place", "%s", how)), &out); err != nil || !strings.HasPrefix(out.Note, "ent_0 is a mesh, and ent_1 stands on the box around it") {
			t.Errorf("%s: %q, %v", how, out.Note, err)
		}
	}
	_, err := r.Call(r.Ann, "terrain.shape", `{"center":[10,10],"radius":4}`)
	if want := "center: what lies at x 10, z 10, ent_0, is a mesh, of which nothing is shaped, and there is no generated ground within reach; world.generateRegion makes some"; err == nil || err.Message != want {
		t.Errorf("%v, want %s", err, want)
	}
	if got := r.Do("scene.import", `{"data":%q}`, meshSlope(t, 2, 1)); strings.Contains(got, "note") {
		t.Errorf("of a small one: %s", got)
	}
	r.Do("scene.createEntity", `{"position":[100,3,100]}`)
	if got := r.Do("scene.place", `{"entity":"ent_3","relation":"onGround"}`); strings.Contains(got, "note") {
		t.Errorf("on the bare ground: %s", got)
	}
}

// TestModelsStand places a model whose origin is at a corner of its foot, turned, scaled and with another below it: it is as high as is asked for, stands on the
// ground, and is drawn where all else finds it.
func TestModelsStand(t *testing.T) {
	g := &gltf.Geometry{ // a post of 1 m by 4 m by 1 m
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 4, 0}, {0, 4, 0}, {0, 0, 1}, {1, 0, 1}, {1, 4, 1}, {0, 4, 1}},
		Triangles: [][3]uint32{{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {3, 6, 2}, {3, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}},
	}
	post, top := gltf.Identity(), gltf.Identity()
	post.Name, post.Mesh, post.Scale, post.Rotation = "post", 0, [3]float64{1, 0.5, 1}, [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}
	top.Name, top.Mesh, top.Parent, top.Translation = "top", 0, 0, [3]float64{0, 4, 0}
	file, err := gltf.Encode(&gltf.Document{Nodes: []gltf.Node{post, top}, Meshes: []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: g, Material: gltf.None}}}}})
	if err != nil {
		t.Fatal(err)
	}
	r := moving(t)
	r.Do("scene.import", `{"data":%q}`, base64.StdEncoding.EncodeToString(file))
	// The post is half as high as in the file, and so is what is on it. Turned by a quarter about y, x goes along -z, and z along x.
	for id, want := range map[string]string{"ent_0": `"min":[0,0,-1],"max":[1,4,0]`, "ent_1": `"min":[0,2,-1],"max":[1,4,0]`} {
		if got := r.Do("spatial.bounds", `{"entities":[%q]}`, id); !strings.Contains(got, want) {
			t.Errorf("%s takes up %s, want %s", id, got, want)
		}
	}
	var picture struct {
		Views []struct{ Entities []struct{ Box [4]int } }
	}
	if err := json.Unmarshal([]byte(r.Do("scene.render", `{"view":"front","width":200,"height":200,"fit":["ent_0"]}`)), &picture); err != nil {
		t.Fatal(err)
	}
	low, high := 0, 200
	for _, e := range picture.Views[0].Entities {
		low, high = max(low, e.Box[1]+e.Box[3]), min(high, e.Box[1])
	}
	if low-high < 150 { // what fits the picture fills it
		t.Errorf("of 200 pixels it is %d high", low-high)
	}
}
