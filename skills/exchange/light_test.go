package exchange_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// lamps makes entities, most of them lamps, that stand in one another, turned, stretched and mirrored.
func (p place) lamps(t *rapid.T) {
	_, err := p.w.Update(t.Context(), func(tx *world.Tx) error {
		stretched := rapid.SampledFrom([]float64{1, 1, 0.5, 3, -1, -2})
		for i := range rapid.IntRange(1, 8).Draw(t, "entities") {
			parent := world.ID(rapid.IntRange(0, i).Draw(t, "parent"))
			id, err := tx.Create(world.Spec{Name: fmt.Sprint("lamp ", i), Parent: parent})
			if err != nil {
				return err
			}
			at := world.Transform{Position: world.Vec3{float64(i), 2, -1}, Scale: world.Vec3{stretched.Draw(t, "x"), stretched.Draw(t, "y"), stretched.Draw(t, "z")}}
			turn := rapid.Float64Range(-3, 3)
			at.Rotation = world.QuatFromEuler(turn.Draw(t, "pitch"), turn.Draw(t, "yaw"), turn.Draw(t, "roll"))
			if err := tx.SetTransform(id, at); err != nil {
				return err
			}
			if rapid.IntRange(0, 3).Draw(t, "lit") > 0 {
				if err := p.w.Lights.Set(tx, id, anyLight(t)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// written is a file of all that there is, read again.
func (p place) written(t rapid.TB) (doc *gltf.Document) {
	t.Helper()
	p.w.View(func(v *world.View) {
		made, err := exchange.Document(p.w, v, p.meshes, nil)
		if err != nil {
			t.Fatal(err)
		}
		file, err := gltf.Encode(made)
		if err != nil {
			t.Fatal(err)
		}
		if doc, err = gltf.Decode(file, gltf.Limits{}); err != nil {
			t.Fatal(err)
		}
	})
	return doc
}

// TestLightsComeBack: what programs that keep no extras have left of lamps are the same lamps, to the last bit.
func TestLightsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := newPlace(), newPlace()
		from.lamps(t)
		doc := from.written(t)
		for i := range doc.Nodes {
			doc.Nodes[i].Extras = nil
		}
		if rapid.Bool().Draw(t, "the other way round") { // a lamp is known by where it hangs
			slices.Reverse(doc.Nodes)
			for i := range doc.Nodes {
				if n := &doc.Nodes[i]; n.Parent != gltf.None {
					n.Parent = len(doc.Nodes) - 1 - n.Parent
				}
			}
		}
		var want, got map[string]entity
		from.w.View(func(v *world.View) { want = from.entities(v, v.Name) })
		_, err := to.w.Update(t.Context(), func(tx *world.Tx) error {
			done, err := exchange.Insert(tx, to.meshes, doc, 0)
			for _, what := range done.Lost {
				if !strings.Contains(what, "its light is directional") {
					t.Errorf("lost: %s", what)
				}
			}
			got = to.entities(&tx.View, tx.Name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-exported +imported):\n%s", diff)
		}
	})
}

// TestLightsShine: who does not know Limina sees a lamp shine from where it is to where its front points, as bright and
// as far as it does.
func TestLightsShine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlace()
		p.lamps(t)
		doc := p.written(t)
		var shown int
		for i, n := range doc.Nodes {
			if n.Light == gltf.None {
				continue
			}
			shown++
			var says struct{ Limina struct{ LightOf world.ID } }
			if err := json.Unmarshal(n.Extras, &says); err != nil {
				t.Fatal(err)
			}
			at, ahead := through(doc, i, world.Vec3{}), through(doc, i, world.Vec3{0, 0, -1})
			p.w.View(func(v *world.View) {
				l, _ := p.w.Lights.Get(v, says.Limina.LightOf)
				if diff := cmp.Diff(lightOf(&l), doc.Lights[n.Light]); diff != "" {
					t.Errorf("%+v (-want +got):\n%s", l, diff)
				}
				// A world does not shear, so that below what is stretched unevenly the file has it somewhat elsewhere.
				for above := v.Parent(says.Limina.LightOf); above != 0; above = v.Parent(above) {
					if s, _ := v.Transform(above); s.Scale != (world.Vec3{s.Scale[0], s.Scale[0], s.Scale[0]}) || s.Scale[0] < 0 {
						return
					}
				}
				is, _ := v.WorldTransform(says.Limina.LightOf)
				front := is.Rotation.Rotate(world.Vec3{0, 0, 1})
				d := ahead.Sub(at)
				if at.Dist(is.Position) > 1e-6 || d.Dot(front) < (1-1e-9)*math.Sqrt(d.Dot(d)) {
					t.Errorf("%+v at %v shines to %v: in the file it is at %v and shines to %v", l, is.Position, front, at, d)
				}
			})
		}
		if lit := p.lit(); shown != lit {
			t.Errorf("of %d lamps %d are in the file", lit, shown)
		}
	})
}

// lit counts the lamps.
func (p place) lit() (n int) {
	p.w.View(func(v *world.View) {
		for id := range v.All() {
			if _, ok := p.w.Lights.Get(v, id); ok {
				n++
			}
		}
	})
	return n
}

// lightOf is what a light is in a file.
func lightOf(l *world.Light) gltf.Light {
	c := gltf.Linear(l.Color)
	out := gltf.Light{Kind: l.Kind, Color: [3]float64{c[0], c[1], c[2]}, Intensity: 32 * l.Intensity, Range: l.Range}
	switch l.Kind {
	case "directional":
		out.Intensity = 4 * l.Intensity
	case "spot":
		out.Outer = l.Angle / 2
		out.Inner = 0.8 * out.Outer
	}
	return out
}

// through returns where a point in the space of a node is, with the matrices of all that are above it.
func through(doc *gltf.Document, node int, at world.Vec3) world.Vec3 {
	for ; node != gltf.None; node = doc.Nodes[node].Parent {
		n := &doc.Nodes[node]
		at = world.Quat(n.Rotation).Rotate(at.Mul(n.Scale)).Add(n.Translation)
	}
	return at
}

// TestMirroredLights: in what is mirrored a lamp shines to where its entity's front points.
func TestMirroredLights(t *testing.T) {
	for _, scale := range []world.Vec3{{1, 1, 1}, {1, 1, -1}, {-1, 1, 1}, {-2, -2, -2}} {
		p := newPlace()
		_, err := p.w.Update(t.Context(), func(tx *world.Tx) error {
			var above world.ID
			for range 3 {
				id, err := tx.Create(world.Spec{Parent: above})
				if err != nil {
					return err
				}
				if err := tx.SetTransform(id, world.Transform{Rotation: world.Quat{0, 0, 0, 1}, Scale: scale}); err != nil {
					return err
				}
				if err := p.w.Lights.Set(tx, id, world.Light{Kind: "spot", Intensity: 1, Angle: 1}); err != nil {
					return err
				}
				above = id
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		doc := p.written(t)
		for i, n := range doc.Nodes {
			if n.Light != gltf.None {
				if ahead := through(doc, i, world.Vec3{0, 0, -1}); !(ahead[2] > 0) {
					t.Errorf("scaled by %v the light of node %d shines to %v", scale, i, ahead)
				}
			}
		}
		if len(doc.Lights) != 1 {
			t.Errorf("three equal lamps are %d lights", len(doc.Lights))
		}
	}
}

// strange is a node of others with a light.
func strange(name string, parent, light int) gltf.Node {
	n := gltf.Identity()
	n.Name, n.Parent, n.Light = name, parent, light
	return n
}

// TestLightsOfOthers has lamps of a modelling program in the world: within what three.setLight allows, turned so that they shine
// the same way, and with a word of what is not kept.
func TestLightsOfOthers(t *testing.T) {
	white := [3]float64{1, 1, 1}
	lights := []gltf.Light{
		{Kind: gltf.Point, Color: [3]float64{1, 0.5, 0}, Intensity: 48, Range: 20},
		{Kind: gltf.Spot, Color: white, Intensity: 32, Inner: 0.35, Outer: 0.4},
		{Kind: gltf.Point, Color: white, Intensity: 54351.4, Range: 5000},
		{Kind: gltf.Spot, Color: white, Intensity: 3200, Range: 1000, Outer: math.Pi / 2},
		{Kind: gltf.Directional, Color: white, Intensity: 683, Range: 7},
	}
	mesh := &gltf.Geometry{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Triangles: [][3]uint32{{0, 1, 2}}}
	shown := strange("post", gltf.None, 0)
	shown.Mesh = 0
	down := strange("down", gltf.None, 1)
	down.Rotation = [4]float64{-math.Sqrt(0.5), 0, 0, math.Sqrt(0.5)} // its -z points down
	down.Scale = [3]float64{2, 2, 2}
	mirrored := strange("mirrored", gltf.None, 1)
	mirrored.Scale = [3]float64{1, 1, -1}
	nameless := strange("", 0, 1)
	nameless.Translation = [3]float64{0, 3, 0}
	ours := extra(`{"entity":"ent_9","light":{"kind":"point","color":255,"intensity":300,"range":7}}`)
	ours.Light = 1
	bare := extra(`{"entity":"ent_10","shape":{"kind":"cone","size":[1,1,1],"color":255}}`)
	bare.Light = 1
	file, err := gltf.Encode(&gltf.Document{
		Lights: lights, Meshes: []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: mesh, Material: gltf.None}}}},
		Nodes: []gltf.Node{
			shown, nameless, down, mirrored, strange("bright", gltf.None, 2), strange("carries", gltf.None, 3), strange("inner", 5, 2),
			strange("sun", gltf.None, 4), ours, bare,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	var out exchange.ImportOut
	if err := json.Unmarshal([]byte(s.Must(t, p, "scene.import", input("data", file))), &out); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"node 4 of the file: its intensity of 54351.4 cd is 1698 here and became 100",
		"node 4 of the file: its range of 5000 m became 1000",
		"node 5 of the file: the soft edge of its cone, from 0 to 1.57, became one from 1.26",
		"node 6 of the file: its intensity of 54351.4 cd is 1698 here and became 100",
		"node 6 of the file: its range of 5000 m became 1000",
		"and 2 more",
	}, "; ")
	if out.Note != want {
		t.Errorf("the note is\n%s\nwant\n%s", out.Note, want)
	}
	found := map[string]string{}
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			l, ok := s.World.Lights.Get(v, id)
			if !ok {
				continue
			}
			at, _ := v.WorldTransform(id)
			front := at.Rotation.Rotate(world.Vec3{0, 0, 1})
			for k := range front {
				front[k] = math.Round(front[k]*1000)/1000 + 0 // no -0
			}
			text, _ := json.Marshal(l)
			found[v.Name(id)+" below "+v.Name(v.Parent(id))] = fmt.Sprint(string(text), " at ", at.Position, " to ", front)
		}
	})
	const spot = `{"kind":"spot","color":16777215,"intensity":1,"angle":0.8}`
	all := map[string]string{
		// The post would glow, and not let its light out.
		"light of post below post": `{"kind":"point","color":16759808,"intensity":1.5,"range":20} at [0 0 0] to [0 0 -1]`,
		" below post":              spot + ` at [0 3 0] to [0 0 -1]`,
		"down below ":              spot + ` at [0 0 0] to [0 -1 0]`,
		"mirrored below ":          spot + ` at [0 0 0] to [0 0 1]`,
		"bright below ":            `{"kind":"point","color":16777215,"intensity":100,"range":1000} at [0 0 0] to [0 0 1]`,
		// Turned itself it would turn what it carries.
		"light of carries below carries": `{"kind":"spot","color":16777215,"intensity":100,"range":1000,"angle":3.141592653589793} at [0 0 0] to [0 0 -1]`,
		"inner below carries":            `{"kind":"point","color":16777215,"intensity":100,"range":1000} at [0 0 0] to [0 0 1]`,
		"sun below ":                     `{"kind":"directional","color":16777215,"intensity":100} at [0 0 0] to [0 0 -1]`,
		" below ":                        `{"kind":"point","color":255,"intensity":300,"range":7} at [0 0 0] to [0 0 1]`,
		"light below ":                   spot + ` at [0 0 0] to [0 0 -1]`,
	}
	if diff := cmp.Diff(all, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out.Entities != 10+3 || len(out.Roots) != 8 {
		t.Errorf("%d entities, %d of them roots", out.Entities, len(out.Roots))
	}
}

