package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/mcp"
)

// checks decide who may come in.
type checks struct {
	local   bool     // only this machine can reach us
	host    string   // what we listen on, "" for none
	origins []string // scheme://host, lower case
	all     bool     // any origin
	tokens  *Tokens
}

// newChecks fails if an origin is none.
func newChecks(c *Config, local bool) (*checks, error) {
	k := &checks{local: local, tokens: c.Tokens}
	if !strings.HasPrefix(c.Address, unixPrefix) {
		k.host = hostname(c.Address)
	}
	for _, origin := range c.Origins {
		if origin == "*" {
			k.all = true
			continue
		}
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
			return nil, fmt.Errorf("server: origin %q: want the form https://example.com", origin)
		}
		k.origins = append(k.origins, normal(u))
	}
	return k, nil
}

// normal returns an origin in the form that browsers send.
func normal(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch scheme := strings.ToLower(u.Scheme); scheme {
	case "http":
		return "http://" + strings.TrimSuffix(host, ":80")
	case "https":
		return "https://" + strings.TrimSuffix(host, ":443")
	default:
		return scheme + "://" + host
	}
}

// refuse is what a request is refused with.
type refusal struct {
	status int
	text   string
}

// admit decides whether a request may be answered, and returns the credential that it brings.
func (k *checks) admit(r *http.Request) (*mcp.Credential, *refusal) {
	if !k.hostFits(r.Host) {
		return nil, &refusal{http.StatusForbidden, fmt.Sprintf("the host %q is not served here", r.Host)}
	}
	if origins := r.Header["Origin"]; !k.originFits(origins, r.Host) {
		return nil, &refusal{http.StatusForbidden, fmt.Sprintf("the origin %s may not connect here", strings.Join(origins, ", "))}
	}
	given := r.Header.Get("Authorization")
	if given == "" || k.tokens == nil {
		return nil, nil
	}
	scheme, token, _ := strings.Cut(given, " ")
	cred, ok := k.tokens.Credential(strings.TrimSpace(token))
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return nil, &refusal{http.StatusUnauthorized, "the token is not known here: Authorization: Bearer <token>"}
	}
	return &cred, nil
}

// needsToken reports whether nobody without a token gets a session.
func (k *checks) needsToken() bool { return !k.local }

// hostFits refuses names that are not ours: with one, a page elsewhere could pass for one of ours.
// Where tokens are needed any name will do, as no page has one.
func (k *checks) hostFits(host string) bool {
	name := hostname(host)
	if !k.local || name == "" || k.host == "" || isLoopback(name) || strings.EqualFold(name, k.host) {
		return true
	}
	return slices.ContainsFunc(k.origins, func(origin string) bool {
		_, allowed, _ := strings.Cut(origin, "://")
		return strings.EqualFold(hostname(allowed), name)
	})
}

// originFits refuses pages that come from elsewhere. A program that is no browser sends no origin.
func (k *checks) originFits(origins []string, host string) bool {
	if len(origins) == 0 || k.all {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	u, err := url.Parse(origins[0])
	if err != nil || u.Host == "" {
		return false
	}
	origin := normal(u)
	if slices.Contains(k.origins, origin) {
		return true
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return k.local && isLoopback(u.Hostname()) ||
		origin == normal(&url.URL{Scheme: u.Scheme, Host: host}) && host != ""
}

// hostname returns a host without its port and brackets.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// isLoopback reports whether a host is this machine, whoever resolves it.
func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
