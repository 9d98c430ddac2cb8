package prompts

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Tour is the prompt "tour".
func Tour(w *world.World) registry.Prompt {
	return registry.DefinePrompt(registry.PromptSpec{
		Name: "tour", Title: "Take a tour",
		Description: "Be shown round the world: what stands where, from place to place, as if one walked there.",
		Permissions: looks,
		Arguments: []registry.Argument{
			{Name: "from", Description: "Where to begin: a tag or an entity's id. Without it, where those who come in stand at first.", Complete: places(w)},
			{Name: "length", Description: "How much to see.", Complete: registry.Choices("short: three stops", "medium: six stops", "long: all there is")},
		},
		Get: func(c *registry.Call, a map[string]string) (registry.Prompted, error) {
			return begin(c, w, "A tour of the world.", tourTask(a["from"], a["length"]))
		},
	})
}

func tourTask(from, length string) string {
	start := "Begin where those who come in stand at first: world.getSpawn by way of skills_call tells the place; if you may not ask, begin at the middle of the bounds."
	if from != "" {
		start = "Begin at " + where(from) + ": " + find(from) + "."
	}
	if length == "" {
		length = "medium: six stops"
	}
	return "Take me on a tour of the Limina world that is summed up above. Length: " + length + "." + steps(
		start,
		"Choose the stops by the tags and the sample above, near ones first, so that the way makes sense on foot. scene_queryEntities with a tag, or with near and radius, finds what belongs to a stop.",
		"At each stop say in two or three sentences what one sees: shapes, sizes, colours, what stands beside it. Read limina://entity/{id} for details. Invent nothing.",
		"Say from stop to stop how far it is, in metres, and in which direction: along +x, -z and so on.",
		"Change nothing. At the end offer three things that could be built next, and where.",
	)
}
