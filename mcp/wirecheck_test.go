package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limina-mcp/limina/mcp"
)

// checked is a Framer that holds every standard message that we send against the MCP JSON Schema
// of the version that was negotiated, and every tool result against the tool's own schema.
type checked struct {
	mcp.Framer
	t *testing.T

	mu      sync.Mutex // guards what follows
	methods map[string]string
	tools   map[string]*jsonschema.Schema // output schemas, by the names of the tools
	called  map[string]string             // tool names, by ids of calls
	version string                        // "" while the session is native
	sent    int                           // messages that were checked
}

func check(t *testing.T, f mcp.Framer) *checked {
	t.Helper()
	return &checked{
		Framer: f, t: t, methods: map[string]string{}, tools: map[string]*jsonschema.Schema{}, called: map[string]string{},
	}
}

// negotiated returns the version that is spoken, "" if it is the native dialect.
func (c *checked) negotiated() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Next notes which id asks for what.
func (c *checked) Next() ([]byte, error) {
	text, err := c.Framer.Next()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range messages(text) {
		var req struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name            string
				ProtocolVersion *string
			}
		}
		if json.Unmarshal(m, &req) != nil || req.ID == nil {
			continue
		}
		method := req.Method
		if method == "initialize" && req.Params.ProtocolVersion == nil {
			method = "native initialize"
		}
		c.methods[string(req.ID)] = method
		c.called[string(req.ID)] = req.Params.Name
	}
	return text, err
}

// messages takes a batch apart.
func messages(text []byte) []json.RawMessage {
	var batch []json.RawMessage
	if json.Unmarshal(text, &batch) == nil {
		return batch
	}
	return []json.RawMessage{text}
}

// Write checks what is sent.
func (c *checked) Write(p []byte) error {
	c.mu.Lock()
	for line := range bytes.Lines(p) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			c.t.Errorf("wrote a line without its end: %q", line)
		}
		for _, m := range messages(line) {
			c.message(m)
		}
	}
	c.mu.Unlock()
	return c.Framer.Write(p)
}

func (c *checked) message(text json.RawMessage) {
	var m struct {
		ID     json.RawMessage
		Method string
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(text, &m); err != nil {
		c.t.Errorf("sent what is no JSON: %s: %v", text, err)
		return
	}
	method := c.methods[string(m.ID)]
	if method == "initialize" && m.Result != nil {
		var r struct{ ProtocolVersion string }
		_ = json.Unmarshal(m.Result, &r)
		c.version = r.ProtocolVersion
	}
	if method == "native initialize" && m.Result != nil {
		c.version = ""
	}
	if c.version == "" {
		return
	}
	c.sent++
	latest := c.version == "2025-11-25"
	switch {
	case m.Method != "":
		c.validate("JSONRPCNotification", text)
		c.validate("ServerNotification", text)
	case m.Error != nil && latest:
		c.validate("JSONRPCErrorResponse", text)
	case m.Error != nil && m.ID != nil: // without an id there was no valid form
		c.validate("JSONRPCError", text)
	case m.Error != nil:
	default:
		c.validate("JSONRPCResponse", text)
		c.result(method, c.called[string(m.ID)], m.Result)
	}
}

func (c *checked) result(method, tool string, result json.RawMessage) {
	switch method {
	case "initialize":
		c.validate("InitializeResult", result)
	case "tools/list":
		c.validate("ListToolsResult", result)
		c.noteTools(result)
	case "tools/call":
		c.validate("CallToolResult", result)
		c.checkResult(tool, result)
	case "ping":
		c.validate("EmptyResult", result)
	default:
		c.t.Errorf("a result for the method %q: %s", method, result)
	}
}

// noteTools holds the tools against the rules that clients impose and keeps their output schemas.
func (c *checked) noteTools(result json.RawMessage) {
	var list struct {
		Tools []struct {
			Name         string
			Description  string
			InputSchema  json.RawMessage
			OutputSchema json.RawMessage
		}
	}
	_ = json.Unmarshal(result, &list)
	for _, tool := range list.Tools {
		if tool.Description == "" || strings.ContainsFunc(tool.Name, notInNames) || len(tool.Name) > 48 {
			c.t.Errorf("tool %q: bad name or no description", tool.Name)
		}
		for what, schema := range map[string]json.RawMessage{"input": tool.InputSchema, "output": tool.OutputSchema} {
			if schema == nil {
				continue
			}
			for _, word := range []string{`"$ref"`, `"$schema"`, `"$defs"`} {
				if bytes.Contains(schema, []byte(word)) {
					c.t.Errorf("tool %s: the %s schema has %s, which clients refuse: %s", tool.Name, what, word, schema)
				}
			}
			compiled, err := compileText(string(schema))
			if err != nil {
				c.t.Errorf("tool %s: %s schema: %v", tool.Name, what, err)
			}
			if what == "output" {
				c.tools[tool.Name] = compiled
			}
		}
	}
}

func notInNames(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", r)
}

// checkResult holds a tool's result against its output schema and its text against its structure.
func (c *checked) checkResult(tool string, result json.RawMessage) {
	var r struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	_ = json.Unmarshal(result, &r)
	if r.IsError {
		return
	}
	if r.StructuredContent == nil {
		if c.tools[tool] != nil || len(r.Content) == 0 {
			c.t.Errorf("%s: a result without structuredContent: %s", tool, result)
		}
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.StructuredContent))
	if err != nil {
		c.t.Errorf("%s: structuredContent: %v", tool, err)
	}
	same, err := jsonschema.UnmarshalJSON(strings.NewReader(r.Content[0].Text))
	if err != nil || fmt.Sprint(v) != fmt.Sprint(same) {
		c.t.Errorf("%s: the text says %s, the structure %s", tool, r.Content[0].Text, r.StructuredContent)
	}
	if schema := c.tools[tool]; schema != nil {
		if err := schema.Validate(v); err != nil {
			c.t.Errorf("%s: the result breaks the tool's schema: %v", tool, err)
		}
	}
}

func (c *checked) validate(definition string, text []byte) {
	schema, err := definitionOf(c.version, definition)
	if err != nil {
		c.t.Errorf("schema of %s: %v", definition, err)
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		c.t.Errorf("%s is no %s of %s: %v", text, definition, c.version, err)
	}
}

// definitions keeps compiled schemas: compiling one takes longer than most tests.
var definitions sync.Map

func definitionOf(version, name string) (*jsonschema.Schema, error) {
	under := "definitions"
	if version == "2025-11-25" {
		under = "$defs"
	}
	path, err := filepath.Abs(filepath.Join("testdata", "schema", version+".json"))
	if err != nil {
		return nil, err
	}
	key := path + "#/" + under + "/" + name
	if s, ok := definitions.Load(key); ok {
		return s.(*jsonschema.Schema), nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	s, err := jsonschema.NewCompiler().Compile(key)
	if err == nil {
		definitions.Store(key, s)
	}
	return s, err
}

func compileText(text string) (*jsonschema.Schema, error) {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:tool.json", v); err != nil {
		return nil, err
	}
	return c.Compile("mem:tool.json")
}
