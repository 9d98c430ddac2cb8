package player_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// visitor is a profile of somebody who plays, and changes nothing else.
const visitor = "player.limited"

// meadow has a door, ent_0, a grid to walk on, ann's character, ent_1, and bob's, ent_2.
func meadow(t testing.TB, s *skilltest.Server, ann *profiles.Principal) {
	t.Helper()
	carl, bob := skilltest.Caller(t, "carl", skilltest.Builder), skilltest.Caller(t, "bob", visitor)
	s.Must(t, carl, "scene.createEntity", `{"position":[5,1,5]}`)
	s.Must(t, carl, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":50,"maxZ":50},"cellSize":1,"obstacles":[]}`)
	s.Must(t, ann, "player.spawn", `{"position":[0.5,1,0.5]}`)
	s.Must(t, bob, "player.spawn", `{"position":[0.5,1,9.5]}`)
}

// TestWalkingIsFair has somebody who plays go somewhere: with what is his own, and as fast as that runs.
func TestWalkingIsFair(t *testing.T) {
	skilltest.Run(t, still, "navmesh.moveTo", []skilltest.Case{
		{
			Name: "walks", As: visitor, Setup: meadow, Input: `{"entity":"ent_1","target":[40.5,1,0.5],"speed":6}`, Want: `{"ok":true,"arrived":false,"position":[0.5,1,0.5],"remaining":40}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				s.Steps(60)
				if got := s.At(t, "ent_1"); got.Dist(world.Vec3{6.5, 1, 0.5}) > 1e-6 {
					t.Errorf("it is at %v after a second", got)
				}
			},
		},
		{Name: "too fast", As: visitor, Setup: meadow, Input: `{"entity":"ent_1","target":[40.5,1,0.5],"speed":1000}`, Code: registry.CodeInvalidInput, Err: "speed: ent_1 goes at 8 m/s at most, got 1000"},
		{Name: "at once", As: visitor, Setup: meadow, Input: `{"entity":"ent_1","target":[40.5,1,0.5],"dt":3600}`, Code: registry.CodeForbidden, Err: "dt: strides at once need the permission scene.write; leave it out to have ent_1 walk by itself, and wait with physics.settle"},
		{Name: "from elsewhere", As: visitor, Setup: meadow, Input: `{"entity":"ent_1","target":[40.5,1,0.5],"from":[39,1,0.5]}`, Code: registry.CodeForbidden, Err: "from: to put ent_1 elsewhere needs the permission scene.write; leave it out to have it walk from where it is"},
		{Name: "a door", As: visitor, Setup: meadow, Input: `{"entity":"ent_0","target":[40.5,1,0.5]}`, Code: registry.CodeForbidden, Err: "ent_0 is not yours to move: without the permission scene.write you walk with your own body or character, which agent.embody or player.spawn makes"},
		{Name: "another's", As: visitor, Setup: meadow, Input: `{"entity":"ent_2","target":[40.5,1,0.5]}`, Code: registry.CodeForbidden, Err: "ent_2 is somebody else's character: move your own (player.spawn makes one); others' need the permission scene.write"},
		{Name: "a builder", Setup: meadow, Input: `{"entity":"ent_0","target":[40.5,1,5.5],"speed":1000,"dt":3600,"from":[30.5,1,5.5]}`, Want: `{"ok":true,"arrived":true,"position":[40.5,1,5.5],"remaining":0}`},
	})
	skilltest.Run(t, still, "navmesh.setSpeed", []skilltest.Case{
		{Name: "as it runs", As: visitor, Setup: meadow, Input: `{"entity":"ent_1","speed":8}`, Want: `{"ok":true}`},
		{Name: "faster", As: visitor, Setup: meadow, Input: `{"entity":"ent_1","speed":8.1}`, Code: registry.CodeInvalidInput, Err: "speed: ent_1 goes at 8 m/s at most, got 8.1"},
		{Name: "a door", As: visitor, Setup: meadow, Input: `{"entity":"ent_0","speed":1}`, Code: registry.CodeForbidden, Err: "ent_0 is not yours to move: without the permission scene.write you walk with your own body or character, which agent.embody or player.spawn makes"},
		{Name: "a door, by a builder", Setup: meadow, Input: `{"entity":"ent_0","speed":1000}`, Want: `{"ok":true}`},
	})
}

// TestSpawningIsFair has somebody who plays make characters, and remove them.
func TestSpawningIsFair(t *testing.T) {
	four := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		for range 4 {
			s.Must(t, p, "player.spawn", `{"position":[0,50,0]}`)
		}
	}
	beyond := func(field, span, got string) string {
		return field + ": must be from " + span + " without the permission scene.write, got " + got + "; leave it out for the usual"
	}
	skilltest.Run(t, still, "player.spawn", []skilltest.Case{
		{Name: "fast", As: visitor, Input: `{"position":[0,1,0],"runSpeed":500}`, Code: registry.CodeInvalidInput, Err: beyond("runSpeed", "0 to 8", "500")},
		{Name: "walks fast", As: visitor, Input: `{"position":[0,1,0],"walkSpeed":9}`, Code: registry.CodeInvalidInput, Err: beyond("walkSpeed", "0 to 8", "9")},
		{Name: "jumps high", As: visitor, Input: `{"position":[0,1,0],"jumpSpeed":9}`, Code: registry.CodeInvalidInput, Err: beyond("jumpSpeed", "0 to 8", "9")},
		{Name: "floats", As: visitor, Input: `{"position":[0,1,0],"gravity":1}`, Code: registry.CodeInvalidInput, Err: beyond("gravity", "22 to 1000", "1")},
		{Name: "steps over walls", As: visitor, Input: `{"position":[0,1,0],"radius":2}`, Code: registry.CodeInvalidInput, Err: beyond("radius", "0.2 to 0.5", "2")},
		{Name: "a mouse", As: visitor, Input: `{"position":[0,1,0],"halfHeight":0.1}`, Code: registry.CodeInvalidInput, Err: beyond("halfHeight", "0.2 to 1", "0.1")},
		{Name: "a giant, by a builder", Input: `{"position":[0,1,0],"radius":2,"runSpeed":500}`, Want: `{"entity":"ent_0","bodyId":0,"position":[0,1,0],"grounded":false,"note":"nothing is below it to stand on: it stays in the air until something with a body, or ground, is"}`},
		{Name: "a fifth", As: visitor, Setup: four, Input: `{"position":[0,60,0]}`, Code: registry.CodeCapacityExceeded, Err: `you have 4 characters, which is the most without the permission scene.write: player.despawn {"entity":"ent_0"} removes one`},
		{Name: "one that stays", As: visitor, Input: `{"position":[0,60,0],"stay":true}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write, for a character that stays without you; leave stay out`},
		{Name: "a fifth, by a builder", Setup: four, Input: `{"position":[0,60,0]}`, Want: `{"entity":"ent_4","bodyId":4,"position":[0,60,0],"grounded":false,"note":"nothing is below it to stand on: it stays in the air until something with a body, or ground, is"}`},
		{Name: "another fourth", As: visitor, Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			four(t, s, p)
			s.Must(t, p, "player.despawn", `{"entity":"ent_2"}`)
		}, Input: `{"position":[0,60,0]}`, Want: `{"entity":"ent_4","bodyId":4,"position":[0,60,0],"grounded":false,"note":"nothing is below it to stand on: it stays in the air until something with a body, or ground, is"}`},
	})
	skilltest.Run(t, still, "player.despawn", []skilltest.Case{
		{Name: "one's own", As: visitor, Setup: meadow, Input: `{"entity":"ent_1"}`, Want: `{"ok":true}`},
		{Name: "another's", As: visitor, Setup: meadow, Input: `{"entity":"ent_2"}`, Code: registry.CodeForbidden, Err: "ent_2 is somebody else's character: move your own (player.spawn makes one); others' need the permission scene.write"},
		{Name: "another's, by a builder", Setup: meadow, Input: `{"entity":"ent_2"}`, Want: `{"ok":true}`},
		{Name: "a door", As: visitor, Setup: meadow, Input: `{"entity":"ent_0"}`, Err: "ent_0 is no character; player.spawn makes one"},
		{Name: "nobody", As: visitor, Setup: meadow, Input: `{"entity":"ent_44"}`, Err: "unknown entity ent_44; the nearest are ent_0, ent_1, ent_2"},
	})
	s := skilltest.New(t, still)
	s.Must(t, skilltest.Caller(t, "ann", visitor), "player.spawn", `{"position":[0,1,0]}`)
	if got := s.Entity(t, "ent_0"); !strings.Contains(got, `"player.owner":"ann"`) {
		t.Errorf("viewers get %s, and not whose it is", got)
	}
	skilltest.Needs(t, still, "player.despawn", `{"entity":"ent_0"}`, "player.write", skilltest.Builder, "player.full", visitor)
}

// TestABodyWalksAtItsSpeed has an agent that only has a body walk, and one who crawls.
func TestABodyWalksAtItsSpeed(t *testing.T) {
	s, ann := skilltest.New(t, still), skilltest.Caller(t, "ann", "npc.agent")
	meadow(t, s, skilltest.Caller(t, "dora", visitor))
	s.Must(t, ann, "agent.embody", `{"position":[0.5,1,20.5]}`) // ent_3
	s.Must(t, ann, "navmesh.moveTo", `{"entity":"ent_3","target":[40.5,1,20.5],"speed":4.5}`)
	if _, err := s.Call(ann, "navmesh.moveTo", `{"entity":"ent_3","target":[40.5,1,20.5],"speed":4.6}`); err == nil || err.Message != "speed: ent_3 goes at 4.5 m/s at most, got 4.6" {
		t.Errorf("a body at 4.6 m/s: %v", err)
	}
	snail := skilltest.Caller(t, "snail", visitor)
	s.Must(t, snail, "player.spawn", `{"position":[0.5,1,30.5],"walkSpeed":0.5,"runSpeed":1}`) // ent_4
	s.Must(t, snail, "navmesh.moveTo", `{"entity":"ent_4","target":[40.5,1,30.5]}`)
	s.Steps(60)
	if got := s.At(t, "ent_4"); got.Dist(world.Vec3{1.5, 1, 30.5}) > 1e-6 {
		t.Errorf("the snail is at %v after a second", got)
	}
}

// TestOneWayIn has players come in at the spawn, where the world says so, as a character; builders where they like.
func TestOneWayIn(t *testing.T) {
	s := skilltest.New(t, still)
	carl, ann := skilltest.Caller(t, "carl", skilltest.Builder), skilltest.Caller(t, "ann", visitor)
	author := skilltest.Caller(t, "olga", "world.author")
	s.Must(t, ann, "player.spawn", `{"position":[9,1,9]}`)
	s.Must(t, author, "world.setSpawn", `{"position":[2,0,2],"only":true}`)
	s.Must(t, author, "world.setSpawn", `{"position":[3,0,3]}`) // stays so
	for call, want := range map[[2]string]string{
		{"player.spawn", `{"position":[9,1,9]}`}: "position: who plays here comes in at the world's spawn, by world.setSpawn; leave it out",
		{"agent.embody", `{}`}:                   "who plays here comes in as a character at the world's spawn, by world.setSpawn: player.spawn makes yours",
		{"agent.embody", `{"position":[9,0,9]}`}: "who plays here comes in as a character at the world's spawn, by world.setSpawn: player.spawn makes yours",
	} {
		if _, err := s.Call(ann, call[0], call[1]); err == nil || err.Code != registry.CodeForbidden || err.Message != want {
			t.Errorf("%s %s: %v", call[0], call[1], err)
		}
	}
	s.Must(t, ann, "player.spawn", `{}`)
	if at := s.At(t, "ent_1"); at != (world.Vec3{3, 0.87, 3}) {
		t.Errorf("ann comes in at %v", at)
	}
	s.Must(t, carl, "player.spawn", `{"position":[9,1,9]}`)
	s.Must(t, carl, "agent.embody", `{"position":[9,0,9]}`)
	s.Must(t, author, "world.setSpawn", `{"position":[3,0,3],"only":false}`)
	s.Must(t, ann, "player.spawn", `{"position":[5,1,5]}`)
	s.Must(t, ann, "agent.embody", `{}`)
}
