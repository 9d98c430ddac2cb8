package mcp_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

// initAs is a native initialize.
func initAs(agent, session, profile, token string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"agentId":%q,"sessionId":%q,"profile":%q,"token":%q}}`+"\n", agent, session, profile, token)
}

// Who has a token is whom it names, and may have what it opens; where one is needed, nobody else gets
// a session or sees what is served.
func TestCredentials(t *testing.T) {
	tokens := func(token string) (mcp.Credential, bool) {
		switch token {
		case "sesame":
			return mcp.Credential{Principal: "ada", Profiles: []string{"player.full", "reviewer"}}, true
		case "fleet":
			return mcp.Credential{Principal: "bot-*", Profiles: []string{"player.full"}}, true
		}
		return mcp.Credential{}, false
	}
	ada, _ := tokens("sesame")
	fleet, _ := tokens("fleet")
	const (
		ok    = `"result":{"protocolVersion"`
		list  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
		who   = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}` + "\n"
		alive = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	)
	for _, tt := range []struct {
		name string
		peer mcp.Peer
		send string
		want string // in what is said last
	}{
		{"an open profile, no token", mcp.Peer{}, initAs("eve", "s", "player.full", ""), ok},
		{"a token that is not known", mcp.Peer{}, initAs("eve", "s", "player.full", "guess"), `-32001,"message":"token: not known here"`},
		{"somebody else's token", mcp.Peer{}, initAs("eve", "s", "player.full", "sesame"), `-32001,"message":"agentId: the token is for \"ada\""`},
		{"what the token opens", mcp.Peer{}, initAs("ada", "s", "reviewer", "sesame"), ok},
		{"what is open beside it", mcp.Peer{}, initAs("ada", "s", "builder.readWrite", "sesame"), ok},
		{"what neither opens", mcp.Peer{}, initAs("ada", "s", "reviewer.coordinator", "sesame"), "it opens player.full, reviewer"},
		{"an unknown profile", mcp.Peer{}, initAs("ada", "s", "builder", "sesame"), `-32602,"message":"unknown profile`},
		{"a token for many", mcp.Peer{}, initAs("bot-7", "s", "player.full", "fleet"), ok},
		{"a token for others", mcp.Peer{}, initAs("ada", "s", "player.full", "fleet"), `the token is for \"bot-*\"`},
		{"a credential of the connection", mcp.Peer{Credential: &ada}, initAs("ada", "s", "reviewer", ""), ok},
		{"a credential and a token: the token", mcp.Peer{Credential: &ada}, initAs("bot-1", "s", "player.full", "fleet"), ok},
		{"needed and not there", mcp.Peer{NeedsToken: true}, initAs("eve", "s", "player.full", ""), `-32001,"message":"a token is needed here`},
		{"needed and there", mcp.Peer{NeedsToken: true}, initAs("ada", "s", "player.full", "sesame"), ok},
		{"needed, there, and the profile not its", mcp.Peer{NeedsToken: true}, initAs("ada", "s", "builder.readWrite", "sesame"), "does not open profile"},
		{"a list before", mcp.Peer{}, list, `"tools":[`},
		{"a list before what is needed", mcp.Peer{NeedsToken: true}, list, "-32000"},
		{"a list after it", mcp.Peer{NeedsToken: true}, initAs("ada", "s", "player.full", "sesame") + list, `"tools":[`},
		{"a ping before what is needed", mcp.Peer{NeedsToken: true}, alive, `"result":{}`},
		{"standard", mcp.Peer{}, initStandard + who, `"agent":"tester"`},
		{"standard with a credential", mcp.Peer{Credential: &ada}, initStandard + who, `"agent":"ada"`},
		{"standard with one for many", mcp.Peer{Credential: &fleet}, initStandard + who, `"agent":"bot-tester"`},
		{"standard without what is needed", mcp.Peer{NeedsToken: true}, initStandard, "a token is needed here"},
		{"standard with what is needed", mcp.Peer{NeedsToken: true, Credential: &ada}, initStandard + who, `"agent":"ada"`},
		{"standard gets the first profile of the token", mcp.Peer{Credential: &ada}, initStandard + strings.NewReplacer("demo.echo", "scene.createEntity", `{"text":"x"}`, "{}").Replace(who), "Your profile, player.full"},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := dialAs(t, newCore(t, mcp.Options{Tokens: tokens}), 0, tt.peer)
			p.send(tt.send)
			synctest.Wait()
			said := p.said()
			if last := said[len(said)-1]; !strings.Contains(last, tt.want) {
				t.Errorf("%s: said %s, want %s", tt.name, last, tt.want)
			}
			p.close()
		})
	}
}

