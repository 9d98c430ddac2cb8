package main

import (
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// anyone says that a fixture needs no permission.
var anyone = []profiles.Permission{profiles.Anyone}

// noInput is the schema of a tool without arguments.
const noInput = `{"type":"object","additionalProperties":false}`

// tool is a fixture that is a tool.
type tool struct {
	name, about string
	schema      string // default noInput
	slow        bool
	detach      registry.Detach
	run         func(c *registry.Call, in map[string]any) error
}

// skill returns the skill that is the tool. What it says it attaches.
func (t tool) skill() (registry.Skill, error) {
	if t.schema == "" {
		t.schema = noInput
	}
	return raw.Define(registry.RawSpec{
		Name: t.name, Description: t.about, Permissions: anyone, Effect: registry.Reads,
		Slow: t.slow, Detach: t.detach, Attaches: true, InputSchema: json.RawMessage(t.schema),
		Handle: func(c *registry.Call, input json.RawMessage) (json.RawMessage, error) {
			var in map[string]any
			if err := json.Unmarshal(input, &in); err != nil {
				return nil, err
			}
			return json.RawMessage(`{}`), t.run(c, in)
		},
	})
}

// allSkills returns every fixture that is a tool. Some change what is registered in reg.
func allSkills(reg *registry.Registry) ([]registry.Skill, error) {
	var skills []registry.Skill
	for _, tools := range [][]tool{contentTools(), runningTools(), changeTools(reg), headerTools(), askingTools(), roundTools(), taskTools()} {
		for _, t := range tools {
			k, err := t.skill()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
			skills = append(skills, k)
		}
	}
	return skills, nil
}

// say answers with a text.
func say(c *registry.Call, format string, args ...any) error {
	return c.Attach(registry.Text(fmt.Sprintf(format, args...)))
}
