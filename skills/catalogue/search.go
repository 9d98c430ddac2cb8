package catalogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// SearchIn is the input of skills.search.
type SearchIn struct {
	Query    string `json:"query" jsonschema_description:"What you want to do in a few words, or part of a name."`
	Category string `json:"category,omitempty" jsonschema_description:"Search only this category."`
	Limit    int    `json:"limit,omitempty" validate:"omitempty,gte=1,lte=100" jsonschema:"default=25" jsonschema_description:"At most so many matches."`
}

// SearchOut is the output of skills.search.
type SearchOut struct {
	Matches    []SkillOut `json:"matches" jsonschema_description:"The skills that match, best first. Empty if none does: try fewer or other words, or skills.browse with a category."`
	Categories []string   `json:"categories,omitempty" jsonschema_description:"The categories that there are, if nothing matches."`
}

// Search is skills.search. What it finds and in which order is described at index.rank.
func Search() registry.Skill {
	var newest indexes
	return registry.Define(registry.Spec[SearchIn, SearchOut]{
		Name:  "skills.search",
		Title: "Search skills",
		Description: "Find skills by what they do. Far more skills exist than you are shown as tools: search here first, then read a match's " +
			"input with skills.describe and run it with skills.call, which takes the name that a match has. The best match comes first. " +
			`Example: {"query":"set weather","limit":5}.`,
		Category:    "system",
		Core:        true,
		Published:   true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SearchIn) (SearchOut, error) {
			found := newest.get(c.Registry()).rank(in.Query, func(k registry.Skill) bool {
				return k.Allowed(c.Principal().Grants) && (in.Category == "" || in.Category == k.Info().Category)
			})
			out := SearchOut{Matches: skillsOut(found[:min(in.Limit, len(found))])}
			if len(found) == 0 {
				out.Categories = categories(permitted(c, registry.Filter{}))
			}
			return out, nil
		},
	})
}
