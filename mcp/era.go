package mcp

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// v20260728 is the version of standard MCP that has no handshake: each request says for itself what
// its client is and can do. It is called modern here, and those with a handshake legacy.
const v20260728 = "2026-07-28"

// modernVersions may be claimed by a message. The legacy ones are not among them: those are
// negotiated, and a peer chooses from this list what it claims next.
var modernVersions = []string{v20260728}

// The keys of a request's _meta that MCP has defined.
const (
	metaPrefix       = "io.modelcontextprotocol/"
	versionKey       = metaPrefix + "protocolVersion"
	capabilitiesKey  = metaPrefix + "clientCapabilities"
	clientInfoKey    = metaPrefix + "clientInfo"
	logLevelKey      = metaPrefix + "logLevel"
	serverInfoKey    = metaPrefix + "serverInfo"
	subscriptionKey  = metaPrefix + "subscriptionId"
	tasksExtension   = metaPrefix + "tasks"
	defaultAgentName = "mcp-client"
)

// claim is what a modern message says of itself in its _meta. It is immutable.
type claim struct {
	text  []byte    // the _meta
	err   *rpcError // why no request with it is served
	as    binding   // what it is served as
	terms uint64    // on which it was read
}

// claimOf returns what m claims, nil if it claims no version. Most peers send the same _meta with
// every request: then nothing is read again.
func (c *conn) claimOf(m *message) *claim {
	if m.Name == nil { // its params were not taken apart
		m.Meta = member(m.Params, "_meta")
	}
	if m.Meta == nil {
		return nil
	}
	if c.claim != nil && c.claim.terms == c.mcp.terms.Load() && bytes.Equal(c.claim.text, m.Meta) {
		return c.claim
	}
	version := member(m.Meta, versionKey)
	if version == nil {
		return nil
	}
	cl := &claim{text: bytes.Clone(m.Meta), terms: c.mcp.terms.Load()}
	cl.err = cl.read(c, version)
	if len(cl.text) <= maxKept && cl.err == nil {
		c.claim = cl
	}
	return cl
}

// maxKept is the longest _meta that is kept until the next message, in bytes.
const maxKept = 4 << 10

// read takes a claim apart and decides who its messages are from. Nothing that was said before on
// the connection counts, but the credential that came with it.
func (cl *claim) read(c *conn, version []byte) *rpcError {
	v, ok := stringValue(version)
	if !ok {
		return invalidParams("_meta: " + versionKey + ": must be a string")
	}
	if !slices.Contains(modernVersions, v) {
		return unsupportedVersion(version)
	}
	capabilities := member(cl.text, capabilitiesKey)
	if len(capabilities) == 0 || capabilities[0] != '{' {
		return invalidParams("_meta: " + capabilitiesKey + ": required, an object; {} says that there are none")
	}
	as := binding{dialect: &c.mcp.modern, stateless: true, capable: readCapabilities(capabilities), silent: true}
	if level := member(cl.text, logLevelKey); level != nil {
		e := as.setLevel(level)
		if e != nil {
			e.message = "_meta: " + logLevelKey + ": " + e.message
			return e
		}
	}
	id, e := c.standardIdentity(cmp.Or(nameOf(member(cl.text, clientInfoKey)), defaultAgentName))
	if e != nil {
		return e
	}
	if err := c.mcp.banned.Load().refuse(id.AgentID); err != nil { // others have come over the connection
		return wireError(err)
	}
	grants, err := c.mcp.profiles.Resolve(id.Profile)
	if err != nil {
		return wireError(err)
	}
	guest := c.guest.Load()
	if guest == nil {
		id.SessionID, id.brief, id.conn, id.client = newSessionID(), c.brief, c, clientOf(member(cl.text, clientInfoKey))
		if guest, err = c.mcp.open(id, nil); err != nil {
			return wireError(err)
		}
		c.guest.Store(guest)
		c.own()
		if c.ctx.Err() != nil { // there is no end any more at which it would be closed
			guest.Close()
		}
	}
	id.SessionID, id.brief = guest.principal.Session, guest.principal.Brief
	as.session = &Session{mcp: c.mcp, principal: id.principal(grants)}
	cl.as = as
	return nil
}

