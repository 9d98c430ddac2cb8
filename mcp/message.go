package mcp

import (
	"bytes"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// kind says what a well-formed message is.
type kind uint8

const (
	call         kind = iota // has an id and wants an answer
	notification             // has none and gets none
	response                 // answers a request of ours
)

// message is one vetted JSON-RPC message. Its slices point into the framer's buffer.
type message struct {
	wire.Envelope
	kind    kind
	way     Exchange         // where its answer goes; nil: to the connection, as all do there
	text    []byte           // all of it
	as      *binding         // what it is served as, once that is decided
	later   bool             // its answer comes later, from elsewhere
	reading registry.Reading // of a tool call's arguments

	// Of a tool call, beside its arguments; see terms.go:
	dryRun, ifRevision []byte
}

// vet takes one message apart. What it lets pass is well-formed by wire.md section 1; for anything
// else it returns the refusal, and in m.ID the id if there was a usable one.
//
// The common call is taken apart by wire.ParseEnvelope in one pass; vetting what that finds odd
// takes several, and does not matter. read may be nil.
func vet(text []byte, m *message, read func(name, text []byte, at int) (end int)) *rpcError {
	m.text = text
	if wire.ParseEnvelope(text, &m.Envelope, read) {
		m.kind = notification
		if m.ID != nil {
			m.kind = call
		}
		return nil
	}
	m.Envelope, m.reading = wire.Envelope{}, registry.Reading{}
	if err := wire.Valid(text); err != nil {
		return parseError(err)
	}
	text = bytes.TrimSpace(text)
	m.text = text
	switch text[0] {
	case '{':
		return m.read(text)
	case '[':
		return invalidRequest("arrays of messages are for sessions at 2025-03-26 only")
	default:
		return invalidRequest("a message is an object")
	}
}

// isBatch reports whether text, which may be anything, is to be read as a batch.
func isBatch(text []byte) bool {
	i := skipSpace(text, 0)
	return i < len(text) && text[i] == '['
}

// read fills m from a valid JSON object.
func (m *message) read(object []byte) *rpcError {
	var (
		twice            string // a member that is there twice; the id before others
		version, id      []byte
		method           []byte
		outcome, hasCall bool
	)
	once := func(key string, dst *[]byte, value []byte) {
		if *dst != nil && twice != "id" {
			twice = key
		}
		*dst = value
	}
	eachMember(object, func(key string, value []byte) bool {
		switch key {
		case "jsonrpc":
			once(key, &version, value)
		case "id":
			once(key, &id, value)
		case "method":
			once(key, &method, value)
			hasCall = true
		case "params":
			once(key, &m.Params, value)
		case "result", "error":
			outcome = true
		}
		return true
	})
	if twice == "id" {
		return invalidRequest("two members \"id\"")
	}
	if id != nil {
		if !isID(id) {
			return invalidRequest("id must be a string or an integer")
		}
		m.ID = id
	}
	if twice != "" {
		return invalidRequest("two members \"" + twice + "\"")
	}
	if v, _ := stringValue(version); v != "2.0" {
		return invalidRequest("jsonrpc must be \"2.0\"")
	}
	if !hasCall && outcome {
		m.kind = response
		return nil
	}
	name, ok := stringValue(method)
	if !ok || name == "" {
		return invalidRequest("method must be a string")
	}
	m.Method = []byte(name)
	m.kind = notification
	if m.ID != nil {
		m.kind = call
	}
	if string(m.Params) == "null" {
		m.Params = nil
	}
	return nil
}

// isID reports whether a JSON value may be the id of a request, or a token of its progress: a string or an integer.
func isID(value []byte) bool {
	return value[0] == '"' || isNumber(value) && isInteger(value)
}

func isNumber(value []byte) bool { return value[0] == '-' || value[0]-'0' <= 9 }

// slipsOf are the members of params without which, because they are misspelt, a call would be another one than is meant.
var slipsOf = []string{"arguments", "dryRun", "ifRevision"}

// split finds the parts of a tool call in its params, unless wire.ParseEnvelope already has.
func (m *message) split() *rpcError {
	if m.Name != nil {
		return nil
	}
	if e := m.needObject(); e != nil {
		return e
	}
	var problem, misnamed string
	seen := map[string]bool{}
	eachMember(m.Params, func(key string, value []byte) bool {
		if seen[key] {
			problem = "params: two members \"" + key + "\""
		}
		seen[key] = true
		switch key {
		case "name":
			name, ok := stringValue(value)
			if !ok {
				problem = "name: must be a string"
			}
			m.Name = []byte(name)
		case "arguments":
			m.Arguments = value
		case "_meta":
			m.Meta = value
		case "context":
			m.Context = value
		case "dryRun":
			m.dryRun = value
		case "ifRevision":
			m.ifRevision = value
		case "input", "args", "params", "parameters":
			misnamed = key
		default:
			switch near := wire.Slips(key, slipsOf, 1); {
			case len(near) == 0: // members that other versions and clients have
			case near[0] == "arguments":
				misnamed = key
			case problem == "":
				problem = clipped(key) + ": unknown member of params, did you mean \"" + near[0] + "\"? Native clients write it so, others as " + termPrefix + near[0] + " in _meta"
			}
		}
		return true
	})
	if misnamed != "" && m.Arguments == nil && problem == "" { // a call without them would lose what is meant
		problem = clipped(misnamed) + ": unknown member of params: what a tool takes goes into arguments"
	}
	if m.Name == nil && problem == "" {
		problem = "name: required; tools/list has the names"
	}
	if problem != "" {
		return invalidParams(problem)
	}
	return nil
}

// checkContext refuses a context that is no object, of native calls: it would be passed over. Standard MCP knows none, and null is none.
func (m *message) checkContext(isNative bool) *rpcError {
	if m.Context == nil || m.Context[0] == '{' || !isNative || string(m.Context) == "null" {
		return nil
	}
	return invalidParams(`context: must be an object, such as {"previousResults":[…]}; leave it out if there is none`)
}

// needObject refuses params that are no object. Absent ones count as an empty object.
func (m *message) needObject() *rpcError {
	if m.Params == nil {
		m.Params = []byte("{}")
	}
	if m.Params[0] != '{' {
		return invalidParams("params must be an object")
	}
	return nil
}

// stringParams returns the members of params that are strings. The error names one of the wanted
// members that is something else, is given twice, or is misspelt.
func (m *message) stringParams(wanted ...string) (map[string]string, *rpcError) {
	if e := m.needObject(); e != nil {
		return nil, e
	}
	found := map[string]string{}
	slips := map[string]string{} // what is perhaps meant by a key of another name
	var e *rpcError
	eachMember(m.Params, func(key string, value []byte) bool {
		if !slices.Contains(wanted, key) {
			for _, near := range wire.Slips(key, wanted, 1) {
				slips[near] = key
			}
		}
		for _, w := range wanted {
			if key != w {
				continue
			}
			s, ok := stringValue(value)
			if _, twice := found[key]; twice {
				e = invalidParams(key + ": given twice")
			} else if !ok {
				e = invalidParams(key + ": must be a string")
			}
			found[key] = s
		}
		return e == nil
	})
	for _, w := range wanted {
		_, there := found[w]
		if slip, ok := slips[w]; ok && !there && e == nil {
			e = invalidParams(clipped(slip) + ": unknown member, did you mean \"" + w + "\"?")
		}
	}
	return found, e
}

// member returns the text of one member of a valid JSON object, nil if it is absent or object is
// none. Of a key that is there twice the last one counts.
func member(object []byte, name string) (found []byte) {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	for at := 1; ; {
		at = skipTo(object, at, '"')
		if at < 0 {
			return found
		}
		end := skipValue(object, at)
		match := isString(object[at:end], name)
		at = skipSpace(object, skipTo(object, end, ':')+1)
		end = skipValue(object, at)
		if match {
			found = object[at:end]
		}
		at = end
	}
}

// isString reports whether a valid JSON string says s.
func isString(text []byte, s string) bool {
	inner := text[1 : len(text)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == s
	}
	said, _ := stringValue(text)
	return said == s
}
