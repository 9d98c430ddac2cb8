package skills_test

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/gltf"
)

// glb is a GLB file of nodes that all show the one mesh, in base64.
func glb(t *testing.T, g *gltf.Geometry, nodes ...gltf.Node) string {
	t.Helper()
	file, err := gltf.Encode(&gltf.Document{Nodes: nodes, Meshes: []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: g, Material: gltf.None}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(file)
}

// showing is a node that shows the mesh.
func showing(name string) gltf.Node {
	n := gltf.Identity()
	n.Name, n.Mesh = name, 0
	return n
}

// slope is ground of 40 m by 40 m, four metres high at one edge.
var slope = &gltf.Geometry{
	Positions: [][3]float32{{0, 0, 0}, {40, 4, 0}, {40, 4, 40}, {0, 0, 40}},
	Triangles: [][3]uint32{{0, 2, 1}, {0, 3, 2}},
}

// Ground that is brought along as a model is stood on where it is drawn, and is not shaped.
func TestMeshGround(t *testing.T) {
	r := moving(t)
	r.Do("scene.import", `{"data":%q}`, glb(t, slope, showing("valley")))
	r.Do("scene.createEntity", `{"position":[10,20,10],"size":0.1}`)
	got := r.Do("scene.place", `{"entity":"ent_1","relation":"onGround"}`)
	if y := r.At(t, "ent_1")[1]; math.Abs(y-1.055) > 0.01 || strings.Contains(got, "note") {
		t.Errorf("it stands at %g, want 1.055: %s", y, got)
	}
	_, err := r.Call(r.Ann, "terrain.shape", `{"center":[10,10],"radius":4}`)
	if want := "center: what lies at x 10, z 10, ent_0, is a mesh, of which nothing is shaped, and there is no generated ground within reach; world.generateRegion makes some"; err == nil || err.Message != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Meshes of which nobody has found out what they enclose, as those of files of before, are boxes: who puts something on one is told.
func TestMeshesThatAreBoxes(t *testing.T) {
	r := moving(t)
	n := showing("valley")
	n.Extras = []byte(`{"limina":{"entity":"ent_0","shape":{"kind":"mesh","size":[80,8,80],"color":255}}}`)
	r.Do("scene.import", `{"data":%q}`, glb(t, slope, n))
	r.Do("scene.createEntity", `{"position":[10,20,10]}`)
	for _, how := range []string{`{"entity":"ent_1","relation":"onGround"}`, `{"entity":"ent_1","relation":"on","target":"ent_0"}`} {
		var out struct{ Note string }
		if err := json.Unmarshal([]byte(r.Do("scene.place", "%s", how)), &out); err != nil || !strings.HasPrefix(out.Note, "ent_0 is a mesh, and ent_1 stands on the box around it") {
			t.Errorf("%s: %q, %v", how, out.Note, err)
		}
	}
	r.Do("scene.createEntity", `{"position":[200,3,200]}`)
	if got := r.Do("scene.place", `{"entity":"ent_2","relation":"onGround"}`); strings.Contains(got, "note") {
		t.Errorf("on the bare ground: %s", got)
	}
}

// hut is a house of 4 m by 4 m, walls, roof and all in one mesh, its origin at a corner of its foot: the walls are 0.2 m thick, the door is from x 1.5 to 2.5 and 2.4 m high, at z 4.
func hut() *gltf.Geometry {
	g := &gltf.Geometry{}
	quad := func(a, b, c, d [3]float32) {
		n := uint32(len(g.Positions))
		g.Positions = append(g.Positions, a, b, c, d)
		g.Triangles = append(g.Triangles, [3]uint32{n, n + 1, n + 2}, [3]uint32{n, n + 2, n + 3})
	}
	outline := [][2]float32{{0, 0}, {0, 4}, {1.5, 4}, {1.5, 3.8}, {0.2, 3.8}, {0.2, 0.2}, {3.8, 0.2}, {3.8, 3.8}, {2.5, 3.8}, {2.5, 4}, {4, 4}, {4, 0}}
	for i, a := range outline { // the walls
		b := outline[(i+1)%len(outline)]
		quad([3]float32{a[0], 0, a[1]}, [3]float32{b[0], 0, b[1]}, [3]float32{b[0], 2.4, b[1]}, [3]float32{a[0], 2.4, a[1]})
	}
	box := func(lo, hi [3]float32) {
		for k := range 3 {
			u, v := (k+1)%3, (k+2)%3
			for _, end := range []bool{false, true} {
				var p [4][3]float32
				for i := range p {
					p[i] = lo
					if end {
						p[i][k] = hi[k]
					}
					if i == 1 || i == 2 {
						p[i][u] = hi[u]
					}
					if i >= 2 {
						p[i][v] = hi[v]
					}
				}
				if end {
					quad(p[0], p[1], p[2], p[3])
				} else {
					quad(p[3], p[2], p[1], p[0])
				}
			}
		}
	}
	box([3]float32{0, 2.4, 0}, [3]float32{4, 3, 4}) // the roof
	return g
}

// A house that another program has made, in one mesh, has an inside: one walks in through its door and not through its walls, and rays and bodies do as well, wherever it is taken
// to.
func TestModelsHaveAnInside(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"scale":[60,1,60],"position":[0,-0.5,0],"static":true}`)
	r.Do("scene.import", `{"data":%q}`, glb(t, hut(), showing("hut")))
	r.Do("physics.setBody", `{"entity":"ent_1","type":"static"}`)
	check := func(house string) {
		t.Helper()
		for _, tt := range []struct{ name, input, want string }{
			{"physics.raycast", `{"origin":[2,1,8],"direction":[0,0,-1]}`, `"distance":7.8`},
			{"physics.raycast", `{"origin":[1,1,8],"direction":[0,0,-1]}`, `"distance":4`},
			{"physics.raycast", `{"origin":[2,1,2],"direction":[0,1,0]}`, `"distance":1.4`},
			{"physics.overlap", `{"shape":"sphere","radius":0.9,"position":[2,1,2]}`, `"entities":[]`},
			{"spatial.bounds", `{"entities":["` + house + `"]}`, `"min":[0,0,0],"max":[4,3,4]`},
			{"scene.validate", `{}`, `"ok":true`},
		} {
			if got := r.Do(tt.name, "%s", tt.input); !strings.Contains(got, tt.want) {
				t.Errorf("%s %s: %s, want %s", tt.name, tt.input, got, tt.want)
			}
		}
		r.Do("navmesh.build", `{"bounds":{"minX":-3,"minZ":-3,"maxX":7,"maxZ":8},"cellSize":0.2,"agentRadius":0.25}`)
		if got := r.Do("navmesh.findPath", `{"from":[2,0,6],"to":[1,0,1]}`); !strings.Contains(got, `"reachable":true`) {
			t.Errorf("one does not come in: %s", got)
		}
	}
	check("ent_1")
	r.Do("scene.createEntity", `{"shape":"sphere","size":0.5,"dynamic":true,"position":[2,0.25,7]}`)
	r.Do("physics.applyImpulse", `{"entity":"ent_2","impulse":[0,0,-1.2]}`)
	for range 180 {
		r.World.Step(t.Context())
	}
	if p := r.At(t, "ent_2"); p[2] > 3.7 || p[2] < 0.2 {
		t.Errorf("the ball that rolls through the door is at %v", p)
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_2"}`)
	taken(t, r, "glb", "ent_0", "ent_1")
	check("ent_4")
	taken(t, r, "log", "ent_3", "ent_4")
	check("ent_6")
}

// TestModelsStand places a model whose origin is at a corner of its foot, turned, scaled and with another below it: it is as high as is asked for, stands on the
// ground, and is drawn where all else finds it.
func TestModelsStand(t *testing.T) {
	g := &gltf.Geometry{ // a post of 1 m by 4 m by 1 m
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 4, 0}, {0, 4, 0}, {0, 0, 1}, {1, 0, 1}, {1, 4, 1}, {0, 4, 1}},
		Triangles: [][3]uint32{{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {3, 6, 2}, {3, 7, 6}, {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}},
	}
	post, top := showing("post"), showing("top")
	post.Scale, post.Rotation = [3]float64{1, 0.5, 1}, [4]float64{0, math.Sqrt2 / 2, 0, math.Sqrt2 / 2}
	top.Parent, top.Translation = 0, [3]float64{0, 4, 0}
	r := moving(t)
	r.Do("scene.import", `{"data":%q}`, glb(t, g, post, top))
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
