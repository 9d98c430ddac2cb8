package client

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
)

// Request is a call of a skill.
type Request struct {
	Name      string
	Arguments any // what becomes a JSON object; nil is {}

	// PreviousResults, if there are any, are handed to the skill as they are.
	PreviousResults []json.RawMessage

	// DryRun has the call only tried out: the answer is what it would be, and says what would change.
	DryRun bool
	// IfRevision, if set, has the call fail if it changes something that somebody else has changed since.
	IfRevision *uint64

	// Progress, if set, is told how far a skill says that it has come, by the goroutine that waits in Do: never after Do has returned, and of what
	// comes while it runs the newest only. The call is under way meanwhile: what Progress calls itself is one more of Options.MaxCalls,
	// and where all are under way waits for ever.
	Progress func(Progress)
}

// Progress is how far a call has come. It only grows.
type Progress struct {
	Value   float64 `json:"progress"`
	Total   float64 `json:"total,omitempty"` // what Value comes to in the end; 0: the skill does not know
	Message string  `json:"message,omitempty"`
}

// Response is what became of a call that succeeded.
type Response struct {
	Result   json.RawMessage `json:"result"`
	Content  []Content       `json:"content,omitempty"` // what the skill attached, for people and models to look at
	Changes  json.RawMessage `json:"changes,omitempty"` // of a dry run: what the call would change; docs/building.md has its members
	Metadata Metadata        `json:"metadata"`
}

// Content is something that a skill attached to its answer.
type Content struct {
	Type     string    `json:"type"` // "text", "image", "audio", "resource" or "resource_link"
	Text     string    `json:"text,omitempty"`
	Data     []byte    `json:"data,omitempty"` // of an image or a sound
	MIMEType string    `json:"mimeType,omitempty"`
	Resource *Contents `json:"resource,omitempty"`
	URI      string    `json:"uri,omitempty"` // of a link
	Name     string    `json:"name,omitempty"`
}

// Contents is what a resource holds: a text, or bytes.
type Contents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitempty"`
	Text     string `json:"text,omitempty"`
	Blob     []byte `json:"blob,omitempty"`
}

// Metadata says what a call has cost and caused.
type Metadata struct {
	ExecutionTimeMs float64  `json:"executionTimeMs"`
	EventsEmitted   []string `json:"eventsEmitted"`
	Intent          uint64   `json:"intent"`             // what [Update.CausedBy] refers to
	Revision        uint64   `json:"revision,omitempty"` // with DryRun or IfRevision: for the next IfRevision
}

// Call calls a skill with in as its arguments, and decodes its result into out, a pointer. Both may be nil; out may be
// a *json.RawMessage. What the server refuses is an [*Error]; what cannot be sent, or decoded into, is no call.
//
// Call waits while there is no connection. If the connection is lost before the answer has come, the
// error is [ErrLost]. If ctx ends first, the server is told that nobody wants the answer any more;
// whether the call was carried out is not known.
func (c *Client) Call(ctx context.Context, name string, in, out any) error {
	if v := reflect.ValueOf(out); out != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return fmt.Errorf("client: the result of %s goes into a pointer, got %T", name, out)
	}
	r, err := c.Do(ctx, Request{Name: name, Arguments: in})
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(r.Result, out); err != nil {
		return fmt.Errorf("the result of %s: %w", name, err)
	}
	return nil
}

// Do is Call for those who want to know all of the answer.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	type callContext struct {
		PreviousResults []json.RawMessage `json:"previousResults"`
	}
	type meta struct {
		ProgressToken uint64 `json:"progressToken"`
	}
	params := struct {
		Name       string       `json:"name"`
		Arguments  any          `json:"arguments,omitempty"`
		Context    *callContext `json:"context,omitempty"`
		DryRun     bool         `json:"dryRun,omitempty"`
		IfRevision *uint64      `json:"ifRevision,omitempty"`
		Meta       *meta        `json:"_meta,omitempty"`
	}{Name: r.Name, Arguments: r.Arguments, DryRun: r.DryRun, IfRevision: r.IfRevision}
	if r.PreviousResults != nil {
		params.Context = &callContext{r.PreviousResults}
	}
	var p *progress
	if r.Progress != nil {
		p = c.follow(r.Progress)
		defer c.unfollow(p)
		params.Meta = &meta{p.token}
	}
	response := new(Response)
	if err := c.requestTelling(ctx, "tools/call", r.Name, params, response, p); err != nil {
		return nil, err
	}
	return response, nil
}

// Tool is a skill as lists show it.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"` // JSON Schema, draft 7
	Category    string          `json:"category"`
	Priority    string          `json:"priority"`
}

// List returns the skills that the session may call.
func (c *Client) List(ctx context.Context) ([]Tool, error) {
	var result struct {
		Tools []Tool `json:"tools"`
	}
	err := c.request(ctx, "tools/list", "tools/list", nil, &result)
	return result.Tools, err
}

// Ping returns when the server has answered.
func (c *Client) Ping(ctx context.Context) error {
	return c.request(ctx, "ping", "ping", nil, nil)
}

// request makes a request and decodes its result into out, which may be nil. what names it in errors.
func (c *Client) request(ctx context.Context, method, what string, in, out any) error {
	return c.requestTelling(ctx, method, what, in, out, nil)
}

// requestTelling is request for a call whose progress is told, unless p is nil.
func (c *Client) requestTelling(ctx context.Context, method, what string, in, out any, p *progress) error {
	var params []byte
	if in != nil {
		var err error
		if params, err = json.Marshal(in); err != nil {
			return fmt.Errorf("client: the arguments of %s: %w", what, err)
		}
	}
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("%s: %w, with MaxCalls under way", what, ctx.Err())
	}
	defer func() { <-c.slots }()
	for {
		a, err := c.try(ctx, method, params, p)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", what, err)
		case hopeless(a): // so it would be again
			return fmt.Errorf("%s: not carried out: %w", what, a.lost)
		case a.unsent:
			continue
		case a.lost != nil:
			return fmt.Errorf("%s: %w: %w", what, ErrLost, a.lost)
		case a.refused != nil:
			return fmt.Errorf("%s: %w", what, a.refused)
		case out == nil:
			return nil
		}
		if err := json.Unmarshal(a.result, out); err != nil {
			return fmt.Errorf("the answer to %s: %w", what, err)
		}
		return nil
	}
}

// try makes a request on the connection that there is, or the next one, and tells p, if that is not nil, while it waits.
func (c *Client) try(ctx context.Context, method string, params []byte, p *progress) (answer, error) {
	l, err := c.acquire(ctx, nil)
	if err != nil {
		return answer{}, err
	}
	done := make(chan answer, 1)
	id, ok := l.ask(method, params, func(a answer) { done <- a })
	if !ok {
		select {
		case <-l.gone:
			return answer{unsent: true}, nil
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
	}
	for {
		select {
		case a := <-done:
			p.tellLast()
			return a, nil
		case at := <-p.news():
			p.tell(at)
		case <-ctx.Done():
			l.forget(id)
			return answer{}, ctx.Err()
		}
	}
}
