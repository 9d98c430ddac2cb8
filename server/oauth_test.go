package server_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
)

const (
	issuerURL = "https://auth.example.com"
	resource  = "https://world.example.com/mcp"
)

// issuer is an authorization server in memory.
type issuer struct {
	tb    testing.TB
	key   *ecdsa.PrivateKey
	id    string       // of the key
	asked atomic.Int64 // for its keys
	plain bool         // it has the metadata of RFC 8414 only
	gone  atomic.Bool
	says  func(w http.ResponseWriter, r *http.Request) // nil: what it should
}

func newIssuer(tb testing.TB) *issuer {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return &issuer{tb: tb, key: key, id: "k1"}
}

// RoundTrip answers what a client asks the issuer.
func (i *issuer) RoundTrip(r *http.Request) (*http.Response, error) {
	if i.gone.Load() {
		return nil, fmt.Errorf("connection refused")
	}
	w := httptest.NewRecorder()
	s := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: i.key.Public(), KeyID: i.id, Algorithm: oidc.ES256}}}
	s.SetIssuer(issuerURL)
	switch {
	case i.says != nil:
		i.says(w, r)
	case i.plain && strings.HasSuffix(r.URL.Path, "openid-configuration"):
		http.NotFound(w, r)
	case i.plain && r.URL.Path == "/.well-known/oauth-authorization-server":
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": issuerURL, "jwks_uri": issuerURL + "/keys"})
	default:
		if strings.HasSuffix(r.URL.Path, "/keys") {
			i.asked.Add(1)
		}
		s.ServeHTTP(w, r)
	}
	return w.Result(), nil
}

// token signs claims, which replace the usual ones.
func (i *issuer) token(claims map[string]any) string {
	all := map[string]any{
		"iss": issuerURL, "aud": resource, "sub": "ada", "scope": "build", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
	}
	for key, value := range claims {
		all[key] = value
	}
	text, err := json.Marshal(all)
	if err != nil {
		i.tb.Fatal(err)
	}
	return oidctest.SignIDToken(i.key, i.id, oidc.ES256, string(text))
}

func (i *issuer) oauth() *server.OAuth {
	i.tb.Helper()
	o, err := server.NewOAuth(server.OAuthConfig{
		Issuer: issuerURL, Resource: resource, Client: &http.Client{Transport: i},
		Scopes: []server.Scope{{Name: "review", Profile: "reviewer"}, {Name: "build", Profile: "builder.readWrite"}, {Name: "look", Profile: "system.readonly"}},
	}, profiles.Builtin())
	if err != nil {
		i.tb.Fatal(err)
	}
	return o
}

// A token of the issuer for this server lets in whom it names, with what its scopes stand for.
func TestOAuthLetsIn(t *testing.T) {
	for _, plain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			i := newIssuer(t)
			i.plain = plain
			r := startOn(t, plain, server.Config{OAuth: i.oauth()}) // wherever it listens
			c := r.page()
			for _, tt := range []struct {
				claims map[string]any
				want   string // who calls, or what is said to a skill that needs trace.read
			}{
				{nil, `"agent":"ada"`},
				{map[string]any{"scope": "look build"}, `missing permission: trace.read`}, // the first of the list, not of the token
				{map[string]any{"scope": "openid look"}, `"structuredContent":{}`},
				{map[string]any{"scope": nil, "scp": []string{"look"}}, `"structuredContent":{}`},
				{map[string]any{"scope": nil, "scp": "look"}, `"structuredContent":{}`},
				{map[string]any{"aud": []string{"https://other.example.com", resource}}, `"agent":"ada"`},
			} {
				bearer := []string{"Authorization", "Bearer " + i.token(tt.claims), "Host", "world.example.com"}
				_, _, h := r.post(c, hello, bearer...)
				in := slices.Concat(bearer, []string{"Mcp-Session-Id", h.Get("Mcp-Session-Id")})
				_, who, _ := r.post(c, call(2, "demo_echo", `{"text":"hi"}`), in...)
				_, may, _ := r.post(c, call(3, "demo_secret", `{}`), in...)
				if !strings.Contains(who+may, tt.want) {
					t.Errorf("%v: %s %s, want %s", tt.claims, who, may, tt.want)
				}
			}
			if n := i.asked.Load(); n != 1 {
				t.Errorf("the issuer was asked %d times for its keys", n)
			}
			ws := r.dial("Authorization", "Bearer "+i.token(map[string]any{"exp": time.Now().Add(time.Minute).Unix()}))
			if got := ws.ask(initialize); !strings.Contains(got, `"agentId":"ada"`) {
				t.Errorf("a WebSocket: %s", got)
			}
			if code, reason := ws.farewell(); code != 1008 || reason != "the token has expired" || since2000() < time.Minute {
				t.Errorf("after %v the WebSocket was closed with %d %s", since2000(), code, reason)
			}
		})
	}
}

