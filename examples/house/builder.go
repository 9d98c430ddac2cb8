package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	args = map[string]any
	vec  [3]float64
)

func (v vec) String() string { return fmt.Sprintf("(%.1f, %.1f, %.1f)", v[0], v[1], v[2]) }

// builder calls tools and tells what it does.
type builder struct {
	session *mcp.ClientSession
	out     io.Writer
}

func (b *builder) say(format string, a ...any) { fmt.Fprintf(b.out, format+"\n", a...) }

// refusal is the text of a call that the server refused.
type refusal string

func (r refusal) Error() string { return string(r) }

// call calls a tool and stores its structured result in result, if that is not nil.
func (b *builder) call(ctx context.Context, tool string, in args, result any) error {
	_, err := b.show(ctx, tool, in, result)
	return err
}

// show is call for a tool that answers with something to look at: it returns that too.
func (b *builder) show(ctx context.Context, tool string, in args, result any) ([]mcp.Content, error) {
	res, err := b.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	if res.IsError {
		return nil, fmt.Errorf("%s: %w", tool, refusal(text(res)))
	}
	b.say("  %s %s", tool, compact(in))
	if result == nil {
		return res.Content, nil
	}
	if res.StructuredContent == nil { // there is a picture: then the result is a text beside it
		return res.Content, json.Unmarshal([]byte(text(res)), result)
	}
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	return res.Content, json.Unmarshal(data, result)
}

// callCorrecting calls a tool; if its input is refused, it does what the error says and calls again.
func (b *builder) callCorrecting(ctx context.Context, tool string, in args, result any) error {
	err := b.call(ctx, tool, in, result)
	if err == nil {
		return nil
	}
	b.say("  %s %s\n    refused: %v", tool, compact(in), err)
	if !correct(in, err.Error()) {
		return err
	}
	b.say("  The error says what is allowed. Once more:")
	return b.call(ctx, tool, in, result)
}

var (
	complaint  = regexp.MustCompile(`(\w+): must be [^;\n]*`)
	didYouMean = regexp.MustCompile(`did you mean "([^"]+)"`)
	upperBound = regexp.MustCompile(`(?:at most|to) (-?[0-9.]+)`)
)

// correct changes in as an error message asks for, and reports whether it could.
func correct(in args, message string) bool {
	corrected := false
	for _, m := range complaint.FindAllStringSubmatch(message, -1) {
		field, text := m[1], m[0]
		if word := didYouMean.FindStringSubmatch(text); word != nil {
			in[field], corrected = word[1], true
		} else if bound := upperBound.FindStringSubmatch(text); bound != nil {
			limit, err := strconv.ParseFloat(strings.TrimSuffix(bound[1], "."), 64)
			if err == nil {
				in[field], corrected = limit/10, true // allowed, and still a roof
			}
		}
	}
	return corrected
}

func text(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

func compact(in args) string {
	data, err := json.Marshal(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
