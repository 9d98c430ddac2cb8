package interaction_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func TestOpen(t *testing.T) {
	opened := func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		hall()(t, s, p)
		s.Must(t, p, "interaction.open", `{"entity":"ent_2"}`)
		s.Steps(29)
	}
	skilltest.Run(t, all, "interaction.open", []skilltest.Case{
		{Name: "a door", As: visitor, Setup: hall(), Input: `{"entity":"ent_2"}`, Want: `{"ok":true,"seconds":0.5}`, Check: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			s.Steps(28)
			if got := yaw(t, s, "ent_2"); got < 1.4 || got > 1.49 {
				t.Errorf("after 28 steps it is turned by %v", got)
			}
			s.Steps(1)
			turned(t, s, "ent_2", 1.5)
			turned(t, s, "ent_1", 1.5) // the leaf comes along
			if got := s.Entity(t, "ent_2"); !strings.Contains(got, `"open":true`) {
				t.Errorf("viewers get %s", got)
			}
			if _, moved := step(s); moved {
				t.Error("it goes on")
			}
		}},
		{Name: "what is open", As: visitor, Setup: opened, Input: `{"entity":"ent_2"}`, Want: ok},
		{Name: "a sign", As: visitor, Setup: hall(), Input: `{"entity":"ent_4"}`, Want: `{"ok":false,"reason":"ent_4 is registered as \"custom\", and does not open: interaction.interact does what it is for"}`},
		{Name: "from afar", As: visitor, Setup: hall([2]string{"three.setTransform", `{"entity":"ent_2","position":[0,0,7]}`}), Input: `{"entity":"ent_2"}`, Want: `{"ok":false,"reason":"ent_2 is 6.15 m away from ent_5, and 4 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[0.21,0.85,2.94]} takes it there"}`},
		{Name: "without the key", As: visitor, Setup: hall(locked), Input: `{"entity":"ent_2"}`, Want: `{"ok":false,"reason":"ent_2 is locked: ent_5 needs the item \"key\""}`},
		{
			Name: "with the key", As: visitor, Input: `{"entity":"ent_2"}`, Want: ok,
			Setup: hall(locked, [2]string{"inventory.create", `{"entity":"ent_5"}`}, [2]string{"inventory.add", `{"entity":"ent_5","itemId":"key"}`}),
		},
		{Name: "nobody", As: visitor, Setup: hall(), Input: `{"entity":"ent_22"}`, Err: `unknown entity ent_22; the nearest are ent_3, ent_4, ent_5`},
	})
	skilltest.Run(t, all, "interaction.close", []skilltest.Case{
		{Name: "a door", As: visitor, Setup: opened, Input: `{"entity":"ent_2"}`, Want: `{"ok":true,"seconds":0.5}`, Check: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			s.Steps(29)
			if got := s.Entity(t, "ent_2"); !strings.Contains(got, `"rot":[0,0,0,1]`) || strings.Contains(got, `"open":true`) {
				t.Errorf("viewers get %s", got)
			}
		}},
		{Name: "what is closed", As: visitor, Setup: hall(), Input: `{"entity":"ent_2"}`, Want: ok},
		{Name: "half open", As: visitor, Input: `{"entity":"ent_2"}`, Want: `{"ok":true,"seconds":0.16666666666666666}`, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			hall()(t, s, p)
			s.Must(t, p, "interaction.open", `{"entity":"ent_2"}`)
			s.Steps(9)
		}, Check: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			s.Steps(8)
			if got := yaw(t, s, "ent_2"); got < 0.01 {
				t.Errorf("it is turned by %v too early", got)
			}
			s.Steps(1)
			turned(t, s, "ent_2", 0)
		}},
	})
	skilltest.Run(t, all, "interaction.toggle", []skilltest.Case{
		{Name: "a door", As: visitor, Setup: hall(), Input: `{"entity":"ent_2"}`, Want: `{"ok":true,"state":{"open":true},"seconds":0.5}`},
		{Name: "a lever", Setup: hall([2]string{"three.setTransform", `{"entity":"ent_3","position":[3,1,0]}`}), Input: `{"entity":"ent_3"}`, Want: `{"ok":true,"state":{"active":true}}`, Check: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			if got := s.Must(t, p, "interaction.toggle", `{"entity":"ent_3"}`); got != `{"ok":true,"state":{"active":false}}` {
				t.Errorf("again: %s", got)
			}
		}},
		{Name: "a lever from afar", As: visitor, Setup: hall(), Input: `{"entity":"ent_3"}`, Want: `{"ok":false,"state":{"active":false},"reason":"ent_3 is 8.15 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[5.75,0.85,0]} takes it there"}`},
	})
}

// locked is a door that needs a key, and does not move.
var locked = [2]string{"interaction.register", `{"entity":"ent_2","prompt":"Open","type":"open","maxRange":4,"config":{"key":"key"}}`}

