package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/world"
)

// TestWorldsOfEarlierPrograms opens worlds that earlier programs have kept (docs/operations.md, "Versions", says how one is added), with what was
// going on in them. What was there is there, it goes on, and is there when it is opened again.
func TestWorldsOfEarlierPrograms(t *testing.T) {
	game := []string{ // skill, input, what the answer has
		"game.counter", `{"name":"c","action":"get"}`, `"value":1`,
		"inventory.list", `{"entity":"ent_2"}`, `"itemId":"hat","name":"Hat","quantity":2`,
		"stats.get", `{"entity":"ent_2","statName":"hp"}`, `"value":30,"maxValue":40`,
		"quest.list", `{"entity":"ent_2"}`, `"questId":"q","name":"Q","status":"active"`,
		"game.timer", `{"name":"bomb","action":"get"}`, `"remaining":495.`, // after 130 more steps of 1/60 s
		"cutscene.status", `{}`, `"playing":true,"id":"intro","startTick":1,`,
		"director.status", `{}`, `"running":true,"phase":"build_up"`,
	}
	// Before there were games.
	first := []string{
		"prefab.list", `{}`, `"name":"p"`,
		"checkpoint.list", `{}`, `"name":"start"`,
		"game.rules", `{}`, `something enters trg_0`,
	}
	joints := []string{"physics.joints", `{}`, `"entity":"ent_1","kind":"rope"`}
	images := []string{
		"scene.image", `{"hash":"6c427fd50b310152968c0f6798d06b7f213481ed6947c93cd74209c7d81de4cb"}`, `"mimeType":"image/png"`,
		"scene.createEntity", `{"material":"cobble"}`, `"entity":"ent_`,
		"world.undo", `{}`, `"changed":1`,
		"physics.joints", `{}`, `"entity":"ent_11","kind":"hinge"`,
		"physics.joints", `{}`, `"speed":2},{"entity":"ent_12","kind":"rope"`,
		"scene.queryEntities", `{"name":"house"}`, `"entity":"ent_8"`,
	}
	ways := []string{
		"navmesh.isReachable", `{"from":[0,0,-4],"to":[0,0,4]}`, `"reachable":true`, // by the door, which opens
		"navmesh.isReachable", `{"from":[-5,0,-4],"to":[-5,0,4]}`, `"reachable":true`,
		"ui.list", `{}`, `"handle":"ui_0"`,
		"physics.joints", `{}`, `"entity":"ent_7","kind":"slider"`,
		"world.claims", `{}`, `"holder":"ann"`,
	}
	forms := []string{
		"physics.raycast", `{"origin":[0,1.5,6],"direction":[0,0,-1]}`, `{"hit":false}`, // through the gate
		"physics.raycast", `{"origin":[2,1.5,6],"direction":[0,0,-1]}`, `"entity":"ent_0"`,
		"physics.raycast", `{"origin":[20,10,0],"direction":[0,-1,0]}`, `"distance":4.4`, // the ridge of the house
		"animation.getClipInfo", `{"entity":"ent_9"}`, `"ring"`,
	}
	models := []string{
		"physics.raycast", `{"origin":[2,3.5,8],"direction":[0,-0.3,-1]}`, `"entity":"ent_1"`, // the roof of a house in one mesh
		"physics.raycast", `{"origin":[3,1,2],"direction":[0,1,0]}`, `"distance":1.4`, // from its inside
		"scene.queryEntities", `{"entity":"ent_3","details":true}`, `"path":{"pathId":"line"`,
	}
	limits := []string{
		"game.timer", `{"name":"t","action":"get"}`, `"state":"done"`,
		"game.rules", `{}`, `"by":"eve"`,
	}
	for dir, kept := range map[string]struct {
		entities int
		walks    string // who is on the way to somewhere
		held     [][]string
	}{
		"2026-11-25-morning": {15, "", [][]string{first}}, // of eb17599, the first that kept worlds
		"2026-11-26-morning": {15, "", [][]string{first, game}},
		"2026-11-26-evening": {15, "", [][]string{first, game}}, // with its trace
		"2026-11-26-night":   {15, "", [][]string{first, game, joints}},
		"2026-11-27":         {13, "ent_10", [][]string{images}},
		"2026-11-29-evening": {10, "ent_9", [][]string{forms}}, // a gate, a hip roof, a wagon on its way along a path, with a zone
		"2026-11-30":         {5, "ent_3", [][]string{models}}, // a house in one mesh, a door on its way about its hinge, a tram that leans into bends
		"2026-11-30-evening": {1, "", [][]string{limits}},      // rules of who is banned, for which a bell rings on its way
		"2026-11-29":         {9, "ent_5", [][]string{ways}},   // a grid that follows the world, a door on its way, a lift with somebody on it
	} {
		t.Run(dir, func(t *testing.T) {
			home := t.TempDir()
			if err := os.CopyFS(home, os.DirFS("testdata/worlds/"+dir)); err != nil {
				t.Fatal(err)
			}
			for round := range 2 {
				e, err := engine.New(engine.Config{})
				if err != nil {
					t.Fatal(err)
				}
				if err := e.Keep(home); err != nil {
					t.Fatal(err)
				}
				at := func() (p world.Vec3) {
					e.World.View(func(v *world.View) {
						if id, err := world.ParseID(kept.walks); err == nil {
							p, _ = v.Position(id)
						}
					})
					return p
				}
				before := at()
				for range 130 * (1 - round) {
					e.World.Step(t.Context())
				}
				if walked := at().Dist(before); walked < 0.1 && round == 0 && kept.walks != "" {
					t.Errorf("%s has come %v m far", kept.walks, walked)
				}
				e.World.View(func(v *world.View) {
					if v.Len() != kept.entities {
						t.Errorf("round %d: %d entities, want %d", round, v.Len(), kept.entities)
					}
				})
				for _, calls := range kept.held {
					for ; len(calls) > 0; calls = calls[3:] {
						res := operator(t, e, calls[0], calls[1])
						if res.Err != nil || !strings.Contains(string(res.Output), calls[2]) {
							t.Errorf("round %d: %s: %s, %v; want %s in it", round, calls[0], res.Output, res.Err, calls[2])
						}
					}
				}
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
