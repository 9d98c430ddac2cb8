package skills_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestZonesOfPlayers: a zone that is for players notices who plays, and no crate, whether they stay in it or pass through it.
func TestZonesOfPlayers(t *testing.T) {
	r := moving(t)
	bo := skilltest.Caller(t, "bo", "player.limited")
	r.Do("scene.createEntity", `{"scale":[40,1,40],"position":[0,-0.5,0],"static":true}`)
	r.Do("trigger.create", `{"center":[0,1,0],"size":[2,2,2],"players":true}`)
	r.Do("trigger.create", `{"center":[0,5,0],"size":[2,0.02,2],"players":true,"tag":"hero"}`)
	for zone, counter := range map[string]string{"trg_0": "in", "trg_1": "through"} {
		r.Do("trigger.onEnter", `{"triggerId":%q,"action":{"type":"setState","data":{"game":{"counter":{"name":%q}}}}}`, zone, counter)
	}
	counted := func(what string, in, through int) {
		t.Helper()
		for name, want := range map[string]int{"in": in, "through": through} {
			if got := r.Do("game.counter", `{"name":%q,"action":"get"}`, name); !strings.Contains(got, fmt.Sprintf(`"value":%d`, want)) {
				t.Errorf("%s: %s is %s, want %d", what, name, got, want)
			}
		}
	}
	r.Do("scene.createEntity", `{"position":[0,9,0],"size":0.5,"dynamic":true,"tags":["hero"]}`)
	r.Steps(240)
	counted("a crate falls in", 0, 0)
	r.Must(t, bo, "player.spawn", `{"position":[1,9,1]}`) // ent_2
	r.Steps(240)
	counted("bo falls in", 1, 0)
	r.Do("ecs.addComponent", `{"entity":"ent_2","component":"hero"}`)
	r.Do("three.setTransform", `{"entity":"ent_2","position":[1,9,1]}`)
	r.Steps(240)
	counted("bo is a hero, and falls in again", 2, 1)
	if got := r.Do("game.rules", `{}`); !strings.Contains(got, "a body or character of somebody enters trg_0") || !strings.Contains(got, `a body or character of somebody tagged \"hero\" enters trg_1`) {
		t.Errorf("the rules are %s", got)
	}
}