// Before its first initialize a standard connection is answered as one.
func TestStandardBeforeInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dialAs(t, newCore(t, mcp.Options{}), 0, mcp.Peer{Standard: true})
		p.send("{bad\n" + `{"jsonrpc":"2.0","id":1,"method":"callTool","params":{}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"first"}}}` + "\n")
		synctest.Wait()
		got := strings.Join(p.said(), "\n")
		if strings.Contains(got, `"id":null`) || !strings.Contains(got, "Method not found: callTool") || !strings.Contains(got, `"structuredContent":{"text":"first"`) {
			t.Errorf("said %s", got)
		}
		p.close()
	})
}

// A peer that takes too long to initialize is let go; one that has done so may idle.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		var met [3]atomic.Int32
		as := func(n int) mcp.Peer {
			return mcp.Peer{Patience: 10 * time.Second, Greeted: func(*mcp.Credential) error { met[n].Add(1); return nil }}
		}
		silent, greeted := dialAs(t, core, 0, as(0)), dialAs(t, core, 0, as(1))
		greeted.send(initNative)
		greeted.send(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}` + "\n")
		modern := dialAs(t, core, 0, as(2)) // who has nothing to initialize
		modern.send(claimed(1, "tools/list", ""))
		modern.send(claimed(2, "tools/list", ""))
		time.Sleep(9 * time.Second)
		silent.send(fmt.Sprintf(ping, 1))
		synctest.Wait()
		select {
		case err := <-silent.served:
			t.Fatalf("Serve = %v, after 9 seconds", err)
		default:
		}
		time.Sleep(2 * time.Second)
		if err := <-silent.served; !errors.Is(err, mcp.ErrNoSession) {
			t.Errorf("Serve = %v, want ErrNoSession", err)
		}
		silent.over = true
		silent.close()
		time.Sleep(time.Hour)
		greeted.close()
		modern.close()
		for n, want := range []int32{0, 1, 1} {
			if got := met[n].Load(); got != want {
				t.Errorf("peer %d was greeted %d times, want %d", n, got, want)
			}
		}
	})
}

// Who may not be greeted gets no session, in any dialect, is told why, and may come again.
func TestGreetedRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{Tokens: func(token string) (mcp.Credential, bool) {
			return mcp.Credential{Principal: "a*", Profiles: []string{"builder.readWrite"}}, token == "good"
		}})
		for _, tt := range []struct {
			name, send string
			standard   bool
		}{
			{"native", strings.Replace(initNative, `"params":{`, `"params":{"token":"good",`, 1), false},
			{"legacy", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}` + "\n", true},
			{"modern", claimed(1, "tools/list", ""), true},
			{"nothing", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"first"}}}` + "\n", true},
		} {
			var whose []*mcp.Credential
			full := true
			peer := mcp.Peer{Standard: tt.standard, Greeted: func(c *mcp.Credential) error {
				whose = append(whose, c)
				if full {
					return registry.Errorf(registry.CodeCapacityExceeded, "you have too many")
				}
				return nil
			}}
			p := dialAs(t, core, 0, peer)
			p.send(tt.send)
			synctest.Wait()
			if got := strings.Join(p.said(), ""); !strings.Contains(got, "you have too many") || strings.Contains(got, `"result"`) || core.Stats().Sessions != 0 {
				t.Errorf("%s: said %s, with %d sessions", tt.name, got, core.Stats().Sessions)
			}
			full = false
			p.send(tt.send)
			synctest.Wait()
			if got := strings.Join(p.said(), ""); !strings.Contains(got, `"result"`) || core.Stats().Sessions != 1 {
				t.Errorf("%s, again: said %s, with %d sessions", tt.name, got, core.Stats().Sessions)
			}
			if len(whose) != 2 || (whose[0] != nil) != (tt.name == "native") || whose[0] != nil && whose[0].Principal != "a*" {
				t.Errorf("%s: greeted %d times, as %v", tt.name, len(whose), whose[0])
			}
			p.close()
		}
	})
}

// A task goes on when the connection that began it has ended, and its owner finds it from another one.
func TestTaskOutlivesItsConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		who := mcp.Peer{Credential: &mcp.Credential{Principal: "ada", Profiles: []string{"builder.readWrite"}}}
		ask := func(p *peer, id int, method, params string) string {
			p.send(strings.Replace(claimed(id, method, params), `"elicitation":{}`, `"extensions":{"io.modelcontextprotocol/tasks":{}}`, 1))
			synctest.Wait()
			return strings.Join(p.said(), "\n")
		}
		first := dialAs(t, core, 0, who)
		begun := ask(first, 1, "tools/call", `"name":"demo_work","arguments":{"seconds":5}`)
		_, id, found := strings.Cut(begun, `"taskId":"`)
		if id, _, _ = strings.Cut(id, `"`); !found {
			t.Fatalf("said %s, want a task", begun)
		}
		_ = first.in.Close()
		if err := <-first.served; err != nil {
			t.Errorf("Serve = %v", err)
		}
		first.cancel()
		time.Sleep(6 * time.Second)
		second := dialAs(t, core, 0, who)
		if got := ask(second, 2, "tasks/get", fmt.Sprintf(`"taskId":%q`, id)); !strings.Contains(got, `"status":"completed"`) || !strings.Contains(got, `"done":true`) {
			t.Errorf("said %s, want what came of the task", got)
		}
		second.close()
	})
}

