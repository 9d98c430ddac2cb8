package skills_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// TestTrams has a prefab of a line with its tram be placed twice, once turned and of twice the size: each tram goes along its own line, and tells of its own stop.
func TestTrams(t *testing.T) {
	r := moving(t)
	r.Do("prefab.define", `{"name":"line","operations":[
		{"skill":"scene.createEntity","input":{"position":[0,0.5,0],"scale":[1,1,2],"static":true},"as":"tram"},
		{"skill":"animation.authorPath","input":{"id":"line:$self.entity","points":[[0,0.5,0],[10,0.5,0]],"stops":[{"name":"$self.entity","position":[5,0,0],"seconds":60}]}},
		{"skill":"animation.follow","input":{"entity":"$tram.entity","pathId":"line:$self.entity","speed":1,"acceleration":0,"from":0.5}}]}`)
	one := entityOf(t, r.Do("prefab.instantiate", `{"name":"line","position":[100,0,0]}`))
	two := entityOf(t, r.Do("prefab.instantiate", `{"name":"line","position":[0,0,100],"rotationEuler":[0,-1.5707963267948966,0],"scale":[2,2,2]}`))
	r.Do("event.listen", `{"eventName":"path.arrived:%s","action":{"type":"setState","data":{"color":255}}}`, two)
	tram := func(of string) string {
		var out struct{ Entities []struct{ Entity string } }
		if err := json.Unmarshal([]byte(r.Do("scene.queryEntities", `{"below":%q}`, of)), &out); err != nil || len(out.Entities) != 1 {
			t.Fatalf("below %s is %v: %v", of, out, err)
		}
		return out.Entities[0].Entity
	}
	r.Steps(2 * 60)
	for _, c := range []struct {
		of   string
		want world.Vec3
	}{{one, world.Vec3{102.5, 0.5, 0}}, {two, world.Vec3{0, 1, 105}}} {
		if got := r.At(t, tram(c.of)); got.Dist(c.want) > 1e-6 {
			t.Errorf("the tram of %s is at %v, want %v", c.of, got, c.want)
		}
	}
	r.Steps(3 * 60)
	for _, c := range []struct {
		of   string
		want world.Vec3
	}{{one, world.Vec3{105, 0.5, 0}}, {two, world.Vec3{0, 1, 110}}} {
		if got := r.At(t, tram(c.of)); got.Dist(c.want) > 1e-6 {
			t.Errorf("at its stop the tram of %s is at %v, want %v", c.of, got, c.want)
		}
	}
	if a, b := r.Entity(t, tram(one)), r.Entity(t, tram(two)); strings.Contains(a, `"color":255`) || !strings.Contains(b, `"color":255`) {
		t.Errorf("of %s and %s the second alone is to have been seen at its stop", a, b)
	}
	if got := r.Do("animation.getClipInfo", `{"entity":%q}`, tram(two)); !strings.Contains(got, `"path":{"pathId":"line:`+two+`","at":5,"length":10,"stop":"`+two+`"}`) {
		t.Errorf("%s: want where it is on its path", got)
	}
}

// TestTrainsOnGround has a path go up and down with generated ground: what follows it is as high above the ground as the path says.
func TestTrainsOnGround(t *testing.T) {
	r := moving(t)
	r.Do("world.generateRegion", `{"seed":4,"type":"hills","lod":2,"bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":1}}`)
	r.Do("animation.authorPath", `{"id":"track","points":[[5,0.4,5],[50,0.4,30],[90,0.4,90]],"onGround":true}`)
	cart := entityOf(t, r.Do("scene.createEntity", `{"scale":[0.4,0.4,0.4]}`))
	r.Do("animation.follow", `{"entity":%q,"pathId":"track","speed":10,"ends":"stop","from":0}`, cart)
	low, high := math.Inf(1), math.Inf(-1)
	for range 20 {
		r.Steps(30)
		at := r.At(t, cart)
		low, high = min(low, at[1]), max(high, at[1])
		var ground struct{ Y float64 }
		text := r.Do("terrain.sampleHeight", `{"x":%v,"z":%v}`, at[0], at[2])
		if err := json.Unmarshal([]byte(text), &ground); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if above := at[1] - ground.Y; math.Abs(above-0.4) > 0.25 {
			t.Errorf("at %v it is %v m above the ground, want about 0.4", at, above)
		}
	}
	if high-low < 1 {
		t.Errorf("the ground is too level to tell: from %v to %v", low, high)
	}
}

// TestWaysAndTrains has a way lead past where a train stands at the moment: it moves by itself.
func TestWaysAndTrains(t *testing.T) {
	r := moving(t)
	wall := entityOf(t, r.Do("scene.createEntity", `{"position":[0,1,0],"scale":[1,2,12],"static":true}`))
	r.Do("navmesh.build", `{"bounds":{"minX":-5,"minZ":-5,"maxX":5,"maxZ":5},"cellSize":0.25,"agentRadius":0.3}`)
	const a, b = `[-3,0,0]`, `[3,0,0]`
	if reaches(t, r, a, b) {
		t.Fatal("a way leads through the train")
	}
	r.Do("animation.authorPath", `{"id":"line","points":[[0,1,-40],[0,1,40]]}`)
	r.Do("animation.follow", `{"entity":%q,"pathId":"line","speed":1}`, wall)
	if !reaches(t, r, a, b) {
		t.Error("no way leads past a train that goes by")
	}
	cart := entityOf(t, r.Do("scene.createEntity", `{"position":[-3,0.5,-3]}`))
	r.Do("navmesh.moveTo", `{"entity":%q,"target":[4,0,4]}`, cart)
	r.Do("animation.follow", `{"entity":%q,"pathId":"line","speed":1,"from":3}`, cart)
	_, err := r.Call(r.Ann, "navmesh.moveTo", fmt.Sprintf(`{"entity":%q,"target":[4,0,4]}`, cart))
	if want := cart + ` follows the path "line": animation.stop has it leave that, so that it can be sent elsewhere`; err == nil || err.Message != want {
		t.Errorf("sent elsewhere: %v, want %s", err, want)
	}
	r.Steps(60)
	if at := r.At(t, cart); at[0] != 0 || at[1] != 1 { // it goes where the path leads, and no more where it was sent before
		t.Errorf("it is at %v", at)
	}
	r.Do("animation.stop", `{"entity":%q}`, wall)
	if reaches(t, r, a, b) {
		t.Error("a way leads through the train that was stopped")
	}
}

