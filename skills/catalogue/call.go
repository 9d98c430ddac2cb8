package catalogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// CallIn is the input of skills.call.
type CallIn struct {
	Name  string          `json:"name" jsonschema_description:"The skill's name, as skills.search gives it. Underscores may stand for its dots."`
	Input registry.Object `json:"input,omitempty" jsonschema_description:"The skill's input, as skills.describe shows it; leave it out if the skill needs none."`
}

// Call is skills.call. The inner skill runs as any call does, its permission checked and its event
// written, and commits together with this one. Its output is the output, and so are its errors.
func Call() registry.Skill {
	return registry.Define(registry.Spec[CallIn, registry.Object]{
		Name:  "skills.call",
		Title: "Call a skill",
		Description: "Call any skill that you may call, by name: also those that you are not shown as tools. The answer is that skill's " +
			"own. Find the name with skills.search and the fields of input with skills.describe. " +
			`Example: {"name":"scene.queryEntities","input":{"tag":"roof"}}.`,
		Category:    "system",
		Core:        true,
		Published:   true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Anything,
		Attaches:    true,
		Timeout:     -1, // the inner skill has one of its own
		Handle: func(c *registry.Call, in CallIn) (registry.Object, error) {
			out, err := c.Invoke(in.Name, in.Input)
			return registry.Object(out), err
		},
	})
}
