package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// Peer is what a transport knows of who is at the other end. The zero value is somebody of whom
// nothing is known, who may have what is open to everybody.
type Peer struct {
	// From is the address that the peer has come from, and Via how: "websocket", "http", "stdio". They are for [Mcp.Sessions] and the log, which
	// tells of the sessions of those whose From is known.
	From, Via string
	// Standard has the connection speak standard MCP before its first initialize too.
	Standard bool
	// Credential came with the connection and stands for the token that initialize may carry.
	Credential *Credential
	// Profile is what a peer of standard MCP, whose messages cannot name a profile, has asked for in another way, as by the address that it came to;
	// "" for nothing. It may be one that its credential opens, or any that grants nothing that it would not have anyway. Native peers name theirs.
	Profile string
	// NeedsToken refuses everything but a ping to whoever has no credential.
	NeedsToken bool
	// Rate bounds the calls and subscriptions, a second, of all connections of a [Credential.Owner] together; of a peer without a credential those of the
	// connection. After a pause a second's worth may be made at once. More are refused with capacity_exceeded. 0 is without bound.
	Rate int
	// Meter has the rate in the place of Rate, and of peers without a credential counts the calls of all connections that have it.
	Meter *Meter
	// Patience is how long the peer may take until it has its first session; 0 is for ever.
	Patience time.Duration
	// Greeted, if it is not nil, is called when the peer is about to get a session, with the credential that it comes by, nil for none: whoever
	// NeedsToken has shown one by then. If it fails there is no session, and the peer is told the error, a [registry.Error]. It is called until it has not
	// failed. It must not wait.
	Greeted func(c *Credential) error
	// Linger is how long calls may go on running once the peer has ended the connection in order;
	// then they are cancelled. 0 is as long as they take.
	Linger time.Duration
	// EndsOnShutdown ends the connection when a native peer asks for shutdown, after running calls
	// have been answered. Otherwise the peer may initialize again.
	EndsOnShutdown bool
}

// Credential is what a token stands for.
type Credential struct {
	// Principal is the agent id of whoever has the token. With a "*" at its end it is what the
	// agent ids must begin with.
	Principal string
	// Profiles may be taken. The first is what a standard session gets that asks for none ([Peer.Profile]).
	Profiles []string
	// Good is done once the credential is good no longer: the connections that it has opened end then, with [ErrRevoked]. nil: it is
	// good for as long as they last.
	Good context.Context
}

// ErrRevoked is what Serve returns when the credential that a peer has come by is good no longer.
var ErrRevoked = errors.New("mcp: the token has been taken back")

// heed has the connection end when a credential, which may be nil, is good no longer.
func (c *conn) heed(cred *Credential) {
	if cred == nil || cred.Good == nil {
		return
	}
	stop := context.AfterFunc(cred.Good, func() { c.cancel(ErrRevoked) })
	context.AfterFunc(c.ctx, func() { stop() })
}

// errLingered cancels the calls that a peer has left running.
var errLingered = fmt.Errorf("mcp: the peer has gone, and its calls took too long: %w", context.Canceled)

// ErrNoSession is what Serve returns when a peer took longer than Peer.Patience to initialize.
var ErrNoSession = errors.New("mcp: no session was initialized in time")

// names reports whether an agent id is the credential's.
func (c *Credential) names(agent string) bool {
	return profiles.Covers(c.Principal, agent)
}

// agent returns the agent id of a standard client that calls itself name.
func (c *Credential) agent(name string) string {
	prefix, open := strings.CutSuffix(c.Principal, "*")
	if !open {
		return c.Principal
	}
	if strings.HasPrefix(name, prefix) {
		return name
	}
	return prefix + name
}

// holder is whom what is scarce counts for where that is not the agent id, "" else.
func (c *Credential) holder() string {
	if c == nil || !strings.HasSuffix(c.Principal, "*") {
		return ""
	}
	return c.Principal
}

