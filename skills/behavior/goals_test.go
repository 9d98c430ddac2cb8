package behavior_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// TestPatrol goes round, at its own speed, and waits.
func TestPatrol(t *testing.T) {
	r := town(t)
	live(r, `"config":{"speed":3},"goals":[{"id":"rounds","type":"patrol","config":{"waypoints":[[6,0,0],[6,0,6]],"wait":1}}]`)
	r.Steps(seconds * 5 / 2) // 2 s to go, with up to a quarter until it looks
	stands(t, r, "ent_0", 6, 0)
	does(t, r, `{"profileId":"p","goalId":"rounds","type":"patrol"}`)
	r.Steps(seconds * 3)
	stands(t, r, "ent_0", 6, 6)
	r.Steps(seconds * 7 / 2)
	stands(t, r, "ent_0", 6, 0)
}

// TestOverGeneratedGround has somebody who stands on generated ground go over it where no grid is built, up and down, and beside it at y 0; who flies
// keeps his height.
func TestOverGeneratedGround(t *testing.T) {
	r := town(t)
	land, err := terrain.New(7, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	var ground solid.Solid
	if _, err = r.World.Update(t.Context(), func(tx *world.Tx) error {
		tile := world.Ground{Land: land}
		id, err := tx.Create(world.Spec{Position: tile.Place()})
		if err == nil {
			err = r.World.Grounds.Set(tx, id, tile)
		}
		ground, _ = solid.Of(r.World, &tx.View, id)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	high := func(x, z float64) float64 {
		if _, y, ok := ground.Column(x, z); ok {
			return y
		}
		return 0 // beside it
	}
	r.Do("three.setTransform", `{"entity":"ent_0","position":[2,%v,2]}`, high(2, 2)+0.5)
	r.Do("three.setTransform", `{"entity":"ent_1","position":[2,%v,2]}`, high(2, 2)+9)
	for _, id := range []string{"ent_0", "ent_1"} {
		r.Do("behavior.setGoal", `{"entity":%q,"type":"patrol","position":[60,0,40],"config":{"wait":100,"speed":6}}`, id)
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for range seconds * 13 {
		r.Steps(1)
		at, above := r.At(t, "ent_0"), r.At(t, "ent_1")
		if math.Abs(at[1]-high(at[0], at[2])-0.5) > 1e-9 {
			t.Fatalf("at %v it is not half a metre above the ground, %v", at, high(at[0], at[2]))
		}
		if above[1] != high(2, 2)+9 {
			t.Fatalf("who flies is at %v", above)
		}
		lowest, highest = min(lowest, at[1]), max(highest, at[1])
	}
	if stands(t, r, "ent_0", 60, 40); highest-lowest < 1 {
		t.Errorf("it went from %v to %v only", lowest, highest)
	}
}

// TestPatrolBetween goes to a place and back, and goes on when it was put elsewhere.
func TestPatrolBetween(t *testing.T) {
	r := town(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","position":[0,0,3],"config":{"wait":100,"speed":6}}`)
	r.Steps(seconds)
	stands(t, r, "ent_0", 0, 3)
	r.Steps(seconds * 101)
	stands(t, r, "ent_0", 0, 0)
	put(r, "ent_0", 9, 9)
	r.Steps(seconds * 102)
	stands(t, r, "ent_0", 0, 3)
}

// TestGrid goes around a wall where a grid is built, also from and to a blocked cell, and says why it stands where no way leads.
func TestGrid(t *testing.T) {
	r := town(t)
	r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-20,"maxX":20,"maxZ":20},"cellSize":1,"obstacles":[{"minX":-0.4,"minZ":-0.4,"maxX":0.4,"maxZ":0.4},{"minX":3.1,"minZ":-20,"maxX":3.9,"maxZ":10},{"minX":9.6,"minZ":-0.4,"maxX":10.4,"maxZ":0.4},{"minX":-20,"minZ":14.1,"maxX":20,"maxZ":14.9}]}`)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"follow","target":"ent_1","config":{"distance":1.5,"speed":10}}`)
	crossed := false
	for range seconds * 5 {
		r.Steps(1)
		if at := r.At(t, "ent_0"); at[0] > 3 && at[0] < 4 {
			crossed = true
			if at[2] < 10 {
				t.Fatalf("it goes through the wall, at %v", at)
			}
		}
	}
	if d := r.At(t, "ent_0").Dist(r.At(t, "ent_1")); !crossed || d > 2 {
		t.Errorf("it has come to %v, %.2f m from whom it follows", r.At(t, "ent_0"), d)
	}
	put(r, "ent_1", 0, 18)
	r.Steps(seconds)
	does(t, r, `{"goalId":"goal_0","type":"follow","stuck":"no way leads from the one to the other: what is between them is blocked or too steep"}`)
	tick := r.World.Tick()
	r.Steps(seconds * 5)
	if n := r.World.Tick() - tick; n > 10 {
		t.Errorf("while it is stuck the world has changed %d times in 5 s", n)
	}
}

// TestFollow stays near somebody who moves, and has nothing to do when he is gone.
func TestFollow(t *testing.T) {
	r := town(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"follow","target":"ent_1","config":{"distance":2,"speed":5}}`)
	r.Steps(seconds * 3)
	stands(t, r, "ent_0", 8, 0)
	put(r, "ent_1", 10, 10)
	r.Steps(seconds * 4)
	if d := r.At(t, "ent_0").Dist(r.At(t, "ent_1")); d < 1.8 || d > 2.1 {
		t.Errorf("it is %.2f m away", d)
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_1"}`)
	r.Steps(seconds)
	does(t, r, `{}`)
	tick := r.World.Tick()
	if r.Steps(seconds * 5); r.World.Tick() != tick {
		t.Error("it has nothing to do, and the world changes")
	}
}

// TestFlee gets away from whom it is hostile to, at a priority above what else it does.
func TestFlee(t *testing.T) {
	r := town(t)
	live(r, `"goals":[{"id":"stand","type":"patrol","config":{"waypoints":[[0,0,0]]}},{"id":"run","type":"flee","priority":5,"config":{"radius":6,"speed":6}}]`)
	r.Do("npc.setAttitude", "%s", hostile)
	r.Steps(seconds)
	stands(t, r, "ent_0", 0, 0)
	put(r, "ent_1", 3, 0)
	r.Steps(seconds)
	does(t, r, `{"profileId":"p","goalId":"run","type":"flee"}`)
	if at := r.At(t, "ent_0"); at[0] > -3 {
		t.Errorf("it has fled to %v", at)
	}
	r.Do("npc.setAttitude", "%s", strings.ReplaceAll(hostile, "hostile", "friendly"))
	r.Steps(seconds * 4)
	stands(t, r, "ent_0", 0, 0)
}

// TestFleeCornered flees to the side where nobody can be straight ahead.
func TestFleeCornered(t *testing.T) {
	r := town(t)
	r.Do("navmesh.build", `{"bounds":{"minX":-4,"minZ":-20,"maxX":20,"maxZ":20},"cellSize":1,"obstacles":[]}`)
	put(r, "ent_1", 2, 0)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"flee","target":"ent_1","config":{"radius":5,"speed":8}}`)
	r.Steps(seconds * 2)
	if d := r.At(t, "ent_0").Dist(r.At(t, "ent_1")); d < 5 {
		t.Errorf("it is at %v, %.2f m away", r.At(t, "ent_0"), d)
	}
}

// TestGuard chases who comes near, strikes until he is dead, and goes back.
func TestGuard(t *testing.T) {
	r := town(t)
	r.Do("stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":25}]}`)
	r.Do("event.listen", `{"eventName":"behavior.attacked","action":{"type":"setState","data":{"addTags":["hurt"]}}}`)
	live(r, `"goals":[{"id":"gate","type":"guard","config":{"radius":8,"damage":10,"cooldown":0.5,"speed":6}}]`)
	put(r, "ent_1", 5, 0)
	r.Steps(seconds)
	does(t, r, `{"profileId":"p"}`) // it has nothing against ent_1
	r.Do("npc.setAttitude", "%s", hostile)
	r.Heard()
	r.Steps(seconds * 4)
	told := fmt.Sprint(r.Heard())
	if n := strings.Count(told, "event.emit behavior.attacked"); n < 2 || !strings.Contains(told, "damage.dealt") {
		t.Errorf("viewers are told %s", told)
	}
	if hp := r.Do("stats.get", `{"entity":"ent_1","statName":"hp"}`); !strings.Contains(hp, `"value":0`) || !strings.Contains(r.Entity(t, "ent_1"), "hurt") {
		t.Errorf("ent_1 is %s with %s", r.Entity(t, "ent_1"), hp)
	}
	stands(t, r, "ent_0", 0, 0)
	r.Do("stats.modify", `{"entity":"ent_1","statName":"hp","delta":25}`)
	put(r, "ent_1", 9, 0)
	r.Steps(seconds * 2)
	stands(t, r, "ent_0", 0, 0) // that is too far away
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"stun","duration":100}`)
	put(r, "ent_1", 5, 0)
	r.Steps(seconds * 2)
	stands(t, r, "ent_0", 0, 0)
}

// TestGuardTells guards somebody who moves without doing damage: who comes near is announced.
func TestGuardTells(t *testing.T) {
	r := town(t)
	r.Do("scene.createEntity", `{"position":[0,0,4]}`)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"guard","target":"ent_2","config":{"speed":6,"distance":1.5}}`)
	r.Steps(seconds)
	stands(t, r, "ent_0", 0, 2.5)
	r.Do("npc.setAttitude", "%s", hostile)
	put(r, "ent_1", 3, 4)
	r.Heard()
	r.Steps(seconds * 2)
	if told := r.Heard(); !slices.Contains(told, "event.emit behavior.attacked ent_1") {
		t.Errorf("viewers are told %q", told)
	}
}

