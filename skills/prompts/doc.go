// Package prompts holds the ways to begin that people pick in their clients: build something, inspect
// and repair, take a tour. Each brings the world in short with it, so that a model need not ask first.
package prompts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// All returns the prompts of this package on w.
func All(w *world.World) []registry.Prompt {
	return []registry.Prompt{Build(w), Repair(w), Tour(w)}
}

// permissions of prompts that only look, and of those that end in building.
var (
	looks  = []profiles.Permission{"scene.read"}
	builds = []profiles.Permission{"scene.read", "scene.write"}
)

// begin returns a prompt of what the model is to do, after the world in short.
func begin(c *registry.Call, w *world.World, description, task string) (registry.Prompted, error) {
	s, err := world.Read(w, c, func(v *world.View) (scene.Summary, error) { return scene.Summarise(v), nil })
	if err != nil {
		return registry.Prompted{}, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return registry.Prompted{}, err
	}
	return registry.Prompted{Description: description, Messages: []registry.Message{
		{Role: registry.User, Content: registry.Embed(registry.Contents{URI: scene.SummaryURI, MIMEType: "application/json", Text: string(text)})},
		{Role: registry.User, Content: registry.Text(task)},
	}}, nil
}

// steps are numbered lines.
func steps(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "\n%d. %s", i+1, line)
	}
	return b.String()
}

// where says what an argument means that is a tag, an entity's id, or nothing.
func where(place string) string {
	switch {
	case place == "":
		return "the whole world"
	case isID(place):
		return "the surroundings of the entity " + place
	default:
		return fmt.Sprintf("everything with the tag %q", place)
	}
}

func isID(text string) bool {
	_, err := world.ParseID(text)
	return err == nil
}

// places completes an argument that is a tag or an entity's id: tags, those that most entities have
// first.
func places(w *world.World) registry.Completer {
	return func(ctx context.Context, p registry.Partial) (registry.Suggestions, error) {
		var counts map[string]int
		w.View(func(v *world.View) { counts = v.AllTags() })
		tags := make([]string, 0, len(counts))
		for tag := range counts {
			tags = append(tags, tag)
		}
		slices.SortFunc(tags, func(a, b string) int {
			if counts[a] != counts[b] {
				return counts[b] - counts[a]
			}
			return strings.Compare(a, b)
		})
		return registry.Choices(tags...)(ctx, p)
	}
}
