// Package call is the one call that every server in the comparison answers: scene.createEntity with
// six fields, the same limits everywhere, a structured answer.
//
// The peers answer it with a counter; Limina really makes the entity, checks the permission, and
// writes the event. It is asked for no body: 40,000 of them in one place would measure the physics
// of a pile, which runs beside the calls.
package call

import (
	"strconv"
	"sync/atomic"
)

// Name is the tool's name, in the spelling that every server accepts.
const Name = "scene.createEntity"

// Arguments is the input that is sent in every call.
const Arguments = `{"shape":"box","size":1.5,"color":16746496,"position":[1,2,3],"dynamic":false,"material":"wood"}`

// Schema is the input's JSON Schema, for servers that want it as text.
const Schema = `{"type":"object","properties":{"shape":{"type":"string","enum":["box","sphere"]},` +
	`"size":{"type":"number","exclusiveMinimum":0,"maximum":50},` +
	`"color":{"type":"integer","minimum":0,"maximum":16777215},` +
	`"position":{"type":"array","items":{"type":"number"},"minItems":3,"maxItems":3},` +
	`"dynamic":{"type":"boolean"},"material":{"type":"string"}},` +
	`"required":["shape","size","color","position","dynamic"],"additionalProperties":false}`

// Initialize opens a session in both dialects of Limina and in every peer: standard MCP reads
// protocolVersion, Limina's native wire the last three fields.
const Initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"bench","version":"1"},` +
	`"agentId":"agt_bench","sessionId":"ses_bench","profile":"builder.readWrite"}}`

// Initialized is the notification that ends the handshake.
const Initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// In is the input as the peers' handlers take it.
type In struct {
	Shape    string     `json:"shape"`
	Size     float64    `json:"size"`
	Color    int        `json:"color"`
	Position [3]float64 `json:"position"`
	Dynamic  bool       `json:"dynamic"`
	Material string     `json:"material,omitempty"`
}

// Value is [Arguments] as a Go value.
func Value() In {
	return In{"box", 1.5, 0xff8800, [3]float64{1, 2, 3}, true, "wood"}
}

// Out is the answer.
type Out struct {
	Entity string `json:"entity"`
}

// Counter hands out the peers' entity ids. The zero value is ready; it is safe for concurrent use.
type Counter struct{ last atomic.Int64 }

// Next returns the next answer.
func (c *Counter) Next() Out {
	return Out{Entity: "ent_" + strconv.FormatInt(c.last.Add(1), 10)}
}

// Request is a JSON-RPC request without its id.
type Request struct{ tail string }

// New returns the request that calls a tool with arguments, a JSON object.
func New(tool, arguments string) Request {
	return Method("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// ModernVersion is the version of MCP in which each request stands for itself.
const ModernVersion = "2026-07-28"

// Modern returns the request that calls a tool at [ModernVersion].
func Modern(tool, arguments string) Request {
	return Method("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"`+ModernVersion+
		`","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`)
}

// Method returns a request of any method; params is a JSON object.
func Method(method, params string) Request {
	return Request{`,"method":"` + method + `","params":` + params + `}`}
}

// Default returns the request that is measured where nothing else is said.
func Default() Request { return New(Name, Arguments) }

// Append appends the request with the given id, without a newline.
func (r Request) Append(dst []byte, id int) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, int64(id), 10)
	return append(dst, r.tail...)
}
