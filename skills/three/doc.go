// Package three holds the skills that place and dress what is drawn: three.setTransform,
// three.setMaterial, three.setLighting and three.setLight. Their words are those of three.js; nothing is drawn here,
// viewers do that.
package three

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/behind"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w;
// places are what stays where it was when a group is moved.
func All(w *world.World, places ...behind.Places) []registry.Skill { return On(w, nil, places...) }

// On is All in a world in which things go by themselves: goes says what of that may not be meant where one is moved, "" if nothing; nil for never.
func On(w *world.World, goes func(v *world.View, id world.ID) string, places ...behind.Places) []registry.Skill {
	return []registry.Skill{SetTransform(w, goes, places...), SetMaterial(w), SetLighting(w), SetLight(w)}
}

// Done is the output of the skills of this package.
type Done struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}
