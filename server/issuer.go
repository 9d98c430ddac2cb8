package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// metadata is what an authorization server says of itself.
type metadata struct {
	Issuer string `json:"issuer"`
	JWKS   string `json:"jwks_uri"`
}

// discover asks the issuer where its keys are, by RFC 8414 and then by OpenID Connect Discovery.
func (o *OAuth) discover() (jwks string, err error) {
	u, err := url.Parse(o.config.Issuer)
	if err != nil {
		return "", err
	}
	path := strings.TrimSuffix(u.Path, "/")
	var failed []error
	for _, at := range []string{"/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration"} {
		u.Path = at
		m, err := o.ask(u.String())
		switch {
		case err != nil:
			failed = append(failed, err)
		case m.Issuer != o.config.Issuer:
			failed = append(failed, fmt.Errorf("%s is of the issuer %q", u, m.Issuer))
		case m.JWKS == "":
			failed = append(failed, fmt.Errorf("%s has no jwks_uri", u))
		default:
			return m.JWKS, nil
		}
	}
	return "", errors.Join(failed...)
}

// ask reads metadata.
func (o *OAuth) ask(at string) (m metadata, err error) {
	r, err := http.NewRequestWithContext(o.ctx, http.MethodGet, at, nil)
	if err != nil {
		return m, err
	}
	client, _ := o.ctx.Value(oauth2.HTTPClient).(*http.Client)
	answer, err := client.Do(r)
	if err != nil {
		return m, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return m, fmt.Errorf("%s: %s", at, answer.Status)
	}
	return m, json.NewDecoder(answer.Body).Decode(&m)
}

// fetchPause is how long an address of the issuer is left alone after it was asked: tokens that name
// keys which do not exist must not become requests to it.
const fetchPause = 10 * time.Second

// sparing is an HTTP client's way out that asks the same address only now and then.
type sparing struct {
	next http.RoundTripper

	mu   sync.Mutex // guards last
	last map[string]time.Time
}

// errSpared says that the issuer was not asked.
var errSpared = errors.New("the issuer was asked a moment ago")

// errAway says that the issuer did not answer as it should.
var errAway = errors.New("the issuer cannot be asked for its keys, try again later")

// maxMetadata bounds what an issuer may answer, in bytes.
const maxMetadata = 1 << 20

// RoundTrip implements http.RoundTripper.
func (s *sparing) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	last, asked := s.last[r.URL.String()]
	now := time.Now()
	if asked && now.Sub(last) < fetchPause {
		s.mu.Unlock()
		return nil, errSpared
	}
	s.last[r.URL.String()] = now
	s.mu.Unlock()
	next := s.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errAway, err)
	}
	if answer.StatusCode >= http.StatusInternalServerError {
		_ = answer.Body.Close()
		return nil, fmt.Errorf("%w: %s", errAway, answer.Status)
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, maxMetadata), answer.Body}
	return answer, nil
}
