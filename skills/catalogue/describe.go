package catalogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// DescribeIn is the input of skills.describe.
type DescribeIn struct {
	Name string `json:"name" jsonschema_description:"The skill's name, as skills.search gives it."`
}

// DescribeOut is the output of skills.describe.
type DescribeOut struct {
	Name         string           `json:"name" jsonschema_description:"The skill's name, for skills.call."`
	Version      string           `json:"version" jsonschema_description:"The skill's semantic version."`
	Category     string           `json:"category" jsonschema_description:"The group that the skill belongs to."`
	Description  string           `json:"description" jsonschema_description:"What the skill does."`
	InputSchema  registry.Object  `json:"input_schema" jsonschema_description:"JSON Schema of the skill's input: every field, its type, limits and default. Numbers that say nothing else are within ±3.4e38, integers within ±(2^53-1)."`
	OutputSchema *registry.Object `json:"output_schema,omitempty" jsonschema_description:"JSON Schema of the skill's output, if it is known."`
}

// Describe is skills.describe. A skill that the caller may not call is unknown to him.
func Describe() registry.Skill {
	return registry.Define(registry.Spec[DescribeIn, DescribeOut]{
		Name:  "skills.describe",
		Title: "Describe a skill",
		Description: "Show how one skill is called: its version, what it does, and the JSON Schemas of its input and output. " +
			`Use it before the first skills.call of a skill. Example: {"name":"scene.queryEntities"}.`,
		Category:    "system",
		Keywords:    "input schema parameter argument help",
		Core:        true,
		Published:   true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DescribeIn) (DescribeOut, error) {
			grants := c.Principal().Grants
			k, ok := c.Registry().Lookup(in.Name)
			if !ok || !k.Allowed(grants) {
				return DescribeOut{}, c.Registry().Unknown(in.Name, &grants)
			}
			return describeOut(k), nil
		},
	})
}

func describeOut(k registry.Skill) DescribeOut {
	i := k.Info()
	out := DescribeOut{
		Name: i.Name, Version: i.Version, Category: i.Category, Description: i.Description,
		InputSchema: brief(k.InputSchema()),
	}
	if s := k.OutputSchema(); s != nil {
		short := brief(s)
		out.OutputSchema = &short
	}
	return out
}
