package behavior_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// foe makes an entity with health and a tag, and returns its id.
func foe(t testing.TB, r *skilltest.Room, x, z float64, tag string) string {
	t.Helper()
	id := made(r.Do("scene.createEntity", `{"position":[%v,0.5,%v],"tags":[%q]}`, x, z, tag))
	r.Do("stats.create", `{"entity":%q,"stats":[{"name":"hp","value":1000}]}`, id)
	return id
}

// made returns the entity that scene.createEntity has answered with.
func made(answer string) string {
	_, id, _ := strings.Cut(answer, `"entity":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// met returns who was attacked, or noticed, since viewers were asked last.
func met(r *skilltest.Room, event string) (all []string) {
	for _, m := range r.Heard() {
		if id, ok := strings.CutPrefix(m, "event.emit behavior."+event+" "); ok {
			all = append(all, id)
		}
	}
	return all
}

// TestTurret shoots the nearest that has the tag, whom no wall hides, within its radius, without walking.
func TestTurret(t *testing.T) {
	r := town(t)
	tower := made(r.Do("scene.createEntity", `{"position":[0,0.5,0],"static":true}`))
	if got := r.Do("behavior.setGoal", `{"entity":%q,"type":"turret","config":{"tag":"creep","radius":8,"damage":10,"cooldown":0.5,"turns":true}}`, tower); strings.Contains(got, "note") {
		t.Errorf("of what need not walk it is said %s", got)
	}
	one, two, cow := foe(t, r, 9, 0, "creep"), foe(t, r, 0, 6, "creep"), foe(t, r, 0, -2, "cow")
	shoots := func(what string, want ...string) {
		t.Helper()
		r.Heard()
		r.Steps(seconds * 2)
		got := met(r, "attacked")
		if n := len(got); len(want) > 0 && (n < 3 || n > 4) {
			t.Errorf("%s it shoots %d times in 2 s", what, n)
		}
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s it shoots %q, want %q", what, got, want)
		}
	}
	shoots("at first", two)
	if hp := r.Do("stats.get", `{"entity":%q,"statName":"hp"}`, two); strings.Contains(hp, `"value":100`) {
		t.Errorf("who is shot has %s", hp)
	}
	r.Do("three.setTransform", `{"entity":%q,"position":[5,0.5,0]}`, one)
	shoots("nearer", one)
	if got := r.Entity(t, tower); !strings.Contains(got, `"rot":[0,0.7`) {
		t.Errorf("it does not turn to whom it shoots: %s", got)
	}
	wall := made(r.Do("scene.createEntity", `{"position":[2,0.5,0],"static":true}`))
	shoots("past a wall", two)
	r.Do("npc.setAttitude", `{"entity":%q,"towardEntity":%q,"attitude":"friendly"}`, tower, two)
	shoots("a friend")
	r.Do("scene.destroyEntity", `{"entity":%q}`, wall)
	shoots("without the wall", one)
	r.Do("stats.modify", `{"entity":%q,"statName":"hp","delta":-1000}`, one)
	shoots("the dead")
	r.Do("npc.setAttitude", `{"entity":%q,"towardEntity":%q,"attitude":"hostile"}`, tower, cow)
	shoots("whom it is hostile to", cow)
	r.Do("behavior.setGoal", `{"entity":%q,"type":"turret","target":%q,"config":{"radius":8,"damage":10,"cooldown":0.5}}`, tower, two)
	shoots("one alone", two)
}

// TestFoes has a guard after those who have a tag, by a part too, after who plays, and of these after whom a condition holds.
func TestFoes(t *testing.T) {
	r := town(t)
	guards := func(config string) {
		t.Helper()
		put(r, "ent_0", 0, 0)
		r.Do("behavior.assign", `{"entity":"ent_0","profileId":""}`)
		r.Do("behavior.setGoal", `{"entity":"ent_0","type":"guard","position":[0,0,0],"config":{"radius":8,"speed":20,%s}}`, config)
		r.Heard()
		r.Steps(seconds * 2)
	}
	beast := foe(t, r, 6, 0, "animal")
	if _, err := r.World.Update(t.Context(), func(tx *world.Tx) error {
		_, err := tx.Create(world.Spec{Parent: tx.Tagged("animal")[0], Tags: []string{"horn"}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	guards(`"tag":"horn"`)
	if got := slices.Compact(met(r, "attacked")); !slices.Equal(got, []string{beast}) {
		t.Errorf("by a part it is after %q", got)
	}
	guards(`"players":true`)
	if got := met(r, "noticed"); len(got) > 0 {
		t.Errorf("where nobody plays it is after %q", got)
	}
	var bodies []string
	for i, name := range []string{"bob", "carl"} {
		body := made(r.Must(t, skilltest.Caller(t, name, skilltest.Builder), "agent.embody", fmt.Sprintf(`{"position":[0,0,%d]}`, 3+i)))
		r.Do("stats.create", `{"entity":%q,"stats":[{"name":"hp","value":%d}]}`, body, 10+i)
		bodies = append(bodies, body)
	}
	guards(`"players":true`)
	if got := met(r, "noticed"); !slices.Equal(got, bodies[:1]) {
		t.Errorf("of %q it is after %q", bodies, got)
	}
	skilltest.Run(t, all, "behavior.setGoal", []skilltest.Case{
		{Name: "a condition", Setup: two, Input: `{"entity":"ent_0","type":"flee","config":{"players":true,"if":"item(\"badge\") < 1"}}`, Want: `{"ok":true,"goalId":"goal_0"}`},
		{Name: "no condition", Setup: two, Input: `{"entity":"ent_0","type":"guard","config":{"players":true,"if":"item(badge)"}}`, Code: registry.CodeInvalidInput, Err: `config.if: expression: at character 6, "badge)": want a name in quotes, of at most 128 bytes: item("name")`},
		{Name: "no tag", Setup: two, Input: `{"entity":"ent_0","type":"turret","config":{"tag":""}}`, Code: registry.CodeInvalidInput, Err: "config.tag: must have 1 to 128 bytes, got 0"},
		{Name: "a tag of another kind", Setup: two, Input: `{"entity":"ent_0","type":"turret","config":{"tag":7}}`, Code: registry.CodeInvalidInput, Err: "config.tag: must be a string, got 7"},
		{Name: "sight", Setup: two, Input: `{"entity":"ent_0","type":"guard","config":{"sight":400}}`, Code: registry.CodeInvalidInput, Err: "config.sight: must be a number from 1 to 360, got 400"},
		{Name: "a slip", Setup: two, Input: `{"entity":"ent_0","type":"turret","config":{"tags":"creep","radius":8}}`, Want: `{"ok":true,"goalId":"goal_0","note":"config.tags changes nothing: did you mean \"tag\"?"}`},
		{Name: "of another goal", Setup: two, Input: `{"entity":"ent_0","type":"follow","target":"ent_1","config":{"waypoints":[[0,0,0]]}}`, Want: `{"ok":true,"goalId":"goal_0","note":"config.waypoints changes nothing: of the config of follow count speed, distance"}`},
		{Name: "whom", Setup: two, Input: `{"entity":"ent_0","type":"turret","config":{"radius":8}}`, Want: `{"ok":true,"goalId":"goal_0","note":"config: without target, tag or players it shoots only whom it is made hostile to, by npc.setAttitude"}`},
		{Name: "a turret that walks", Setup: two, Input: `{"entity":"ent_0","type":"turret","position":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: "position: is for patrol, wander, guard and goTo"},
	})
}

