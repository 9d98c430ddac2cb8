package server_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

var noOptions mcp.Options

const tokenFile = `
tokens:
  - token: ada-has-this-token
    principal: ada
    profiles: [builder.readWrite, reviewer]
  - sha256: 57fddc63a440b74106d273edfc4510540ed876187fd3364f7b2a4d7bc8c74337
    principal: fleet-*
    profiles: [player.full]
`

func tokens(tb testing.TB) *server.Tokens {
	tb.Helper()
	t, err := server.ParseTokens([]byte(tokenFile), "tokens.yaml", profiles.Builtin())
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// Beyond this machine nobody gets in without a token, and who has one is whom it names.
func TestBeyondThisMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := tokens(t)
		r := startOn(t, false, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known})
		// Any host will do, as nobody can point a page at us that has a token.
		c := r.dial("Host", "world.example.com", "Authorization", "Bearer ada-has-this-token")
		if got := c.ask(strings.Replace(initialize, "builder.readWrite", "reviewer", 1)); !strings.Contains(got, `"profile":"reviewer"`) {
			t.Errorf("initialize: %s", got)
		}
		if got := c.ask(call(1, "demo.secret", `{}`)); !strings.Contains(got, `"success":true`) {
			t.Errorf("what the token opens: %s", got)
		}
		if got := c.ask(strings.Replace(initialize, `"ada"`, `"eve"`, 1)); !strings.Contains(got, `-32001,"message":"agentId: the token is for \"ada\""`) {
			t.Errorf("initialize as somebody else: %s", got)
		}

		inside := r.dial()
		if got := inside.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(got, "-32000") {
			t.Errorf("tools/list without a session: %s", got)
		}
		if got := inside.ask(initialize); !strings.Contains(got, "a token is needed here") {
			t.Errorf("initialize without a token: %s", got)
		}
		if got := inside.ask(strings.NewReplacer(`"ada"`, `"fleet-7","token":"fleet-has-this-token"`, "builder.readWrite", "player.full", "s1", "s2").Replace(initialize)); !strings.Contains(got, `"agentId":"fleet-7"`) {
			t.Errorf("initialize with a token: %s", got)
		}

		standard := r.dial("Sec-WebSocket-Protocol", "mcp", "Authorization", "bearer fleet-has-this-token")
		if got := standard.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`); !strings.Contains(got, `"serverInfo"`) {
			t.Errorf("initialize: %s", got)
		}
		if got := standard.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"agent":"fleet-x"`) {
			t.Errorf("call: %s", got)
		}

		if status, body, _ := r.get(http.MethodGet, "/", "Authorization", "Bearer ada-has-this-token", "Authorization", "Bearer fleet-has-this-token"); status != 400 || !strings.Contains(body, "more than once") {
			t.Errorf("with two tokens: %d %s", status, body)
		}
		for _, given := range []string{"Bearer guess", "Basic ada-has-this-token", "ada-has-this-token", "Bearer"} {
			if _, status, h := r.try("Authorization", given); status != http.StatusUnauthorized || h.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("with %q: %d %v", given, status, h)
			}
		}
		for _, tt := range []struct {
			path   string
			header []string
			status int
		}{
			{"/healthz", nil, 200},
			{"/", nil, 401},
			{"/metrics", nil, 401},
			{"/metrics", []string{"Authorization", "Bearer ada-has-this-token"}, 200},
			{"/metrics", []string{"Authorization", "Bearer ada-has-this-token", "Origin", "http://evil.example.com"}, 403},
			{"/metrics", []string{"Authorization", "Bearer ada-has-this-token", "Origin", "http://localhost:8787"}, 200},  // the very host that is asked
			{"/metrics", []string{"Authorization", "Bearer ada-has-this-token", "Origin", "https://localhost:8787"}, 200}, // something before us may have the TLS
			{"/metrics", []string{"Authorization", "Bearer ada-has-this-token", "Origin", "http://127.0.0.1"}, 403},
			{"world.example.com/metrics", []string{"Authorization", "Bearer ada-has-this-token", "Origin", "http://world.example.com:80"}, 200},
			{"world.example.com/metrics", []string{"Authorization", "Bearer ada-has-this-token", "Origin", "http://localhost:8787"}, 403},
		} {
			status, body, _ := r.get(http.MethodGet, tt.path, tt.header...)
			if lines := strings.Count(body, "\n"); status != tt.status || status != 200 && lines != 1 {
				t.Errorf("GET %s with %v: %d %s, want %d, and if that is a refusal nothing else", tt.path, tt.header, status, body, tt.status)
			}
		}
	})
}

