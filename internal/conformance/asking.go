package main

import (
	"encoding/json"

	"github.com/limina-mcp/limina/registry"
)

// object returns a form's schema.
func object(properties, required string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`)
}

// nameForm asks for a name.
var nameForm = object(`"name":{"type":"string"}`, `"name"`)

// askingTools ask the client something, once.
func askingTools() []tool {
	elicit := func(about registry.Elicitation, answer string) func(*registry.Call, map[string]any) error {
		return func(c *registry.Call, in map[string]any) error {
			e := about
			if message, ok := in["message"].(string); ok {
				e.Message = message
			}
			got, err := c.Elicit(e)
			if err != nil {
				return err
			}
			return say(c, "%s: action=%s, content=%s", answer, got.Action, got.Content)
		}
	}
	return []tool{
		{
			name: "test_sampling", about: "Have the client's model say something.", slow: true,
			schema: `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`,
			run: func(c *registry.Call, in map[string]any) error {
				return sample(c, "", in["prompt"].(string), "LLM response")
			},
		},
		{
			name: "test_missing_capability", about: "Need a client that has a model.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error { return sample(c, "", "Hello", "LLM response") },
		},
		{
			name: "test_elicitation", about: "Ask the person at the client for a name and an address.", slow: true,
			schema: `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`,
			run: elicit(registry.Elicitation{Schema: object(
				`"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}`, `"username","email"`,
			)}, "User response"),
		},
		{
			name: "test_streaming_elicitation", about: "Ask the person at the client for a name.", slow: true,
			run: elicit(registry.Elicitation{Message: "What is your name?", Schema: nameForm}, "User response"),
		},
		{
			name: "test_elicitation_sep1034_defaults", about: "Ask for what has defaults.", slow: true,
			run: elicit(registry.Elicitation{Message: "Is this right?", Schema: object(
				`"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},`+
					`"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}`, ``,
			)}, "Elicitation completed"),
		},
		{
			name: "test_elicitation_sep1330_enums", about: "Ask for choices of every kind.", slow: true,
			run: elicit(registry.Elicitation{Message: "Which?", Schema: object(
				`"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},`+
					`"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},`+
					`"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},`+
					`"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},`+
					`"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}`, ``,
			)}, "Elicitation completed"),
		},
	}
}

// sample has the client's model answer a prompt.
func sample(c *registry.Call, key, prompt, answer string) error {
	got, err := c.Sample(registry.Sampling{
		Key: key, MaxTokens: 100, Messages: []registry.SamplingMessage{{Role: "user", Text: prompt}},
	})
	if err != nil {
		return err
	}
	return say(c, "%s: %s", answer, got.Text)
}
