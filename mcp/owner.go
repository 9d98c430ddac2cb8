package mcp

import "cmp"

// owner is whose the connection is, for what is shared out: by the session that it has, else by its credential. Who has neither, and comes
// for one request, is who he says he is; of all others nothing is known, and they are one. It is for the reading goroutine.
func (c *conn) owner() string {
	if s := c.bound.Load().session; s.live() {
		return s.principal.Owner()
	}
	if cred := c.peer.Credential; cred != nil {
		return cmp.Or(cred.holder(), cred.Principal)
	}
	if s := c.guest.Load(); s != nil {
		return s.principal.Owner()
	}
	if c.brief && c.scratch != nil && !c.peer.NeedsToken {
		meta := c.message.Meta
		if meta == nil {
			meta = member(c.message.Params, "_meta")
		}
		return nameOf(member(meta, clientInfoKey))
	}
	return ""
}
