package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// OAuthConfig says whose tokens are taken, and what they are good for. Issuer, Resource and Scopes have
// to be set.
type OAuthConfig struct {
	Issuer   string       // of the tokens: the authorization server's URL, to the letter
	Resource string       // this server's own URL as clients know it, "https://world.example.com/mcp": the tokens' audience
	JWKS     string       // where the issuer's keys are; default what its metadata say
	Scopes   []Scope      // what tokens may be used for, the most powerful first
	Client   *http.Client // asks the issuer; default one of its own. Without a Timeout it has 10 s
}

// Scope says which profile a scope of tokens stands for. The first that a token has is what its
// sessions get.
type Scope struct{ Name, Profile string }

// check says what is wrong with the configuration.
func (c *OAuthConfig) check(known *profiles.Set) error {
	for _, f := range []struct{ name, value string }{{"issuer", c.Issuer}, {"resource", c.Resource}, {"JWKS", c.JWKS}} {
		if f.name == "JWKS" && f.value == "" {
			continue
		}
		u, err := url.Parse(f.value)
		if err != nil || u.Host == "" || u.Fragment != "" || !isPrivate(u) {
			return fmt.Errorf("OAuth %s %q: want an https URL", f.name, f.value)
		}
	}
	if len(c.Scopes) == 0 {
		return errors.New("OAuth: no scope stands for a profile, so no token would be of use")
	}
	for _, s := range c.Scopes {
		if s.Name == "" || strings.ContainsAny(s.Name, " \"\\") {
			return fmt.Errorf("OAuth scope %q: want one word", s.Name)
		}
		if _, err := known.Resolve(s.Profile); err != nil {
			return fmt.Errorf("OAuth scope %s: %w", s.Name, err)
		}
	}
	return nil
}