// Everybody else is told what is wrong, and where to get a token.
func TestOAuthRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, other := newIssuer(t), newIssuer(t)
		r := start(t, server.Config{OAuth: i.oauth()})
		c := r.page()
		forged := strings.Split(i.token(nil), ".")
		forged[1] = strings.Split(i.token(map[string]any{"sub": "eve"}), ".")[1]
		const where = `Bearer resource_metadata="https://world.example.com/.well-known/oauth-protected-resource/mcp", scope="review build look"`
		for _, tt := range []struct {
			name, token string
			status      int
			challenge   string
		}{
			{"no token", "", 401, where},
			{"no JWT", "abc", 401, where + `, error="invalid_token"`},
			{"expired", i.token(map[string]any{"exp": time.Now().Add(-time.Second).Unix()}), 401, where + `, error="invalid_token"`},
			{"not yet", i.token(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}), 401, where + `, error="invalid_token"`},
			{"another audience", i.token(map[string]any{"aud": "https://other.example.com"}), 401, where + `, error="invalid_token"`},
			{"another issuer", i.token(map[string]any{"iss": "https://evil.example.com"}), 401, where + `, error="invalid_token"`},
			{"another's signature", other.token(nil), 401, where + `, error="invalid_token"`},
			{"forged", strings.Join(forged, "."), 401, where + `, error="invalid_token"`},
			{"nobody", i.token(map[string]any{"sub": ""}), 401, where + `, error="invalid_token"`},
			{"not signed", unsigned(i.token(nil), `{"alg":"none"}`), 401, where + `, error="invalid_token"`},
			{"by a secret that all know", bySecret(i, i.token(nil)), 401, where + `, error="invalid_token"`},
			{"of another script", "é" + i.token(nil), 401, where + `, error="invalid_token"`},
			{"dots only", "..", 401, where + `, error="invalid_token"`},
			{"many", i.token(map[string]any{"sub": "a*"}), 401, where + `, error="invalid_token"`},
			{"too long", i.token(map[string]any{"x": strings.Repeat("x", 10_000)}), 401, where + `, error="invalid_token"`},
			{"scopes that are none", i.token(map[string]any{"scp": 5}), 401, where + `, error="invalid_token"`},
			{"no scope of ours", i.token(map[string]any{"scope": "openid"}), 403, where + `, error="insufficient_scope"`},
		} {
			var headers []string
			if tt.token != "" {
				headers = []string{"Authorization", "Bearer " + tt.token}
			}
			status, body, h := r.post(c, hello, headers...)
			if status != tt.status || h.Get("WWW-Authenticate") != tt.challenge {
				t.Errorf("%s: %d %s\ngot  %s\nwant %s", tt.name, status, body, h.Get("WWW-Authenticate"), tt.challenge)
			}
		}
		// A WebSocket may bring its token in initialize.
		if got := r.dial().ask(initialize); !strings.Contains(got, "a token is needed here") {
			t.Errorf("a WebSocket without a token: %s", got)
		}
		for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
			status, body, h := r.get(http.MethodGet, path)
			want := `{"resource":"https://world.example.com/mcp","authorization_servers":["https://auth.example.com"],` +
				`"scopes_supported":["review","build","look"],"bearer_methods_supported":["header"],"resource_name":"Limina"}` + "\n"
			if status != 200 || body != want || h.Get("Content-Type") != "application/json" || h.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s: %d %s %v", path, status, body, h)
			}
		}
		if status, _, _ := r.get(http.MethodGet, "/metrics"); status != 401 {
			t.Errorf("/metrics without a token: %d", status)
		}
	})
}

