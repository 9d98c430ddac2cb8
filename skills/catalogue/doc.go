// Package catalogue holds the skills that find and call all others: skills.list, browse, search,
// describe and call.
//
// A client that is shown only a few tools reaches the whole registry through three of them:
// skills.search finds a skill by words, skills.describe shows its input, skills.call invokes it.
// None of the five knows of a skill that its caller may not call.
package catalogue

import "github.com/limina-mcp/limina/registry"

// All returns the skills of this package. They look into the registry that runs them.
func All() []registry.Skill {
	return []registry.Skill{List(), Describe(), Search(), Browse(), Call()}
}

// permitted returns the skills that the caller of c may call, in the order of their registration.
func permitted(c *registry.Call, f registry.Filter) []registry.Skill {
	f.Grants = &c.Principal().Grants
	return c.Registry().List(f)
}

// SkillOut is one skill in the answer to a search.
type SkillOut struct {
	Name        string `json:"name" jsonschema_description:"The name to give to skills.describe and skills.call."`
	Description string `json:"description" jsonschema_description:"What the skill does."`
	Category    string `json:"category" jsonschema_description:"The group that the skill belongs to."`
}

func skillOut(k registry.Skill) SkillOut {
	i := k.Info()
	return SkillOut{Name: i.Name, Description: i.Description, Category: i.Category}
}

func skillsOut(skills []registry.Skill) []SkillOut {
	out := make([]SkillOut, len(skills))
	for i, k := range skills {
		out[i] = skillOut(k)
	}
	return out
}