// TestSight has a guard with eyes notice who is before it and not behind a wall, once, and look where it saw him last.
func TestSight(t *testing.T) {
	r := town(t)
	r.Do("scene.createEntity", `{"position":[0,0,4],"scale":[6,2,0.2],"static":true}`)
	thief := foe(t, r, 0, -4, "thief")
	to := func(x, z float64) { r.Do("three.setTransform", `{"entity":%q,"position":[%v,0,%v]}`, thief, x, z) }
	to(0, -4)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"guard","config":{"tag":"thief","radius":9,"speed":4,"sight":90,"distance":1}}`)
	notices := func(what string, n int) {
		t.Helper()
		r.Steps(seconds)
		if got := met(r, "noticed"); len(got) != n {
			t.Errorf("%s it notices %q", what, got)
		}
	}
	notices("behind itself", 0)
	to(0, 6)
	notices("behind a wall", 0)
	to(7, 6)
	notices("to its side", 0)
	to(2, 3)
	notices("before it", 1)
	to(0, -5) // it goes after him, and knows of him, whichever way it looks
	notices("again", 0)
	to(0, 6)
	least := 100.0
	for range seconds * 4 {
		r.Steps(1)
		least = min(least, r.At(t, "ent_0").Flat(world.Vec3{0, 0, -5}))
	}
	if least > 1.1 {
		t.Errorf("it has come to within %v m of where it saw him last", least)
	}
	r.Steps(seconds * 2)
	stands(t, r, "ent_0", 0, 0)
	to(0, -5)
	r.Steps(seconds)
	does(t, r, `{}`) // it does not know of him any more, nor look that way
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","priority":-1,"config":{"waypoints":[[-20,0,0]],"speed":20}}`)
	to(-25, 0)
	r.Steps(seconds * 3)
	if got := r.At(t, "ent_0"); got[0] > -23 {
		t.Errorf("on patrol, 20 m from its post, it has come to %v, want it after who is before it at -25", got)
	}
}

