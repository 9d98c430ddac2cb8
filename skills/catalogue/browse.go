package catalogue

import (
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// BrowseIn is the input of skills.browse.
type BrowseIn struct {
	Category string `json:"category" jsonschema_description:"The category to list, as skills.search and skills.list name it."`
	Limit    int    `json:"limit,omitempty" validate:"omitempty,gte=1,lte=100" jsonschema:"default=50" jsonschema_description:"At most so many skills."`
}

// BrowseOut is the output of skills.browse.
type BrowseOut struct {
	Tools []SkillOut `json:"tools" jsonschema_description:"The category's skills, in the order of the catalogue."`
}

// Browse is skills.browse.
func Browse() registry.Skill {
	return registry.Define(registry.Spec[BrowseIn, BrowseOut]{
		Name:  "skills.browse",
		Title: "Browse a category",
		Description: "List the skills of one category that you may call. Use it to see what else there is beside a skill that you know; " +
			"with a category that does not exist it names those that do." +
			` Example: {"category":"physics"}`,
		Category:    "system",
		Core:        true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in BrowseIn) (BrowseOut, error) {
			skills := permitted(c, registry.Filter{Category: in.Category})
			if len(skills) == 0 || in.Category == "" {
				return BrowseOut{}, registry.Invalidf("category: you may call nothing in %q; the categories are %s",
					quote.Clip(in.Category), strings.Join(categories(permitted(c, registry.Filter{})), ", "))
			}
			return BrowseOut{Tools: skillsOut(skills[:min(in.Limit, len(skills))])}, nil
		},
	})
}

// categories returns the categories of skills in alphabetical order.
func categories(skills []registry.Skill) []string {
	var names []string
	for _, k := range skills {
		names = append(names, k.Info().Category)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
