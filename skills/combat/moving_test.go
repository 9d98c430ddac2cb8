package combat_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestKnockback throws bodies and characters: as far as is said, and no farther than to a wall.
func TestKnockback(t *testing.T) {
	f := newMoving(t)
	f.fighter(0, 0.9, 0) // ent_1
	box := f.living("scene.createEntity", `{"position":[0,0.5,1.5],"dynamic":true}`)
	f.Steps(30)
	skilltest.Holds(t, "a strike at a box", f.Do("combat.melee", `{"attackerEntity":"ent_1","targetEntity":%q,"damage":10,"knockback":6,%s}`, box, noCrit),
		`{"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_2","remaining":90,"pushed":true}`)
	f.Steps(1)
	if got := 60 * (f.At(t, box)[2] - 1.5); math.Abs(got-6) > 0.5 {
		t.Errorf("the box goes at %v m/s, want 6", got)
	}
	f.Do("scene.destroyEntity", `{"entity":%q}`, box)

	who := f.living("player.spawn", `{"position":[0,0.9,1.5]}`)
	f.Steps(60)
	f.Do("combat.melee", `{"attackerEntity":"ent_1","targetEntity":%q,"damage":10,"knockback":5,%s}`, who, noCrit)
	before := f.At(t, who)
	f.Steps(60)
	if got := f.At(t, who).Sub(before); math.Abs(got[2]-1.25) > 0.1 || math.Abs(got[0]) > 0.01 || math.Abs(got[1]) > 0.05 {
		t.Errorf("the character is thrown by %v, want 1.25 m along z", got)
	}
	// Walking against it does not take it away.
	f.Do("three.setTransform", `{"entity":%q,"position":[0,0.9,1.5]}`, who)
	f.Steps(60)
	f.Do("player.move", `{"entity":%q,"forward":1,"yaw":3.14159265,"seconds":0.1}`, who)
	f.Do("combat.melee", `{"attackerEntity":"ent_1","targetEntity":%q,"damage":10,"knockback":5,%s}`, who, noCrit)
	before = f.At(t, who)
	f.Steps(60)
	if got := f.At(t, who)[2] - before[2]; math.Abs(got-0.8) > 0.1 {
		t.Errorf("the character that walked against it for a tenth of a second is thrown by %v m, want 1.25 less 0.45", got)
	}
	// A wall stops it, and there is nothing left of it when the wall goes.
	f.Do("three.setTransform", `{"entity":%q,"position":[0,0.9,1.5]}`, who)
	f.Do("scene.createEntity", `{"position":[0,0.5,2.5],"static":true}`) // from z = 2 on
	f.Steps(60)
	f.Do("combat.melee", `{"attackerEntity":"ent_1","targetEntity":%q,"damage":10,"knockback":5,%s}`, who, noCrit)
	f.Steps(15)
	f.Do("scene.destroyEntity", `{"entity":"ent_4"}`)
	f.Steps(60)
	if got := f.At(t, who)[2]; got < 1.6 || got > 1.66 {
		t.Errorf("at the wall it is at %v, want 1.65 less a gap", got)
	}
	tick := f.World.Tick()
	if f.Steps(60); f.World.Tick() != tick {
		t.Error("it lies at rest, and the world changes")
	}
}

// TestHindered has characters, walks of the mesh and bodies of agents go as fast as what is on them lets them.
func TestHindered(t *testing.T) {
	for _, c := range []struct {
		effect string
		part   float64 // of its speed
	}{
		{"", 1},
		{`{"targetEntity":"ent_1","type":"slow","duration":2}`, 0.5},
		{`{"targetEntity":"ent_1","type":"slow","duration":2,"magnitude":3}`, 0.25},
		{`{"targetEntity":"ent_1","type":"stun","duration":2}`, 0},
		{`{"targetEntity":"ent_1","type":"freeze","duration":2}`, 0},
		{`{"targetEntity":"ent_1","type":"custom","duration":2}`, 1},
	} {
		for name, way := range map[string]struct {
			spawn, to [2]string
			speed     float64
		}{
			"a character": {[2]string{"player.spawn", `{"position":[0,0.9,0]}`}, [2]string{"player.move", `{"entity":"ent_1","forward":1,"seconds":9}`}, 4.5},
			"a walk":      {[2]string{"scene.createEntity", `{}`}, [2]string{"navmesh.moveTo", `{"entity":"ent_1","target":[0,0,20]}`}, 3},
			"a body":      {[2]string{"agent.embody", `{}`}, [2]string{"social.approach", `{"target":[0,0,20]}`}, 4.5},
		} {
			f := newMoving(t)
			f.Ann.Grants = profiles.Grant(append(f.Ann.Grants.List(), "social.act")...)
			f.Do(way.spawn[0], "%s", way.spawn[1])
			f.Do("navmesh.build", `{"bounds":{"minX":-25,"minZ":-25,"maxX":25,"maxZ":25},"cellSize":0.5,"ignore":["ent_1"]}`)
			f.Steps(30)
			if c.effect != "" {
				f.Do("status.apply", "%s", c.effect)
			}
			start := f.At(t, "ent_1")
			f.Do(way.to[0], "%s", way.to[1])
			f.Steps(60)
			if got, want := f.At(t, "ent_1").Dist(start), c.part*way.speed; math.Abs(got-want) > 0.1 {
				t.Errorf("%s with %s goes %v m in a second, want %v", name, c.effect, got, want)
			}
			f.Steps(60)
			start = f.At(t, "ent_1")
			f.Steps(30)
			if got, want := f.At(t, "ent_1").Dist(start), way.speed/2; math.Abs(got-want) > 0.1 {
				t.Errorf("%s after %s goes %v m in half a second, want %v", name, c.effect, got, want)
			}
		}
	}
}

// TestStunnedCharacter has it neither jump nor say that it will, and fall all the same.
func TestStunnedCharacter(t *testing.T) {
	f := newMoving(t)
	f.Do("player.spawn", `{"position":[0,3,0]}`)
	f.Do("status.apply", `{"targetEntity":"ent_1","type":"stun","duration":3}`)
	f.Steps(60)
	at := f.At(t, "ent_1")
	if math.Abs(at[1]-0.87) > 0.02 {
		t.Errorf("it is at %v, and should have fallen", at)
	}
	if got := f.Do("player.jump", `{"entity":"ent_1"}`); got[:15] != `{"jumped":false` {
		t.Errorf("player.jump says %s", got)
	}
	if got := f.Do("player.move", `{"entity":"ent_1","forward":1,"jump":true,"yaw":1}`); got[:14] != `{"moved":false` {
		t.Errorf("player.move says %s", got)
	}
	if f.Steps(60); f.At(t, "ent_1").Dist(at) > 0.01 {
		t.Errorf("it was at %v and is at %v", at, f.At(t, "ent_1"))
	}
	f.Steps(60)
	if got := f.Do("player.jump", `{"entity":"ent_1"}`); got[:14] != `{"jumped":true` {
		t.Errorf("after it player.jump says %s", got)
	}
}