// An operator is warned of tokens that are sent where others can read them.
func TestTokensInTheOpen(t *testing.T) {
	for _, tt := range []struct {
		local  bool
		tls    *tls.Config
		warned bool
	}{{false, nil, true}, {false, new(tls.Config), false}, {true, nil, false}} {
		var log bytes.Buffer
		if _, err := server.On(memnet.Listen(), tt.local, server.Config{Core: core(t, noOptions), Tokens: tokens(t), TLS: tt.tls, Logger: zerolog.New(zerolog.SyncWriter(&log))}); err != nil {
			t.Fatal(err)
		}
		if warned := strings.Contains(log.String(), "without TLS"); warned != tt.warned {
			t.Errorf("on this machine: %v, with TLS: %v: the log has %q", tt.local, tt.tls != nil, &log)
		}
	}
}

// Who does not identify himself is not waited for.
func TestNoSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := tokens(t)
		r := startOn(t, false, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known, HandshakeTimeout: 5 * time.Second})
		c := r.dial()
		code, reason := c.farewell()
		if at := since2000(); code != 1008 || !strings.Contains(reason, "no session was initialized within 5s") || at != 5*time.Second {
			t.Errorf("closed with %d %q after %v", code, reason, at)
		}
	})
}

// On this machine a token opens more, and none is needed.
func TestTokensOnThisMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := tokens(t)
		r := start(t, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known})
		if got := r.dial().ask(initialize); !strings.Contains(got, `"result"`) {
			t.Errorf("without a token: %s", got)
		}
		asReviewer := strings.NewReplacer("builder.readWrite", "reviewer", "s1", "s2").Replace(initialize)
		if got := r.dial().ask(asReviewer); !strings.Contains(got, "needs a token") {
			t.Errorf("a guarded profile without a token: %s", got)
		}
		if got := r.dial("Authorization", "Bearer  ada-has-this-token").ask(asReviewer); !strings.Contains(got, `"result"`) {
			t.Errorf("a guarded profile with a token: %s", got)
		}
		if status, body, _ := r.post(r.page(), hello, "Authorization", "Bearer nobody-has-this-token"); status != http.StatusUnauthorized {
			t.Errorf("a token that is not known: %d %s", status, body)
		}
	})
}

// A client of standard MCP asks for a profile by its address: for one that its token opens, or one that grants nothing more than what it would have.
func TestProfileByAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := tokens(t)
		r := start(t, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential, Held: []string{"builder.review"}}), Tokens: known})
		c := r.page()
		call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo_secret","arguments":{}}}`
		for _, tt := range []struct{ query, token, hello, secret string }{
			{"", "", `"result"`, "Your profile, builder.readWrite,"},
			{"?profile=player.limited", "", `"result"`, "Your profile, player.limited,"},
			{"?profile=reviewer", "", `open are: `, ""},
			{"?profile=nobody", "", "nobody", ""},
			{"?profile=player.limited", "ada-has-this-token", `"result"`, "Your profile, player.limited,"},
			{"?profile=reviewer", "ada-has-this-token", `"result"`, "structuredContent"},
			{"?profile=builder.readWrite", "fleet-has-this-token", `is not open to you`, ""},
		} {
			var headers []string
			if tt.token != "" {
				headers = []string{"Authorization", "Bearer " + tt.token}
			}
			_, body, h := r.postTo(c, "/mcp"+tt.query, hello, headers...)
			if !strings.Contains(body, tt.hello) {
				t.Errorf("%s with %q: %s, want %s", tt.query, tt.token, body, tt.hello)
			}
			if tt.secret == "" {
				continue
			}
			// The session keeps its profile, whatever address is asked later.
			if _, body, _ := r.postTo(c, "/mcp", call, append(headers, "Mcp-Session-Id", h.Get("Mcp-Session-Id"))...); !strings.Contains(body, tt.secret) {
				t.Errorf("%s with %q: %s, want %s", tt.query, tt.token, body, tt.secret)
			}
		}
		held := start(t, server.Config{Core: core(t, mcp.Options{Profile: "builder.review", Held: []string{"builder.review"}})})
		if _, body, _ := held.postTo(held.page(), "/mcp?profile=player.limited", hello); !strings.Contains(body, "is not open to you") {
			t.Errorf("who is held to reviews has left them: %s", body)
		}
	})
}

// Nobody opens a server to others by accident.
func TestExposed(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0"} {
		_, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address})
		if exposed := (*server.ExposedError)(nil); !errors.As(err, &exposed) || exposed.Address != address {
			t.Errorf("Listen on %s without tokens = %v", address, err)
		}
	}
	l := memnet.Listen()
	if _, err := server.On(l, false, server.Config{Core: core(t, noOptions)}); err == nil || !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("On a listener that others reach, without tokens = %v", err)
	}
}

