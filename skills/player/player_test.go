package player_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
)

// spawned is a Setup that makes a character of ann's, and a box.
func spawned(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "player.spawn", `{"position":[1,2,3]}`)
	s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "scene.createEntity", `{}`)
}

func TestSpawn(t *testing.T) {
	skilltest.Run(t, still, "player.spawn", []skilltest.Case{
		{
			Name: "defaults", As: "player.limited", Input: `{"position":[1,2,3]}`,
			Want: `{"entity":"ent_0","bodyId":0,"position":[1,2,3],"grounded":false,"note":"nothing is below it to stand on: it stays in the air until something with a body, or ground, is"}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				const want = `"character":{"halfHeight":0.5,"radius":0.35,"walkSpeed":4.5,"runSpeed":8,"gravity":22,"jumpSpeed":8,"crouchSpeedScale":0.5}`
				if got := s.Entity(t, "ent_0"); !strings.Contains(got, want) || !strings.Contains(got, `"size":[0.7,1.7,0.7]`) {
					t.Errorf("viewers get %s", got)
				}
			},
		},
		{Name: "at the world's spawn", As: "player.limited", Input: `{"halfHeight":0.5,"radius":0.3}`, Want: `{"entity":"ent_0","bodyId":0,"position":[0,0.82,0],"grounded":false,"note":"nothing is below it to stand on: it stays in the air until something with a body, or ground, is"}`},
		{Name: "no radius", Input: `{"position":[0,0,0],"radius":0}`, Code: registry.CodeInvalidInput, Err: "radius: must be greater than 0, got 0"},
		{Name: "too far", Input: `{"position":[0,0,1e6]}`, Code: registry.CodeInvalidInput, Err: "position: characters move within 100000 m of the origin along each axis, and are no wider or taller than that"},
		{Name: "too wide", Input: `{"position":[0,0,0],"radius":1e30}`, Code: registry.CodeInvalidInput, Err: "radius: characters move within 100000 m of the origin along each axis, and are no wider or taller than that"},
		{Name: "too tall", Input: `{"position":[0,0,0],"halfHeight":1e30}`, Code: registry.CodeInvalidInput, Err: "halfHeight: characters move within 100000 m of the origin along each axis, and are no wider or taller than that"},
		{Name: "meta", Input: `{"position":[0,0,0],"meta":3}`, Code: registry.CodeInvalidInput, Err: "meta: must be an object"},
		{Name: "not a player", As: "social.actor", Input: `{"position":[0,0,0]}`, Code: registry.CodeForbidden, Err: "missing permission: player.write"},
	})
}

func TestMove(t *testing.T) {
	skilltest.Run(t, still, "player.move", []skilltest.Case{
		{Name: "goes", As: "player.limited", Setup: spawned, Input: `{"entity":"ent_0","forward":1}`, Want: `{"moved":true,"grounded":false,"newPosition":[1,2,3]}`},
		{Name: "stands", Setup: spawned, Input: `{"entity":"ent_0","yaw":2}`, Want: `{"moved":false,"grounded":false,"newPosition":[1,2,3]}`},
		{Name: "too fast", Setup: spawned, Input: `{"entity":"ent_0","forward":2}`, Code: registry.CodeInvalidInput, Err: "forward: must be at least -1 and at most 1, got 2"},
		{Name: "no time", Setup: spawned, Input: `{"entity":"ent_0","seconds":0}`, Code: registry.CodeInvalidInput, Err: "seconds: must be greater than 0 and at most 600, got 0"},
		{Name: "no such entity", Setup: spawned, Input: `{"entity":"ent_9"}`, Err: "unknown entity ent_9; the nearest are ent_0, ent_1"},
		{Name: "no character", Setup: spawned, Input: `{"entity":"ent_1"}`, Err: "ent_1 is no character; player.spawn makes one"},
		{
			Name: "out of reach", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				spawned(t, s, p)
				s.Must(t, p, "three.setTransform", `{"entity":"ent_0","position":[0,0,1e6]}`)
			}, Input: `{"entity":"ent_0","forward":1}`,
			Err: "ent_0 does not move: it is, or was, further than 100000 m from the origin along an axis, or larger than that; three.setTransform brings it back",
		},
		{
			Name: "another's", As: "player.full", Input: `{"entity":"ent_0"}`, Code: registry.CodeForbidden,
			Setup: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				s.Must(t, skilltest.Caller(t, "bob", "player.full"), "player.spawn", `{"position":[0,0,0]}`)
			},
			Err: "ent_0 is somebody else's character: move your own (player.spawn makes one); others' need the permission scene.write",
		},
	})
}

func TestJumpCalls(t *testing.T) {
	skilltest.Run(t, still, "player.jump", []skilltest.Case{
		{Name: "in the air", Setup: spawned, Input: `{"entity":"ent_0"}`, Want: `{"jumped":false,"grounded":false,"newPosition":[1,2,3]}`},
		{Name: "no character", Setup: spawned, Input: `{"entity":"ent_1"}`, Err: "ent_1 is no character; player.spawn makes one"},
	})
}

func TestSprint(t *testing.T) {
	skilltest.Run(t, still, "player.sprint", []skilltest.Case{
		{Name: "on", Setup: spawned, Input: `{"entity":"ent_0"}`, Want: `{"sprinting":true}`},
		{Name: "off", Setup: spawned, Input: `{"entity":"ent_0","sprinting":false}`, Want: `{"sprinting":false}`},
		{Name: "no character", Setup: spawned, Input: `{"entity":"ent_1"}`, Err: "ent_1 is no character; player.spawn makes one"},
	})
}

func TestCrouchCalls(t *testing.T) {
	skilltest.Run(t, still, "player.crouch", []skilltest.Case{
		{Name: "down", Setup: spawned, Input: `{"entity":"ent_0"}`, Want: `{"crouching":true,"height":1.2}`},
		{Name: "up", Setup: spawned, Input: `{"entity":"ent_0","crouching":false}`, Want: `{"crouching":false,"height":1.7}`},
		{Name: "no character", Setup: spawned, Input: `{"entity":"ent_1"}`, Err: "ent_1 is no character; player.spawn makes one"},
	})
}

// TestTwo has two sessions move a character each, at the same time: each its own.
func TestTwo(t *testing.T) {
	s := newSite(t)
	bob, carl := skilltest.Caller(t, "bob", "player.full"), skilltest.Caller(t, "carl", "player.limited")
	var hers, his player.SpawnOut
	s.as(bob, &hers, "player.spawn", `{"position":[-3,1,0]}`)
	s.as(carl, &his, "player.spawn", `{"position":[3,1,0],"walkSpeed":2}`)
	s.Steps(60)
	s.as(bob, nil, "player.sprint", `{"entity":%q}`, hers.Entity)
	s.as(bob, nil, "player.move", `{"entity":%q,"forward":1,"seconds":1}`, hers.Entity)
	s.as(carl, nil, "player.move", `{"entity":%q,"forward":1,"seconds":1,"yaw":3.141592653589793}`, his.Entity)
	if _, err := s.Call(carl, "player.move", fmt.Sprintf(`{"entity":%q}`, hers.Entity)); err == nil || err.Code != registry.CodeForbidden {
		t.Errorf("carl stopped bob's character: %v", err)
	}
	for walk, in := range map[string]string{"navmesh.moveTo": `{"entity":%q,"target":[0,0,0]}`, "navmesh.setSpeed": `{"entity":%q,"speed":1}`} {
		if _, err := s.Call(carl, walk, fmt.Sprintf(in, hers.Entity)); err == nil || err.Code != registry.CodeForbidden {
			t.Errorf("carl's %s of bob's character: %v", walk, err)
		}
	}
	if _, err := s.Call(carl, "navmesh.setSpeed", fmt.Sprintf(`{"entity":%q,"speed":1}`, his.Entity)); err != nil {
		t.Errorf("carl's own character: %v", err)
	}
	s.Steps(90)
	if a, b := s.at(hers.Entity.String()), s.at(his.Entity.String()); !near(a[2], 8) || !near(b[2], -2) {
		t.Errorf("they went to %v and %v", a, b)
	}
	s.as(bob, nil, "player.move", `{"entity":%q,"forward":1,"seconds":3,"yaw":2.6}`, hers.Entity)
	s.as(carl, nil, "player.move", `{"entity":%q,"forward":1,"seconds":3,"yaw":-0.54}`, his.Entity)
	for range 200 {
		s.Steps(1)
		if a, b := s.at(hers.Entity.String()), s.at(his.Entity.String()); a.Sub(b).Len() < 0.69 {
			t.Fatalf("they walk through one another: %v and %v", a, b)
		}
	}
}

// course has characters walk about in a course with boxes that fall, for 150 steps.
func course(t *testing.T, s *site) {
	t.Helper()
	for i := range 5 {
		h := 0.2 * float64(i+1)
		s.box("static", world.Vec3{0, h / 2, 2 + float64(0.4*float64(i))}, world.Vec3{6, h, 0.4})
	}
	for i := range 12 {
		s.box("dynamic", world.Vec3{float64(i%4) - 1.5, 2 + float64(i), 3.5}, world.Vec3{0.6, 0.6, 0.6})
	}
	ids := []string{}
	for i := range 6 {
		var made player.SpawnOut
		s.do(&made, "player.spawn", `{"position":[%v,1,0],"walkSpeed":%v}`, float64(i)-2.5, 3+float64(0.7*float64(i)))
		ids = append(ids, made.Entity.String())
	}
	s.Steps(20)
	for i, id := range ids {
		s.do(nil, "player.move", `{"entity":%q,"forward":1,"yaw":%v,"seconds":3,"jump":%v}`, id, float64(0.1*float64(i))-0.3, i%2 == 0)
	}
	s.do(nil, "player.crouch", `{"entity":%q}`, ids[3])
	s.Steps(55)
	s.do(nil, "player.jump", `{"entity":%q}`, ids[1])
	s.do(nil, "player.crouch", `{"entity":%q,"crouching":false}`, ids[3])
	s.Steps(75)
}

// TestSame runs the same course twice: the worlds are the same bit for bit, and pinned, so that they are on every platform.
func TestSame(t *testing.T) {
	one, two := newSite(t), newSite(t)
	course(t, one)
	course(t, two)
	const want = "1b403edff24e5d34d643ff1eef82a2e4f6ac862a63448a54cd30a9ee32771c73"
	if got := one.look(); got != want {
		t.Errorf("the world looks as %s, want %s", got, want)
	}
	if one.hash() != two.hash() {
		t.Error("the second time it is another world")
	}
}

// TestRebuild has the engine fail while characters walk: they go on, and a replay in which it is
// replaced at the same step ends in the same world.
func TestRebuild(t *testing.T) {
	failed, again := newSite(t), newSite(t)
	failed.failAt = 50
	course(t, failed)
	if err := again.physics.RebuildAt(50); err != nil {
		t.Fatal(err)
	}
	course(t, again)
	if failed.rebuilds != 1 || again.rebuilds != 1 {
		t.Errorf("%d and %d rebuilds, want one each", failed.rebuilds, again.rebuilds)
	}
	if failed.hash() != again.hash() {
		t.Error("the replay of a rebuild is another world")
	}
	failed.Steps(200)
	for i := range 6 {
		if p := failed.at(fmt.Sprintf("ent_%d", 1+5+12+i)); p[1] < standing-0.02 || p[2] < 2 {
			t.Errorf("after a rebuild character %d got to %v", i, p)
		}
	}
	if n := failed.awake(); n != 0 {
		t.Errorf("%d bodies are awake in the end", n)
	}
}

// Who has no body speaks where the first of his characters stands, and those who are near it hear him.
func TestSpeak(t *testing.T) {
	s := newSite(t)
	hero := s.spawn(world.Vec3{3, 1, 0})
	actor, bob := *s.ann, skilltest.Caller(t, "bob", "player.full")
	actor.Grants = profiles.Grant("social.act")
	s.as(bob, nil, "player.spawn", `{"position":[-10,1,0]}`)
	hears := func() []agents.Heard {
		var near agent.GetPerceptionOut
		s.as(bob, &near, "agent.getPerception", `{}`)
		return near.Perception.Heard
	}
	s.as(&actor, nil, "social.say", `{"text":"Hold the bridge!","actorId":%q}`, hero)
	if heard := hears(); len(heard) != 1 || heard[0].Text != "Hold the bridge!" || heard[0].Speaker != s.ann.ID {
		t.Errorf("bob hears %+v", heard)
	}
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[30,1,0]}`, hero)
	s.as(&actor, nil, "social.say", `{"text":"Who is there?"}`)
	if heard := hears(); len(heard) != 1 {
		t.Errorf("from 40 metres away bob hears %+v", heard)
	}
}