// unsigned returns a token with another header, and no signature.
func unsigned(token, header string) string {
	parts := strings.Split(token, ".")
	return base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + parts[1] + "."
}

// bySecret returns a token signed with the issuer's public key, as if that were a secret.
func bySecret(i *issuer, token string) string {
	public, err := x509.MarshalPKIXPublicKey(i.key.Public())
	if err != nil {
		i.tb.Fatal(err)
	}
	text := strings.TrimSuffix(unsigned(token, `{"alg":"HS256","kid":"k1"}`), ".")
	mac := hmac.New(sha256.New, public)
	_, _ = io.WriteString(mac, text)
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Tokens that name keys which are not there do not become requests to the issuer, and one that does not
// answer is nobody's fault here.
func TestOAuthSparesTheIssuer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(t)
		i.gone.Store(true)
		var refusals bytes.Buffer
		r := start(t, server.Config{OAuth: i.oauth(), Logger: zerolog.New(zerolog.SyncWriter(&refusals))})
		c := r.page()
		try := func(token string) int {
			status, _, _ := r.post(c, hello, "Authorization", "Bearer "+token)
			return status
		}
		away := func(token string) {
			t.Helper()
			status, body, _ := r.post(c, hello, "Authorization", "Bearer "+token)
			if status != 503 || strings.TrimSpace(body) != "the issuer cannot be asked for its keys, try again later" {
				t.Errorf("while the issuer is away: %d %s", status, body)
			}
			if refused := refusals.String(); !strings.Contains(refused, "connection refused") {
				t.Errorf("the log does not say why: %s", refused)
			}
			refusals.Reset()
		}
		away(i.token(nil))
		if status := try("opaque"); status != 401 {
			t.Errorf("what is no token, while the issuer is away: %d", status)
		}
		i.gone.Store(false)
		time.Sleep(11 * time.Second)
		if status := try(i.token(nil)); status != 200 {
			t.Errorf("when it is back: %d", status)
		}
		for n := range 20 {
			if status := try(oidctest.SignIDToken(i.key, fmt.Sprint("no", n), oidc.ES256, `{"iss":"`+issuerURL+`"}`)); status != 401 {
				t.Errorf("an unknown key: %d", status)
			}
		}
		if n := i.asked.Load(); n > 2 {
			t.Errorf("the issuer was asked %d times for its keys", n)
		}
		time.Sleep(11 * time.Second)
		i.gone.Store(true)
		away(oidctest.SignIDToken(i.key, "new", oidc.ES256, `{"iss":"`+issuerURL+`"}`))
		if status := try(i.token(nil)); status != 200 {
			t.Errorf("a known key, while the issuer is away: %d", status)
		}
	})
}

