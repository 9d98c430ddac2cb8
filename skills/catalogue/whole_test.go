package catalogue_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/world"
)

// TestSearchTheCatalogue asks the whole catalogue what agents ask: what they need must be among the
// first three.
func TestSearchTheCatalogue(t *testing.T) {
	w := world.New(world.Config{})
	r := &rig{t, registry.New(registry.Options{Tick: w.Tick})}
	if err := r.reg.Register(skills.All(skills.Deps{World: w, Agents: agents.New(w)})...); err != nil {
		t.Fatal(err)
	}
	grants, err := profiles.Builtin().Resolve("builder.readWrite")
	if err != nil {
		t.Fatal(err)
	}
	builder := &profiles.Principal{ID: "ann", Session: "s1", Grants: grants}
	for query, want := range map[string]string{
		"screenshot":                         "scene.render",
		"take a picture":                     "scene.render",
		"camera":                             "scene.render",
		"save the world":                     "checkpoint.create",
		"parent":                             "scene.group",
		"wait":                               "physics.settle",
		"color":                              "three.setMaterial",
		"weather":                            "world.setWeather",
		"make it rain":                       "world.setWeather",
		"build a house with a roof":          "architecture.building",
		"house":                              "architecture.building",
		"move entity":                        "three.setTransform",
		"move an object to another place":    "scene.place",
		"rotate":                             "three.setTransform",
		"resize an object":                   "three.setTransform",
		"delete object":                      "scene.destroyEntity",
		"change the color of an entity":      "three.setMaterial",
		"colour":                             "three.setMaterial",
		"sun brightness":                     "three.setLighting",
		"find entities near a point":         "spatial.nearest",
		"create a box":                       "scene.createEntity",
		"speech bubble":                      "ui.speechBubble",
		"sign with text":                     "ui.label",
		"play a sound":                       "audio.play",
		"background music":                   "audio.playBGM",
		"time of day":                        "world.setTime",
		"night":                              "world.setTime",
		"where do newcomers spawn?":          "world.getSpawn",
		"what can I see around me, perceive": "agent.getPerception",
		"give me a body":                     "agent.embody",
		"why was my call denied":             "audit.explain",
		"summary of the world":               "scene.inspect",
		"add a tag to an entity":             "ecs.addComponent",
		"scene_inspect":                      "scene.inspect",
		"build two-storey house with windows and stairs": "architecture.building",
		"castle with four towers":                        "architecture.building",
		"which things float":                             "scene.validate",
		"overlapping objects":                            "scene.validate",
		"revert my last change":                          "world.undo",
		"load a scene":                                   "scene.import",
		"load a checkpoint":                              "checkpoint.load",
		"restore the saved world":                        "checkpoint.load",
		"save the scene to a file":                       "scene.export",
		"automatic door":                                 "trigger.create",
		"button press switch":                            "trigger.create",
		"finish line detect player":                      "trigger.create",
		"sound when touched":                             "trigger.create",
		"is there room":                                  "spatial.freeSpace",
	} {
		input, _ := json.Marshal(map[string]string{"query": query})
		found := strings.Fields(r.names(builder, "skills.search", string(input)))
		if !slices.Contains(found[:min(3, len(found))], want) {
			t.Errorf("%q finds %v, want %s among the first three", query, found, want)
		}
	}
}
