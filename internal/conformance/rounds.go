package main

import (
	"encoding/json"

	"github.com/limina-mcp/limina/registry"
)

// named reads the name out of what was filled in.
func named(e registry.Elicited) string {
	var form struct{ Name string }
	_ = json.Unmarshal(e.Content, &form) // of the right form, or empty
	return form.Name
}

// roundTools ask the client for input by keys, in one round or in more.
func roundTools() []tool {
	const prefix = "test_input_required_result_"
	userName := registry.Elicitation{Key: "user_name", Message: "What is your name?", Schema: nameForm}
	confirm := registry.Elicitation{Key: "confirm", Message: "Please confirm", Schema: object(`"ok":{"type":"boolean"}`, `"ok"`)}
	confirmed := func(c *registry.Call, _ map[string]any) error {
		if _, err := c.Elicit(confirm); err != nil {
			return err
		}
		return say(c, "state-ok")
	}
	return []tool{
		{
			name: prefix + "elicitation", about: "Ask for a name.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				got, err := c.Elicit(userName)
				if err != nil {
					return err
				}
				return say(c, "Hello, %s!", named(got))
			},
		},
		{
			name: prefix + "sampling", about: "Have the client's model answer a question.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				return sample(c, "capital_question", "What is the capital of France?", "The model says")
			},
		},
		{
			name: prefix + "list_roots", about: "Ask for the places that the client works in.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				q := registry.RootsQuestion{Key: "client_roots"}
				if err := c.Ask(&q); err != nil {
					return err
				}
				return say(c, "Roots: %v", q.Answered)
			},
		},
		{name: prefix + "request_state", about: "Ask for a confirmation.", slow: true, run: confirmed},
		{name: prefix + "tampered_state", about: "Ask for a confirmation.", slow: true, run: confirmed},
		{
			name: prefix + "multiple_inputs", about: "Ask for three things at once.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				name, roots := userName, registry.RootsQuestion{Key: "client_roots"}
				greeting := registry.Sampling{Key: "greeting", MaxTokens: 50, Messages: []registry.SamplingMessage{{Role: "user", Text: "Generate a greeting"}}}
				if err := c.Ask(&name, &greeting, &roots); err != nil {
					return err
				}
				return say(c, "%s %s, from %v", greeting.Answered.Text, named(name.Answered), roots.Answered)
			},
		},
		{
			name: prefix + "multi_round", about: "Ask for a name, then for a colour.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				name, err := c.Elicit(registry.Elicitation{Key: "step1", Message: "Step 1: What is your name?", Schema: nameForm})
				if err != nil {
					return err
				}
				color, err := c.Elicit(registry.Elicitation{
					Key: "step2", Message: "Step 2: What is your favorite color?", Schema: object(`"color":{"type":"string"}`, `"color"`),
				})
				if err != nil {
					return err
				}
				return say(c, "%s: %s", named(name), color.Content)
			},
		},
		{
			name: prefix + "capabilities", about: "Ask for what the client can answer.", slow: true,
			run: func(c *registry.Call, _ map[string]any) error {
				var questions []registry.Question
				if c.Can(registry.AskForm) {
					e := userName
					questions = append(questions, &e)
				}
				if c.Can(registry.AskSample) {
					questions = append(questions, &registry.Sampling{
						Key: "greeting", MaxTokens: 50, Messages: []registry.SamplingMessage{{Role: "user", Text: "Generate a greeting"}},
					})
				}
				if err := c.Ask(questions...); err != nil {
					return err
				}
				return say(c, "%d questions were answered", len(questions))
			},
		},
	}
}