// What a token has opened ends with it, and what is remembered of a token is not remembered for ever.
func TestOAuthTokensEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(t)
		r := start(t, server.Config{OAuth: i.oauth()})
		c := r.page()
		until := func(d time.Duration) string {
			return "Bearer " + i.token(map[string]any{"exp": time.Now().Add(d).Unix()})
		}
		status := func(bearer string) int {
			status, _, _ := r.post(c, hello, "Authorization", bearer)
			return status
		}
		short := until(30 * time.Second)
		_, _, h := r.post(c, hello, "Authorization", short)
		stream, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost:8787/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{"Authorization": short, "Accept": "text/event-stream", "Mcp-Session-Id": h.Get("Mcp-Session-Id")} {
			stream.Header.Set(key, value)
		}
		answer, err := c.Do(stream)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("a stream: %v, %v", answer, err)
		}
		_, _ = io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if at := since2000(); at != 30*time.Second {
			t.Errorf("the stream has ended after %v", at)
		}
		time.Sleep(time.Second)
		if got := status(short); got != 401 {
			t.Errorf("a token that was good a moment ago: %d", got)
		}

		// The issuer takes its key back.
		long := until(time.Hour)
		if got := status(long); got != 200 {
			t.Errorf("a token: %d", got)
		}
		i.key, i.id = newIssuer(t).key, "k2"
		if got := status(until(time.Hour)); got != 200 {
			t.Errorf("a token by a new key: %d", got)
		}
		time.Sleep(61 * time.Second)
		if got := status(long); got != 401 {
			t.Errorf("a token by a key that is no longer the issuer's, after a minute: %d", got)
		}
	})
}

// A key that the issuer has taken back is good for minutes, not until a token comes by a new one. While the issuer cannot be asked, those that it had are,
// and nobody waits long for it; nor is it asked more often than now and then.
func TestOAuthKeysAreTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(t)
		r := start(t, server.Config{OAuth: i.oauth()})
		c := r.page()
		fresh := func() string {
			return "Bearer " + i.token(map[string]any{"exp": time.Now().Add(10 * time.Hour).Unix()})
		}
		in := func(bearer string) bool {
			t.Helper()
			status, text, _ := r.post(c, hello, "Authorization", bearer)
			if status != 200 && status != 401 {
				t.Errorf("%d %s", status, text)
			}
			return status == 200
		}
		if !in(fresh()) {
			t.Fatal("a token does not let in")
		}
		time.Sleep(4*time.Minute + 59*time.Second)
		if !in(fresh()) || i.asked.Load() != 1 {
			t.Errorf("the issuer was asked %d times for its keys in five minutes", i.asked.Load())
		}
		time.Sleep(time.Second)
		i.gone.Store(true) // while it is away the keys that are there do
		for range 100 {
			if !in(fresh()) {
				t.Fatal("a key is not known any more while the issuer is away")
			}
			time.Sleep(time.Second)
		}
		i.gone.Store(false)
		time.Sleep(10 * time.Second)
		for range 10 {
			if !in(fresh()) {
				t.Fatal("a key is not known any more")
			}
		}
		if n := i.asked.Load(); n != 2 {
			t.Errorf("the issuer was asked %d times for its keys, want twice", n)
		}
		time.Sleep(5 * time.Minute)
		slow := make(chan struct{})
		i.says = func(w http.ResponseWriter, r *http.Request) { <-slow }
		begun, both := time.Now(), sync.WaitGroup{}
		for range 2 {
			both.Go(func() {
				if !in(fresh()) || time.Since(begun) != 2*time.Second {
					t.Errorf("while the issuer takes its time a token takes %v", time.Since(begun))
				}
			})
		}
		both.Wait()
		close(slow)
		synctest.Wait()
		time.Sleep(10 * time.Second)
		i.says = nil
		token, key, id := fresh(), i.key, i.id
		last := func() string {
			return "Bearer " + oidctest.SignIDToken(key, id, oidc.ES256, fmt.Sprintf(`{"iss":%q,"aud":%q,"sub":"mallory","scope":"build","exp":%d}`, issuerURL, resource, time.Now().Add(time.Hour).Unix()))
		}
		i.key, i.id = newIssuer(t).key, "k2"
		if in(last()) || in(token) {
			t.Error("a key that was taken back lets in, though the keys are old")
		}
		if !in(fresh()) {
			t.Error("the new key does not let in")
		}
	})
}