// TestGuide goes on only while whom it guides is near, and tells when it has come to the end.
func TestGuide(t *testing.T) {
	r := town(t)
	r.Do("event.listen", `{"eventName":"behavior.arrived","action":{"type":"setState","target":"$actor","data":{"addTags":["led"]}}}`)
	put(r, "ent_1", 0, 0)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","target":"ent_1","config":{"waypoints":[[10,0,0],[10,0,20]],"radius":4,"speed":4,"once":true}}`)
	r.Steps(seconds * 6)
	if at := r.At(t, "ent_0"); at[0] < 4 || at[0] > 6.2 {
		t.Errorf("it waits at %v", at)
	}
	does(t, r, `{"goalId":"goal_0","type":"patrol","stuck":"it waits for whom it guides"}`)
	for x := 1.0; x <= 10; x++ {
		put(r, "ent_1", x, 0)
		r.Steps(seconds / 2)
	}
	r.Steps(seconds * 2)
	if at := r.At(t, "ent_0"); at[0] < 9.9 || at[2] < 4 || at[2] > 6.2 {
		t.Errorf("it waits the second time at %v", at)
	}
	r.Heard()
	put(r, "ent_1", 10, 17)
	r.Steps(seconds * 6)
	stands(t, r, "ent_0", 10, 20)
	if told := r.Heard(); !slices.Contains(told, "event.emit behavior.arrived ent_0") || !strings.Contains(r.Entity(t, "ent_1"), "led") {
		t.Errorf("at the end viewers are told %q, and ent_1 is %s", told, r.Entity(t, "ent_1"))
	}
	does(t, r, `{}`)
}

// TestHerd holds whom a turret finds, among many who are anywhere, or in one place, or in a row, against a look at all.
func TestHerd(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		n    int
		x, z float64
	}{{10, 30, 30}, {300, 40, 40}, {300, 400, 0}, {300, 0, 5}, {100, 0, 0}} {
		r := town(t)
		for range c.n {
			r.Do("scene.createEntity", `{"position":[%v,0,%v],"tags":["creep"]}`, rnd.Float64()*c.x-c.x/2, rnd.Float64()*c.z-c.z/2)
		}
		for range 20 {
			x, z, radius := rnd.Float64()*60-30, rnd.Float64()*60-30, 1+rnd.Float64()*20
			put(r, "ent_0", x, z)
			r.Do("behavior.assign", `{"entity":"ent_0","profileId":""}`)
			r.Do("behavior.setGoal", `{"entity":"ent_0","type":"turret","config":{"tag":"creep","radius":%v}}`, radius)
			want, least := "", radius
			for i := range c.n {
				id := fmt.Sprintf("ent_%d", i+2)
				if d := r.At(t, id).Flat(world.Vec3{x, 0, z}); d < least || want == "" && d <= least {
					want, least = id, d
				}
			}
			r.Heard()
			r.Steps(seconds / 2)
			if got := slices.Compact(met(r, "attacked")); strings.Join(got, " ") != want {
				t.Fatalf("of %d in %v by %v m it finds %q from %v, %v within %v m, want %q at %v m", c.n, c.x, c.z, got, x, z, radius, want, least)
			}
		}
	}
}

// TestManySights has many look in one step for more than it has room for: who has to wait does so in the next, and another author's need not.
func TestManySights(t *testing.T) {
	r := town(t)
	const tags, each = 60, 600 // 36,000 places
	var list []string
	for i := range tags {
		list = append(list, fmt.Sprintf(`"t%d"`, i))
	}
	for i := range each {
		r.Do("scene.createEntity", `{"position":[%v,0,50],"tags":[%s]}`, float64(i)/10, strings.Join(list, ","))
	}
	dan := skilltest.Caller(t, "dan", skilltest.Builder)
	var turrets []string
	for i := range tags + 1 {
		id := made(r.Do("scene.createEntity", `{"position":[%v,0,48]}`, float64(i)/2))
		for range 14 { // so that all look in the same steps
			r.Do("scene.destroyEntity", `{"entity":%q}`, made(r.Do("scene.createEntity", `{}`)))
		}
		input := fmt.Sprintf(`{"entity":%q,"type":"turret","config":{"tag":"t%d","radius":5,"cooldown":100}}`, id, i%tags)
		if i == tags {
			r.Must(t, dan, "behavior.setGoal", input)
		} else {
			r.Do("behavior.setGoal", "%s", input)
		}
		turrets = append(turrets, id)
	}
	looked := func() (n int) {
		for _, id := range turrets {
			if strings.Contains(r.Entity(t, id), `"type":"turret"`) {
				n++
			}
		}
		return n
	}
	n := 0
	for range 15 {
		r.Steps(1)
		if n = looked(); n > 0 {
			break
		}
	}
	if n > tags || !strings.Contains(r.Entity(t, turrets[tags]), `"type":"turret"`) {
		t.Errorf("in the first step %d of ann's look, and dan's is %s", n, r.Entity(t, turrets[tags]))
	}
	r.Steps(1)
	if n := looked(); n != tags+1 {
		t.Errorf("in the second %d have looked, want %d", n, tags+1)
	}
}