// TestPlates runs the example of docs/games.md: the gate is open while two stand on the plates, and shut when one goes, by foot or out of the world.
func TestPlates(t *testing.T) {
	r := moving(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Pressure plates for two")
	bo, cat := skilltest.Caller(t, "bo", "player.limited"), skilltest.Caller(t, "cat", "player.limited")
	open := func(what string, want bool) {
		t.Helper()
		r.Steps(90)
		if got := r.At(t, "ent_2")[1] > 2; got != want {
			t.Errorf("%s: is the gate open? %t", what, got)
		}
	}
	spawn := func(who *profiles.Principal, x float64) string {
		t.Helper()
		return entityOf(t, r.Must(t, who, "player.spawn", fmt.Sprintf(`{"position":[%v,1,0]}`, x)))
	}
	bos := spawn(bo, -4)
	open("bo alone", false)
	cats := spawn(cat, 4)
	open("both", true)
	r.Do("three.setTransform", `{"entity":%q,"position":[-4,1,-3]}`, bos)
	open("bo has gone off", false)
	r.Do("three.setTransform", `{"entity":%q,"position":[-4,1,0]}`, bos)
	open("bo is back", true)
	r.Must(t, cat, "player.despawn", fmt.Sprintf(`{"entity":%q}`, cats))
	open("cat has left", false)
	if got := r.Do("game.counter", `{"name":"right"}`); !strings.HasPrefix(got, `{"value":0`) {
		t.Errorf("on the plate of who has left are %s", got)
	}
	spawn(cat, 4)
	open("cat has come again", true)
}

// TestSneaking plays the example of docs/games.md: in the shadow nobody is seen, before the guard one is caught, and at the bench two branches and a stone become an axe.
func TestSneaking(t *testing.T) {
	r := moving(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Sneaking, and making things")
	bo := skilltest.Caller(t, "bo", "player.limited")
	me := entityOf(t, r.Must(t, bo, "player.spawn", `{"position":[0,1,-10]}`))
	put := func(x, z float64) {
		t.Helper()
		r.Do("three.setTransform", `{"entity":%q,"position":[%v,1,%v]}`, me, x, z)
	}
	r.Steps(60)
	put(-8, 7)
	r.Steps(600) // the guard has come to within 2 m, and looked that way
	if at := r.At(t, me); at[2] < 6 {
		t.Fatalf("in the shadow he was caught: he is at %v", at)
	}
	put(0, 9)
	for i := 0; i < 600 && r.At(t, me)[2] > -9; i++ {
		r.Steps(1)
	}
	if at := r.At(t, me); at[2] > -9 {
		t.Fatalf("before the guard he was not caught: he is at %v", at)
	}
	r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-20,"maxX":20,"maxZ":20},"cellSize":0.5}`)
	if got := r.Must(t, bo, "navmesh.moveTo", `{"target":[0,0,-10.8]}`); !strings.Contains(got, `"ok":true`) { // his own character, as he names none
		t.Errorf("he walks: %s", got)
	}
	r.Steps(120)
	if at := r.At(t, me); at.Flat(world.Vec3{0, 0, -10.8}) > 0.3 {
		t.Errorf("he has walked to %v", at)
	}
	craft := func(want string) {
		t.Helper()
		r.Must(t, bo, "interaction.interact", `{"entity":"ent_4"}`)
		r.Steps(5)
		got := ""
		for _, item := range []string{"branch", "stone", "axe"} {
			_, n, _ := strings.Cut(r.Must(t, bo, "inventory.count", fmt.Sprintf(`{"entity":%q,"itemId":%q}`, me, item)), ":")
			got += strings.TrimRight(n, "}") + " "
		}
		if got != want {
			t.Errorf("branches, stones and axes: %s, want %s", got, want)
		}
	}
	craft("0 0 0 ")
	r.Must(t, bo, "interaction.pickup", `{"itemEntity":"ent_2"}`)
	craft("2 0 0 ")
	r.Must(t, bo, "interaction.pickup", `{"itemEntity":"ent_3"}`)
	craft("0 0 1 ")
	craft("0 0 1 ")
}

// TestRandom rolls a die by an action, also one that a batch has attached, and refuses to where it would be another at each look.
func TestRandom(t *testing.T) {
	r := moving(t)
	r.Do("world.batch", `{"operations":[{"skill":"event.listen","input":{"eventName":"roll","action":{"type":"setState","data":{"game":{"counter":{"name":"roll","action":"set","value":"$(random(6))"}}}}}}]}`)
	seen := map[string]int{}
	for range 300 {
		r.Do("event.emit", `{"eventName":"roll"}`)
		r.Steps(2)
		seen[r.Do("game.counter", `{"name":"roll"}`)]++
	}
	for i := 1; i <= 6; i++ {
		if n := seen[fmt.Sprintf(`{"value":%d}`, i)]; n < 25 || len(seen) != 6 {
			t.Errorf("of 300 throws %d are a %d; all are %v", n, i, seen)
		}
	}
	for _, c := range [][3]string{
		{"event.listen", `{"eventName":"e","action":{"type":"emit","target":"x","if":"random(6) == 1"}}`, "another at each look"},
		{"game.condition", `{"name":"c","expression":"random(6) == 1","onTrue":"x"}`, "another at each look"},
		{"event.listen", `{"eventName":"e","action":{"type":"setState","data":{"game":{"counter":{"name":"a","action":"set","value":"$(random)"}}}}}`, "write random( ) with a number in it"},
	} {
		if _, err := r.Call(r.Ann, c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s is answered %v, want %s", c[1], err, c[2])
		}
	}
}
