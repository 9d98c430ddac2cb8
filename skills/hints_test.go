package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

// TestHints has an error that names what would help say which of that its reader may not call, and what it needs.
func TestHints(t *testing.T) {
	r := newStage(t)
	grants, err := profiles.Builtin().Resolve("player.limited")
	if err != nil {
		t.Fatal(err)
	}
	bob := &profiles.Principal{ID: "bob", Session: "s2", Profile: "player.limited", Grants: grants}
	for _, tt := range []struct{ skill, input, says string }{
		{"navmesh.findPath", `{"from":[0,0,0],"to":[1,0,0]}`, "your profile may not call navmesh.build, which needs nav.configure: somebody else has to"},
		{"skills.call", `{"name":"navmesh.findPath","input":{"from":[0,0,0],"to":[1,0,0]}}`, "your profile may not call navmesh.build"},
	} {
		if _, err := r.Call(bob, tt.skill, tt.input); err == nil || !strings.Contains(err.Message, tt.says) {
			t.Errorf("%s to a player: %v", tt.skill, err)
		}
		if _, err := r.Call(r.Ann, tt.skill, tt.input); err == nil || strings.Contains(err.Message, "may not call") {
			t.Errorf("%s to a builder: %v", tt.skill, err)
		}
	}
	if _, err := r.Call(bob, "skills.describe", `{"name":"navmesh.build"}`); err == nil || err.Missing != "nav.configure" || !strings.Contains(err.Message, "player.limited, may not call navmesh.build") {
		t.Errorf("described to a player: %v", err)
	}
}

// TestDirecting has whoever directs cut the cameras of all, and nobody else.
func TestDirecting(t *testing.T) {
	r := newStage(t)
	r.Do("scene.createEntity", `{"position":[0,0.5,0]}`)
	r.Do("agent.embody", `{"position":[5,0,0]}`)
	grants, err := profiles.Builtin().Resolve("player.limited")
	if err != nil {
		t.Fatal(err)
	}
	bob := &profiles.Principal{ID: "bob", Session: "s2", Profile: "player.limited", Grants: grants}
	r.Must(t, bob, "camera.follow", `{"target":"ent_0"}`)
	if _, err := r.Call(bob, "camera.cut", `{"position":[9,9,9],"target":[0,0,0],"agent":"ann"}`); err == nil || !strings.Contains(err.Message, "game.configure") {
		t.Errorf("a player cuts another's camera: %v", err)
	}
	for _, agent := range []string{"bob", "*"} {
		r.Do("camera.cut", `{"position":[10,4,10],"target":[0,1,0],"agent":%q}`, agent)
		if got := r.Must(t, bob, "camera.cut", `{}`); !strings.Contains(got, `"position":[10,4,10]`) {
			t.Errorf("cut for %s, bob's is %s", agent, got)
		}
		r.Must(t, bob, "camera.follow", `{"target":"ent_0"}`)
	}
	if got := r.Do("camera.cut", `{}`); !strings.Contains(got, `"position":[10,4,10]`) {
		t.Errorf("cut for all, the director's is %s", got)
	}
	if _, err := r.Call(r.Ann, "camera.cut", `{"agent":"eve"}`); err == nil || !strings.Contains(err.Message, "ann, bob") {
		t.Errorf("the camera of nobody: %v", err)
	}
}

// TestPanelsListed lists what panels there are, and where.
func TestPanelsListed(t *testing.T) {
	r := newStage(t)
	r.Do("scene.createEntity", `{"position":[3,1,2]}`)
	r.Do("ui.label", `{"anchor":{"kind":"world","entity":"ent_0","offset":[0,1,0]},"text":"Bakery"}`)
	r.Do("ui.panel", `{"kind":"textBox","anchor":{"kind":"world","point":[9,2,0]},"title":"Welcome","lines":["to the museum"]}`)
	r.Do("ui.hudPanel", `{"anchor":{"kind":"screen","corner":"top-left"},"text":"0 points"}`)
	for input, want := range map[string]string{
		`{}`:                         `{"panels":[{"handle":"ui_0","kind":"label","text":"Bakery","entity":"ent_0","position":[3,2,2]},{"handle":"ui_1","kind":"textBox","title":"Welcome","text":"to the museum","position":[9,2,0]},{"handle":"ui_2","kind":"hudPanel","text":"0 points","corner":"top-left"}],"total":3}`,
		`{"mentions":"MUSEUM"}`:      `{"panels":[{"handle":"ui_1","kind":"textBox","title":"Welcome","text":"to the museum","position":[9,2,0]}],"total":1}`,
		`{"entity":"ent_0"}`:         `{"panels":[{"handle":"ui_0","kind":"label","text":"Bakery","entity":"ent_0","position":[3,2,2]}],"total":1}`,
		`{"limit":1,"mentions":"o"}`: `{"panels":[{"handle":"ui_1","kind":"textBox","title":"Welcome","text":"to the museum","position":[9,2,0]}],"total":2,"next":1}`,
	} {
		if got := r.Do("ui.list", "%s", input); got != want {
			t.Errorf("%s:\n got %s\nwant %s", input, got, want)
		}
	}
}

// TestNear does the same to what is near a place, or an entity, and to nothing else.
func TestNear(t *testing.T) {
	r := newStage(t)
	for _, x := range []string{"0", "2", "4", "20"} {
		r.Do("scene.createEntity", "%s", `{"position":[`+x+`,0.5,0]}`)
	}
	for input, want := range map[string]string{
		`"near":[20,0,0]`:                         `"entities":["ent_3"]`,
		`"near":"ent_0","radius":2.5`:             `"entities":["ent_1"]`,
		`"near":"ent_0","radius":4.5,"name":"no"`: `"entities":[]`,
		`"near":[1,0.5,0],"radius":3.5`:           `"entities":["ent_0","ent_1","ent_2"]`,
	} {
		if got := r.Do("scene.forEach", `{%s,"skill":"three.setMaterial","input":{"color":255}}`, input); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
	if _, err := r.Call(r.Ann, "scene.forEach", `{"near":"ent_9","skill":"scene.destroyEntity"}`); err == nil || !strings.HasPrefix(err.Message, "near: unknown entity ent_9") {
		t.Errorf("near nothing: %v", err)
	}
}

// TestBasinDepth digs as deep by depth and a negative rise as by rise.
func TestBasinDepth(t *testing.T) {
	var floors []string
	for _, deep := range []string{`"rise":4`, `"depth":4`, `"rise":-4`} {
		r := newStage(t)
		r.Do("world.generateRegion", `{"seed":3,"type":"plains","bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0}}`)
		floors = append(floors, r.Do("terrain.shape", `{"form":"basin","center":[20,20],"radius":8,"y":2,%s}`, deep))
		if _, err := r.Call(r.Ann, "terrain.shape", `{"form":"mound","center":[20,20],"radius":8,"rise":-4}`); err == nil || !strings.Contains(err.Message, "the form basin digs") {
			t.Errorf("a mound that goes down: %v", err)
		}
	}
	if floors[0] != floors[1] || floors[0] != floors[2] || !strings.Contains(floors[0], `"y":-2`) {
		t.Error(floors)
	}
}