// standing says what m is served as: what it claims, else what the connection is bound to. The
// error is that of a claim which is refused.
func (c *conn) standing(m *message) (*binding, *rpcError) {
	b := c.bound.Load()
	cl := c.claimOf(m)
	if cl == nil {
		return b, nil
	}
	if _, isNative := b.dialect.(native); isNative && !b.session.live() {
		// Who speaks like this is no native peer: from here on it need not initialize.
		c.bound.Store(legacy(negotiate(""), nil, 0))
	}
	return &cl.as, cl.err
}

// standardIdentity is who a standard client is that calls itself name: its messages cannot name a profile, so
// the way it has come does ([Peer.Profile]), its credential, or else the server.
func (c *conn) standardIdentity(name string) (Identity, *rpcError) {
	id := Identity{AgentID: name, Profile: c.mcp.opts.Profile, Kind: profiles.KindExternal}
	cred := c.peer.Credential
	if cred == nil {
		if c.peer.NeedsToken {
			return id, wireError(c.admit(id, nil))
		}
		return c.choose(id, nil)
	}
	id.AgentID, id.by = cred.agent(name), cred
	if len(cred.Profiles) > 0 {
		id.Profile = cred.Profiles[0]
	}
	return c.choose(id, cred)
}

// choose is id with the profile that the peer has asked for, of one who is welcome.
func (c *conn) choose(id Identity, cred *Credential) (Identity, *rpcError) {
	id, err := c.chosen(id, cred)
	if err == nil {
		err = c.welcome(cred)
	}
	if err != nil {
		return id, wireError(err)
	}
	return id, nil
}

// enter opens a session for a legacy client that calls before it has initialized.
func (c *conn) enter(b *binding) (*binding, *rpcError) {
	if _, ok := b.dialect.(standard); !ok || b.session.live() || c.ctx.Err() != nil {
		return b, nil
	}
	id, e := c.standardIdentity(defaultAgentName)
	if e != nil {
		return b, e
	}
	id.SessionID, id.conn = newSessionID(), c
	s, err := c.mcp.open(id, nil)
	if err != nil {
		return b, wireError(err)
	}
	entered := *b
	entered.session = s
	c.bind(&entered)
	return &entered, nil
}

// newSessionID returns a session id that nobody guesses.
func newSessionID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return "ses_" + hex.EncodeToString(id)
}

// capable is what a client says it can do: an int of bits.
type capable uint8

const (
	canForm capable = 1 << iota
	canURL
	canSample
	canRoots
	canTasks
)

// readCapabilities reads the capabilities of a client, in either era.
func readCapabilities(object []byte) (can capable) {
	if e := member(object, "elicitation"); e != nil {
		if member(e, "url") != nil {
			can |= canURL
		}
		if member(e, "form") != nil || can&canURL == 0 {
			can |= canForm
		}
	}
	if member(object, "sampling") != nil {
		can |= canSample
	}
	if member(object, "roots") != nil {
		can |= canRoots
	}
	if member(member(object, "extensions"), tasksExtension) != nil {
		can |= canTasks
	}
	return can
}

// asks reports whether a client answers a kind of question.
func (can capable) asks(kind registry.QuestionKind) bool {
	switch kind {
	case registry.AskForm:
		return can&canForm != 0
	case registry.AskURL:
		return can&canURL != 0
	case registry.AskSample:
		return can&canSample != 0
	case registry.AskRoots:
		return can&canRoots != 0
	default:
		return false
	}
}

// lacking is the error of a request that needs a capability which its client does not declare: a
// ClientCapabilities object, as text.
func lacking(required string) *rpcError {
	return &rpcError{
		code: codeCapability, message: "Missing required client capability",
		data: []byte(`{"requiredCapabilities":` + required + `}`),
	}
}

// unsupportedVersion refuses a claim of a version that is not served. It is decided by membership.
func unsupportedVersion(requested []byte) *rpcError {
	data := append(appendVersions([]byte(`{"supported":`)), `,"requested":`...)
	data = append(append(data, requested...), '}')
	return &rpcError{code: codeVersion, message: "Unsupported protocol version", data: data}
}

// appendVersions appends the versions that a message may claim.
func appendVersions(dst []byte) []byte {
	dst = append(dst, '[')
	for i, v := range modernVersions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, v)
	}
	return append(dst, ']')
}
