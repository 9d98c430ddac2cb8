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
	for dir, held := range map[string][][]string{
		"2026-11-25-morning": {first}, // of eb17599, the first that kept worlds
		"2026-11-26-morning": {first, game},
		"2026-11-26-evening": {first, game}, // with its trace
		"2026-11-26-night":   {first, game, joints},
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
				for range 130 * (1 - round) {
					e.World.Step(t.Context())
				}
				e.World.View(func(v *world.View) {
					if v.Len() != 15 {
						t.Errorf("round %d: %d entities, want 15", round, v.Len())
					}
				})
				for _, calls := range held {
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
