package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// checks decide who may come in.
type checks struct {
	local   bool     // only this machine can reach us
	strict  bool     // a token is needed all the same
	host    string   // what we listen on, "" for none
	origins []string // scheme://host, lower case
	all     bool     // any origin
	tokens  *Tokens
	oauth   *OAuth
}

// newChecks fails if an origin is none.
func newChecks(c *Config, local bool) (*checks, error) {
	k := &checks{local: local, strict: c.RequireTokens, tokens: c.Tokens, oauth: c.OAuth}
	if !strings.HasPrefix(c.Address, unixPrefix) {
		k.host = hostname(c.Address)
	}
	public, err := publicOrigin(c.PublicURL)
	if err != nil {
		return nil, err
	}
	k.origins = append(k.origins, public...)
	for _, origin := range c.Origins {
		if origin == "*" {
			k.all = true
			continue
		}
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery+u.Fragment != "" ||
			strings.Contains(u.Host, "*") {
			return nil, &OriginError{Origin: origin}
		}
		k.origins = append(k.origins, normal(u))
	}
	return k, nil
}

// publicOrigin returns the origin of [Config.PublicURL], none of "".
func publicOrigin(public string) ([]string, error) {
	if public == "" {
		return nil, nil
	}
	u, err := url.Parse(public)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(public, "?#*") {
		return nil, &PublicURLError{URL: public}
	}
	return []string{normal(u)}, nil
}

// PublicURLError says that what was to be [Config.PublicURL] is no address of a server.
type PublicURLError struct{ URL string }

func (e *PublicURLError) Error() string {
	return fmt.Sprintf("public URL %q: want the form https://world.example.com or, in a folder of a site, https://world.example.com/limina", e.URL)
}

// OriginError says that what was to be an origin is none that a browser would ever send.
type OriginError struct{ Origin string }

func (e *OriginError) Error() string {
	return fmt.Sprintf("origin %q: want the form https://example.com, or * for all", e.Origin)
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

// refusal is what a request is refused with.
type refusal struct {
	status    int
	text      string
	challenge string // WWW-Authenticate, "" for none
	cause     error  // for the log; nil: text says all
	last      bool   // nothing more is answered on the connection
}

// place decides by where a request comes from, and by where it thinks it goes, whether it may be
// answered.
func (k *checks) place(r *http.Request) *refusal {
	if !k.hostFits(r.Host) {
		return &refusal{status: http.StatusForbidden, text: fmt.Sprintf("the host %q is not served here", r.Host)}
	}
	if origins := r.Header["Origin"]; !k.originFits(origins, r.Host) {
		return &refusal{status: http.StatusForbidden, text: fmt.Sprintf("the origin %s may not connect here", strings.Join(origins, ", "))}
	}
	if k.isSubresource(r.Header) {
		return &refusal{status: http.StatusForbidden, text: "a page from elsewhere may not have this for a part of it"}
	}
	return nil
}

// isSubresource reports whether a page from elsewhere wants an answer as a picture, a script or the like, for which browsers name no origin. The page could not
// read it, but would have it in its process, and learn from it that we are here. A person may follow a link to us. Where tokens are needed there
// is nothing to be had without one.
func (k *checks) isSubresource(h http.Header) bool {
	return !k.all && !k.needsToken() && len(h["Origin"]) == 0 && h.Get("Sec-Fetch-Site") == "cross-site" && h.Get("Sec-Fetch-Mode") != "navigate"
}

// admit returns what a request's token gives, nil if it has none.
func (k *checks) admit(r *http.Request) (*access, *refusal) {
	given := r.Header.Get("Authorization")
	if k.tokens == nil && k.oauth == nil {
		return nil, nil
	}
	if len(r.Header["Authorization"]) > 1 {
		return nil, &refusal{status: http.StatusBadRequest, text: "Authorization is there more than once"}
	}
	if given == "" {
		return nil, nil
	}
	scheme, token, _ := strings.Cut(given, " ")
	token = strings.TrimSpace(token)
	bearer := strings.EqualFold(scheme, "Bearer")
	if bearer && k.tokens != nil {
		if cred, ok := k.tokens.Credential(token); ok {
			return &access{cred: cred}, nil
		}
	}
	if bearer && k.oauth != nil {
		got, err := k.oauth.access(r.Context(), token)
		if err != nil {
			return nil, k.oauth.refusal(err)
		}
		return &got, nil
	}
	return nil, &refusal{status: http.StatusUnauthorized, text: "the token is not known here: Authorization: Bearer <token>", challenge: k.challenge()}
}

// challenge is what WWW-Authenticate says to who has no token.
func (k *checks) challenge() string {
	if k.oauth != nil {
		return k.oauth.challenge(nil)
	}
	return "Bearer"
}

// needsToken reports whether nobody without a token gets a session.
func (k *checks) needsToken() bool { return !k.local || k.strict || k.oauth != nil }

// hostFits refuses names that are not ours: with one, a page elsewhere could pass for one of ours.
// Where tokens are needed any name will do, as no page has one.
func (k *checks) hostFits(host string) bool {
	name := hostname(host)
	if k.needsToken() || name == "" || k.host == "" || isLoopback(name) || strings.EqualFold(name, k.host) {
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
	if err != nil || u.Hostname() == "" {
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
		origin == normal(&url.URL{Scheme: u.Scheme, Host: host})
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