// isPrivate reports whether nobody in between can change what is answered there.
func isPrivate(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

// OAuth makes a server an OAuth 2.1 resource server, as MCP has it: whoever comes in brings a JWT of an
// authorization server, as Authorization: Bearer. That server is asked for nothing but its keys, and no
// token is handed on. OAuth is safe for concurrent use.
type OAuth struct {
	config OAuthConfig
	ctx    context.Context // has the client that asks for keys
	wall   func() time.Time

	mu       sync.Mutex // guards what follows
	verifier *oidc.IDTokenVerifier
	finding  *finding // the newest; nil before the first
	verified map[[sha256.Size]byte]verified
}

// NewOAuth fails if the configuration is wrong; known are the profiles that it may name.
func NewOAuth(c OAuthConfig, known *profiles.Set) (*OAuth, error) {
	if err := c.check(known); err != nil {
		return nil, err
	}
	var client http.Client
	if c.Client != nil {
		client = *c.Client
	}
	patience := cmp.Or(client.Timeout, issuerTime)
	client.Timeout = 0 // whose error would not say that it was the issuer's fault
	if client.CheckRedirect == nil {
		client.CheckRedirect = follow
	}
	client.Transport = &sparing{client: client, patience: patience, last: map[string]fetch{}}
	return &OAuth{
		config: c, wall: wallClock, ctx: oidc.ClientContext(context.Background(), &client), verified: map[[sha256.Size]byte]verified{},
	}, nil
}

// access is what a token gives.
type access struct {
	cred  mcp.Credential
	until time.Time // zero: for ever
	wall  func() time.Time
}

// credential returns what a token stands for, nil for none.
func (a *access) credential() *mcp.Credential {
	if a == nil {
		return nil
	}
	return &a.cred
}

// errExpired ends what a token has opened.
var errExpired = errors.New("the token has expired")

// while returns a context that ends with the token; that of nobody does not end.
func (a *access) while(ctx context.Context) (context.Context, context.CancelFunc) {
	if a == nil || a.until.IsZero() {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	e := &end{at: a.until, wall: a.wall, cancel: cancel}
	e.look()
	return ctx, e.stop
}

// The reasons for which a token is refused, as a client is told them.
var (
	errToken = errors.New("invalid_token")
	errScope = errors.New("insufficient_scope")
)

const (
	// maxVerified and verifiedFor bound what is remembered of tokens that were found good.
	maxVerified = 4096
	verifiedFor = time.Minute
	// maxToken bounds a token, in bytes.
	maxToken = 8 << 10
)

// verified is a token that was found good.
type verified struct {
	access
	found moment // to be good
}

// access returns what a token gives. The error is errToken, errScope or errAway, and says more; what errAway says is not for
// clients.
func (o *OAuth) access(ctx context.Context, token string) (access, error) {
	if len(token) > maxToken {
		return access{}, fmt.Errorf("%w: it has more than %d bytes", errToken, maxToken)
	}
	hash, now := sha256.Sum256([]byte(token)), now(o.wall)
	o.mu.Lock()
	known := o.verified[hash]
	o.mu.Unlock()
	if now.wall.Before(known.until) && !now.isAfter(known.found, verifiedFor) {
		return known.access, nil
	}
	found, err := o.verify(ctx, token)
	if err != nil {
		return access{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.verified) >= maxVerified {
		clear(o.verified)
	}
	o.verified[hash] = verified{found, now}
	return found, nil
}

// Credential returns what a token stands for, and false if it is none. It is what mcp.Options.Tokens
// wants.
func (o *OAuth) Credential(token string) (mcp.Credential, bool) {
	a, err := o.access(context.Background(), token)
	return a.cred, err == nil
}

// algorithms may sign tokens: those with a public key.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// verify checks signature, issuer, audience and times of a token, and reads its claims.
func (o *OAuth) verify(ctx context.Context, token string) (access, error) {
	if strings.Count(token, ".") != 2 { // RFC 7515, 3.1: the issuer need not be asked
		return access{}, fmt.Errorf("%w: it is no JWT", errToken)
	}
	v, err := o.keys(ctx)
	if err != nil {
		return access{}, err
	}
	var away error
	t, err := v.Verify(context.WithValue(ctx, awayKey{}, &away), token)
	switch {
	case away != nil:
		return access{}, away
	case err != nil:
		return access{}, fmt.Errorf("%w: %w", errToken, err)
	}
	var claims struct {
		Scope string `json:"scope"`
		SCP   words  `json:"scp"`
	}
	if err := t.Claims(&claims); err != nil {
		return access{}, fmt.Errorf("%w: %w", errToken, err)
	}
	// A * at its end would make it stand for others too.
	if t.Subject == "" || strings.HasSuffix(t.Subject, "*") {
		return access{}, fmt.Errorf("%w: sub: want the id of somebody", errToken)
	}
	has := append(words(strings.Fields(claims.Scope)), claims.SCP...)
	var may []string
	for _, s := range o.config.Scopes {
		for _, name := range has {
			if name == s.Name {
				may = append(may, s.Profile)
			}
		}
	}
	if len(may) == 0 {
		return access{}, fmt.Errorf("%w: the token has the scopes %q", errScope, []string(has))
	}
	return access{mcp.Credential{Principal: t.Subject, Profiles: may}, t.Expiry, o.wall}, nil
}

// finding is that the issuer is asked where its keys are.
type finding struct {
	done chan struct{} // closed once it has answered, or failed to
	err  error
	at   time.Time // when it failed; zero before
}

// keys returns what checks tokens. An issuer that has to be asked where its keys are and does not say is
// asked again with a later token. All who come while it is asked wait for the same answer, as long as ctx lets them.
func (o *OAuth) keys(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	o.mu.Lock()
	v, f := o.verifier, o.finding
	if v == nil && (f == nil || !f.at.IsZero() && time.Since(f.at) >= fetchPause) {
		f = &finding{done: make(chan struct{})}
		o.finding = f
		go o.find(f)
	}
	o.mu.Unlock()
	if v != nil {
		return v, nil
	}
	select {
	case <-f.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", errAway, context.Cause(ctx))
	}
	if f.err != nil {
		return nil, f.err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.verifier, nil
}

// find sets the verifier, or says why there is none.
func (o *OAuth) find(f *finding) {
	at, err := o.config.JWKS, error(nil)
	if at == "" {
		at, err = o.discover()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		f.err, f.at = fmt.Errorf("%w: %s does not say where they are: %w", errAway, o.config.Issuer, err), time.Now()
	} else {
		keys := newKeySet(func() oidc.KeySet { return oidc.NewRemoteKeySet(o.ctx, at) }, o.wall)
		o.verifier = oidc.NewVerifier(o.config.Issuer, keys, &oidc.Config{
			ClientID: o.config.Resource, SupportedSigningAlgs: algorithms, Now: o.wall,
		})
	}
	close(f.done)
}

// scopes returns the names of all scopes.
func (o *OAuth) scopes() []string {
	names := make([]string, len(o.config.Scopes))
	for i, s := range o.config.Scopes {
		names[i] = s.Name
	}
	return names
}

// words is a claim that is a list of words, or one string with spaces between them.
type words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(text []byte) error {
	var line string
	if json.Unmarshal(text, &line) == nil {
		*w = strings.Fields(line)
		return nil
	}
	return json.Unmarshal(text, (*[]string)(w))
}
