package interaction_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// vault has two coins in the box of a chest, ent_6, of which the group, ent_8, has a lid, ent_7, that opens; and ann has one of them herself.
func vault(more ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return hall(append([][2]string{
		{"scene.createEntity", `{"position":[1,0.5,0],"size":0.5,"static":true}`},
		{"scene.createEntity", `{"position":[1,0.8,0],"size":0.1,"static":true}`},
		{"scene.group", `{"entities":["ent_6","ent_7"],"name":"chest"}`},
		{"interaction.register", `{"entity":"ent_7","prompt":"Open the chest","type":"open","action":"chest","config":{"key":"key","open":{"rotationEuler":[1.5,0,0]}}}`},
		{"inventory.create", `{"entity":"ent_8"}`},
		{"inventory.create", `{"entity":"ent_5"}`},
		{"inventory.add", `{"entity":"ent_8","itemId":"coin","quantity":2}`},
		{"inventory.add", `{"entity":"ent_5","itemId":"coin"}`},
	}, more...)...)
}

func TestWhatIsInAChest(t *testing.T) {
	const (
		take   = `{"fromEntity":"ent_8","toEntity":"ent_5","itemId":"coin","quantity":2}`
		closed = `{"ok":false,"reason":"ent_8 is closed: interaction.open {\"entity\":\"ent_7\"} opens it"}`
		away   = `{"ok":false,"reason":"ent_8 is 10.4 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[8,0.85,0]} takes it there"}`
	)
	open, far := [2]string{"interaction.open", `{"entity":"ent_7"}`}, [2]string{"three.setTransform", `{"entity":"ent_8","position":[11,0.5,0]}`}
	wall := [][2]string{{"scene.createEntity", `{"position":[0.5,1.5,0],"static":true}`}, {"three.setTransform", `{"entity":"ent_9","position":[0.5,1.5,0],"scale":[0.1,3,6]}`}}
	skilltest.Run(t, all, "inventory.transfer", []skilltest.Case{
		{Name: "closed", As: visitor, Setup: vault(), Input: take, Want: closed, Check: has("ent_8", "0:2coin")},
		{Name: "open", As: visitor, Setup: vault(open), Input: take, Want: ok, Check: has("ent_5", "0:3coin")},
		{Name: "to one who has no slots yet", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			hall()(t, s, p)
			s.Must(t, skilltest.Caller(t, "carl", skilltest.Builder), "inventory.create", `{"entity":"ent_4"}`)
			s.Must(t, skilltest.Caller(t, "carl", skilltest.Builder), "inventory.add", `{"entity":"ent_4","itemId":"coin"}`)
		}, Input: `{"fromEntity":"ent_4","toEntity":"ent_5","itemId":"coin"}`, Want: ok, Check: has("ent_5", "0:1coin")},
		{Name: "open and far away", As: visitor, Setup: vault(open, far), Input: take, Want: away, Check: has("ent_8", "0:2coin")},
		{Name: "open behind a wall", As: visitor, Setup: vault(append(wall, open)...), Input: take, Want: `{"ok":false,"reason":"ent_9 is between ent_5 and ent_8: go round it"}`},
		{Name: "into a closed one", As: visitor, Setup: vault(), Input: `{"fromEntity":"ent_5","toEntity":"ent_8","itemId":"coin"}`, Want: closed},
		{Name: "by an author, closed and far away", Setup: vault(far), Input: take, Want: ok, Check: has("ent_5", "0:3coin")},
		{Name: "by nobody", As: visitor, Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			vault()(t, s, skilltest.Caller(t, "ann", visitor))
			s.Must(t, skilltest.Caller(t, "carl", skilltest.Builder), "scene.destroyEntity", `{"entity":"ent_5"}`)
		}, Input: `{"fromEntity":"ent_8","toEntity":"ent_4","itemId":"coin"}`, Err: `you have nothing to act with: agent.embody or player.spawn makes it`},
		{Name: "to a friend who is far away", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			vault()(t, s, p)
			s.Must(t, skilltest.Caller(t, "bob", visitor), "agent.embody", `{"position":[0,0,6]}`)
			s.Must(t, skilltest.Caller(t, "carl", skilltest.Builder), "inventory.create", `{"entity":"ent_9"}`)
		}, Input: `{"fromEntity":"ent_5","toEntity":"ent_9","itemId":"coin"}`, Want: `{"ok":false,"reason":"ent_9 is 5.3 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[0,0.85,2.9]} takes it there"}`},
		{Name: "from a friend", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			vault()(t, s, p)
			s.Must(t, skilltest.Caller(t, "bob", visitor), "agent.embody", `{"position":[0,0,1]}`)
		}, Input: `{"fromEntity":"ent_9","toEntity":"ent_5","itemId":"coin"}`, Code: registry.CodeForbidden, Err: `ent_9 is the body of another agent, bob, who alone acts with it: leave it out to act with your own, which agent.embody or player.spawn makes`},
	})
	skilltest.Run(t, all, "inventory.remove", []skilltest.Case{
		{Name: "closed", As: visitor, Setup: vault(), Input: `{"entity":"ent_8","itemId":"coin"}`, Want: closed, Check: has("ent_8", "0:2coin")},
		{Name: "open", As: visitor, Setup: vault(open), Input: `{"entity":"ent_8","itemId":"coin"}`, Want: ok, Check: has("ent_8", "0:1coin")},
		{Name: "far away", As: visitor, Setup: vault(open, far), Input: `{"entity":"ent_8","itemId":"coin"}`, Want: away},
		{Name: "one's own", As: visitor, Setup: vault(far), Input: `{"entity":"ent_5","itemId":"coin"}`, Want: ok},
	})
}

// TestWhoeverIsNear has two characters of one agent, of which the second is at the chest.
func TestWhoeverIsNear(t *testing.T) {
	s, bob := skilltest.New(t, all), skilltest.Caller(t, "bob", visitor)
	vault([2]string{"interaction.open", `{"entity":"ent_7"}`}, [2]string{"inventory.create", `{"entity":"ent_4"}`})(t, s, skilltest.Caller(t, "ann", visitor))
	s.Must(t, bob, "player.spawn", `{"position":[0,1,30]}`) // ent_9
	skilltest.Holds(t, "one who is far away", s.Must(t, bob, "inventory.transfer", `{"fromEntity":"ent_8","toEntity":"ent_4","itemId":"coin"}`),
		`{"ok":false,"reason":"ent_8 is 29.4 m away from ent_9, and 3 m is the most; player.move {\"entity\":\"ent_9\",\"forward\":1,\"yaw\":3.11} takes it there in 27 m, or navmesh.moveTo {\"entity\":\"ent_9\",\"target\":[0.9,1,3.01]}"}`)
	s.Must(t, bob, "player.spawn", `{"position":[0,1,2]}`)
	skilltest.Holds(t, "two", s.Must(t, bob, "inventory.transfer", `{"fromEntity":"ent_8","toEntity":"ent_4","itemId":"coin"}`), ok)
}