// An issuer that does not say where its keys are, or is not the one that was asked, lets nobody in, and that is not the
// client's fault.
func TestOAuthStrangeIssuer(t *testing.T) {
	metadata := func(issuer, keys string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/keys") { // somebody's who would sign anything
				s := &oidctest.Server{}
				s.ServeHTTP(w, r)
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": issuer, "jwks_uri": keys})
		}
	}
	failing := func(status int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			metadata(issuerURL, issuerURL+"/keys")(w, r)
		}
	}
	for name, tt := range map[string]struct {
		says func(http.ResponseWriter, *http.Request)
		log  string
	}{
		"another":          {metadata("https://evil.example.com", "https://evil.example.com/keys"), `is of the issuer \"https://evil.example.com\"`},
		"a slash more":     {metadata(issuerURL+"/", issuerURL+"/keys"), `is of the issuer \"https://auth.example.com/\"`},
		"no keys":          {metadata(issuerURL, ""), "has no jwks_uri"},
		"keys in the open": {metadata(issuerURL, "http://auth.example.com/keys"), `has the jwks_uri \"http://auth.example.com/keys\": want an https URL`},
		"led into the open": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://auth.example.com"+r.URL.Path, http.StatusFound)
		}, "it leads to http://auth.example.com/.well-known/"},
		"led on and on": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"/x", http.StatusFound) }, "it has led on 5 times"},
		"not found":     {failing(404), "404 Not Found"},
		"out of order":  {failing(500), "500 Internal Server Error"},
		"no JSON":       {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "invalid character"},
		"without bounds": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(" ", 2<<20)+`{"issuer":"`+issuerURL+`","jwks_uri":"`+issuerURL+`/keys"}`)
		}, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				i := newIssuer(t)
				i.says = tt.says
				var log bytes.Buffer
				r := start(t, server.Config{OAuth: i.oauth(), Logger: zerolog.New(zerolog.SyncWriter(&log))})
				status, body, _ := r.post(r.page(), hello, "Authorization", "Bearer "+i.token(nil))
				if status != 503 || strings.TrimSpace(body) != "the issuer cannot be asked for its keys, try again later" {
					t.Errorf("%d %s", status, body)
				}
				if !strings.Contains(log.String(), tt.log) {
					t.Errorf("the log does not say why, want %s: %s", tt.log, &log)
				}
			})
		})
	}
}

