package interaction_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// walled puts the lever, ent_3, behind a wall, ent_6: it is 1.15 m from ann.
func walled(more ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return hall(append([][2]string{
		{"three.setTransform", `{"entity":"ent_3","position":[2,1,0]}`},
		{"scene.createEntity", `{"position":[1,1.5,0],"static":true}`},
		{"three.setTransform", `{"entity":"ent_6","position":[1,1.5,0],"scale":[0.2,3,6]}`},
	}, more...)...)
}

func TestThroughAWall(t *testing.T) {
	const (
		wall   = `ent_6 is between ent_5 and ent_3: go round it`
		thrown = `{"ok":true,"state":{"active":true}}`
		not    = `{"ok":false,"state":{"active":false},"reason":"` + wall + `"}`
	)
	toggle := `{"entity":"ent_3"}`
	skilltest.Run(t, all, "interaction.toggle", []skilltest.Case{
		{Name: "behind a wall", As: visitor, Setup: walled(), Input: toggle, Want: not},
		{Name: "behind a wall, as a builder who is there", Setup: walled(), Input: toggle, Want: not},
		{Name: "past its end", As: visitor, Setup: walled([2]string{"three.setTransform", `{"entity":"ent_6","position":[1,1.5,3.2]}`}), Input: toggle, Want: thrown},
		{Name: "over a low one", As: visitor, Setup: walled([2]string{"three.setTransform", `{"entity":"ent_6","position":[1,0.6,0],"scale":[0.2,1.2,6]}`}), Input: toggle, Want: thrown},
		{Name: "on the near side of one", As: visitor, Setup: walled([2]string{"three.setTransform", `{"entity":"ent_6","position":[2.4,1.5,0]}`}), Input: toggle, Want: thrown},
		{Name: "in a console of its own", As: visitor, Setup: walled(
			[2]string{"three.setTransform", `{"entity":"ent_6","position":[2,1,0],"scale":[1.2,1.2,1.2]}`}, [2]string{"scene.group", `{"entities":["ent_3","ent_6"]}`},
		), Input: toggle, Want: thrown},
		{Name: "in a house, behind its wall", As: visitor, Setup: walled([2]string{"scene.group", `{"entities":["ent_3","ent_6"]}`}), Input: toggle, Want: not},
		{Name: "behind what is no body", As: visitor, Setup: walled([2]string{"scene.destroyEntity", `{"entity":"ent_6"}`}, [2]string{"scene.createEntity", `{"position":[1,1,0]}`}), Input: toggle, Want: thrown},
		{Name: "behind somebody", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			walled([2]string{"scene.destroyEntity", `{"entity":"ent_6"}`})(t, s, p)
			s.Must(t, skilltest.Caller(t, "bob", visitor), "player.spawn", `{"position":[1,1,0],"radius":0.5,"halfHeight":1}`)
		}, Input: toggle, Want: thrown},
		{Name: "behind a closed gate", As: visitor, Setup: walled([2]string{"interaction.register", `{"entity":"ent_6","prompt":"Open","type":"open","config":{"open":{"position":[1,4.6,0]}}}`}), Input: toggle, Want: `{"ok":false,"state":{"active":false},"reason":"ent_6 is between ent_5 and ent_3: interaction.open {\"entity\":\"ent_6\"} opens it"}`},
	})
	skilltest.Run(t, all, "interaction.drop", []skilltest.Case{
		{Name: "through a wall", As: visitor, Setup: walled([2]string{"inventory.create", `{"entity":"ent_5"}`}, [2]string{"inventory.add", `{"entity":"ent_5","itemId":"coin"}`}), Input: `{"itemId":"coin","position":[1.5,0.5,0]}`, Want: `{"ok":false,"reason":"ent_6 is between ent_5 and position: go round it"}`},
	})
	skilltest.Run(t, all, "interaction.use", []skilltest.Case{
		{Name: "through a wall", As: visitor, Setup: walled([2]string{"inventory.create", `{"entity":"ent_5"}`}, [2]string{"inventory.add", `{"entity":"ent_5","itemId":"key"}`}), Input: `{"itemId":"key","targetEntity":"ent_3"}`, Want: `{"ok":false,"reason":"` + wall + `"}`},
	})
}

// TestAGateOpensTheWay opens what is in between, and looks at what is in reach before and after.
func TestAGateOpensTheWay(t *testing.T) {
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", visitor)
	walled([2]string{"interaction.register", `{"entity":"ent_6","prompt":"Raise","type":"open","config":{"open":{"position":[1,4.6,0],"seconds":0.1}}}`})(t, s, ann)
	lever := func(in string) string {
		_, rest, _ := strings.Cut(s.Must(t, ann, "interaction.query", in), `"entity":"ent_3"`)
		rest, _, _ = strings.Cut(rest, "}")
		_, rest, _ = strings.Cut(rest, `"inReach":`)
		return rest
	}
	skilltest.Holds(t, "before", lever(`{}`), `false,"reason":"ent_6 is between ent_5 and ent_3: interaction.open {\"entity\":\"ent_6\"`)
	skilltest.Holds(t, "from a place before", lever(`{"position":[0,1,0]}`), `false,"reason":"ent_6 is between there and ent_3: interaction.open {\"entity\":\"ent_6\"`)
	skilltest.Holds(t, "from beyond", lever(`{"position":[3,1,0]}`), `true`)
	s.Must(t, ann, "interaction.open", `{"entity":"ent_6"}`)
	s.Steps(6)
	if at := s.At(t, "ent_6"); at != (world.Vec3{1, 4.6, 0}) {
		t.Errorf("the gate is at %v", at)
	}
	skilltest.Holds(t, "after", lever(`{}`), `true`)
	skilltest.Holds(t, "thrown", s.Must(t, ann, "interaction.toggle", `{"entity":"ent_3"}`), `{"ok":true,"state":{"active":true}}`)
}