// TestValidateTrains has nothing be said of what follows a path, in a group or not: it is where it is by itself. What stands beside it is looked at.
func TestValidateTrains(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"position":[0,3,0]}`)
	r.Do("scene.createEntity", `{"position":[0,3,5]}`)
	r.Do("scene.createEntity", `{"position":[9,3,5]}`)
	r.Do("scene.group", `{"entities":["ent_1","ent_2"]}`)
	if got := r.Do("scene.validate", `{}`); strings.Count(got, `"kind":"floating"`) != 2 || !strings.Contains(got, "1 more alike") {
		t.Fatalf("%s: want that three hang in the air", got)
	}
	r.Do("animation.authorPath", `{"id":"cable","points":[[0,3,0],[40,9,0]]}`)
	r.Do("animation.follow", `{"entities":["ent_1","ent_0"],"pathId":"cable"}`)
	const off = `"note":"ent_0 follows the path \"cable\", and takes its own way along`
	if got := r.Do("three.setTransform", `{"entity":"ent_0","position":[0,4,0]}`); !strings.Contains(got, off) {
		t.Errorf("%s: want the note", got)
	}
	if got := r.Do("three.setTransform", `{"entity":"ent_0","scale":[2,1,1]}`); strings.Contains(got, "note") {
		t.Errorf("of its size: %s", got)
	}
	if got := r.Do("scene.validate", `{}`); strings.Count(got, `"kind"`) != 1 || !strings.Contains(got, `"entities":["ent_3"],"amount":2.5`) {
		t.Errorf("%s: want that the group hangs in the air, by its other part, and no more", got)
	}
}

// TestValidateAnchored finds static bodies on what the physics, a clip or a path moves, and its repairs have them go along.
func TestValidateAnchored(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"position":[0,-0.5,0],"scale":[60,1,60],"static":true}`)
	r.Do("scene.createEntity", `{"name":"cart","position":[0,0.21,0],"scale":[2,0.4,4],"dynamic":true,"mass":100,"friction":0.1}`)
	r.Do("scene.createEntity", `{"name":"wall","position":[0,0.8,1.9],"scale":[2,1,0.2],"static":true}`) // in the cart by 0.1 m
	r.Do("scene.group", `{"entities":["ent_2"],"into":"ent_1"}`)
	r.Do("scene.createEntity", `{"name":"lift","position":[10,0.1,0],"scale":[2,0.2,2]}`)
	r.Do("animation.authorClip", `{"id":"up","duration":4,"tracks":[{"property":"position.y","keys":[{"t":0,"value":0},{"t":4,"value":2}]}]}`)
	r.Do("animation.play", `{"entity":"ent_3","clipId":"up"}`)
	r.Do("scene.createEntity", `{"name":"seat","position":[10,0.45,0],"scale":[0.5,0.5,0.5],"static":true}`)
	r.Do("scene.group", `{"entities":["ent_4"],"into":"ent_3"}`)
	found := func() (anchored []validation.Finding) {
		t.Helper()
		var out validation.ValidateOut
		if err := json.Unmarshal([]byte(r.Do("scene.validate", `{"checks":["anchored"]}`)), &out); err != nil {
			t.Fatal(err)
		}
		return out.Findings
	}
	got := found()
	if len(got) != 2 || !slices.Equal(got[0].Entities, []world.ID{3, 2}) || !slices.Equal(got[1].Entities, []world.ID{5, 4}) {
		t.Fatalf("%+v, want the wall on the cart and the seat on the lift", got)
	}
	if one := r.Do("scene.validate", `{"checks":["anchored"],"entities":["ent_4"]}`); strings.Count(one, `"kind"`) != 1 {
		t.Errorf("of the seat alone: %s", one)
	}
	var ops []validation.Op
	for _, f := range got {
		ops = append(ops, f.Fix...)
	}
	batch, err := json.Marshal(map[string]any{"operations": ops})
	if err != nil {
		t.Fatal(err)
	}
	r.Do("world.batch", "%s", batch)
	if again := found(); len(again) != 0 {
		t.Errorf("after the repairs: %+v", again)
	}
	r.Steps(60)
	r.Do("physics.applyImpulse", `{"entity":"ent_1","impulse":[300,0,0]}`)
	r.Steps(120)
	cart, wall := r.At(t, "ent_1"), r.At(t, "ent_2")
	if cart[0] < 1 || cart[1] > 0.25 {
		t.Errorf("the cart is at %v", cart)
	}
	if off := wall.Sub(cart); off.Dist(world.Vec3{0, 0.6, 1.9}) > 0.1 {
		t.Errorf("the wall is at %v of the cart", off)
	}
	lift, seat := r.At(t, "ent_3"), r.At(t, "ent_4")
	if off := seat.Sub(lift); off.Dist(world.Vec3{0, 0.35, 0}) > 1e-3 {
		t.Errorf("the seat is at %v of the lift", off)
	}
}
