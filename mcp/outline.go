package mcp

import (
	"slices"
)

// Kind is what a message is to a transport.
type Kind uint8

// The kinds.
const (
	KindMalformed    Kind = iota // no message of JSON-RPC
	KindRequest                  // wants an answer
	KindNotification             // wants none
	KindResponse                 // answers a request of the server's
	KindBatch                    // an array of messages, each of any kind
)

// Outline is what a transport has to know of a message that has other ways than the message to say the
// same, as HTTP has its headers. It is good until the text that was read is overwritten.
type Outline struct {
	Kind    Kind
	Opens   bool   // it is the request that begins a session
	Claims  bool   // it says for itself which version of MCP it speaks: it is of the modern era
	Version string // which
	Listens bool   // it is a request that stays open: what is told on it is its answer

	text    []byte
	message message
	problem *rpcError // of what is Malformed
}

// Read takes a message apart.
func (o *Outline) Read(text []byte) {
	*o = Outline{text: text}
	if isBatch(text) {
		o.Kind = KindBatch
		return
	}
	m := &o.message
	if o.problem = vet(text, m, nil); o.problem != nil {
		return
	}
	o.Kind = [...]Kind{call: KindRequest, notification: KindNotification, response: KindResponse}[m.kind]
	if m.kind == response {
		return
	}
	if m.Name == nil {
		m.Meta = member(m.Params, "_meta")
	}
	version := member(m.Meta, versionKey)
	if o.Claims = version != nil; o.Claims {
		o.Version, _ = stringValue(version)
	}
	o.Opens = !o.Claims && string(m.Method) == "initialize"
	o.Listens = o.Claims && m.kind == call && string(m.Method) == "subscriptions/listen"
}

// Modern reports whether a version is of the era in which each message stands for itself.
func Modern(version string) bool { return slices.Contains(modernVersions, version) }

// Legacy reports whether a version is of the era of sessions.
func Legacy(version string) bool { return slices.Contains(standardVersions, version) }

// The codes of errors that transports look at or make.
const (
	CodeParse              = codeParse
	CodeInvalidRequest     = codeInvalidRequest
	CodeNoMethod           = codeNoMethod
	CodeInvalidParams      = codeInvalidParams
	CodeInternal           = codeInternal
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = codeCapability
	CodeUnsupportedVersion = codeVersion
)

// Refuse returns the answer of a transport that does not hand the message on, and its code. What is
// Malformed is told that.
func (o *Outline) Refuse(code int, message string) (answer []byte, sent int) {
	e := &rpcError{code: code, message: message}
	if o.problem != nil {
		e = o.problem
	}
	var id []byte
	if o.Kind == KindRequest || o.Kind == KindMalformed {
		id = o.message.ID
	}
	return append(e.append(appendHead(nil, id)), '}'), e.code
}

// RefuseUnclaimed is Refuse for a message of which only its transport says that it is modern.
func (o *Outline) RefuseUnclaimed() (answer []byte, sent int) {
	if o.Kind != KindRequest {
		return o.Refuse(codeInvalidRequest, "Invalid Request: want one request or notification; there is nothing to respond to")
	}
	return o.Refuse(codeInvalidParams, "_meta: "+versionKey+": required; "+capabilitiesKey+" too")
}

// Mirror is a header that has to repeat a value of a modern message.
type Mirror struct {
	Header  string
	Value   string // what the message says
	Absent  bool   // the message says nothing, and the header must not either
	Integer bool   // it is compared as a number
	Coded   bool   // the header may be encoded
}

// AppendMirrors appends the headers that a modern message has to come with.
func (m *Mcp) AppendMirrors(dst []Mirror, o *Outline) []Mirror {
	msg := &o.message
	if o.Kind != KindRequest {
		return dst
	}
	dst = append(dst, Mirror{Header: "Mcp-Method", Value: string(msg.Method)})
	if name, ok := nameIn(msg); ok {
		dst = append(dst, Mirror{Header: "Mcp-Name", Value: name, Coded: true})
	}
	if string(msg.Method) == "tools/call" {
		dst = m.appendParams(dst, msg)
	}
	return dst
}

// nameIn returns what a request is about, if its method is about something that has a name.
func nameIn(m *message) (name string, ok bool) {
	var key string
	switch string(m.Method) {
	case "tools/call":
		if m.Name != nil {
			return string(m.Name), true
		}
		key = "name"
	case "prompts/get":
		key = "name"
	case "resources/read":
		key = "uri"
	case "tasks/get", "tasks/update", "tasks/cancel":
		key = "taskId"
	default:
		return "", false
	}
	return stringValue(member(m.Params, key))
}

// appendParams appends the headers that repeat arguments of a call.
func (m *Mcp) appendParams(dst []Mirror, msg *message) []Mirror {
	name, arguments := msg.Name, msg.Arguments
	if name == nil { // its params were not taken apart
		s, _ := stringValue(member(msg.Params, "name"))
		name, arguments = []byte(s), member(msg.Params, "arguments")
	}
	skill, found := m.reg.LookupBytes(name)
	if !found {
		return dst
	}
	for _, h := range m.lists.headers(skill) {
		value := arguments
		for _, key := range h.path {
			value = member(value, key)
		}
		mirror := Mirror{Header: h.header, Coded: true}
		switch s, isString := stringValue(value); {
		case len(value) == 0 || string(value) == "null":
			mirror.Absent = true
		case isString:
			mirror.Value = s
		default:
			mirror.Value = string(value)
			mirror.Integer = isNumber(value) && isInteger(value)
		}
		dst = append(dst, mirror)
	}
	return dst
}
