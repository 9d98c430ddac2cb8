package mcp

import (
	"errors"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// codeNoResource is what the legacy versions have for a resource that is not there; the modern one has
// invalid params.
const codeNoResource = -32002

// listResources is resources/list, listTemplates is resources/templates/list: what the session may
// read, in pages.
func listResources(c *conn, m *message) ([]byte, *rpcError) {
	return c.listReadable(m, "resources/list", "resources", false)
}

func listTemplates(c *conn, m *message) ([]byte, *rpcError) {
	return c.listReadable(m, "resources/templates/list", "resourceTemplates", true)
}

func (c *conn) listReadable(m *message, method, key string, templates bool) ([]byte, *rpcError) {
	b, e := c.admitted(m)
	if e != nil {
		return nil, e
	}
	cursor, e := cursorOf(m)
	if e != nil {
		return nil, e
	}
	var all []registry.Resource
	for _, r := range c.mcp.reg.Resources().Find(b.session.grants()) {
		if r.Template() == templates {
			all = append(all, r)
		}
	}
	page, next, e := pageOf(c.mcp, all, func(r registry.Resource) string { return r.Info().URI }, method, cursor)
	if e != nil {
		return nil, e
	}
	return appendPage(key, page, next, c.mcp.appendResource), nil
}

// appendResource appends a resource, or a template, as lists show it.
func (m *Mcp) appendResource(dst []byte, r registry.Resource) []byte {
	info := r.Info()
	key := "uri"
	if r.Template() {
		key = "uriTemplate"
	}
	dst = appendField(append(dst, '{'), key, info.URI)
	dst = appendField(dst, "name", info.Label)
	dst = appendField(dst, "title", info.Title)
	dst = appendField(dst, "description", m.published(info.Description))
	dst = appendOptional(dst, "mimeType", info.MIMEType)
	if info.Size > 0 && !r.Template() {
		dst = strconv.AppendInt(append(dst, `,"size":`...), info.Size, 10)
	}
	return append(dst, '}')
}

// uriOf returns the uri in the params.
func uriOf(m *message) (string, *rpcError) {
	p, e := m.stringParams("uri")
	if e != nil {
		return "", e
	}
	uri, given := p["uri"]
	if !given {
		return "", invalidParams("uri: required, a string; resources/list and resources/templates/list have what there is")
	}
	return uri, nil
}

// resourceError is what a peer is told whose use of a URI has failed.
func resourceError(b *binding, uri string, e *registry.Error) *rpcError {
	if e.Code == registry.CodeNotFound && strings.HasPrefix(e.Message, "unknown resource: ") {
		e.Message += "; resources/list and resources/templates/list have what there is"
	}
	missing := codeNoResource
	if b.stateless {
		missing = codeInvalidParams
	}
	return offerError(e, missing, appendField([]byte{'{'}, "uri", uri))
}

// readResource is resources/read.
func readResource(c *conn, m *message) ([]byte, *rpcError) {
	b, e := c.admitted(m)
	if e != nil {
		return nil, e
	}
	uri, e := uriOf(m)
	if e != nil {
		return nil, e
	}
	q := &inquiry{
		c: c, cached: &fresh, result: func(res *registry.Result) []byte { return appendRead(res.Contents()) },
		fault: func(e *registry.Error) *rpcError { return resourceError(b, uri, e) },
	}
	return q.serve(b, m, c.mcp.reg.Resources().Reading(uri))
}

// fresh is for how long what was read holds: nobody knows.
var fresh = caching{}

// appendRead appends the result of a read.
func appendRead(contents []registry.Contents) []byte {
	return appendPage("contents", contents, "", func(dst []byte, c registry.Contents) []byte { return appendResourceContents(dst, &c) })
}

// subscribeResource is resources/subscribe: from now on the peer is told when the resource changes.
func subscribeResource(c *conn, m *message) ([]byte, *rpcError) {
	b, e := c.admitted(m)
	if e != nil {
		return nil, e
	}
	uri, e := uriOf(m)
	if e != nil {
		return nil, e
	}
	if !c.calls.spend() {
		return nil, resourceError(b, uri, c.calls.tooOften())
	}
	if r, ok := c.mcp.reg.Resources().Lookup(uri); ok && !r.Allowed(b.session.principal.Grants) {
		return nil, resourceError(b, uri, registry.Errorf(registry.CodeForbidden, "you may not read this resource"))
	}
	u := c.updates.Load()
	if u == nil {
		u = c.newUpdates(b.session.principal.Owner(), func(uri string) bool {
			return c.ctx.Err() == nil && c.tell(nil, change{kind: resourceUpdated, name: uri}.note(nil))
		})
		c.updates.Store(u)
	}
	if err := u.add(uri); err != nil {
		var e *registry.Error
		if !errors.As(err, &e) {
			return nil, wireError(err)
		}
		return nil, resourceError(b, uri, e)
	}
	return emptyResult, nil
}

// unsubscribeResource is resources/unsubscribe. That there was no subscription is no failure.
func unsubscribeResource(c *conn, m *message) ([]byte, *rpcError) {
	uri, e := uriOf(m)
	if e != nil {
		return nil, e
	}
	if u := c.updates.Load(); u != nil {
		u.remove(uri)
	}
	return emptyResult, nil
}