// credential returns what the token of initialize stands for, or what came with the connection; nil
// if there is neither.
func (c *conn) credential(token string) (*Credential, error) {
	if token == "" || c.mcp.opts.Tokens == nil {
		return c.peer.Credential, nil
	}
	c.turn.end() // somebody else may have to be asked, who takes his time
	found, ok := c.mcp.opts.Tokens(token)
	if !ok {
		return nil, registry.Errorf(registry.CodeForbidden, "token: not known here")
	}
	c.heed(&found)
	return &found, nil
}

// admit decides whether a peer with a credential, or with none, may be who he says he is.
func (c *conn) admit(id Identity, cred *Credential) error {
	if _, err := c.mcp.profiles.Resolve(id.Profile); err != nil {
		return err
	}
	if cred == nil {
		if c.peer.NeedsToken {
			return registry.Errorf(registry.CodeForbidden, "a token is needed here: send it as token in initialize, or as Authorization: Bearer")
		}
		return c.mcp.allow(id, nil)
	}
	if !cred.names(id.AgentID) {
		return registry.Errorf(registry.CodeForbidden, "agentId: the token is for %q", cred.Principal)
	}
	if slices.Contains(cred.Profiles, id.Profile) || !c.peer.NeedsToken && c.mcp.allows(id.Profile) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "the token does not open profile %q; it opens %s", id.Profile, strings.Join(cred.Profiles, ", "))
}

// chosen is id with the profile that a standard peer has asked for, if it may have that: one that its credential, which may be nil, opens, or one that grants
// nothing beyond the one that it has without asking. Who is held to reviews cannot leave them like that.
func (c *conn) chosen(id Identity, cred *Credential) (Identity, error) {
	ask := c.peer.Profile
	if ask == "" || ask == id.Profile {
		return id, nil
	}
	want, err := c.mcp.profiles.Resolve(ask)
	if err != nil {
		return id, err
	}
	own, err := c.mcp.profiles.Resolve(id.Profile)
	if err != nil {
		return id, err
	}
	held := slices.Contains(c.mcp.opts.Held, id.Profile)
	open := func(name string, g profiles.Grants) bool {
		return cred != nil && slices.Contains(cred.Profiles, name) || g.Within(own) && !held
	}
	if open(ask, want) {
		id.Profile = ask
		return id, nil
	}
	var names []string
	for _, name := range c.mcp.profiles.Names() {
		if g, err := c.mcp.profiles.Resolve(name); err == nil && open(name, g) {
			names = append(names, name)
		}
	}
	return id, registry.Errorf(registry.CodeForbidden, "profile: %q is not open to you; open are: %s; without any you have %s", ask, cmp.Or(strings.Join(names, ", "), "none"), id.Profile)
}

// welcome is called before the peer gets a session, by a credential or by none, nil. It fails if the peer is to get none.
func (c *conn) welcome(cred *Credential) error {
	if c.greeted.Load() {
		return nil
	}
	if c.peer.Greeted != nil {
		if err := c.peer.Greeted(cred); err != nil {
			return err
		}
	}
	c.greeted.Store(true)
	return nil
}

// mayLook reports whether a peer may see what is served before it has a session.
func (c *conn) mayLook(b *binding) bool { return b.session.live() || !c.peer.NeedsToken }

// linger cancels the calls of a peer that has gone if they take too long. What it returns ends the
// waiting.
func (c *conn) linger() (stop func() bool) {
	if c.peer.Linger <= 0 {
		return func() bool { return true }
	}
	return time.AfterFunc(c.peer.Linger, func() { c.cancel(errLingered) }).Stop
}

// expect cancels the connection if the peer takes too long to get a session. What it returns ends
// the waiting.
func (c *conn) expect() (stop func() bool) {
	if c.peer.Patience <= 0 {
		return func() bool { return true }
	}
	return time.AfterFunc(c.peer.Patience, func() {
		if !c.greeted.Load() {
			c.cancel(ErrNoSession)
		}
	}).Stop
}
