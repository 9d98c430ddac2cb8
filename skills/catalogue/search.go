package catalogue

import (
	"slices"
	"strings"

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
	Try        string     `json:"try,omitempty" jsonschema_description:"What to try, if nothing matches."`
}

// Search is skills.search. What it finds and in which order is described at index.rank.
func Search() registry.Skill {
	var newest kept[*index]
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
		Find: func(r *registry.Registry, words string, may func(registry.Skill) bool) []registry.Skill {
			return newest.get(r, indexOf).rank(meant(words), may)
		},
		Handle: func(c *registry.Call, in SearchIn) (SearchOut, error) {
			found := newest.get(c.Registry(), indexOf).rank(in.Query, func(k registry.Skill) bool {
				return k.Allowed(c.Principal().Grants) && (in.Category == "" || in.Category == k.Info().Category)
			})
			out := SearchOut{Matches: skillsOut(found[:min(in.Limit, len(found))])}
			if len(found) == 0 {
				out.Categories, out.Try = categories(permitted(c, registry.Filter{})), lost(c, in.Category)
			}
			return out, nil
		},
	})
}

// lost is what somebody may try who has found nothing in a category, "" for all of them.
func lost(c *registry.Call, category string) string {
	try := "try fewer or simpler words for what is there or what happens, such as trade, quest or door, or skills.browse with one of the categories"
	if k, ok := c.Registry().Lookup("scene.createEntity"); ok && k.Allowed(c.Principal().Grants) {
		try += ". A thing without a skill of its own is built: of parts by scene.createEntity, rows and rings of them by scene.array, many alike by prefab.define"
	}
	if category != "" {
		try = "leave category out, or " + try
	}
	return try
}

// meant is what to search for where a skill was called by a name that has these words, and that no skill has. Other
// programs' tools are called "get_scene_info", "set_color" or "scene_move_object": that something is set, or set in a scene, tells
// no skill from another, and what they get is asked for here. All words stay where they are all there is.
func meant(words string) string {
	said := strings.Fields(words)
	telling := func(w string) bool { return w != "set" && w != "get" }
	if n := len(said); n > 2 {
		said = slices.DeleteFunc(said, func(w string) bool { return w == "scene" })
	}
	rest := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return !telling(w) })
	if len(rest) == 0 {
		return words
	}
	if slices.Contains(said, "get") || slices.Contains(said, "list") {
		rest = append(rest, "query")
	}
	return strings.Join(rest, " ")
}