// TestInteract goes to a lever and throws it once; to a lamp, again and again.
func TestInteract(t *testing.T) {
	r := town(t)
	r.Do("interaction.register", `{"entity":"ent_1","prompt":"Throw the lever","type":"toggle","action":"lever"}`)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"interact","target":"ent_1","config":{"speed":6}}`)
	r.Heard()
	r.Steps(seconds * 4)
	active := func() bool { return strings.Contains(r.Entity(t, "ent_1"), `"active":true`) }
	if !active() {
		t.Errorf("the lever is %s", r.Entity(t, "ent_1"))
	}
	if told := r.Heard(); !slices.Contains(told, "interaction.toggled ent_1") {
		t.Errorf("viewers are told %q", told)
	}
	does(t, r, `{}`)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"interact","target":"ent_1","config":{"every":1}}`)
	turns, was := 0, active()
	for range seconds * 5 {
		r.Steps(1)
		if active() != was {
			was, turns = !was, turns+1
		}
	}
	if turns < 3 || turns > 5 {
		t.Errorf("in 5 s it is thrown %d times", turns)
	}
}

// TestGoTo goes to a place once, and to somebody, and of a profile both after one another.
func TestGoTo(t *testing.T) {
	r := town(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"goTo","position":[0,0,4],"config":{"speed":6}}`)
	r.Steps(seconds * 2)
	stands(t, r, "ent_0", 0, 4)
	does(t, r, `{}`)
	put(r, "ent_0", 0, 0)
	r.Steps(seconds)
	stands(t, r, "ent_0", 0, 0) // it was there
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"goTo","target":"ent_1","config":{"speed":6}}`)
	r.Steps(seconds * 2)
	stands(t, r, "ent_0", 8.5, 0)
	put(r, "ent_0", 0, 0)
	live(r, `"goals":[{"id":"a","type":"goTo","position":[3,0,0],"priority":2},{"id":"b","type":"goTo","target":"ent_1","priority":1}]`)
	for i := 0; i < 2*seconds && r.At(t, "ent_0")[0] < 2.95; i++ {
		r.Steps(1)
	}
	stands(t, r, "ent_0", 3, 0)
	r.Steps(seconds * 5)
	stands(t, r, "ent_0", 8.5, 0)
	skilltest.Run(t, all, "behavior.setGoal", []skilltest.Case{
		{Name: "nowhere", Setup: two, Input: `{"entity":"ent_0","type":"goTo"}`, Code: registry.CodeInvalidInput, Err: "position: goTo needs it, or target, the id of an entity"},
		{Name: "two places", Setup: two, Input: `{"entity":"ent_0","type":"goTo","position":[1,0,0],"target":"ent_1"}`, Code: registry.CodeInvalidInput, Err: "position: goTo has a place or a target, not both"},
		{
			Name: "behind a wall", Input: `{"entity":"ent_0","type":"goTo","position":[4.5,0,0.5]}`, Want: `{"ok":true,"goalId":"goal_0","note":"from where it is now no way leads there: the nearest place that it can reach is [1.5 0 0.5]"}`,
			Setup: after([2]string{"three.setTransform", `{"entity":"ent_0","position":[0.5,0,0.5]}`}, [2]string{"navmesh.build", `{"bounds":{"min":[0,0],"max":[6,6]},"cellSize":1,"obstacles":[{"min":[2,0],"max":[3,6]}]}`}),
		},
		{Name: "as others call it", Setup: two, Input: `{"entity":"ent_0","type":"moveTo","position":[1,0,0]}`, Code: registry.CodeInvalidInput, Err: `type: must be one of "patrol", "wander", "follow", "flee", "guard", "turret", "interact", "goTo", "custom", got "moveTo" (did you mean "goTo"?)`},
	})
}

