package mcp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limina-mcp/limina/mcp"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
)

// checked is a Framer that holds every standard message that we send against the MCP JSON Schema
// of the version that was negotiated, and every tool result against the tool's own schema.
type checked struct {
	mcp.Framer
	t *testing.T

	mu      sync.Mutex                    // guards what follows
	asked   map[string][]asked            // by ids of requests
	adrift  bool                          // an initialize wanted no answer: who knows what is spoken
	tools   map[string]*jsonschema.Schema // output schemas, by the names of the tools
	version string                        // that was negotiated, "" while the session is native
	modern  bool                          // there was a claim of a version
	native  bool                          // there is a native session
	sent    int                           // messages that were checked
}

// asked is what a request is about.
type asked struct {
	method string
	tool   string
	claim  bool // of a version: it is of the modern era
}

func check(t *testing.T, f mcp.Framer) *checked {
	t.Helper()
	return &checked{Framer: f, t: t, asked: map[string][]asked{}, tools: map[string]*jsonschema.Schema{}}
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
	for _, m := range mcpfuzz.Messages(text) {
		// Maps, because a struct would take keys in any case.
		var req, params, meta map[string]json.RawMessage
		var method, tool string
		if json.Unmarshal(m, &req) != nil || json.Unmarshal(req["method"], &method) != nil {
			continue
		}
		if req["id"] == nil || string(req["id"]) == "null" {
			c.adrift = c.adrift || method == "initialize"
			continue
		}
		_ = json.Unmarshal(req["params"], &params) // what does not fit stays empty
		_ = json.Unmarshal(params["_meta"], &meta)
		_ = json.Unmarshal(params["name"], &tool)
		if method == "initialize" && (params["protocolVersion"] == nil || string(params["protocolVersion"]) == "null") {
			method = "native initialize"
		}
		claim := meta["io.modelcontextprotocol/protocolVersion"] != nil
		c.modern = c.modern || claim
		id := string(req["id"])
		c.asked[id] = append(c.asked[id], asked{method, tool, claim})
	}
	return text, err
}

// Write checks what is sent.
func (c *checked) Write(p []byte) error {
	c.mu.Lock()
	for line := range bytes.Lines(p) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			c.t.Errorf("wrote a line without its end: %q", line)
		}
		for _, m := range mcpfuzz.Messages(line) {
			c.message(m)
		}
	}
	c.mu.Unlock()
	return c.Framer.Write(p)
}

// about returns what an answer is about: the newest request of its id, and where that has been used again the newest of
// the era that the result is of.
func (c *checked) about(id, result json.RawMessage) (newest asked) {
	if bytes.Contains(result, []byte(`"io.modelcontextprotocol/subscriptionId":`)) {
		return asked{method: "subscriptions/listen", claim: true}
	}
	modern := bytes.Contains(result, []byte(`"resultType":`))
	for _, a := range c.asked[string(id)] {
		if newest.method == "" || newest.claim != modern || a.claim == modern {
			newest = a
		}
	}
	return newest
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
	about := c.about(m.ID, m.Result)
	if about.method == "initialize" && m.Result != nil {
		var r struct{ ProtocolVersion string }
		_ = json.Unmarshal(m.Result, &r)
		c.version, c.native, c.adrift = r.ProtocolVersion, false, false
	}
	if about.method == "native initialize" && m.Result != nil {
		c.version, c.native, c.adrift = "", true, false
	}
	version := c.version
	if c.adrift {
		return
	}
	switch {
	case about.claim || m.Method != "" && bytes.Contains(text, []byte(`"io.modelcontextprotocol/subscriptionId":`)):
		version = modern
	case version != "":
	case !c.modern || c.native:
		return
	case m.Method != "":
		version = modern
	default: // whoever has claimed a version is served as a legacy peer where he does not
		version = "2025-11-25"
	}
	c.sent++
	switch {
	case m.Method != "" && m.ID != nil:
		c.validate(version, "JSONRPCRequest", text)
		c.validate(version, "ServerRequest", text)
	case m.Method != "":
		c.notification(version, m.Method, text)
	case m.Error != nil && version >= "2025-11-25":
		c.validate(version, "JSONRPCErrorResponse", text)
		c.fault(version, text)
	case m.Error != nil && m.ID != nil: // without an id there was no valid form
		c.validate(version, "JSONRPCError", text)
	case m.Error != nil:
	default:
		if version == modern {
			c.validate(version, "JSONRPCResultResponse", text)
		} else {
			c.validate(version, "JSONRPCResponse", text)
		}
		c.result(version, about, m.Result)
	}
}

// modern is the version without a handshake.
const modern = "2026-07-28"

// notification checks a notification. A peer that speaks both eras is told things in either.
func (c *checked) notification(version, method string, text json.RawMessage) {
	c.validate(version, "JSONRPCNotification", text)
	if strings.HasPrefix(method, "state/") { // of an extension of ours
		return
	}
	if method == "notifications/tasks" {
		c.validate(tasksSchema, "TaskStatusNotification", text)
		return
	}
	c.validate(version, "ServerNotification", text)
}

