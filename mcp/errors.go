package mcp

import (
	"errors"
	"strconv"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// The JSON-RPC codes that we send.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNoSession      = -32000
	codeForbidden      = -32001
	codeCapacity       = -32002
	codePending        = -32003
	codeConflict       = -32004
	codeCapability     = -32021
	codeVersion        = -32022
)

// noSession is what a call without a session is told, on every transport and in process.
const noSession = "MCP session is not initialized"

// rpcError is the error member of an answer.
type rpcError struct {
	code    int
	message string
	data    []byte // JSON, or nil
}

func (e *rpcError) append(dst []byte) []byte {
	dst = append(dst, `"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.code), 10)
	dst = appendField(dst, "message", e.message)
	if e.data != nil {
		dst = append(dst, `,"data":`...)
		dst = append(dst, e.data...)
	}
	return append(dst, '}')
}

// in returns the error as it is sent where b is bound. What native peers know as -32001 to -32004 has
// other meanings in standard MCP, which leaves us all that is not from -32768 to -32000.
func (e *rpcError) in(b *binding) *rpcError {
	if b == nil || !b.stateless || e.code < codeConflict || e.code > codeNoSession {
		return e
	}
	moved := *e
	moved.code = -31000 + (e.code - codeNoSession) // -31000 to -31004
	return &moved
}

// detailed is an error with a fixed message, which says in its data what it was about.
func detailed(code int, message, detail string) *rpcError {
	data := append(appendField([]byte("{"), "detail", detail), '}')
	return &rpcError{code: code, message: message, data: data}
}

func parseError(err error) *rpcError { return detailed(codeParse, "Parse error", err.Error()) }

func invalidRequest(detail string) *rpcError {
	return detailed(codeInvalidRequest, "Invalid Request", detail)
}

func invalidParams(message string) *rpcError {
	return &rpcError{code: codeInvalidParams, message: message}
}

func methodNotFound(method string) *rpcError {
	return &rpcError{code: codeNoMethod, message: "Method not found: " + method}
}

// ended is what a session is refused with that would begin when its connection is over.
func ended() *rpcError {
	return &rpcError{code: codeInvalidRequest, message: "the session has been ended: connect again"}
}

// internalError is all that a peer is told of a mistake of ours.
func internalError() *rpcError { return &rpcError{code: codeInternal, message: "internal error"} }

// wireCode maps what went wrong to the code that a peer is sent: the one place that does.
func wireCode(err error) int {
	var unknown *profiles.UnknownProfileError
	if errors.As(err, &unknown) {
		return codeInvalidParams
	}
	var e *registry.Error
	if !errors.As(err, &e) {
		return codeInternal
	}
	return codeOf(string(e.Code))
}

// codeOf is the code of a refusal.
func codeOf(code string) int {
	switch registry.Code(code) {
	case registry.CodeNotFound:
		return codeNoMethod
	case registry.CodeInvalidInput:
		return codeInvalidParams
	case registry.CodeForbidden:
		return codeForbidden
	case registry.CodeCapacityExceeded:
		return codeCapacity
	case registry.CodePendingApproval:
		return codePending
	case registry.CodeConflict:
		return codeConflict
	default:
		return codeInternal
	}
}

// reason is what a call is told that is refused with such a code.
func (e *rpcError) reason() registry.Code {
	switch e.code {
	case codeInvalidParams:
		return registry.CodeInvalidInput
	case codeCapacity:
		return registry.CodeCapacityExceeded
	case codeForbidden, codeNoSession:
		return registry.CodeForbidden
	default:
		return registry.CodeHandlerError
	}
}

// wireError is the answer to a request that failed with err. The text of an error that was not
// made for peers stays here.
func wireError(err error) *rpcError {
	e := &rpcError{code: wireCode(err), message: "internal error"}
	if e.code != codeInternal {
		e.message = err.Error()
	}
	return e
}
