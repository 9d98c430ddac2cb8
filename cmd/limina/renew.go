package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/server/metrics"
	"github.com/limina-mcp/limina/server/reread"
)

// renewals are the files of the port that others may change while it is open: they are read anew then, and what cannot be read is left as it was.
type renewals struct {
	files []renewal
	log   zerolog.Logger
	cert  *keyPair // nil without TLS
}

type renewal struct {
	what  string
	files *reread.Files
	take  func() error
}

// begin looks after the files until what it returns is called.
func (r *renewals) begin(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{}, len(r.files))
	for _, f := range r.files {
		go func() {
			f.files.Run(ctx, f.take, func(err error) {
				r.log.Error().Err(err).Msg(f.what + " has changed, and cannot be read: what was read before goes on to count")
			})
			done <- struct{}{}
		}()
	}
	return func() {
		cancel()
		for range r.files {
			<-done
		}
	}
}

// keyPair is the certificate of the port.
type keyPair struct {
	certFile, keyFile string
	files             *reread.Files
	now               atomic.Pointer[tls.Certificate]
}

// read takes over what the files hold.
func (k *keyPair) read() error {
	cert, err := tls.LoadX509KeyPair(k.certFile, k.keyFile)
	if err != nil {
		return fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	k.now.Store(&cert)
	return nil
}

// config is what TLS needs; nil for none.
func (k *keyPair) config() *tls.Config {
	if k == nil {
		return nil
	}
	return &tls.Config{GetCertificate: k.get, MinVersion: tls.VersionTLS12}
}

// get is of [tls.Config].
func (k *keyPair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) { return k.now.Load(), nil }

// ends returns when the certificate is good no longer.
func (k *keyPair) ends() time.Time { return k.now.Load().Leaf.NotAfter }

// soon is how long before its end whoever renews a certificate has done so, if he works.
const soon = 7 * 24 * time.Hour

// tell has the log say that a certificate is in use.
func (k *keyPair) tell(log zerolog.Logger, what string) {
	e := log.Info()
	if left := time.Until(k.ends()); left < soon {
		e = log.Warn()
		what += ", and ends soon, or has ended"
	}
	e.Time("until", k.ends()).Msg(what)
}

// renewCertificate has connections from now on have the certificate that the files hold by then.
func (r *renewals) renewCertificate(k *keyPair) {
	r.cert = k
	r.files = append(r.files, renewal{"the certificate", k.files, func() error {
		if err := k.read(); err != nil {
			return err
		}
		k.tell(r.log, "the certificate was read anew")
		return nil
	}})
}

// renewRights has the profiles and the tokens count that the files of them hold by then. They are read together, because tokens name profiles: what of both does not fit changes nothing.
func (r *renewals) renewRights(c *config, e *engine.Engine) {
	if c.rights == nil {
		return
	}
	what := "the token file"
	switch {
	case c.tokens == nil:
		what = "the profile file"
	case c.profilesFile != "":
		what = "the profile file or the token file"
	}
	if c.tokens != nil {
		e.Mcp.Ban(c.tokens.Banned())
	}
	r.files = append(r.files, renewal{what, c.rights, func() error {
		known, tokens, err := c.readRights(e)
		if err != nil {
			return err
		}
		changed := e.Profiles.Replace(known)
		ended, untold := e.Reprofile()
		if len(changed) > 0 {
			r.log.Info().Strs("changed", changed).Int("ended", ended).Msg("the profile file was read anew")
		}
		if tokens == nil {
			return untold
		}
		warnOfMode(c.port.tokenFile, r.log)
		added, revoked := c.tokens.Replace(tokens)
		untold = errors.Join(untold, e.Ban(c.tokens.Banned()))
		if added+revoked > 0 || len(changed) == 0 {
			r.log.Info().Int("new", added).Int("revoked", revoked).Int("banned", len(c.tokens.Banned())).Msg("the token file was read anew")
		}
		return untold
	}})
}

// readRights reads the profiles, and the tokens, nil where there is no file of them. It fails if one names a profile that is not there, or a flag does.
func (c *config) readRights(e *engine.Engine) (known *profiles.Set, tokens *server.Tokens, err error) {
	if known, err = c.profiles(); err != nil {
		return nil, nil, err
	}
	if err = c.named(known); err == nil {
		err = c.checkPermissions(known, e.Registry)
	}
	if err == nil {
		_, err = c.port.oauth.server(known)
	}
	if err == nil && c.tokens != nil {
		if tokens, err = server.LoadTokens(c.port.tokenFile, known); err != nil {
			err = fmt.Errorf("--token-file: %w", err)
		}
	}
	return known, tokens, err
}

// figures adds what there is to say of the files to /metrics.
func (r *renewals) figures(m *metrics.Text) {
	if r.cert != nil {
		m.Gauge("limina_certificate_expires_seconds", "When the certificate of the port ends, in seconds since 1970.").Add(float64(r.cert.ends().Unix()))
	}
}

// warnOfMode tells of a token file that others can read.
func warnOfMode(path string, log zerolog.Logger) {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		log.Warn().Str("file", path).Msg("others on this machine can read the tokens: chmod 600 it")
	}
}
