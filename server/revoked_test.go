package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
)

// parse reads the text of a token file.
func parse(tb testing.TB, text string) *server.Tokens {
	tb.Helper()
	t, err := server.ParseTokens([]byte(text), "tokens.yaml", profiles.Builtin())
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

const (
	entryAda   = "  - {token: ada-has-this-token, principal: ada, profiles: [builder.readWrite, reviewer]}\n"
	entryFleet = "  - {token: fleet-has-this-token, principal: fleet-*, profiles: [player.full]}\n"
	entryEve   = "  - {token: eve-has-this-token, principal: eve, profiles: [system.readonly]}\n"
)

// stream opens the stream of a session over HTTP, or of what a modern request listens to, and returns what comes.
func (r *rig) stream(c *http.Client, method, body string, headers ...string) (lines *bufio.Reader, status int) {
	r.tb.Helper()
	req, err := http.NewRequest(method, "http://localhost:8787/mcp", strings.NewReader(body))
	if err != nil {
		r.tb.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	answer, err := c.Do(req)
	if err != nil {
		r.tb.Fatal(err)
	}
	r.tb.Cleanup(func() { _ = answer.Body.Close() })
	return bufio.NewReader(answer.Body), answer.StatusCode
}

const listen = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"l","version":"1"}},"notifications":{"toolsListChanged":true}}}`

// What a token has opened ends when it is taken back, however it has come, and nothing else does.
func TestTokensAreTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := parse(t, "tokens:\n"+entryAda+entryFleet)
		r := startOn(t, false, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known})
		auth := []string{"Authorization", "Bearer ada-has-this-token"}
		byHeader := r.dial(auth...)
		byHeader.ask(initialize)
		work := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":3000}}}`
		byHeader.send(work)
		byToken := r.dial()
		byToken.ask(strings.NewReplacer(`"s1"`, `"s2","token":"ada-has-this-token"`).Replace(initialize))
		idle := r.dial(auth...) // has no session
		other := r.dial("Authorization", "Bearer fleet-has-this-token")
		other.ask(strings.NewReplacer(`"ada"`, `"fleet-7"`, "builder.readWrite", "player.full", "s1", "s3").Replace(initialize))
		web := r.page()
		_, _, h := r.post(web, hello, auth...)
		session := h.Get("Mcp-Session-Id")
		general, status := r.stream(web, "GET", "", append(auth, "Mcp-Session-Id", session)...)
		if status != 200 {
			t.Fatalf("GET: %d", status)
		}
		listening, status := r.stream(web, "POST", listen, append(auth, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")...)
		if status != 200 {
			text, _ := listening.ReadString(0)
			t.Fatalf("listen: %d %s", status, text)
		}
		synctest.Wait()

		if added, revoked := known.Replace(parse(t, "tokens:\n"+entryEve+entryFleet)); added != 1 || revoked != 1 {
			t.Errorf("%d tokens are new, %d taken back, want one each", added, revoked)
		}
		for name, c := range map[string]*client{"by the handshake": byHeader, "by initialize": byToken, "without a session": idle} {
			if code, reason := c.farewell(); code != 1008 || reason != "the token has been taken back" {
				t.Errorf("%s: closed with %d %q", name, code, reason)
			}
		}
		for name, lines := range map[string]*bufio.Reader{"of the session": general, "that listens": listening} {
			if text, err := lines.ReadString(0); err == nil {
				t.Errorf("the stream %s goes on: %s", name, text)
			}
		}
		if status, _, _ := r.post(web, call(1, "demo.echo", `{"text":"x"}`), append(auth, "Mcp-Session-Id", session)...); status != 401 {
			t.Errorf("the session: %d", status)
		}
		if _, status, _ := r.try(auth...); status != 401 {
			t.Errorf("a handshake: %d", status)
		}
		if got := other.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"agent":"fleet-7"`) {
			t.Errorf("whose token has stayed: %s", got)
		}
		if c := r.dial("Authorization", "Bearer eve-has-this-token"); c != nil {
			if got := c.ask(strings.NewReplacer("ada", "eve", "builder.readWrite", "system.readonly").Replace(initialize)); !strings.Contains(got, `"agentId":"eve"`) {
				t.Errorf("whose token is new: %s", got)
			}
		}
		// A token that stands for something else is another one.
		if added, revoked := known.Replace(parse(t, "tokens:\n"+entryEve+strings.Replace(entryFleet, "player.full", "player.limited", 1))); added != 1 || revoked != 1 {
			t.Errorf("%d tokens are new, %d taken back, want one each", added, revoked)
		}
		if code, _ := other.farewell(); code != 1008 {
			t.Errorf("whose token stands for something else: closed with %d", code)
		}
	})
}

// Who is banned goes, and does not come in again, by whatever token and in whatever way.
func TestBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := parse(t, "tokens:\n"+entryAda+entryFleet)
		m := core(t, mcp.Options{Tokens: known.Credential})
		r := startOn(t, false, server.Config{Core: m, Tokens: known})
		fleet := []string{"Authorization", "Bearer fleet-has-this-token"}
		as := func(agent, session string) string {
			return strings.NewReplacer(`"ada"`, `"`+agent+`"`, "builder.readWrite", "player.full", "s1", session).Replace(initialize)
		}
		bad, good := r.dial(fleet...), r.dial(fleet...)
		bad.ask(as("fleet-7", "s7"))
		good.ask(as("fleet-8", "s8"))
		web := r.page()
		named := strings.Replace(hello, `"name":"c"`, `"name":"fleet-7a"`, 1)
		_, _, h := r.post(web, named, fleet...)
		session := h.Get("Mcp-Session-Id")
		modern := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"fleet-7","version":"1"}}}}`
		shared := r.dial(append(fleet, "Sec-WebSocket-Protocol", "mcp")...) // each message says whose it is
		if got := shared.ask(modern); !strings.Contains(got, `"agent":"fleet-7"`) {
			t.Errorf("a modern call: %s", got)
		}

		m.Ban([]string{"fleet-7*"})
		if code, reason := bad.farewell(); code != 1008 || !strings.Contains(reason, "banned") {
			t.Errorf("closed with %d %q", code, reason)
		}
		if code, _ := shared.farewell(); code != 1008 {
			t.Errorf("the modern one is closed with %d", code)
		}
		synctest.Wait()
		if status, _, _ := r.post(web, call(1, "demo.echo", `{"text":"x"}`), append(fleet, "Mcp-Session-Id", session)...); status != 404 {
			t.Errorf("the session over HTTP: %d", status)
		}
		const told = `may not be here`
		if got := r.dial(fleet...).ask(as("fleet-7", "s9")); !strings.Contains(got, told) {
			t.Errorf("native: %s", got)
		}
		if _, got, _ := r.post(web, named, fleet...); !strings.Contains(got, told) {
			t.Errorf("over HTTP: %s", got)
		}
		shared = r.dial(append(fleet, "Sec-WebSocket-Protocol", "mcp")...)
		if got := shared.ask(strings.Replace(modern, "fleet-7", "fleet-9", 1)); !strings.Contains(got, `"agent":"fleet-9"`) {
			t.Errorf("a modern call of another: %s", got)
		}
		if got := shared.ask(modern); !strings.Contains(got, told) {
			t.Errorf("a modern call behind another's: %s", got)
		}
		if got := good.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"agent":"fleet-8"`) {
			t.Errorf("who is not banned: %s", got)
		}
		m.Ban([]string{"fleet-9"})
		if got := r.dial(fleet...).ask(as("fleet-7", "s9")); !strings.Contains(got, `"agentId":"fleet-7"`) {
			t.Errorf("who was banned before: %s", got)
		}
	})
}

// Who is banned in the file of the tokens does not come in, without the host's doing, and goes when the file says so; nobody whom the host has banned comes back by that.
func TestBannedInTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := parse(t, "tokens:\n"+entryFleet+"banned: [fleet-1]\n")
		m := core(t, mcp.Options{Tokens: known.Credential})
		m.Ban([]string{"fleet-2"})
		r := startOn(t, false, server.Config{Core: m, Tokens: known})
		come := func(agent string) (c *client, in bool) {
			c = r.dial("Authorization", "Bearer fleet-has-this-token")
			said := c.ask(strings.NewReplacer(`"ada"`, `"`+agent+`"`, "builder.readWrite", "player.full", "s1", agent).Replace(initialize))
			if in = strings.Contains(said, `"agentId":"`+agent+`"`); !in && !strings.Contains(said, "may not be here") {
				t.Errorf("%s: %s", agent, said)
			}
			return c, in
		}
		if _, in := come("fleet-1"); in {
			t.Fatal("who is banned in the file comes in")
		}
		if _, in := come("fleet-2"); in {
			t.Error("whom the host has banned comes in")
		}
		c, in := come("fleet-3")
		if !in {
			t.Error("who is not banned does not come in")
		}
		known.Replace(parse(t, "tokens:\n"+entryFleet+"banned: [fleet-3]\n"))
		for agent, want := range map[string]bool{"fleet-1": true, "fleet-2": false, "fleet-3": false, "fleet-4": true} {
			if _, in := come(agent); in != want {
				t.Fatalf("once the file was read anew %s comes in: %t, want %t", agent, in, want)
			}
		}
		if code, reason := c.farewell(); code != 1008 || !strings.Contains(reason, "banned") {
			t.Errorf("who is banned by now is closed with %d %q", code, reason)
		}
	})
}

// The page /sessions says who is there, to those who may read what others do.
func TestSessionsPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := parse(t, "tokens:\n"+entryAda+entryFleet+entryEve)
		r := startOn(t, false, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known})
		for name, want := range map[string]int{"ada": 200, "fleet": 403, "eve": 200, "nobody": 401} { // a reviewer, a player, an observer
			if status, _, _ := r.get("GET", "/sessions", "Authorization", "Bearer "+name+"-has-this-token"); status != want {
				t.Errorf("%s: %d, want %d", name, status, want)
			}
		}
		if status, _, _ := r.get("GET", "/sessions"); status != 401 {
			t.Errorf("without a token: %d", status)
		}
		c := r.dial("Authorization", "Bearer fleet-has-this-token", "X-Forwarded-For", "203.0.113.9")
		c.ask(strings.NewReplacer(`"ada"`, `"fleet-7"`, "builder.readWrite", "player.full").Replace(initialize))
		c.ask(call(1, "demo.echo", `{"text":"x"}`))
		c.ask(call(2, "demo.echo", `{"text":"x"}`))
		r.post(r.page(), hello, "Authorization", "Bearer ada-has-this-token")
		_, text, _ := r.get("GET", "/sessions", "Authorization", "Bearer eve-has-this-token")
		var got struct{ Sessions []mcp.Standing }
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Sessions) != 2 {
			t.Fatalf("%v: %s", err, text)
		}
		a, f := got.Sessions[0], got.Sessions[1]
		if a.Agent != "ada" || a.Client != "c 1" || a.Via != "http" || a.Profile != "builder.readWrite" || a.Token != "" || a.Calls != 0 {
			t.Errorf("ada is %+v", a)
		}
		if f.Agent != "fleet-7" || f.Session != "s1" || f.Via != "websocket" || f.Token != "fleet-*" || f.Calls != 2 || !strings.HasSuffix(f.From, ", for 203.0.113.9") {
			t.Errorf("the fleet is %+v", f)
		}
		open := start(t, server.Config{})
		if status, text, _ := open.get("GET", "/sessions"); status != 200 || strings.TrimSpace(text) != "{\n \"sessions\": []\n}" {
			t.Errorf("on this machine: %d %q", status, text)
		}
	})
}

// The log tells of sessions, who has them and how long they were, and not of all where they come too fast.
func TestSessionsInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := start(t, server.Config{Core: core(t, mcp.Options{Logger: zerolog.New(zerolog.SyncWriter(&log))})})
		c := r.dial("Sec-WebSocket-Protocol", "mcp")
		c.ask(strings.Replace(hello, `"name":"c"`, `"name":"ann"`, 1))
		c.ask(call(1, "demo.echo", `{"text":"x"}`))
		time.Sleep(3 * time.Second)
		_ = c.Close()
		synctest.Wait()
		for _, want := range []string{`"agent":"ann"`, `"profile":"builder.readWrite","via":"websocket","from":"`, `"client":"ann 1","message":"session opened"`, `"after":"3s","calls":1,"message":"session ended"`} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log does not have %s: %s", want, log.String())
			}
		}
		time.Sleep(time.Second)
		log.Reset()
		web := r.page()
		for range 30 {
			r.post(web, hello)
		}
		if n := strings.Count(log.String(), "session opened"); n != 20 {
			t.Errorf("of 30 sessions in a second the log tells of %d, want 20", n)
		}
		time.Sleep(time.Second)
		r.post(web, hello)
		if !strings.Contains(log.String(), `"others":10,"message":"session opened"`) {
			t.Errorf("the log does not say that there were others: %s", log.String())
		}
	})
}

