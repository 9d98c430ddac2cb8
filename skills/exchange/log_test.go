package exchange_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestLogRoundTrip takes random worlds through a log: every entity comes back as it was, and the log of
// what came back is, but for the ids, the same.
func TestLogRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := newPlace(), newPlace()
		from.fill(t)
		var want map[string]entity
		var log []byte
		var m exchange.Manifest
		encode := func(p place, v *world.View) (log []byte, m exchange.Manifest) {
			doc, err := exchange.Document(p.w, v, p.meshes, nil)
			if err != nil {
				t.Fatal(err)
			}
			if log, m, err = exchange.EncodeLog(doc, exchange.Head{Revision: v.Tick()}); err != nil {
				t.Fatal(err)
			}
			return log, m
		}
		from.w.View(func(v *world.View) {
			want = from.entities(v, world.ID.String)
			log, m = encode(from, v)
		})
		doc, err := exchange.DecodeLog(log, &m)
		if err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		to.take(t, doc, want)
		to.w.View(func(v *world.View) {
			if _, again := encode(to, v); again.Entities != m.Entities || again.Meshes != m.Meshes || again.Lines != m.Lines {
				t.Fatalf("the log of what came back holds %+v, want %+v", again, m)
			}
		})
	})
}

// house is a world that a log keeps whole: no id is missing, and parents are older than their children.
func house(t *testing.T) (s *skilltest.Server, dir string) {
	t.Helper()
	dir = t.TempDir()
	s = skilltest.New(t, skills(dir))
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		top, err := tx.Create(world.Spec{Name: "house <1>", Tags: []string{"b", "a"}, Position: world.Vec3{0.1, 2, 3}})
		if err != nil {
			return err
		}
		wall, err := tx.Create(world.Spec{Parent: top, Rotation: world.QuatFromEuler(1, 2, 3)})
		if err != nil {
			return err
		}
		return s.World.Shapes.Set(tx, wall, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 1.0 / 3}, Color: 0xff8800})
	}); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// A log goes beside the answer, or into two files, and comes back from either: into an empty world with
