package skills_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// reaches reports whether a way leads from one place to another.
func reaches(t *testing.T, r *skilltest.Room, from, to string) bool {
	t.Helper()
	return strings.Contains(r.Do("navmesh.isReachable", `{"from":%s,"to":%s}`, from, to), `"reachable":true`)
}

// Ways lead through a door that is open, and not through one that is shut, whenever that was; who walks, with a body of the physics or without, waits before it.
func TestWaysAndDoors(t *testing.T) {
	for _, body := range []string{"", `,"static":true`} { // of the door: what has none does not stop a character
		r := moving(t)
		r.Do("scene.createEntity", `{"position":[0,-0.5,0],"size":30,"static":true}`) // ent_0
		r.Do("three.setTransform", `{"entity":"ent_0","position":[0,-15,0]}`)
		wall := func(x, wide float64) string {
			id := entityOf(t, r.Do("scene.createEntity", `{"position":[%v,1.25,0],"static":true}`, x))
			r.Do("three.setTransform", `{"entity":%q,"scale":[%v,2.5,0.2]}`, id, wide)
			return id
		}
		wall(-5.6, 10)
		wall(5.6, 10)
		leaf := entityOf(t, r.Do("scene.createEntity", `{"position":[0,1.1,0]%s}`, body))
		r.Do("three.setTransform", `{"entity":%q,"scale":[1.2,2.2,0.08]}`, leaf)
		door := entityOf(t, r.Do("scene.group", `{"entities":[%q],"name":"door","origin":[-0.6,0,0]}`, leaf))
		r.Do("interaction.register", `{"entity":%q,"prompt":"Open","type":"open","maxRange":30,"config":{"open":{"rotationEuler":[0,1.57,0],"seconds":1}}}`, door)
		r.Do("navmesh.build", `{"bounds":{"minX":-10,"minZ":-6,"maxX":10,"maxZ":6},"cellSize":0.2,"diagonal":true,"agentRadius":0.4}`)
		r.Do("agent.embody", `{"position":[0,1,4]}`)
		const south, north = `[0,0,-4]`, `[0,0,4]`
		if reaches(t, r, south, north) {
			t.Error("a way leads through a shut door")
		}
		r.Do("interaction.open", `{"entity":%q}`, door)
		r.Steps(30)
		if !reaches(t, r, south, north) {
			t.Error("no way leads through a door that opens")
		}
		r.Steps(60)
		if !reaches(t, r, south, north) {
			t.Error("no way leads through an open door")
		}
		walker := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.9,-5]}`))
		r.Do("three.setTransform", `{"entity":%q,"scale":[0.5,1.8,0.5]}`, walker)
		who := entityOf(t, r.Do("player.spawn", `{"position":[1.5,1,-5]}`))
		r.Steps(30)
		for _, id := range []string{walker, who} {
			r.Do("navmesh.moveTo", `{"entity":%q,"target":[0,0,3],"speed":2}`, id)
		}
		r.Steps(30)
		r.Do("interaction.close", `{"entity":%q}`, door)
		r.Steps(60 * 5)
		for _, id := range []string{walker, who} {
			if at := r.At(t, id); at[2] > 0 && (id == walker || body != "") {
				t.Errorf("%s goes through a shut door, to %v", id, at)
			}
			if got := r.Do("inspector.snapshot", `{}`); !strings.Contains(got, `"stuck"`) {
				t.Errorf("nobody is told that %s does not get on: %s", id, got)
			}
		}
		r.Do("interaction.open", `{"entity":%q}`, door)
		r.Steps(60 * 15)
		for _, id := range []string{walker, who} {
			if at := r.At(t, id); at[2] < 2.5 {
				t.Errorf("body %q: %s is at %v, and the door is open", body, id, at)
			}
		}
	}
}

// A bridge that is let down is walked on, by a clip or by interaction.open; one that is drawn up is in the way. What moves meanwhile is neither.
func TestWaysAndDrawbridges(t *testing.T) {
	r := moving(t)
	for i, z := range []float64{-6, 6} { // two banks, and a moat of 4 m between them
		id := entityOf(t, r.Do("scene.createEntity", `{"position":[0,-1,%v],"static":true}`, z))
		r.Do("three.setTransform", `{"entity":%q,"scale":[12,2,8]}`, id)
		if want := fmt.Sprintf("ent_%d", i); id != want {
			t.Fatalf("it is %s, want %s", id, want)
		}
	}
	deck := entityOf(t, r.Do("scene.createEntity", `{"position":[0,-0.1,0],"static":true}`))
	r.Do("three.setTransform", `{"entity":%q,"scale":[3,0.2,4.4]}`, deck)
	bridge := entityOf(t, r.Do("scene.group", `{"entities":[%q],"name":"bridge","origin":[0,-0.1,-2.2]}`, deck))
	r.Do("animation.authorClip", `{"id":"raise","duration":2,"tracks":[{"property":"rotation.x","keys":[{"t":0,"value":0},{"t":2,"value":-1.4}]}]}`)
	r.Do("navmesh.build", `{"bounds":{"minX":-5,"minZ":-9,"maxX":5,"maxZ":9},"cellSize":0.25,"diagonal":true,"agentRadius":0.4,"levels":true,"ground":-2}`)
	const near, far = `[0,0,-5]`, `[0,0,5]`
	if !reaches(t, r, near, far) {
		t.Error("no way leads over the bridge")
	}
	r.Do("animation.play", `{"entity":%q,"clipId":"raise","loop":false}`, bridge)
	r.Steps(60)
	if reaches(t, r, near, far) {
		t.Error("a way leads over a bridge that is being drawn up")
	}
	r.Steps(120)
	if reaches(t, r, near, far) {
		t.Error("a way leads over a bridge that is drawn up")
	}
	r.Do("animation.play", `{"entity":%q,"clipId":"raise","loop":false,"speed":-1}`, bridge)
	r.Steps(180)
	if !reaches(t, r, near, far) {
		t.Error("no way leads over the bridge that was let down again")
	}
	r.Do("interaction.register", `{"entity":%q,"prompt":"Draw up","type":"open","maxRange":30,"config":{"open":{"rotationEuler":[-1.4,0,0],"seconds":1}}}`, bridge)
	r.Do("agent.embody", `{"position":[0,1,-6]}`)
	r.Do("interaction.open", `{"entity":%q}`, bridge)
	r.Steps(120)
	if reaches(t, r, near, far) {
		t.Error("a way leads over a bridge that was drawn up")
	}
	r.Do("interaction.close", `{"entity":%q}`, bridge)
	r.Steps(120)
	if !reaches(t, r, near, far) {
		t.Error("no way leads over the bridge in the end")
	}
}

// What is built, moved or destroyed is known to ways at once, in the same batch, too; what is taken back is as it was.
func TestWaysFollow(t *testing.T) {
	r := moving(t)
	r.Do("navmesh.build", `{"bounds":{"minX":-5,"minZ":-5,"maxX":5,"maxZ":5},"cellSize":0.25,"agentRadius":0.3}`)
	const a, b = `[-3,0,0]`, `[3,0,0]`
	if !reaches(t, r, a, b) {
		t.Error("there is no way on empty ground")
	}
	got := r.Do("world.batch", `{"operations":[
		{"skill":"scene.createEntity","input":{"position":[0,1,0]},"as":"wall"},
		{"skill":"three.setTransform","input":{"entity":"$wall.entity","scale":[0.2,2,12]}},
		{"skill":"navmesh.isReachable","input":{"from":%s,"to":%s},"as":"way"}]}`, a, b)
	if !strings.Contains(got, `"reachable":false`) {
		t.Errorf("the batch that builds a wall finds a way through it: %s", got)
	}
	if reaches(t, r, a, b) {
		t.Error("a way leads through the wall")
	}
	r.Do("world.undo", `{}`)
	if !reaches(t, r, a, b) {
		t.Error("no way leads where the wall was undone")
	}
	r.Do("world.redo", `{}`)
	if reaches(t, r, a, b) {
		t.Error("a way leads through the wall that was made again")
	}
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,1,20]}`)
	if !reaches(t, r, a, b) {
		t.Error("no way leads where the wall was")
	}
	r.Do("animation.authorClip", `{"id":"turn","duration":4,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":4,"value":6.28}]}]}`)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,1,0]}`)
	r.Do("animation.play", `{"entity":"ent_0","clipId":"turn"}`)
	if !reaches(t, r, a, b) {
		t.Error("what turns for ever is walked around")
	}
}
