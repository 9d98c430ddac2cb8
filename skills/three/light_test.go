package three_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

func TestSetLight(t *testing.T) {
	const plain = `{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[2,2,2]`
	lit := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		one(t, s, p)
		s.Must(t, p, "three.setLight", `{"entity":"ent_0","kind":"spot","range":30}`)
	}
	skilltest.Run(t, skills, "three.setLight", []skilltest.Case{
		{
			Name: "a lamp", Setup: one, Input: `{"entity":"ent_0"}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"point","color":16769212,"intensity":1,"range":12}}`),
		},
		{
			Name: "a spot", Setup: one, Input: `{"entity":"ent_0","kind":"spot","color":255,"intensity":2,"range":50,"angle":0.5}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"spot","color":255,"intensity":2,"range":50,"angle":0.5}}`),
		},
		{
			Name: "another one", Setup: lit, Input: `{"entity":"ent_0","color":255}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"spot","color":255,"intensity":1,"range":30,"angle":0.8}}`),
		},
		{
			Name: "of another kind", Setup: lit, Input: `{"entity":"ent_0","kind":"point","intensity":0}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"point","color":16769212,"intensity":0,"range":30}}`),
		},
		{Name: "off", Setup: lit, Input: `{"entity":"ent_0","kind":"off"}`, Want: `{"ok":true}`, Check: shows(plain + `}`)},
		{Name: "nobody", Setup: one, Input: `{"entity":"ent_9"}`, Err: "unknown entity ent_9; the nearest are ent_0"},
	})
	skilltest.Needs(t, skills, "three.setLight", `{"entity":"ent_0"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}