// Where shutdown ends the connection it does so after all that was asked before it is answered, and
// nothing is read after it.
func TestEndsOnShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dialAs(t, newCore(t, mcp.Options{}), 0, mcp.Peer{EndsOnShutdown: true})
		p.send(initNative + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":5}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"shutdown"}` + "\n" + fmt.Sprintf(ping, 3))
		if err := <-p.served; err != nil {
			t.Errorf("Serve = %v", err)
		}
		p.over = true
		said := strings.Join(p.said(), "\n")
		if !strings.Contains(said, `"id":2,"result":{"ok":true}`) || !strings.Contains(said, `"done":true`) || strings.Contains(said, `"id":3`) {
			t.Errorf("said %s", said)
		}
		p.close()
	})
}

// What a peer leaves running when it goes in order is answered, but not waited for without end.
func TestLinger(t *testing.T) {
	for _, tt := range []struct {
		seconds int
		says    string
		ends    string
		at      time.Duration
	}{
		{8, `"done":true`, "<nil>", 8 * time.Second},
		{1000, "cancelled; nothing was changed", "its calls took too long", 10 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := dialAs(t, newCore(t, mcp.Options{}), 0, mcp.Peer{Linger: 10 * time.Second})
			p.send(initNative + fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":%d}}}`+"\n", tt.seconds))
			_ = p.in.Close()
			began := time.Now()
			err := <-p.served
			p.over = true
			if took := time.Since(began); took != tt.at || !strings.Contains(fmt.Sprint(err), tt.ends) {
				t.Errorf("%d s: Serve = %v after %v, want %s after %v", tt.seconds, err, took, tt.ends, tt.at)
			}
			if said := strings.Join(p.said(), "\n"); !strings.Contains(said, tt.says) {
				t.Errorf("%d s: said %s", tt.seconds, said)
			}
			p.close()
		})
	}
}

// waiting is a Framer that hands out each of its texts whole, and waits between them: a Waiter.
type waiting struct {
	mcp.Framer
	parts  [][]string // messages that come together
	at     int
	before func() error
	after  func()
	writes [][]byte
}

func (w *waiting) OnWait(before func() error, after func()) { w.before, w.after = before, after }
func (w *waiting) Buffered() bool                           { panic("asked, though it is a Waiter") }
func (w *waiting) Close() error                             { return nil }

func (w *waiting) Next() ([]byte, error) {
	if w.at == len(w.parts[0]) {
		if err := w.before(); err != nil {
			return nil, err
		}
		w.after()
		w.parts, w.at = w.parts[1:], 0
		if len(w.parts) == 0 {
			return nil, io.EOF
		}
	}
	w.at++
	return []byte(w.parts[0][w.at-1]), nil
}

func (w *waiting) Write(p []byte) error {
	w.writes = append(w.writes, bytes.Clone(p))
	return nil
}

// A Framer that knows only inside Next whether it waits has its answers written there: those to
// messages that came together in one write.
func TestWaiter(t *testing.T) {
	f := &waiting{
		Framer: stdio.New(strings.NewReader(""), io.Discard, stdio.Options{}),
		parts: [][]string{
			{initNative, fmt.Sprintf(ping, 1), fmt.Sprintf(ping, 2)},
			{fmt.Sprintf(ping, 3)},
		},
	}
	if err := newCore(t, mcp.Options{}).Serve(t.Context(), f); err != nil {
		t.Errorf("Serve = %v", err)
	}
	if len(f.writes) != 2 || bytes.Count(f.writes[0], []byte("\n")) != 3 || bytes.Count(f.writes[1], []byte("\n")) != 1 {
		t.Errorf("writes %q, want one of three lines and one of one", f.writes)
	}
}