// TestLightsTaken: a node without a name that is nothing but a light, turned about in its parent's place, is the parent's
// lamp; one that points elsewhere, or comes second, is an entity of its own.
func TestLightsTaken(t *testing.T) {
	p := newPlace()
	doc := &gltf.Document{
		Lights: []gltf.Light{{Kind: gltf.Spot, Color: [3]float64{1, 1, 1}, Intensity: 32, Inner: 0.4, Outer: 0.5}},
		Nodes:  []gltf.Node{strange("lantern", gltf.None, gltf.None), strange("", 0, 0), strange("", 0, 0), strange("", 0, 0), strange("bulb", 0, 0)},
	}
	for i, rotation := range [][4]float64{{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}} {
		doc.Nodes[i+1].Rotation = rotation
	}
	_, err := p.w.Update(t.Context(), func(tx *world.Tx) error {
		done, err := exchange.Insert(tx, p.meshes, doc, 0)
		if len(done.Entities) != 4 || len(done.Lost) != 0 {
			t.Errorf("%d entities, lost: %q", len(done.Entities), done.Lost)
		}
		for i, want := range []float64{1, -1, 1, 1} { // as their fronts
			id := done.Entities[i]
			at, _ := tx.Transform(id)
			if _, lit := p.w.Lights.Get(&tx.View, id); !lit || at.Rotation.Rotate(world.Vec3{0, 0, 1})[2] != want {
				t.Errorf("entity %d, %q, is a lamp: %t, turned by %v", i, tx.Name(id), lit, at.Rotation)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What of a light is wrong is said, and nothing is made; what is right gives no note.
func TestLightsRefused(t *testing.T) {
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	lamp := strange("lamp", gltf.None, 0)
	file, err := gltf.Encode(&gltf.Document{
		Nodes:  []gltf.Node{lamp},
		Lights: []gltf.Light{{Kind: gltf.Spot, Color: [3]float64{1, 1, 1}, Intensity: 32, Inner: 0.32, Outer: 0.4}},
	})
	if err != nil {
		t.Fatal(err)
	}
	before := s.World.Hash()
	for old, by := range map[[2]string]string{
		{`"intensity":32`, `"intensity":-1`}: "the file cannot be imported: light 0: intensity: must be 0 or more, and have an end, got -1",
		{`:{"light":0}`, `:{"light":1}`}:     "the file cannot be imported: node 0: extensions.KHR_lights_punctual.light: there is no light 1, the file has 1",
		{`[1,1,1]`, `[1,1  ]`}:               "the file cannot be imported: light 0: color: must be three numbers, got 2",
	} {
		_, err := s.Call(p, "scene.import", input("data", []byte(strings.Replace(string(file), old[0], old[1], 1))))
		if err == nil || err.Message != by {
			t.Errorf("%s: %v, want %q", old[1], err, by)
		}
	}
	if s.World.Hash() != before {
		t.Error("imports that failed changed the world")
	}
	if out := s.Must(t, p, "scene.import", input("data", file)); out != `{"entities":1,"roots":["ent_0"],"ids":[]}` {
		t.Errorf("got %s", out)
	}
}

// TestLightsInLogs: a log has a lamp as a field of its entity, and no line of its own.
func TestLightsInLogs(t *testing.T) {
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.import", nodes(t, false, extra(`{"light":{"kind":"spot","color":255,"intensity":2,"range":5,"angle":1}}`), gltf.Identity()))
	for _, form := range []string{"log", "events", "glb"} {
		res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(input("form", form)), Principal: p}, nil)
		var out exchange.ExportOut
		if res.Err != nil || json.Unmarshal(res.Output, &out) != nil || out.Entities != 2 {
			t.Errorf("%s: %s, %v", form, res.Output, res.Err)
		}
		for _, c := range res.Content {
			if form != "glb" && strings.Contains(c.Resource.Text, "lightOf") {
				t.Errorf("%s: %s", form, c.Resource.Text)
			}
		}
	}
	_, err := s.Call(p, "scene.import", nodes(t, true, extra(`{"entity":"ent_0"}`), extra(`{"lightOf":"ent_0"}`), gltf.Identity()))
	if err == nil || !strings.Contains(err.Message, "node 2 of the file: its parent is only the shape or the light of an entity") {
		t.Error(err)
	}
}
