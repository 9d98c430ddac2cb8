package main

import (
	"time"

	"github.com/limina-mcp/limina/registry"
)

// taskTools become tasks for clients that take tasks, all but the first.
func taskTools() []tool {
	return []tool{
		{
			name: "greet", about: "Greet somebody.",
			schema: `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`,
			run:    func(c *registry.Call, in map[string]any) error { return say(c, "Hello, %s!", in["name"]) },
		},
		{
			name: "slow_compute", about: "Compute for some seconds.", slow: true,
			schema: `{"type":"object","properties":{"seconds":{"type":"number"},"label":{"type":"string"}}}`,
			run: func(c *registry.Call, in map[string]any) error {
				seconds, _ := in["seconds"].(float64)
				if err := pause(c, time.Duration(seconds*float64(time.Second))); err != nil {
					return err
				}
				return say(c, "Computed %v for %v seconds.", in["label"], seconds)
			},
		},
		{
			name: "failing_job", about: "Fail after a second, as a task only.", slow: true, detach: registry.DetachAlways,
			run: func(c *registry.Call, _ map[string]any) error {
				if err := pause(c, time.Second); err != nil {
					return err
				}
				return registry.Failf("This job fails")
			},
		},
		{
			name: "protocol_error_job", about: "Break.", slow: true,
			run: func(*registry.Call, map[string]any) error { panic("this job breaks") },
		},
		{
			name: "confirm_delete", about: "Ask whether to delete a file.", slow: true,
			schema: `{"type":"object","properties":{"filename":{"type":"string"}},"required":["filename"]}`,
			run: func(c *registry.Call, in map[string]any) error {
				got, err := c.Elicit(registry.Elicitation{
					Message: "Delete " + in["filename"].(string) + "?", Schema: object(`"confirm":{"type":"boolean"}`, `"confirm"`),
				})
				if err != nil {
					return err
				}
				return say(c, "%s: %s", in["filename"], got.Content)
			},
		},
		{
			name: "multi_input", about: "Ask two things at once.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				name := registry.Elicitation{Message: "What is your name?", Schema: nameForm}
				color := registry.Elicitation{Message: "Which colour?", Schema: object(`"color":{"type":"string"}`, ``)}
				if err := c.Ask(&name, &color); err != nil {
					return err
				}
				return say(c, "%s, %s", name.Answered.Content, color.Answered.Content)
			},
		},
		{
			name: "test_tool_with_task", about: "Ask for a name, then go on as a task.", slow: true, detach: registry.DetachLate,
			run: func(c *registry.Call, _ map[string]any) error {
				got, err := c.Elicit(registry.Elicitation{Key: "user_name", Message: "What is your name?", Schema: nameForm})
				if err != nil {
					return err
				}
				c.Detach()
				if err := pause(c, step); err != nil {
					return err
				}
				return say(c, "Done, %s.", named(got))
			},
		},
	}
}