// TestNothingToUse has no thing to use: it says so, and does what else there is when that is of a higher priority.
func TestNothingToUse(t *testing.T) {
	r := town(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"interact","target":"ent_1"}`)
	r.Steps(seconds)
	if got := r.Entity(t, "ent_0"); !strings.Contains(got, `"stuck":"ent_1 is nothing that can be used`) {
		t.Errorf("viewers get %s", got)
	}
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"follow","target":"ent_1","priority":1}`)
	r.Steps(seconds * 4)
	stands(t, r, "ent_0", 8, 0)
}

// TestCustom tells of a goal once, and emits its event.
func TestCustom(t *testing.T) {
	r := town(t)
	r.Do("event.listen", `{"eventName":"thought","action":{"type":"custom","target":"heard"}}`)
	live(r, `"goals":[{"id":"think","type":"custom","target":"war","config":{"event":"thought","mood":"dark"}}]`)
	r.Heard()
	r.Steps(seconds)
	want := []string{"behavior.custom war ent_0 think", "event.emit thought ent_0", "event.custom heard ent_0"}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
}

// TestOrder has several goals: the highest priority, then the newest of its own, then the routine, then the profile's.
func TestOrder(t *testing.T) {
	r := town(t)
	live(r, `"routines":[{"id":"day","name":"","schedule":[{"hour":0,"action":"goTo","position":[0,0,5]}]}],"goals":[{"id":"a","type":"patrol","config":{"waypoints":[[0,0,9]]}},{"id":"b","type":"patrol","config":{"waypoints":[[0,0,9]]}}]`)
	at := func(want string) {
		t.Helper()
		r.Steps(seconds / 2)
		if got := r.Entity(t, "ent_0"); !strings.Contains(got, `"goalId":"`+want+`"`) {
			t.Errorf("it pursues %s, want %s", got, want)
		}
	}
	at("day")
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"follow","target":"ent_1"}`)
	at("goal_0")
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","position":[0,0,1]}`)
	at("goal_1")
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","position":[0,0,1],"priority":-1}`)
	at("goal_1")
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","position":[0,0,2]}`) // in place of goal_1
	at("goal_3")
	r.Do("behavior.assign", `{"entity":"ent_0","profileId":"p"}`)
	at("day")
	r.Do("behavior.assign", `{"entity":"ent_0","profileId":""}`)
	r.Steps(seconds)
	if got := r.Entity(t, "ent_0"); strings.Contains(got, "behavior") {
		t.Errorf("without behavior it is %s", got)
	}
}

