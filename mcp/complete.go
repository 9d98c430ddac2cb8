package mcp

import (
	"context"
	"errors"
	"strconv"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// completeArgument is completion/complete: what an argument of a prompt, or a variable of a template,
// of which a part is written, may become.
func completeArgument(c *conn, m *message) ([]byte, *rpcError) {
	b, e := c.admitted(m)
	if e != nil {
		return nil, e
	}
	if !c.calls.spend() {
		return nil, offerError(c.calls.tooOften(), codeInvalidParams, []byte{'{'})
	}
	ask, e := c.completer(member(m.Params, "ref"))
	if e != nil {
		return nil, e
	}
	argument := member(m.Params, "argument")
	part := registry.Partial{Principal: &b.session.principal}
	var named, written bool
	part.Name, named = stringValue(member(argument, "name"))
	part.Value, written = stringValue(member(argument, "value"))
	if !named || !written {
		return nil, invalidParams("argument: required, an object with the strings name and value")
	}
	if part.Others, e = texts(member(member(m.Params, "context"), "arguments"), "context.arguments"); e != nil {
		return nil, e
	}
	s, err := ask(c.ctx, part)
	if err != nil {
		return nil, c.completionError(err)
	}
	dst := []byte(`{"completion":{"values":[`)
	for i, v := range s.Values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, v)
	}
	dst = append(dst, ']')
	if s.Total > 0 {
		dst = strconv.AppendInt(append(dst, `,"total":`...), int64(s.Total), 10)
	}
	return append(strconv.AppendBool(append(dst, `,"hasMore":`...), s.More), "}}"...), nil
}

// completer returns what completes the arguments of what a reference names.
func (c *conn) completer(ref []byte) (func(context.Context, registry.Partial) (registry.Suggestions, error), *rpcError) {
	kind, _ := stringValue(member(ref, "type"))
	switch kind {
	case "ref/prompt":
		name, _ := stringValue(member(ref, "name"))
		if p, ok := c.mcp.reg.Prompts().Lookup(name); ok {
			return p.Complete, nil
		}
		return nil, invalidParams("ref.name: unknown prompt: prompts/list has the names")
	case "ref/resource":
		uri, _ := stringValue(member(ref, "uri"))
		if r, ok := c.mcp.reg.Resources().Template(uri); ok {
			return r.Complete, nil
		}
		return nil, invalidParams("ref.uri: unknown template: resources/templates/list has them")
	default:
		return nil, invalidParams(`ref: required, {"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}`)
	}
}

// completionError is what a peer is told whose completion failed.
func (c *conn) completionError(err error) *rpcError {
	var e *registry.Error
	if errors.As(err, &e) {
		return offerError(e, codeInvalidParams, []byte{'{'})
	}
	c.mcp.opts.Logger.Error().Err(err).Msg("a completion failed")
	return internalError()
}
