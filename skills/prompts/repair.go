package prompts

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Repair is the prompt "repair".
func Repair(w *world.World) registry.Prompt {
	return registry.DefinePrompt(registry.PromptSpec{
		Name: "repair", Title: "Inspect and repair",
		Description: "Look for what is wrong in a part of the world, say what it is, and put it right.",
		Permissions: builds,
		Arguments: []registry.Argument{
			{Name: "where", Description: "Which part: a tag or an entity's id. Without it, the whole world.", Complete: places(w)},
			{
				Name: "fault", Description: "What seems to be wrong, if you know.",
				Complete: registry.Choices("something hovers", "things overlap", "a gap in a wall", "the door is blocked", "the colours do not match", "parts are missing", "it is too dark"),
			},
		},
		Get: func(c *registry.Call, a map[string]string) (registry.Prompted, error) {
			return begin(c, w, "Inspect and repair "+where(a["where"])+".", repairTask(a["where"], a["fault"]))
		},
	})
}

func repairTask(place, fault string) string {
	task := "Inspect and repair " + where(place) + " in the Limina world that is summed up above."
	if fault != "" {
		task += " Reported: " + fault + "."
	}
	look := "Look at what is there: scene_inspect for the whole, scene_queryEntities for positions, and read limina://entity/{id} of what is suspicious."
	if place != "" {
		look = "Look at what is there: " + find(place) + ", then scene_queryEntities for positions, and read limina://entity/{id} of what is suspicious."
	}
	return task + steps(
		look,
		"List the faults with ids and numbers (scene_validate finds many of them, with repairs; scene_render shows a picture): what hovers above the ground or above what should carry it, what overlaps, gaps between parts that should meet, wrong sizes or colours, what was forgotten.",
		"Others build here too: change only what is part of this, and remove nothing unless it is surely a mistake.",
		"Put the faults right one by one, with the smallest change that will do: three_setTransform, three_setMaterial, scene_createEntity for what is missing.",
		"Check again, and go on until nothing is left that you can see.",
		"Report: what was wrong, what you changed (ids), what you left and why.",
	)
}