// fault checks an error that has a form of its own.
func (c *checked) fault(version string, text json.RawMessage) {
	var m struct{ Error struct{ Code int } }
	_ = json.Unmarshal(text, &m)
	switch {
	case version == modern && m.Error.Code == -32021:
		c.validate(version, "MissingRequiredClientCapabilityError", text)
	case version == modern && m.Error.Code == -32022:
		c.validate(version, "UnsupportedProtocolVersionError", text)
	case m.Error.Code <= -32020 && m.Error.Code >= -32099:
		c.t.Errorf("a code that is reserved: %s", text)
	}
}

// tasksSchema is the schema of the tasks extension.
const tasksSchema = "ext-tasks-draft"

// resultNames are the definitions of the results of methods.
var resultNames = map[string]string{
	"initialize": "InitializeResult", "server/discover": "DiscoverResult", "ping": "EmptyResult", "logging/setLevel": "EmptyResult",
	"tools/list": "ListToolsResult", "tools/call": "CallToolResult", "subscriptions/listen": "SubscriptionsListenResult",
	"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult", "resources/read": "ReadResourceResult",
	"resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult",
	"prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult", "completion/complete": "CompleteResult",
}

// taskResults are those of the tasks extension.
var taskResults = map[string]string{"tasks/get": "GetTaskResult", "tasks/update": "UpdateTaskResult", "tasks/cancel": "CancelTaskResult"}

func (c *checked) result(version string, about asked, result json.RawMessage) {
	var r struct {
		ResultType string
		Meta       map[string]json.RawMessage `json:"_meta"`
	}
	_ = json.Unmarshal(result, &r)
	if (version == modern) != (r.ResultType != "") {
		c.t.Errorf("resultType %q in version %s: %s", r.ResultType, version, result)
	}
	if version == modern && r.Meta["io.modelcontextprotocol/serverInfo"] == nil {
		c.t.Errorf("a modern result without serverInfo: %s", result)
	}
	switch r.ResultType {
	case "", "complete":
	case "input_required":
		c.validate(version, "InputRequiredResult", result)
		return
	case "task":
		c.validate(tasksSchema, "CreateTaskResult", result)
		return
	default:
		c.t.Errorf("resultType %q: %s", r.ResultType, result)
	}
	if name := taskResults[about.method]; name != "" {
		c.validate(tasksSchema, name, result)
		return
	}
	if c.guides(about.method, result) {
		return
	}
	name := resultNames[about.method]
	if name == "" {
		c.t.Errorf("a result for the method %q: %s", about.method, result)
		return
	}
	c.validate(version, name, result)
	switch about.method {
	case "tools/list":
		c.noteTools(result)
	case "tools/call":
		c.checkResult(about.tool, result)
	}
}

// guides checks the results of the skills extension, for which there is no schema, and reports whether
// this is one.
func (c *checked) guides(method string, result json.RawMessage) bool {
	type cacheable struct {
		ResultType string         `json:"resultType"`
		Meta       map[string]any `json:"_meta"`
		TTL        *int           `json:"ttlMs"`
		Scope      string         `json:"cacheScope"`
		Next       string         `json:"nextCursor"`
	}
	type entry struct {
		URI         string
		Frontmatter map[string]any
		Resources   []struct {
			URI, Digest string
			Size        int
		}
	}
	var err error
	d := json.NewDecoder(bytes.NewReader(result))
	d.DisallowUnknownFields()
	switch method {
	case "skills/list":
		var r struct {
			cacheable
			Skills []entry `json:"skills"`
		}
		if err = d.Decode(&r); err == nil && (r.TTL == nil || r.Scope == "" || r.Skills == nil) {
			err = errors.New("something is missing")
		}
	case "skills/get":
		var r struct {
			cacheable
			Skill *entry `json:"skill"`
		}
		if err = d.Decode(&r); err == nil && (r.TTL == nil || r.Scope == "" || r.Next != "" || r.Skill == nil || len(r.Skill.Resources) == 0) {
			err = errors.New("something is missing")
		}
	case "resources/directory/read":
		var r struct {
			Resources []json.RawMessage
		}
		_ = json.Unmarshal(result, &r)
		for _, child := range r.Resources {
			c.validate(modern, "Resource", child)
		}
	default:
		return false
	}
	if err != nil {
		c.t.Errorf("the result of %s: %s: %v", method, result, err)
	}
	return true
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

func (c *checked) validate(version, definition string, text []byte) {
	schema, err := definitionOf(version, definition)
	if err != nil {
		c.t.Errorf("schema of %s: %v", definition, err)
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		c.t.Errorf("%s is no %s of %s: %v", text, definition, version, err)
	}
}

// definitions keeps compiled schemas: compiling one takes longer than most tests.
var definitions sync.Map

func definitionOf(version, name string) (*jsonschema.Schema, error) {
	under := "definitions"
	if version >= "2025-11-25" {
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
