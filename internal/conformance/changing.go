package main

import (
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// changeTools change what is listed.
func changeTools(reg *registry.Registry) []tool {
	extraTool := tool{name: "test_sometimes", about: "Be there sometimes.", run: func(c *registry.Call, _ map[string]any) error {
		return say(c, "I am here now.")
	}}
	extraPrompt := registry.PromptSpec{
		Name: "test_sometimes", Description: "Be there sometimes.", Permissions: anyone,
		Get: func(*registry.Call, map[string]string) (registry.Prompted, error) {
			return words("I am here now."), nil
		},
	}
	var mu sync.Mutex // one change at a time
	return []tool{
		{
			name: "test_trigger_tool_change", about: "Add a tool, or take it away.",
			run: func(c *registry.Call, _ map[string]any) error {
				mu.Lock()
				defer mu.Unlock()
				if reg.Unregister(extraTool.name) {
					return say(c, "A tool has gone.")
				}
				k, err := extraTool.skill()
				if err == nil {
					err = reg.Register(k)
				}
				if err != nil {
					return err
				}
				return say(c, "A tool has come.")
			},
		},
		{
			name: "test_trigger_prompt_change", about: "Add a prompt, or take it away.",
			run: func(c *registry.Call, _ map[string]any) error {
				mu.Lock()
				defer mu.Unlock()
				if reg.Prompts().Unregister(extraPrompt.Name) {
					return say(c, "A prompt has gone.")
				}
				if err := reg.Prompts().Register(registry.DefinePrompt(extraPrompt)); err != nil {
					return err
				}
				return say(c, "A prompt has come.")
			},
		},
	}
}

// headerTools take arguments that come as headers too.
func headerTools() []tool {
	return []tool{{
		name: "test_x_mcp_header", about: "Take a region, which a client also sends as a header.",
		schema: `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"query":{"type":"string"}},"required":["region"]}`,
		run:    func(c *registry.Call, in map[string]any) error { return say(c, "region=%v", in["region"]) },
	}}
}