// TestMany has hundreds follow somebody on a large grid: a step looks for few ways, and all get theirs.
func TestMany(t *testing.T) {
	r := town(t)
	r.Do("navmesh.build", `{"bounds":{"minX":-100,"minZ":-100,"maxX":100,"maxZ":100},"cellSize":1,"obstacles":[]}`)
	r.Do("behavior.define", "%s", profile(`"goals":[{"id":"f","type":"follow","target":"ent_1","config":{"speed":20}}]`))
	const many = 300
	for i := range many {
		r.Do("scene.createEntity", `{"position":[%d,0,%d]}`, -90+i%20, -90+i/20)
		r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p"}`, i+2)
	}
	sent := 0
	stop := r.World.Observe(func(c *world.Commit) { sent = len(c.Changes) })
	defer stop()
	r.Steps(1)
	if sent > 60 { // those who look, of whom few set out
		t.Errorf("in the first step %d entities change", sent)
	}
	r.Steps(seconds * 20)
	for i := range many {
		if d := r.At(t, fmt.Sprintf("ent_%d", i+2)).Dist(r.At(t, "ent_1")); d > 3 {
			t.Fatalf("ent_%d is %.1f m away", i+2, d)
		}
	}
}

// TestUndo takes behavior back, and makes it again.
func TestUndo(t *testing.T) {
	r := town(t)
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"e","action":{"type":"say","data":{"text":"Oh"}}}]`))
	before := r.Content()
	r.Do("behavior.assign", `{"entity":"ent_0","profileId":"p"}`)
	given := r.Content()
	for i, want := range []struct {
		content [32]byte
		said    int
	}{{before, 0}, {given, 1}} {
		r.Do([]string{"world.undo", "world.redo"}[i], `{}`)
		if r.Content() != want.content {
			t.Errorf("%d: the world is another one", i)
		}
		r.Do("event.emit", `{"eventName":"e"}`)
		r.Steps(1)
		if heard := said(r); len(heard) != want.said {
			t.Errorf("%d: it says %q", i, heard)
		}
	}
}

// TestDestroyed has who is gone react to nothing, and come back with all it was.
func TestDestroyed(t *testing.T) {
	r := town(t)
	live(r, `"reactions":[{"trigger":"e","action":{"type":"say","data":{"text":"Oh"}}}]`)
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Do("event.emit", `{"eventName":"e"}`)
	r.Steps(2)
	if heard := r.Heard(); slices.ContainsFunc(heard, func(m string) bool { return strings.Contains(m, "Oh") || strings.Contains(m, "failed") }) {
		t.Errorf("viewers are told %q", heard)
	}
	r.Do("world.undo", `{}`)
	r.Do("event.emit", `{"eventName":"e"}`)
	r.Steps(2)
	if heard := said(r); len(heard) != 1 {
		t.Errorf("when it is back it says %q", heard)
	}
}

// TestOwnBody has an agent's own body walk by itself, and nobody else's.
func TestOwnBody(t *testing.T) {
	r := town(t)
	r.Do("agent.embody", `{"position":[0,0,5]}`)
	r.Do("behavior.setGoal", `{"entity":"ent_2","type":"follow","target":"ent_1"}`)
	r.Steps(seconds * 6)
	if d := r.At(t, "ent_2").Dist(r.At(t, "ent_1")); d > 3 {
		t.Errorf("it is %.2f m away", d)
	}
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	if _, err := r.Call(bob, "behavior.setGoal", `{"entity":"ent_2","type":"flee","target":"ent_1"}`); err == nil {
		t.Error("bob has ann's body flee")
	}
}
