package mcp

// Owner is by whom it is counted what is taken of what is scarce, see [profiles.Principal.Owner], by whoever has shown the credential: all who
// have one that is for many names are one. "" is the owner of whoever has shown none, which nil stands for, and of whom nothing else is known.
func (c *Credential) Owner() string {
	if c == nil {
		return ""
	}
	return c.Principal
}

// Owner returns by whom it is counted what is held for the peer: by the session that it has, else by its credential, see [Credential.Owner]. "" are all
// of whom nothing is known.
func (l *Link) Owner() string { return l.c.known() }

// known is whose the connection is, for what is shared out: by the session that it has, which may have been opened by another credential than the
// connection was, else by its credential, else by what modern messages have said. It may be called on any goroutine.
func (c *conn) known() string {
	if s := c.bound.Load().session; s.live() {
		return s.principal.Owner()
	}
	if cred := c.peer.Credential; cred != nil {
		return cred.Owner()
	}
	if s := c.guest.Load(); s != nil {
		return s.principal.Owner()
	}
	return ""
}

// owner is known, and of who comes for one request, and needs no credential, what he says that he is. It is for the reading goroutine.
func (c *conn) owner() string {
	name := c.known()
	if name == "" && c.brief && c.scratch != nil && !c.peer.NeedsToken {
		meta := c.message.Meta
		if meta == nil {
			meta = member(c.message.Params, "_meta")
		}
		return nameOf(member(meta, clientInfoKey))
	}
	return name
}

// token is the owner of the credential by which the connection has what it has, "" if there is none: a name alone, which anybody may
// take, is nothing to hold others to. It is for the reading goroutine.
func (c *conn) token() string {
	if s := c.bound.Load().session; s.live() {
		return s.token
	}
	return c.peer.Credential.Owner()
}
