package prompts

import (
	"fmt"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Build is the prompt "build".
func Build(w *world.World) registry.Prompt {
	return registry.DefinePrompt(registry.PromptSpec{
		Name: "build", Title: "Build something",
		Description: "Build something in the world: it is planned, built where there is room, checked and put right.",
		Permissions: builds,
		Arguments: []registry.Argument{
			{
				Name: "what", Description: "What to build: a word or a description.", Required: true,
				Complete: registry.Choices("a house", "a village square with four houses", "a bridge", "a watchtower", "a castle", "a garden with a pond", "an amphitheatre",
					"a market with stalls", "a playground", "a lighthouse on a rock", "a street with lamps", "a maze", "a temple", "a harbour with piers", "a treehouse"),
			},
			{
				Name: "style", Description: "How it is to look.",
				Complete: registry.Choices("rustic, wood and stone", "modern, concrete and glass", "medieval", "futuristic, metal", "ruined and overgrown", "snow-covered", "toy-like, bright colours"),
			},
			{Name: "near", Description: "Beside what: a tag or an entity's id. Without it, where there is room.", Complete: places(w)},
		},
		Get: func(c *registry.Call, a map[string]string) (registry.Prompted, error) {
			return begin(c, w, "Build "+a["what"]+".", buildTask(a["what"], a["style"], a["near"]))
		},
	})
}

func buildTask(what, style, near string) string {
	task := "Build " + what + " in the Limina world that is summed up above."
	if style != "" {
		task += " Style: " + style + "."
	}
	place := "Find room: if the world is empty, build around the origin; else beside what is there, without touching it (scene_queryEntities with near and radius)."
	if near != "" {
		place = fmt.Sprintf("It belongs beside %s: find it (%s), and build next to it without touching it.", where(near), find(near))
	}
	return task + steps(
		place,
		"Plan first: list the parts with sizes in metres and positions, and say the plan in a few lines. y is up, the ground is y = 0, a position is a centre.",
		"Build with as few calls as will do: architecture_building raises a whole house with windows; scene_createEntity adds a box, sphere, cylinder, cone or wedge, which scale stretches into walls, floors, posts and ramps; three_setMaterial dresses it; world_batch makes up to 500 such calls in one. skills_search finds what else there is.",
		"Give what belongs together one tag (ecs_addComponent, by skills_call or in world_batch), so that it is found again.",
		"Check: scene_render shows a picture, scene_validate what hovers or overlaps that should not, and how to repair it; scene_inspect with that tag shows bounds and count. Put right what is wrong.",
		"Tell in three sentences what stands where, with the tag.",
	)
}

// find is how to find a place.
func find(place string) string {
	if isID(place) {
		return "read limina://entity/" + place
	}
	return fmt.Sprintf(`scene_inspect {"tag":%q}`, place)
}
