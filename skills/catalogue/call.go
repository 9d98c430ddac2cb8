package catalogue

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// CallIn is the input of skills.call.
type CallIn struct {
	Name  string          `json:"name" jsonschema:"also=skill" jsonschema_description:"The skill's name, as skills.search gives it. Underscores may stand for its dots."`
	Input registry.Object `json:"input,omitempty" jsonschema:"also=arguments" jsonschema_description:"The skill's input, as skills.describe shows it; leave it out if the skill needs none."`

	DryRun     bool    `json:"dryRun,omitempty" jsonschema_description:"Only say what would happen; the world stays as it is. The answer is then {dryRun, revision, result, changes}."`
	IfRevision *uint64 `json:"ifRevision,omitempty" jsonschema_description:"A revision that you have seen: fail if the call changes something that somebody else has changed since."`
}

// Call is skills.call. The inner skill runs as any call does, its permission checked and its event
// written, and commits together with this one. Its output is the output, and so are its errors.
func Call() registry.Skill {
	return registry.Define(registry.Spec[CallIn, registry.Object]{
		Name:  "skills.call",
		Title: "Call a skill",
		Description: "Call any skill that you may call, by name: also those that you are not shown as tools. The answer is that skill's " +
			"own. Find the name with skills.search and the fields of input with skills.describe. With dryRun it only tells what it does, " +
			"with ifRevision it fails if somebody else has touched the same things since you looked. " +
			`Example: {"name":"scene.queryEntities","input":{"tag":"roof"}}.`,
		Category:    "system",
		Published:   true,
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Anything,
		Unreviewed:  true,
		Attaches:    true,
		Timeout:     -1, // the inner skill has one of its own
		Handle: func(c *registry.Call, in CallIn) (registry.Object, error) {
			if in.DryRun {
				return try(c, &in)
			}
			out, err := c.InvokeIf(in.IfRevision, in.Name, in.Input)
			return registry.Object(out), err
		},
	})
}

// tried is the output of a dry run.
type tried struct {
	DryRun   bool            `json:"dryRun"`
	Revision uint64          `json:"revision"` // that it was tried on
	Result   registry.Object `json:"result"`
	Changes  registry.Object `json:"changes"`
}

// try makes the call and takes it back.
func try(c *registry.Call, in *CallIn) (registry.Object, error) {
	out := tried{DryRun: true}
	changes, err := c.Rehearse(func() error {
		result, err := c.InvokeIf(in.IfRevision, in.Name, in.Input)
		out.Result = registry.Object(result)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Revision, out.Changes = c.Revision(), registry.Object(changes)
	return json.Marshal(out)
}
