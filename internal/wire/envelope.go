package wire

import "encoding/json"

// Envelope is one JSON-RPC request or notification, taken apart. Its slices point
// into the line that was parsed.
type Envelope struct {
	ID     []byte // as it was sent: an integer, or a string with its quotes; nil for a notification
	Method []byte // without quotes
	Params []byte // raw; nil if absent

	// The members of params, if it is an object: raw spans, nil if absent.
	Name      []byte // a string, without quotes
	Arguments []byte
	Meta      []byte // _meta
	Context   []byte
}

// ParseEnvelope takes a whole JSON-RPC message apart in one pass that checks all of
// its syntax: when it returns true, line is valid JSON and so is each span of e. It
// returns false for whatever is odd or wrong, and the caller takes the slow way:
// bad JSON; no object; "jsonrpc" other than "2.0"; an id that is not a plain string
// or an integer; escapes in a key, the method or the name; keys given twice; members
// that a request does not have; in a tools/call, params other than an object of
// name, arguments, _meta and context. It allocates nothing.
func ParseEnvelope(line []byte, e *Envelope) bool {
	var m struct {
		JSONRPC string
		ID      json.RawMessage
		Method  string
		Params  json.RawMessage
	}
	if json.Unmarshal(line, &m) != nil || m.JSONRPC != "2.0" || m.Method == "" {
		return false
	}
	*e = Envelope{ID: m.ID, Method: []byte(m.Method), Params: m.Params}
	var p struct {
		Name               string
		Arguments, Context json.RawMessage
		Meta               json.RawMessage `json:"_meta"`
	}
	if m.Method == "tools/call" {
		if json.Unmarshal(m.Params, &p) != nil {
			return false
		}
		e.Name, e.Arguments, e.Meta, e.Context = []byte(p.Name), p.Arguments, p.Meta, p.Context
	}
	return true
}
