package mcp

import (
	"github.com/limina-mcp/limina/registry"
)

// verb is what a method is to a dialect: the three that are answered where they are read, and all
// others.
type verb uint8

const (
	verbOther verb = iota
	verbCall
	verbList
	verbPing
)

// method answers a request that is none of the three. It runs on the connection's reading goroutine.
type method func(c *conn, m *message) (result []byte, e *rpcError)

// dialect is how calls and answers look to one kind of peer. A dialect is immutable; what it knows
// of a peer stands in the peer's binding.
type dialect interface {
	// verb and method classify a method's name; verbOther without a method is an unknown one.
	verb(name []byte) verb
	method(name string) method

	// open and close append what stands around the output of a call that succeeded, close with output
	// as the index where it begins.
	open(dst []byte) []byte
	close(dst []byte, output int, req *registry.Request, r *registry.Result) []byte
	// refuse appends what stands in an answer's place of "result" or "error" for a call that
	// failed.
	refuse(dst []byte, f *failure) []byte

	// list returns the result of tools/list.
	list(l *toolLists, s *Session, m *message) ([]byte, *rpcError)

	// tells reports whether a call's handler may ask the peer, and tell it something.
	tells() bool
	// nullID reports whether an answer to a message without a usable id says so, or leaves the id out.
	nullID() bool
	// batches reports whether arrays of messages are taken.
	batches() bool
}

// failure is a call that failed.
type failure struct {
	mcp     *Mcp
	session *Session       // nil if the call had none
	skill   registry.Skill // the zero Skill if there is none of the name
	result  *registry.Result
}

// binding is what a connection is bound to at one time. It is immutable: initialize replaces it.
type binding struct {
	dialect dialect
	session *Session // nil before initialize and after shutdown
	ready   bool     // the peer has said that notifications may come

	// Of standard peers:
	stateless bool           // it is of one modern message
	capable   capable        // what the client says it can do
	level     registry.Level // of what is logged for it, unless it is silent
	silent    bool
}

// legacy returns the binding of a legacy peer.
func legacy(version string, s *Session, can capable) *binding {
	return &binding{dialect: standard{version}, session: s, capable: can, level: registry.LevelInfo}
}
