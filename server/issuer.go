package server

import (
	"bytes"
	"context"
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
		case !isPrivateURL(m.JWKS):
			failed = append(failed, fmt.Errorf("%s has the jwks_uri %q: want an https URL", u, m.JWKS))
		default:
			return m.JWKS, nil
		}
	}
	return "", errors.Join(failed...)
}

// isPrivateURL is isPrivate for what may be no URL.
func isPrivateURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && isPrivate(u)
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

// follow goes where the issuer leads, but not out into the open, nor for ever.
func follow(to *http.Request, via []*http.Request) error {
	const most = 5
	switch {
	case !isPrivate(to.URL):
		return fmt.Errorf("it leads to %s: want an https URL", to.URL)
	case len(via) > most:
		return fmt.Errorf("it has led on %d times", most)
	}
	return nil
}

// fetchPause is how long an address of the issuer is left alone after it has answered, or failed to: tokens that name
// keys which do not exist must not become requests to it.
const fetchPause = 10 * time.Second

// issuerTime is how long the issuer may take to answer.
const issuerTime = 10 * time.Second

// sparing is an HTTP client's way out that asks the same address only now and then.
type sparing struct {
	client   http.Client   // asks, and goes where it is led
	patience time.Duration // for an answer as a whole

	mu   sync.Mutex // guards last
	last map[string]fetch
}

// fetch is what came of asking an address.
type fetch struct {
	at  time.Time
	err error // errAway and why, nil for an answer
}

// errSpared says that the issuer was not asked. It comes with the errAway of the time before, if that had failed.
var errSpared = errors.New("the issuer was asked a moment ago")

// errAway says that the issuer did not answer as it should.
var errAway = errors.New("the issuer cannot be asked for its keys, try again later")

// maxMetadata bounds what an issuer may answer, in bytes.
const maxMetadata = 1 << 20

// RoundTrip implements http.RoundTripper. What it returns is an answer of 200 that is there as a whole, a JSON object, wherever the address has led: all else
// is errAway.
func (s *sparing) RoundTrip(r *http.Request) (*http.Response, error) {
	where := r.URL.String()
	s.mu.Lock()
	last, asked := s.last[where]
	s.mu.Unlock()
	if asked && time.Since(last.at) < fetchPause {
		if last.err != nil {
			return nil, fmt.Errorf("%w: %w", errSpared, last.err)
		}
		return nil, errSpared
	}
	answer, err := s.fetch(r)
	if err != nil {
		err = fmt.Errorf("%w: %w", errAway, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[where] = fetch{time.Now(), err}
	return answer, err
}

// fetch asks for a JSON object.
func (s *sparing) fetch(r *http.Request) (*http.Response, error) {
	ctx, done := context.WithTimeout(r.Context(), s.patience)
	defer done()
	answer, err := s.client.Do(r.Clone(ctx))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	var text json.RawMessage
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxMetadata)).Decode(&text); err != nil {
		return nil, err
	}
	if text[0] != '{' {
		return nil, errors.New("want a JSON object")
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer, nil
}