// the content that the manifest's head names.
func TestLogBothWays(t *testing.T) {
	s, dir := house(t)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"form":"log"}`), Principal: p}, nil)
	if res.Err != nil || len(res.Content) != 2 {
		t.Fatalf("%v, %d contents", res.Err, len(res.Content))
	}
	manifest, log := res.Content[0].Resource.Text, res.Content[1].Resource.Text
	var m exchange.Manifest
	if err := json.Unmarshal([]byte(manifest), &m); err != nil {
		t.Fatal(err)
	}
	want := `{"op":"entity","pos":[0.1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"entity":"ent_0","name":"house <1>","tags":["a","b"]}` + "\n"
	if !strings.HasPrefix(log, want) || m.Lines != 2 || m.Entities != 2 || m.Head.Revision != 1 {
		t.Fatalf("%s\n%s", manifest, log)
	}
	s.Must(t, p, "scene.export", `{"form":"log","file":"house"}`)
	for _, suffix := range []string{".manifest.json", ".log.jsonl"} {
		if _, err := os.Stat(filepath.Join(dir, "house"+suffix)); err != nil {
			t.Error(err)
		}
	}
	inline, _ := json.Marshal(map[string]any{"log": log, "manifest": json.RawMessage(manifest)})
	for _, input := range []string{string(inline), `{"form":"log","file":"house"}`, `{"form":"log","file":"house","sha256":"` + m.SHA256 + `"}`} {
		other := skilltest.New(t, skills(dir))
		if got := other.Must(t, p, "scene.import", input); got != `{"entities":2,"roots":["ent_0"],"ids":[{"was":"ent_0","now":"ent_0"},{"was":"ent_1","now":"ent_1"}]}` {
			t.Errorf("%.60s: %s", input, got)
		}
		other.World.View(func(v *world.View) {
			if sum := v.ContentHash(); hex.EncodeToString(sum[:]) != m.Head.Content {
				t.Errorf("%.60s: the content is another one", input)
			}
		})
	}
}

// A mesh that several entities have is in a log once, and all of them have it when it comes back.
func TestLogOfOneMesh(t *testing.T) {
	dir := t.TempDir()
	st := newStudio(t, dir)
	st.Must(t, st.bob, "scene.import", input("data", foreign(t)))
	st.Must(t, st.bob, "scene.array", `{"entity":"ent_1","pattern":"line","count":3,"step":[3,0,0]}`)
	var out struct{ Manifest exchange.Manifest }
	if err := json.Unmarshal([]byte(st.Must(t, st.bob, "scene.export", `{"form":"log","file":"row"}`)), &out); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(dir, "row.log.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if n, named := strings.Count(string(log), `"op":"mesh"`), strings.Count(string(log), `"mesh":"mesh_1"`); out.Manifest.Meshes != 1 || n != 1 || named != 5 {
		t.Errorf("%d meshes of %d, the first is named %d times; want 1, and it by its line and four entities", n, out.Manifest.Meshes, named)
	}
	again := newStudio(t, dir)
	again.Must(t, st.bob, "scene.import", `{"form":"log","file":"row"}`)
	if again.content() != st.content() {
		t.Error("the content that comes back is another one")
	}
}

// What is wrong with a log is said by its line, and nothing of it comes into the world.
func TestLogRefuses(t *testing.T) {
	s, _ := house(t)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	before := s.World.Hash()
	entity := `{"op":"entity","entity":"ent_0","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}`
	mesh := `{"op":"mesh","mesh":"m","positions":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[[0,1,2]]}`
	many := make([]string, 100_001)
	for i := range many {
		many[i] = strings.Replace(entity, "ent_0", fmt.Sprintf("ent_%d", i), 1)
	}
	tests := []struct {
		name, log string
		change    func(m *exchange.Manifest)
		want      string
	}{
		{"another format", entity, func(m *exchange.Manifest) { m.Format = "gltf" }, `manifest: format must be "limina-scene-log" and version 1, got "gltf" and 1`},
		{"another version", entity, func(m *exchange.Manifest) { m.Version = 2 }, `got "limina-scene-log" and 2`},
		{"another log", entity, func(m *exchange.Manifest) { m.SHA256 = strings.Repeat("0", 64) }, "the log is another one"},
		{"other counts", entity, func(m *exchange.Manifest) { m.Entities = 2 }, "says 1 lines, 2 entities and 0 meshes, the log has 1, 1 and 0"},
		{"other meshes", mesh, func(m *exchange.Manifest) { m.Meshes = 2 }, "says 1 lines, 0 entities and 2 meshes, the log has 1, 0 and 1"},
		{"too many positions", mesh + "\n" + strings.Replace(mesh, `"m","positions":[`, `"n","positions":[`+strings.Repeat("[0,0,0],", 199_995), 1), nil, "log, line 2: a log may have 200000 positions and 400000 triangles"},
		{"too many triangles", strings.Replace(mesh, `"triangles":[`, `"triangles":[`+strings.Repeat("[0,1,2],", 400_000), 1), nil, "log, line 1: a log may have 200000 positions and 400000 triangles"},
		{"too many entities", strings.Join(many, "\n"), nil, "log, line 100001: a log may have 100000 entities"},
		{"an unknown operation", `{"op":"destroy","entity":"ent_0"}`, nil, `log, line 1: op: must be image, material, mesh or entity, got "destroy"`},
		{"an unknown field", strings.Replace(entity, `"pos"`, `"position"`, 1), nil, `log, line 1: position: unknown field, did you mean "positions"`},
		{"no JSON", entity + "\n{", nil, "log, line 2: "},
		{"two on a line", entity + entity[:1] + `"parent":"ent_0",` + strings.Replace(entity[1:], "ent_0", "ent_1", 1), func(m *exchange.Manifest) { m.Entities = 1 }, "log, line 1: not valid JSON: "},
		{"an empty line", entity + "\n\n", nil, "log, line 2: not valid JSON: the text is empty"},
		{"a short place", strings.Replace(entity, "[0,0,0]", "[7,8]", 1), nil, "log, line 1: pos: must have 3 items, got 2"},
		{"a long size", strings.Replace(entity, `{`, `{"shape":{"kind":"box","size":[1,2,3,4],"color":0},`, 1), nil, "log, line 1: shape.size: must have 3 items, got 4"},
		{"a triangle of two", strings.Replace(mesh, "[0,1,2]]", "[0,1]]", 1), nil, "log, line 1: triangles[0]: must have 3 items, got 2"},
		{"a member twice", strings.Replace(entity, `{`, `{"pos":[7,7,7],`, 1), nil, "log, line 1: pos: "},
		{"no place", `{"op":"entity","entity":"ent_0"}`, nil, "log, line 1: pos, rot and scale: required"},
		{"no id", strings.Replace(entity, "ent_0", "", 1), nil, "log, line 1: entity: needs an id of its own"},
		{"an id twice", entity + "\n" + entity, nil, `log, line 2: entity: needs an id of its own, got "ent_0"`},
		{"a parent that comes later", strings.Replace(entity, `{`, `{"parent":"ent_1",`, 1), nil, `log, line 1: parent: "ent_1" is on no line before`},
		{"a mesh that is not there", strings.Replace(entity, `{`, `{"mesh":"m",`, 1), nil, `log, line 1: mesh: "m" is on no line before`},
		{"a mesh without a name", strings.Replace(mesh, `"mesh":"m",`, ``, 1), nil, `log, line 1: mesh: needs a name of its own, got ""`},
		{"a mesh twice", mesh + "\n" + mesh, nil, `log, line 2: mesh: needs a name of its own, got "m"`},
		{"a corner that is not there", strings.Replace(mesh, "[0,1,2]]", "[0,1,3]]", 1), nil, "log, line 1: triangles: 3 is no position, there are 3"},
		{"too few normals", strings.Replace(mesh, `"triangles"`, `"normals":[[0,1,0]],"triangles"`, 1), nil, "log, line 1: normals: must be as many as positions, 3, or none, got 1"},
		{"a long normal", strings.Replace(mesh, `"triangles"`, `"normals":[[0,1,0],[0,1,0],[0,2,0]],"triangles"`, 1), nil, "log, line 1: normals: must have the length 1"},
		{"too few coordinates", strings.Replace(mesh, `"triangles"`, `"coords":[[0,1],[1,0]],"triangles"`, 1), nil, "log, line 1: coords: must be as many as positions, 3, or none, got 2"},
		{"a coordinate of three numbers", strings.Replace(mesh, `"triangles"`, `"coords":[[0,1],[1,0],[1,0,1]],"triangles"`, 1), nil, "log, line 1: coords"},
		{"coordinates of its own", strings.Replace(entity, `{`, `{"ownCoords":true,`, 1), nil, "log, line 1: copies, flat and ownCoords: are for glTF"},
		{"an empty mesh", `{"op":"mesh","mesh":"m"}`, nil, "log, line 1: positions and triangles: there must be some"},
		{"a shape that there is not", strings.Replace(entity, `{`, `{"shape":{"kind":"blob","size":[1,1,1],"color":0},`, 1), nil, `log, line 1: shape.kind: must be one of`},
		{"a rotation of nothing", mesh + "\n" + strings.Replace(entity, "[0,0,0,1]", "[0,0,0,0]", 1), nil, "log, line 2: rot: must have the length 1, got [0 0 0 0]"},
		{"a rotation that scales", strings.Replace(entity, "[0,0,0,1]", "[0,0,0,1.001]", 1), nil, "log, line 1: rot: must have the length 1, got [0 0 0 1.001]"},
		{"a light that reaches too far", mesh + "\n" + strings.Replace(entity, `{`, `{"light":{"kind":"point","color":0,"intensity":1,"range":-1e39},`, 1), nil, "log, line 2: light.range: must be "},
		{"a light that darkens", strings.Replace(entity, `{`, `{"light":{"kind":"point","color":0,"intensity":-1},`, 1), nil, "log, line 1: light.intensity: must be from 0 to 3.4e+38, got -1"},
		{"a light that reaches backwards", strings.Replace(entity, `{`, `{"light":{"kind":"point","color":0,"intensity":1,"range":-2},`, 1), nil, "log, line 1: light.range: must be from 0 to 3.4e+38, got -2"},
		{"a material with a long name", strings.Replace(entity, `{`, `{"material":{"name":"`+strings.Repeat("x", world.MaxName+1)+`"},`, 1), nil, fmt.Sprintf("log, line 1: material.name: may have %d bytes, got %d", world.MaxName, world.MaxName+1)},
		{"a tag of nothing", mesh + "\n" + strings.Replace(entity, `{`, `{"tags":[""],`, 1), nil, "log, line 2: "},
		{"too far", strings.Replace(entity, "[0,0,0]", "[0,0,1e300]", 1), nil, "log, line 1: pos[2]: must be from -3.4e+38 to 3.4e+38, got 1e300"},
		{"too much", strings.Repeat(entity+"\n", 230_000), nil, "log: may have 16777216 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sum := sha256.Sum256([]byte(tt.log))
			m := exchange.Manifest{Format: "limina-scene-log", Version: 1, Lines: strings.Count(tt.log, "\n") + 1, Bytes: len(tt.log), SHA256: hex.EncodeToString(sum[:])}
			m.Entities, m.Meshes = strings.Count(tt.log, `"entity",`), strings.Count(tt.log, `"op":"mesh"`)
			if tt.change != nil {
				tt.change(&m)
			}
			input, err := json.Marshal(map[string]any{"log": tt.log, "manifest": m})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Call(p, "scene.import", string(input)); err == nil || !strings.Contains(err.Message, tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
	for input, want := range map[string]string{
		`{"form":"log"}`:                           "manifest: a log is given together with its manifest",
		`{"log":"{}"}`:                             "manifest: a log is given together with its manifest",
		`{"form":"log","file":"x"}`:                "there is no file x.manifest.json on the server",
		`{"log":"{}","manifest":{},"data":"AAAA"}`: "data: is for GLB files",
		`{"log":"{}","manifest":{},"file":"x"}`:    "log: give either log and manifest or file",
		`{"log":"{}","manifest":{"version":"x"}}`:  "manifest: json",
	} {
		if _, err := s.Call(p, "scene.import", input); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
	sum := sha256.Sum256([]byte(entity))
	m, err := json.Marshal(exchange.Manifest{Format: "limina-scene-log", Version: 1, Entities: 1, Lines: 1, Bytes: len(entity), SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := json.Marshal(map[string]any{"log": entity, "manifest": json.RawMessage(m), "sha256": strings.Repeat("0", 64)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(p, "scene.import", string(wanted)); err == nil || err.Message != "sha256: the log has "+hex.EncodeToString(sum[:]) {
		t.Errorf("another log than was wanted: %v", err)
	}
	if s.World.Hash() != before {
		t.Error("something came into the world")
	}
}

// FuzzDecodeLog holds it to end with a document within the limits or an error, whatever it reads.
func FuzzDecodeLog(f *testing.F) {
	f.Add([]byte(`{"op":"entity","entity":"ent_0","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"mesh":"m"}`))
	f.Add([]byte(`{"op":"mesh","mesh":"m","positions":[[0,0,0]],"triangles":[[0,0,0]]}` + "\n" + `{"op":"entity","entity":"a","parent":"a"}`))
	const entity = `{"op":"entity","entity":"ent_0","pos":[0,-0,1e-300],"rot":[0,0,0,1],"scale":[1,0,1],"name":"<\ud800>","tags":["a"]}` + "\n"
	f.Add([]byte(entity))
	f.Add([]byte(strings.Replace(entity, "0,1]", "0,2]", 1)))
	f.Add([]byte(`{"op":"mesh","mesh":"m","positions":[[0,0,0],[1,0,0],[0,1,0]],"normals":[],"triangles":[[0,1,2]]}` + "\n" + strings.Replace(entity, "{", `{"mesh":"m","shape":{"kind":"mesh","size":[1,1,1],"color":0},`, 1)))
	f.Fuzz(func(t *testing.T, log []byte) {
		sum := sha256.Sum256(log)
		m := exchange.Manifest{Format: "limina-scene-log", Version: 1, Bytes: len(log), SHA256: hex.EncodeToString(sum[:])}
		m.Lines = strings.Count(string(log), "\n")
		if len(log) > 0 && log[len(log)-1] != '\n' {
			m.Lines++
		}
		m.Meshes, m.Entities = strings.Count(string(log), `"mesh",`), strings.Count(string(log), `"entity",`)
		doc, err := exchange.DecodeLog(log, &m)
		if err != nil {
			return
		}
		if _, err := gltf.Encode(doc); err != nil {
			t.Fatalf("%s: %v", log, err)
		}
	})
}