// step takes a step, and reports whether it changed anything.
func step(s *server) (world.Commit, bool) { return s.World.Step(context.Background()) }

// TestADoorIsUndoneAsAWhole opens a door, lets it turn, and takes that back; likewise that it was closed.
func TestADoorIsUndoneAsAWhole(t *testing.T) {
	for _, steps := range []int{0, 1, 10, 29, 60} {
		s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
		hall()(t, s, ann)
		closed := s.Content()
		s.Must(t, ann, "interaction.open", `{"entity":"ent_2"}`)
		s.Steps(steps)
		s.Must(t, ann, "world.undo", `{}`)
		if s.Content() != closed {
			t.Errorf("after %d steps an undo of interaction.open leaves another world", steps)
		}
		if _, moved := step(s); moved {
			t.Errorf("after %d steps and an undo it goes on", steps)
		}
		s.Must(t, ann, "world.redo", `{}`)
		s.Steps(60)
		turned(t, s, "ent_2", 1.5)
		open := s.Content()
		s.Must(t, ann, "interaction.close", `{"entity":"ent_2"}`)
		s.Steps(steps)
		s.Must(t, ann, "world.undo", `{}`)
		if s.Content() != open {
			t.Errorf("after %d steps an undo of interaction.close leaves another world", steps)
		}
		s.Must(t, ann, "interaction.close", `{"entity":"ent_2"}`)
		s.Steps(60)
		if s.Content() != closed {
			t.Errorf("closed again it is another world")
		}
	}
}

// TestADoorOpensWhereItIs moves a door when it is closed, on its way and open, and copies it then: it opens and closes where it is.
func TestADoorOpensWhereItIs(t *testing.T) {
	for _, before := range []int{-1, 10, 40} { // steps after it was opened; -1: it was not
		s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
		hall()(t, s, skilltest.Caller(t, "nobody", visitor))
		s.Must(t, ann, "interaction.register", `{"entity":"ent_4","prompt":"x","config":{"open":{"position":[-1.5,4,0],"seconds":0.5}}}`)
		const door, hatch = "ent_2", "ent_4"
		put := func(entity, to string) { s.Must(t, ann, "three.setTransform", `{"entity":"`+entity+`",`+to+`}`) }
		if before >= 0 {
			s.Must(t, ann, "interaction.open", `{"entity":"ent_2"}`)
			s.Must(t, ann, "interaction.open", `{"entity":"ent_4"}`)
			s.Steps(before)
		}
		was, part := yaw(t, s, door), 0.0
		if before >= 0 {
			part = math.Min(1, float64(before+1)/30)
		}
		s.Must(t, ann, "scene.clone", `{"entity":"ent_2","offset":[20,0,0]}`) // ent_5, the leaf ent_6
		s.Must(t, ann, "scene.clone", `{"entity":"ent_4","offset":[20,0,0]}`) // ent_7
		put(hatch, `"position":[7,1,0]`)
		put(door, `"rotationEuler":[0,-0.5,0]`)
		if before >= 0 {
			turned(t, s, "ent_5", was)
			s.Steps(10)
			turned(t, s, "ent_5", was) // a copy stays
		} else {
			for _, id := range []string{door, hatch} {
				s.Must(t, ann, "interaction.open", `{"entity":"`+id+`"}`)
			}
		}
		for _, id := range []string{"ent_5", "ent_7"} {
			if before < 0 {
				s.Must(t, ann, "interaction.open", `{"entity":"`+id+`"}`)
			}
		}
		s.Steps(60)
		turned(t, s, door, -0.5+1.5-was)
		height(t, s, hatch, 1+3*(1-part))
		for _, id := range []string{door, hatch, "ent_5", "ent_7"} {
			s.Must(t, ann, "interaction.close", `{"entity":"`+id+`"}`)
		}
		s.Steps(60)
		turned(t, s, door, -0.5-was)
		height(t, s, hatch, 1-3*part)
		turned(t, s, "ent_5", 0)
		height(t, s, "ent_7", 1)
	}
}

// height checks how high an entity is.
func height(t testing.TB, s *server, entity string, want float64) {
	t.Helper()
	id, err := world.ParseID(entity)
	if err != nil {
		t.Fatal(err)
	}
	s.World.View(func(v *world.View) {
		if at, _ := v.Position(id); math.Abs(at[1]-want) > 1e-9 {
			t.Errorf("%s is at %v, want it %v high", entity, at, want)
		}
	})
}