func TestBadOAuth(t *testing.T) {
	good := server.OAuthConfig{Issuer: issuerURL, Resource: resource, Scopes: []server.Scope{{Name: "build", Profile: "builder.readWrite"}}}
	for name, spoil := range map[string]func(*server.OAuthConfig){
		`issuer "auth`:            func(c *server.OAuthConfig) { c.Issuer = "auth.example.com" },
		`issuer "https://?x"`:     func(c *server.OAuthConfig) { c.Issuer = "https://?x" },
		`issuer "https://a#b"`:    func(c *server.OAuthConfig) { c.Issuer = "https://a#b" },
		`issuer "https://[a"`:     func(c *server.OAuthConfig) { c.Issuer = "https://[a" },
		"resource":                func(c *server.OAuthConfig) { c.Resource = "http://world.example.com/mcp" },
		"JWKS":                    func(c *server.OAuthConfig) { c.JWKS = "ftp://auth.example.com" },
		"no scope":                func(c *server.OAuthConfig) { c.Scopes = nil },
		"want one word":           func(c *server.OAuthConfig) { c.Scopes = []server.Scope{{Name: "a b", Profile: "builder.readWrite"}} },
		`unknown profile "build"`: func(c *server.OAuthConfig) { c.Scopes = []server.Scope{{Name: "a", Profile: "build"}} },
	} {
		c := good
		spoil(&c)
		if _, err := server.NewOAuth(c, profiles.Builtin()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, issuer := range []string{good.Issuer, "http://localhost:9000/realm", "http://127.0.0.1"} {
		c := good
		c.Issuer = issuer
		if _, err := server.NewOAuth(c, profiles.Builtin()); err != nil {
			t.Error(err)
		}
	}
}

// hang does not answer for as long as it is asked.
func hang(w http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
	w.WriteHeader(http.StatusGatewayTimeout)
}

// An issuer that does not answer has nobody wait for longer than it is given, however many come, nor those who need nothing of it.
func TestOAuthHangingIssuer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(t)
		i.says = hang
		o := i.oauth()
		r := start(t, server.Config{OAuth: o, Core: core(t, mcp.Options{Tokens: func(token string) (mcp.Credential, bool) {
			if token == "known" {
				return mcp.Credential{Principal: "ada", Profiles: []string{"builder.readWrite"}}, true
			}
			return o.Credential(token)
		}})})
		withToken := func(session, token string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"agentId":"ada","sessionId":%q,"profile":"builder.readWrite","token":%q}}`, session, token)
		}
		other := r.dial()
		if got := other.ask(withToken("other", "known")); !strings.Contains(got, `"result"`) {
			t.Fatalf("a token of ours: %s", got)
		}
		for n := range 2 * runtime.GOMAXPROCS(0) {
			r.dial().send(withToken(fmt.Sprint(n), i.token(nil)))
		}
		answered := make(chan int)
		for range 8 {
			go func() {
				status, _, _ := r.post(r.page(), hello, "Authorization", "Bearer "+i.token(nil))
				answered <- status
			}()
		}
		synctest.Wait()
		began := time.Now()
		if got := other.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) || time.Since(began) != 0 {
			t.Errorf("somebody else's call, after %v: %s", time.Since(began), got)
		}
		for range 8 {
			if status := <-answered; status != http.StatusServiceUnavailable {
				t.Errorf("while the issuer does not answer: %d", status)
			}
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("the last was answered after %v, want the time for two addresses", took)
		}
		status, _, _ := r.post(r.page(), hello, "Authorization", "Bearer "+i.token(nil))
		if status != http.StatusServiceUnavailable {
			t.Errorf("a moment later: %d", status)
		}
		i.says = nil
		time.Sleep(11 * time.Second)
		if status, _, _ = r.post(r.page(), hello, "Authorization", "Bearer "+i.token(nil)); status != http.StatusOK {
			t.Errorf("when the issuer answers: %d", status)
		}
	})
}

// While the keys cannot be had, for whatever reason, no token is called a bad one: its client would throw it away.
func TestOAuthKeysAway(t *testing.T) {
	for name, keys := range map[string]func(http.ResponseWriter, *http.Request){
		"no answer": hang,
		"half an answer, and no end": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"keys":[`)
		},
		"not found": http.NotFound,
		"a page":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"without bounds": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(" ", 2<<20)+`{"keys":[]}`)
		},
		"nothing":            func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"not modified":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"a circle":           func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
		"elsewhere, nowhere": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) },
		"elsewhere, no URL": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "://")
			w.WriteHeader(http.StatusFound)
		},
		"on and on":         func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x"+r.URL.Path, http.StatusFound) },
		"JSON, but no keys": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[1]`) },
		"keys that are none": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				i := newIssuer(t)
				i.says = func(w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/keys") {
						keys(w, r)
						return
					}
					_ = json.NewEncoder(w).Encode(map[string]string{"issuer": issuerURL, "jwks_uri": issuerURL + "/keys"})
				}
				r := start(t, server.Config{OAuth: i.oauth()})
				c := r.page()
				for _, when := range []string{"at first", "a moment later"} {
					status, body, _ := r.post(c, hello, "Authorization", "Bearer "+i.token(nil))
					if status != http.StatusServiceUnavailable {
						t.Errorf("%s: %d %s", when, status, body)
					}
				}
				i.says = nil
				time.Sleep(11 * time.Second)
				if status, body, _ := r.post(c, hello, "Authorization", "Bearer "+i.token(nil)); status != http.StatusOK {
					t.Errorf("when they are there: %d %s", status, body)
				}
			})
		})
	}
}
