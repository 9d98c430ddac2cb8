package catalogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// ListIn is the input of skills.list.
type ListIn struct {
	Mode string `json:"mode,omitempty" validate:"omitempty,oneof=bootstrap full" jsonschema:"default=full" jsonschema_description:"bootstrap lists the few core skills to begin with, full lists every skill that you may call."`
}

// ListOut is the output of skills.list.
type ListOut struct {
	Tools []ToolOut `json:"tools" jsonschema_description:"The skills, in the order of the catalogue."`
}

// ToolOut is one skill in the answer of skills.list.
type ToolOut struct {
	Name        string `json:"name" jsonschema_description:"The name to give to skills.describe and skills.call."`
	Description string `json:"description" jsonschema_description:"What the skill does."`
	Category    string `json:"category,omitempty" jsonschema_description:"The group that the skill belongs to, for skills.browse."`
	Priority    string `json:"priority,omitempty" validate:"omitempty,oneof=core standard" jsonschema_description:"core for the skills to begin with, standard for the others."`
}

// List is skills.list.
func List() registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:  "skills.list",
		Title: "List skills",
		Description: "List the skills that you may call. Mode bootstrap lists only the core ones; full lists all, which is long: " +
			"to find one skill among many, use skills.search instead.",
		Category:    "system",
		Keywords:    "help what can do",
		Core:        true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ListIn) (ListOut, error) {
			skills := permitted(c, registry.Filter{Core: in.Mode == "bootstrap"})
			out := ListOut{Tools: make([]ToolOut, len(skills))}
			for i, k := range skills {
				out.Tools[i] = toolOut(k.Info())
			}
			return out, nil
		},
	})
}

func toolOut(i registry.Info) ToolOut {
	t := ToolOut{Name: i.Name, Description: i.Description, Category: i.Category, Priority: "standard"}
	if i.Core {
		t.Priority = "core"
	}
	return t
}