// TestRegisteredAgainItStaysOpen has an open door be given another prompt.
func TestRegisteredAgainItStaysOpen(t *testing.T) {
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	hall()(t, s, ann)
	closed := s.Entity(t, "ent_2")
	s.Must(t, ann, "interaction.open", `{"entity":"ent_2"}`)
	s.Steps(60)
	s.Must(t, ann, "interaction.register", `{"entity":"ent_2","prompt":"Open the door","type":"open","maxRange":4,"config":{"open":{"rotationEuler":[0,1.5,0],"seconds":0.5}}}`)
	turned(t, s, "ent_2", 1.5)
	s.Must(t, ann, "interaction.close", `{"entity":"ent_2"}`)
	s.Steps(60)
	if got := s.Entity(t, "ent_2"); got != closed {
		t.Errorf("closed it is %s, want %s", got, closed)
	}
}

// TestADoorIsInTheWay sends a character against a door, which has a static body, and then through it.
func TestADoorIsInTheWay(t *testing.T) {
	s := solidGround(t)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, c := range [][2]string{
		{"scene.createEntity", `{"static":true,"position":[0,-0.5,0]}`},
		{"three.setTransform", `{"entity":"ent_0","scale":[40,1,40]}`},
		{"scene.createEntity", `{"static":true,"position":[0,1,4]}`},
		{"three.setTransform", `{"entity":"ent_1","scale":[1.4,2,0.1]}`},
		{"scene.group", `{"entities":["ent_1"],"origin":[-0.7,0,4]}`},
		{"interaction.register", `{"entity":"ent_2","prompt":"Open","type":"open","config":{"open":{"rotationEuler":[0,-1.57,0]}}}`},
		{"player.spawn", `{"position":[0,0.9,2]}`},
	} {
		s.Must(t, ann, c[0], c[1])
	}
	s.Steps(30)
	walk := func() (z float64) {
		s.Must(t, ann, "player.move", `{"entity":"ent_3","forward":1,"seconds":2}`)
		s.Steps(130)
		s.World.View(func(v *world.View) {
			at, _ := v.Position(4)
			z = at[2]
		})
		return z
	}
	if z := walk(); z > 3.7 || z < 3.3 {
		t.Fatalf("the door is closed, and the character has come to z %v", z)
	}
	if got := s.Must(t, ann, "interaction.open", `{"entity":"ent_2"}`); got != `{"ok":true,"seconds":1}` {
		t.Fatal(got)
	}
	s.Steps(60)
	if z := walk(); z < 6 {
		t.Errorf("the door is open, and the character has come to z %v", z)
	}
}

// solidGround returns a world in which bodies move.
func solidGround(t *testing.T) *server {
	t.Helper()
	var p *physics.Physics
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		p = physics.New(w, physics.Config{Gravity: -9.81, Open: rapiertest.Runtime().Open})
		return with(w, a, p)
	})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestADoorCloses closes a gate upon a character. Who has room is pushed aside; who is pinned in a niche is taken up, and that is told, so that a game can make
// something of it.
func TestADoorCloses(t *testing.T) {
	for _, niche := range []bool{false, true} {
		s := solidGround(t)
		ann := skilltest.Caller(t, "ann", skilltest.Builder)
		box := func(entity, position, scale string) {
			s.Must(t, ann, "scene.createEntity", `{"static":true,"position":`+position+`}`)
			s.Must(t, ann, "three.setTransform", `{"entity":"`+entity+`","scale":`+scale+`}`)
		}
		box("ent_0", "[0,-0.5,0]", "[40,1,40]")
		box("ent_1", "[1,1.5,0]", "[1,3,8]")
		box("ent_2", "[-2,1.5,0]", "[3,3,1]") // the gate, which closes towards x
		if niche {
			box("ent_3", "[0,1.5,0.9]", "[1,3,0.5]")
			box("ent_4", "[0,1.5,-0.9]", "[1,3,0.5]")
		} else {
			box("ent_3", "[0,1.5,9]", "[1,3,0.5]")
			box("ent_4", "[0,1.5,-9]", "[1,3,0.5]")
		}
		s.Must(t, ann, "interaction.register", `{"entity":"ent_2","prompt":"Close","type":"open","config":{"open":{"position":[-1,1.5,0]}}}`)
		s.Must(t, ann, "player.spawn", `{"position":[0,0.9,0]}`)
		s.Must(t, ann, "event.listen", `{"eventName":"player.crushed:ent_2","action":{"type":"emit","target":"ouch"}}`)
		heard := listen(t, s)
		s.Must(t, ann, "interaction.open", `{"entity":"ent_2"}`)
		s.Steps(120)
		s.World.View(func(v *world.View) {
			at, _ := v.Position(6)
			if high := at[1] > 3; high != niche || !high && math.Abs(at[2]) < 0.8 {
				t.Errorf("niche %v: it is at %v", niche, at)
			}
		})
		told := strings.Join(*heard, "\n")
		if crushed, ouch := strings.Count(told, "player.crushed {"), strings.Count(told, `"event":"ouch"`); niche && (crushed != 1 || ouch != 1) || !niche && crushed+ouch > 0 {
			t.Errorf("niche %v: viewers are told\n%s", niche, told)
		}
	}
}
