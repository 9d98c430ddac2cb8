package main

import (
	"context"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// step is how long fixtures pause between what they tell.
const step = 50 * time.Millisecond

// runningTools tell something while they run.
func runningTools() []tool {
	return []tool{
		{
			name: "test_tool_with_progress", about: "Report progress.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				for _, done := range []float64{0, 50, 100} {
					c.Progress(done, 100, "")
					if err := pause(c, step); err != nil {
						return err
					}
				}
				return say(c, "Progress was reported.")
			},
		},
		{
			name: "test_tool_with_logging", about: "Log three messages.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
					c.Log(registry.LevelInfo, text)
					if err := pause(c, step); err != nil {
						return err
					}
				}
				return say(c, "Three messages were logged.")
			},
		},
		{
			name: "test_logging_tool", about: "Log a message, for those who asked for messages.",
			run: func(c *registry.Call, _ map[string]any) error {
				c.Log(registry.LevelInfo, "A message")
				return say(c, "A message was logged.")
			},
		},
		{
			name: "test_reconnection", about: "Take so long that the stream of the answer is broken off before.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				if err := pause(c, 2*time.Second); err != nil {
					return err
				}
				return say(c, "The client has come back.")
			},
		},
	}
}

// pause waits, unless the call is cancelled.
func pause(c *registry.Call, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-c.Context().Done():
		return context.Cause(c.Context())
	}
}
