package main

import (
	"fmt"

	"github.com/limina-mcp/limina/registry"
)

// resources are the fixtures that are read.
func resources() []registry.Resource {
	read := func(contents registry.Contents) func(*registry.Call, registry.Place) ([]registry.Contents, error) {
		return func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
			contents.URI = at.URI
			return []registry.Contents{contents}, nil
		}
	}
	unchanged := func(registry.Place, func()) (stop func(), err error) { return func() {}, nil }
	specs := []registry.ResourceSpec{
		{
			URI: "test://static-text", Name: "static-text", Description: "A text.", MIMEType: "text/plain",
			Read: read(registry.Contents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}),
		},
		{
			URI: "test://static-binary", Name: "static-binary", Description: "An image.", MIMEType: "image/png",
			Read: read(registry.Contents{MIMEType: "image/png", Blob: redPixel()}),
		},
		{
			URI: "test://watched-resource", Name: "watched-resource", Description: "A text to subscribe to.", MIMEType: "text/plain",
			Read: read(registry.Contents{MIMEType: "text/plain", Text: "Watched."}), Watch: unchanged,
		},
		{
			URI: "test://template/{id}/data", Name: "template", Description: "Data for each id.", MIMEType: "application/json",
			Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
				id := at.Var("id")
				return []registry.Contents{{
					URI: at.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
				}}, nil
			},
		},
	}
	var list []registry.Resource
	for _, s := range specs {
		s.Permissions = anyone
		list = append(list, registry.DefineResource(s))
	}
	return list
}

// words is a prompt of one message.
func words(format string, args ...any) registry.Prompted {
	return registry.Prompted{Messages: []registry.Message{{Role: registry.User, Content: registry.Text(fmt.Sprintf(format, args...))}}}
}

// prompts are the fixtures that a person begins with.
func prompts() []registry.Prompt {
	specs := []registry.PromptSpec{
		{
			Name: "test_simple_prompt", Description: "A prompt without arguments.",
			Get: func(*registry.Call, map[string]string) (registry.Prompted, error) {
				return words("This is a simple prompt for testing."), nil
			},
		},
		{
			Name: "test_prompt_with_arguments", Description: "A prompt with two arguments.",
			Arguments: []registry.Argument{
				{Name: "arg1", Description: "First test argument", Required: true, Complete: registry.Choices("paris", "parma", "testaccio")},
				{Name: "arg2", Description: "Second test argument", Required: true},
			},
			Get: func(_ *registry.Call, a map[string]string) (registry.Prompted, error) {
				return words("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"]), nil
			},
		},
		{
			Name: "test_prompt_with_embedded_resource", Description: "A prompt that holds a resource.",
			Arguments: []registry.Argument{{Name: "resourceUri", Description: "URI of the resource to embed", Required: true}},
			Get: func(_ *registry.Call, a map[string]string) (registry.Prompted, error) {
				p := words("Please process the embedded resource above.")
				embedded := registry.Embed(registry.Contents{URI: a["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."})
				p.Messages = append([]registry.Message{{Role: registry.User, Content: embedded}}, p.Messages...)
				return p, nil
			},
		},
		{
			Name: "test_prompt_with_image", Description: "A prompt that holds an image.",
			Get: func(*registry.Call, map[string]string) (registry.Prompted, error) {
				p := words("Please analyze the image above.")
				p.Messages = append([]registry.Message{{Role: registry.User, Content: registry.Image("image/png", redPixel())}}, p.Messages...)
				return p, nil
			},
		},
		{
			Name: "test_input_required_result_prompt", Description: "A prompt that asks for its context.", Slow: true,
			Get: func(c *registry.Call, _ map[string]string) (registry.Prompted, error) {
				got, err := c.Elicit(registry.Elicitation{
					Key: "user_context", Message: "What context should the prompt use?", Schema: object(`"context":{"type":"string"}`, `"context"`),
				})
				if err != nil {
					return registry.Prompted{}, err
				}
				return words("Use this context: %s", got.Content), nil
			},
		},
	}
	var list []registry.Prompt
	for _, s := range specs {
		s.Permissions = anyone
		list = append(list, registry.DefinePrompt(s))
	}
	return list
}
