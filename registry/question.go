package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Elicitation asks the person at the client: to fill in a form, or to visit an address.
type Elicitation struct {
	Key     string // tells it from other questions of the call, see [Question]
	Message string // what the person reads; required

	// Schema is what the form asks for: a flat JSON Schema of type object, whose properties are
	// strings, numbers, booleans, enumerations and lists of their words, with the keywords that MCP has for
	// them. Never ask for a secret in a form.
	Schema json.RawMessage

	// URL is an address to visit instead, where a form will not do.
	URL string

	Answered Elicited // once it is answered
}

// Elicited is what a person answered.
type Elicited struct {
	Action  Action
	Content json.RawMessage // what was filled in, an object; only if a form was accepted
}

// Accepted reports whether the person agreed.
func (e Elicited) Accepted() bool { return e.Action == Accept }

// Action is what a person did with a question.
type Action string

// The actions.
const (
	Accept  Action = "accept"  // agreed, and filled in the form
	Decline Action = "decline" // said no
	Cancel  Action = "cancel"  // did not say
)

// Kind implements [Question].
func (e *Elicitation) Kind() QuestionKind {
	if e.URL != "" {
		return AskURL
	}
	return AskForm
}

// Name implements [Question].
func (e *Elicitation) Name() string { return e.Key }

// Method implements [Question].
func (*Elicitation) Method() string { return "elicitation/create" }

// Params implements [Question].
func (e *Elicitation) Params() (json.RawMessage, error) {
	if e.URL != "" {
		return json.Marshal(struct {
			Mode    string `json:"mode"`
			Message string `json:"message"`
			URL     string `json:"url"`
		}{"url", e.Message, e.URL})
	}
	if len(e.Schema) == 0 {
		return nil, errors.New("an elicitation needs a Schema or a URL")
	}
	if _, err := readForm(e.Schema); err != nil { // before somebody fills it in
		return nil, fmt.Errorf("the form's own schema: %w", err)
	}
	return json.Marshal(struct {
		Message string          `json:"message"`
		Schema  json.RawMessage `json:"requestedSchema"`
	}{e.Message, e.Schema})
}

// Answer implements [Question].
func (e *Elicitation) Answer(said json.RawMessage) error {
	var a struct {
		Action  Action          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(said, &a); err != nil {
		return errors.New("must be an object with action and content")
	}
	switch a.Action {
	case Decline, Cancel:
		a.Content = nil
	case Accept:
		if e.URL != "" {
			a.Content = nil
			break
		}
		f, err := readForm(e.Schema)
		if err != nil {
			return fmt.Errorf("the form's own schema: %w", err)
		}
		if len(a.Content) == 0 {
			a.Content = json.RawMessage("{}")
		}
		if err := f.check(a.Content); err != nil {
			return fmt.Errorf("content: %w", err)
		}
	default:
		return fmt.Errorf("action: must be accept, decline or cancel, got %q", a.Action)
	}
	e.Answered = Elicited(a)
	return nil
}

// Sampling has the client's model write something.
type Sampling struct {
	Key       string // tells it from other questions of the call, see [Question]
	System    string // may be empty
	Messages  []SamplingMessage
	MaxTokens int // at least 1

	Answered Sampled // once it is answered
}

// SamplingMessage is one message of a [Sampling].
type SamplingMessage struct {
	Role string // "user" or "assistant"
	Text string
}

// Sampled is what the client's model wrote.
type Sampled struct {
	Model      string
	Role       string
	Text       string // "" if it is no text
	StopReason string
	Content    json.RawMessage // as it came
}

// Kind implements [Question].
func (*Sampling) Kind() QuestionKind { return AskSample }

// Name implements [Question].
func (s *Sampling) Name() string { return s.Key }

// Method implements [Question].
func (*Sampling) Method() string { return "sampling/createMessage" }

// Params implements [Question].
func (s *Sampling) Params() (json.RawMessage, error) {
	type text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	type message struct {
		Role    string `json:"role"`
		Content text   `json:"content"`
	}
	if len(s.Messages) == 0 || s.MaxTokens < 1 {
		return nil, errors.New("a sampling needs Messages and MaxTokens")
	}
	messages := make([]message, len(s.Messages))
	for i, m := range s.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return nil, fmt.Errorf("the role of a message is user or assistant, not %q", m.Role)
		}
		messages[i] = message{m.Role, text{"text", m.Text}}
	}
	return json.Marshal(struct {
		Messages  []message `json:"messages"`
		System    string    `json:"systemPrompt,omitempty"`
		MaxTokens int       `json:"maxTokens"`
	}{messages, s.System, s.MaxTokens})
}

// Answer implements [Question].
func (s *Sampling) Answer(said json.RawMessage) error {
	var a struct {
		Model      string          `json:"model"`
		Role       string          `json:"role"`
		StopReason string          `json:"stopReason"`
		Content    json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(said, &a); err != nil || len(a.Content) == 0 || a.Content[0] != '{' && a.Content[0] != '[' {
		return errors.New("must be an object with role, content and model")
	}
	var text struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(a.Content, &text) != nil { // an array of blocks: whoever asked takes Content
		text.Text = ""
	}
	s.Answered = Sampled{Model: a.Model, Role: a.Role, Text: text.Text, StopReason: a.StopReason, Content: a.Content}
	return nil
}

// RootsQuestion asks the client which places it works in.
type RootsQuestion struct {
	Key      string // tells it from other questions of the call, see [Question]
	Answered []Root // once it is answered
}

// Root is a place that a client works in.
type Root struct {
	URI  string `json:"uri"`
	Name string `json:"name,omitempty"`
}

// Kind implements [Question].
func (*RootsQuestion) Kind() QuestionKind { return AskRoots }

// Name implements [Question].
func (q *RootsQuestion) Name() string { return q.Key }

// Method implements [Question].
func (*RootsQuestion) Method() string { return "roots/list" }

// Params implements [Question].
func (*RootsQuestion) Params() (json.RawMessage, error) { return json.RawMessage("{}"), nil }

// Answer implements [Question].
func (q *RootsQuestion) Answer(said json.RawMessage) error {
	var a struct {
		Roots []Root `json:"roots"`
	}
	if err := json.Unmarshal(said, &a); err != nil || a.Roots == nil || slices.ContainsFunc(a.Roots, func(r Root) bool { return r.URI == "" }) {
		return errors.New("must be an object with roots, an array of {uri, name}")
	}
	q.Answered = a.Roots
	return nil
}
