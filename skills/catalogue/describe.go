package catalogue

import (
	"sync"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// DescribeIn is the input of skills.describe.
type DescribeIn struct {
	Name  string   `json:"name,omitempty" jsonschema_description:"The skill's name, as skills.search gives it. It, or names, is needed."`
	Names []string `json:"names,omitempty" validate:"omitempty,min=1,max=16" jsonschema_description:"The names of several skills, to have them described by one call."`
}

// all returns the names that are asked for.
func (in *DescribeIn) all() ([]string, error) {
	switch {
	case in.Names == nil && in.Name == "":
		return nil, registry.Invalidf("name: is required: the name of a skill; or give names, a list of up to 16")
	case in.Names == nil:
		return []string{in.Name}, nil
	case in.Name != "":
		return nil, registry.Invalidf("names: is instead of name: leave one of them out")
	}
	return in.Names, nil
}

// DescribeOut is the output of skills.describe: the skill, or the first of names.
type DescribeOut struct {
	DescribedOut
	Others  []DescribedOut `json:"others,omitempty" jsonschema_description:"The other skills of names, in order: the first one is described by the fields above."`
	Missing []Missing      `json:"missing,omitempty" jsonschema_description:"Those of names that are not described, where others are."`
}

// Missing is a skill that is not described.
type Missing struct {
	Name   string `json:"name" jsonschema_description:"The name that was given."`
	Reason string `json:"reason" jsonschema_description:"Why not, and which name may be meant."`
}

// DescribedOut is a skill that is described. Its schemas are shared, and not to be changed.
type DescribedOut struct {
	Name         string           `json:"name" jsonschema_description:"The skill's name, for skills.call."`
	Version      string           `json:"version" jsonschema_description:"The skill's semantic version."`
	Category     string           `json:"category" jsonschema_description:"The group that the skill belongs to."`
	Description  string           `json:"description" jsonschema_description:"What the skill does."`
	InputSchema  registry.Object  `json:"input_schema" jsonschema_description:"JSON Schema of the skill's input: every field, its type, limits and default. Numbers that say nothing else are within ±3.4e38, integers within ±(2^53-1)."`
	OutputSchema *registry.Object `json:"output_schema,omitempty" jsonschema_description:"JSON Schema of the skill's output, if it is known."`
}

// Describe is skills.describe. Of a skill that the caller may not call he is told what permission that takes.
func Describe() registry.Skill {
	var newest kept[*described]
	return registry.Define(registry.Spec[DescribeIn, DescribeOut]{
		Name:  "skills.describe",
		Title: "Describe a skill",
		Description: "Show how one skill is called: its version, what it does, and the JSON Schemas of its input and output. " +
			`Use it before the first skills.call of a skill; names has several described at once. Example: {"name":"scene.queryEntities"}.`,
		Category:    "system",
		Keywords:    "input schema parameter argument help",
		Core:        true,
		Published:   true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DescribeIn) (DescribeOut, error) {
			names, err := in.all()
			if err != nil {
				return DescribeOut{}, err
			}
			var out DescribeOut
			var first error
			done := newest.get(c.Registry(), func(*registry.Registry) *described { return new(described) })
			for _, name := range names {
				one, err := done.describe(c, name)
				if err != nil {
					if first == nil {
						first = err
					}
					out.Missing = append(out.Missing, Missing{name, registry.Said(err)})
					continue
				}
				if out.Name == "" {
					out.DescribedOut = one
				} else {
					out.Others = append(out.Others, one)
				}
			}
			if out.Name == "" {
				return DescribeOut{}, first
			}
			return out, nil
		},
	})
}

// described is skills that were described already: to make their schemas brief takes many times as long as the rest of a call.
type described struct{ all sync.Map } // of a registry.Skill: its DescribedOut

// describe describes one skill to a caller, or says why not.
func (d *described) describe(c *registry.Call, name string) (DescribedOut, error) {
	grants := c.Principal().Grants
	k, ok := c.Registry().Lookup(name)
	if !ok {
		return DescribedOut{}, c.Registry().Unknown(name, &grants)
	}
	if p, lacks := k.Lacks(grants); lacks {
		e := registry.Errorf(registry.CodeForbidden, "your profile, %s, may not call %s: it needs the permission %s", c.Principal().Profile, k.Name(), p)
		e.Missing = p
		return DescribedOut{}, e
	}
	if out, ok := d.all.Load(k); ok {
		return out.(DescribedOut), nil
	}
	out := describeOut(k)
	d.all.Store(k, out)
	return out, nil
}

func describeOut(k registry.Skill) DescribedOut {
	i := k.Info()
	out := DescribedOut{
		Name: i.Name, Version: i.Version, Category: i.Category, Description: i.Description,
		InputSchema: brief(k.InputSchema()),
	}
	if s := k.OutputSchema(); s != nil {
		short := brief(s)
		out.OutputSchema = &short
	}
	return out
}