// A token file says what is wrong with it.
func TestParseTokens(t *testing.T) {
	const good = "principal: ada\n    profiles: [player.full]"
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", `tokens.yaml:1: the file is empty: want the key "tokens"`},
		{"no list", "tokens: []", "no tokens"},
		{"no YAML", "tokens: [", "tokens.yaml"},
		{"an unknown key", "tokens:\n  - token: 0123456789abcdef\n    user: ada", `tokens.yaml:3: tokens[0]: unknown key "user", allowed: principal, profiles, sha256, token`},
		{"another key", "token: 0123456789abcdef", `tokens.yaml:1: unknown key "token", allowed: tokens, banned`},
		{"no mapping", "tokens: [0123456789abcdef]", "tokens.yaml:1: tokens[0]: want a mapping of principal"},
		{"a list of them", "tokens:\n  - token: [0123456789abcdef]", "tokens.yaml:2: tokens[0]: token: want a string, got a list"},
		{"one profile", "tokens:\n  - token: 0123456789abcdef\n    profiles: player.full", "tokens.yaml:3: tokens[0]: profiles: want a list, got \"player.full\""},
		{"an alias", "tokens:\n  - token: *0123456789abcdef\n    " + good, "tokens.yaml:2: an anchor or alias, which is not allowed here"},
		{"a truth", "tokens:\n  - token: true\n    " + good, "tokens.yaml:2: tokens[0]: token: want a string, got true"},
		{"no principal", "tokens:\n  - token: 0123456789abcdef\n    profiles: [player.full]", "tokens.yaml:2: tokens[0]: principal"},
		{"a star in the middle", "tokens:\n  - token: 0123456789abcdef\n    principal: a*b\n    profiles: [player.full]", "principal"},
		{"no profiles", "tokens:\n  - token: 0123456789abcdef\n    principal: ada", "profiles: want at least one"},
		{"an unknown profile", "tokens:\n  - token: 0123456789abcdef\n    principal: ada\n    profiles: [builder]", "unknown profile"},
		{"no token", "tokens:\n  - " + good, "either token or sha256"},
		{"both", "tokens:\n  - token: 0123456789abcdef\n    sha256: aa\n    " + good, "either token or sha256"},
		{"spaces", "tokens:\n  - token: \"0123456789abcdef\\n\"\n    " + good, "spaces around it"},
		{"a short token", "tokens:\n  - token: guess\n    " + good, "16 characters"},
		{"no hash", "tokens:\n  - sha256: xyz\n    " + good, "64 hexadecimal digits"},
		{"a hash that is too short", "tokens:\n  - sha256: abcd\n    " + good, "64 hexadecimal digits"},
		{"a hash with another digit", "tokens:\n  - sha256: " + strings.Repeat("0", 64) + "g\n    " + good, "64 hexadecimal digits"},
		{"an agent with a star in the middle", "banned:\n  - e*e\ntokens: []", "tokens.yaml:2: banned[0]: want an agent id"},
		{"nobody", "banned: []\ntokens: []", "no tokens"},
		{"twice", "tokens:\n  - token: 0123456789abcdef\n    " + good + "\n  - token: 0123456789abcdef\n    " + good, "tokens[1]: the token is there twice"},
	} {
		_, err := server.ParseTokens([]byte(tt.text), "tokens.yaml", profiles.Builtin())
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "0123456789abcdef") {
			t.Errorf("%s: the error has a token in it: %v", tt.name, err)
		}
	}
	known := tokens(t)
	if c, ok := known.Credential("ada-has-this-token"); !ok || c.Principal != "ada" || len(c.Profiles) != 2 {
		t.Errorf("ada's token is %+v, %v", c, ok)
	}
	if c, ok := known.Credential("guess"); ok {
		t.Errorf("a guess is %+v", c)
	}
	path := filepath.Join(t.TempDir(), "tokens.yaml")
	if _, err := server.LoadTokens(path, profiles.Builtin()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte(tokenFile), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := server.LoadTokens(path, profiles.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	if added, revoked := known.Replace(loaded); added != 0 || revoked != 0 {
		t.Errorf("the file has %d tokens that its text has not, and lacks %d", added, revoked)
	}
}

// With RequireTokens a token is needed on an address of this machine, too, as behind a proxy: over HTTP, its Front included, and WebSocket, standard and native.
func TestRequireTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startOn(t, true, server.Config{Tokens: tokens(t), RequireTokens: true})
		c := r.page()
		for range 3 { // the Front knows the second one's head
			if status, _, h := r.post(c, hello); status != 401 || h.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("over HTTP without a token: %d %v", status, h)
			}
			if status, body, _ := r.post(c, hello, "Authorization", "Bearer ada-has-this-token"); status != 200 {
				t.Errorf("over HTTP with one: %d %s", status, body)
			}
		}
		if status, _, _ := r.get("GET", "/metrics"); status != 401 {
			t.Errorf("/metrics without a token: %d", status)
		}
		if status, _, _ := r.get("GET", "world.example.com/healthz"); status != 200 {
			t.Errorf("/healthz under the proxy's name: %d", status)
		}
		w := r.dial("Host", "world.example.com")
		if got := w.ask(initialize); !strings.Contains(got, "a token is needed here") {
			t.Errorf("over WebSocket without a token: %s", got)
		}
	})
	_, err := server.Listen(server.Config{Core: core(t, noOptions), RequireTokens: true, Address: "127.0.0.1:0"})
	if err == nil || !strings.Contains(err.Error(), "RequireTokens") {
		t.Errorf("without tokens it listens: %v", err)
	}
}