// TestProfilesAreReplaced: sessions end whose profile does not grant any more what it did, however they have come, and come again with what it grants now. Those of other profiles, and of those that grant
// more, go on.
func TestProfilesAreReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		with := func(text string) *profiles.Set {
			set, err := profiles.Builtin().With([]byte("profiles:\n"+text), "profiles.yaml")
			if err != nil {
				t.Fatal(err)
			}
			return set
		}
		set := with("  less: {grants: [scene.read, scene.write]}\n  more: {grants: [scene.read]}\n  gone: {grants: [scene.read]}\n")
		m := core(t, mcp.Options{Profiles: set})
		r := startOn(t, true, server.Config{Core: m})
		open := func(profile string) *client {
			c := r.dial()
			if got := c.ask(strings.NewReplacer("builder.readWrite", profile, `"s1"`, `"of `+profile+`"`).Replace(initialize)); !strings.Contains(got, `"profile":"`+profile+`"`) {
				t.Fatal(got)
			}
			return c
		}
		builder, less, more, gone := open("builder.readWrite"), open("less"), open("more"), open("gone")
		web := r.page()
		_, _, h := r.postTo(web, "/mcp?profile=less", hello)
		general, status := r.stream(web, "GET", "", "Mcp-Session-Id", h.Get("Mcp-Session-Id"))
		if status != 200 {
			t.Fatalf("GET: %d", status)
		}
		host, err := m.Open(mcp.Identity{AgentID: "host", SessionID: "host", Profile: "gone"})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()

		next := with("  less: {grants: [scene.read]}\n  more: {grants: [scene.read, scene.write]}\n  new: {grants: [scene.read, approval.review]}\n")
		if changed := set.Replace(next); !slices.Equal(changed, []string{"gone", "less", "more", "new"}) {
			t.Errorf("changed are %q", changed)
		}
		if ended := m.Reprofile(); ended != 4 {
			t.Errorf("%d sessions have ended, want 4", ended)
		}
		for name, c := range map[string]*client{"less": less, "gone": gone} {
			if code, reason := c.farewell(); code != 1008 || !strings.Contains(reason, "does not grant any more") {
				t.Errorf("%s: closed with %d %q", name, code, reason)
			}
		}
		if res := m.CallTool(t.Context(), host, mcp.Request{Tool: "demo.echo", Input: []byte(`{"text":"x"}`)}); res.Error == nil {
			t.Error("a session in process goes on")
		}
		for name, c := range map[string]*client{"builder.readWrite": builder, "more": more} {
			if got := c.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"agent":"ada"`) {
				t.Errorf("%s: %s", name, got)
			}
		}
		open("less")
		c := r.dial()
		if got := c.ask(strings.NewReplacer("builder.readWrite", "gone").Replace(initialize)); !strings.Contains(got, `unknown profile`) {
			t.Errorf("of a profile that is gone: %s", got)
		}
		if got := c.ask(strings.NewReplacer("builder.readWrite", "new").Replace(initialize)); !strings.Contains(got, `profile \"new\" needs a token`) {
			t.Errorf("of one that reviews: %s", got)
		}
		if text, err := general.ReadString(0); err == nil {
			t.Errorf("the stream of a session goes on: %s", text)
		}
		if status, _, _ := r.postTo(web, "/mcp?profile=less", call(1, "demo.echo", `{"text":"x"}`), "Mcp-Session-Id", h.Get("Mcp-Session-Id")); status != 404 {
			t.Errorf("a session over HTTP: %d", status)
		}
		if n := m.Reprofile(); n != 0 {
			t.Errorf("%d sessions have ended of profiles that are the same", n)
		}
	})
}
