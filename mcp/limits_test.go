package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// claimed returns a request of a modern client that can answer forms.
func claimed(id int, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`+"\n", id, method, params)
}

// Where a token is needed, who has none gets nothing by any method, however he says who he is: nothing is called, no session
// is opened.
func TestNothingWithoutTheToken(t *testing.T) {
	methods := map[string]string{
		"tools/call": `"name":"demo_echo","arguments":{"text":"x"}`, "tools/list": ``, "prompts/list": ``, "prompts/get": `"name":"greet","arguments":{"who":"Ada"}`,
		"resources/list": ``, "resources/templates/list": ``, "resources/read": `"uri":"test://text"`, "resources/subscribe": `"uri":"test://bell/small"`,
		"completion/complete":  `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""}`,
		"subscriptions/listen": `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://bell/small"]}`,
		"tasks/get":            `"taskId":"x"`, "callTool": `"name":"demo.echo","input":{"text":"x"}`, "skills/list": ``,
	}
	for method, params := range methods {
		for name, text := range map[string]string{
			"legacy": fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`+"\n", method, params),
			"modern": claimed(1, method, params),
		} {
			for _, standard := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					core, bells := newOffers(t, mcp.Options{})
					p := dialAs(t, core, 0, mcp.Peer{NeedsToken: true, Standard: standard})
					p.send(text)
					synctest.Wait()
					if said := p.said(); len(said) != 1 || !strings.Contains(said[0], `"error":{"code":`) {
						t.Errorf("%s, %s, standard %v: said %q, want an error", name, method, standard, said)
					}
					done, _ := core.Registry().Trace().Tail(trace.Filter{Type: registry.EventExecuted})
					if sessions, watches := core.Stats().Sessions, bells.watched(); len(done)+sessions+watches != 0 {
						t.Errorf("%s, %s, standard %v: %d calls, %d sessions, %d watches", name, method, standard, len(done), sessions, watches)
					}
					p.close()
				})
			}
		}
	}
}

// A client that does not initialize, or claims who it is with each message, has one session for all that it does, which ends with
// the connection.
func TestOneSessionWithoutInitialize(t *testing.T) {
	for name, call := range map[string]string{
		"legacy": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"x"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"test://text"}}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"tools/list"}` + "\n",
		"modern": claimed(1, "tools/call", `"name":"demo_echo","arguments":{"text":"x"}`) + claimed(2, "resources/read", `"uri":"test://text"`) + claimed(3, "tools/list", ""),
	} {
		synctest.Test(t, func(t *testing.T) {
			core, _ := newOffers(t, mcp.Options{})
			p := dialAs(t, core, 0, mcp.Peer{Standard: true})
			p.send(call + call)
			synctest.Wait()
			if said := strings.Join(p.said(), "\n"); strings.Count(said, `"result"`) != 6 || core.Stats().Sessions != 1 {
				t.Errorf("%s: %d sessions, said %s", name, core.Stats().Sessions, said)
			}
			p.close()
			if n := core.Stats().Sessions; n != 0 {
				t.Errorf("%s: %d sessions are left", name, n)
			}
		})
	}
}

// What a connection may do in a second is counted by whatever it does it.
func TestRateOfOffers(t *testing.T) {
	for method, params := range map[string]string{
		"tools/call": `"name":"demo_echo","arguments":{"text":"x"}`, "prompts/get": `"name":"greet","arguments":{"who":"Ada"}`,
		"resources/read": `"uri":"test://text"`, "resources/subscribe": `"uri":"test://bell/small"`,
		"completion/complete": `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			core, _ := newOffers(t, mcp.Options{})
			p := dialAs(t, core, 0, mcp.Peer{Standard: true, Rate: 2})
			p.send(strings.Repeat(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`+"\n", method, params), 5))
			synctest.Wait()
			said := p.said()
			refused := slices.DeleteFunc(slices.Clone(said), func(s string) bool { return !strings.Contains(s, "more than 2 calls a second") })
			if len(said) != 5 || len(refused) != 3 || strings.Contains(said[1], "more than") {
				t.Errorf("%s: said %q, want 2 answers and 3 refusals", method, said)
			}
			p.close()
		})
	}
}

// Whoever is asked without end, or answers too much, is let go after some rounds; nothing has been done.
func TestAskedWithoutEnd(t *testing.T) {
	for _, tt := range []struct {
		answer string
		rounds int
		why    string
	}{
		{"x", 8, "asked 8 times, which is the limit; nothing was changed"},
		{strings.Repeat("x", 40_000), 2, "inputResponses: may have 65536 bytes together, got 80"},
	} {
		synctest.Test(t, func(t *testing.T) {
			core := newCore(t, mcp.Options{})
			if err := core.Registry().Register(askSkills()...); err != nil {
				t.Fatal(err)
			}
			p := dialAs(t, core, 0, mcp.Peer{})
			params := `"name":"demo_ask","arguments":{"what":"endless"}`
			more := ""
			for round := 1; ; round++ {
				p.send(claimed(round, "tools/call", params+more))
				synctest.Wait()
				said := strings.Join(p.said(), "\n")
				var m struct {
					Result struct {
						ResultType    string
						RequestState  string
						InputRequests map[string]json.RawMessage
					}
				}
				if err := json.Unmarshal([]byte(said), &m); err != nil {
					t.Fatal(err, said)
				}
				if m.Result.ResultType != "input_required" {
					if round != tt.rounds+1 || !strings.Contains(said, tt.why) {
						t.Errorf("in round %d: %.300s; want to be let go in round %d: %s", round, said, tt.rounds+1, tt.why)
					}
					break
				}
				for key := range m.Result.InputRequests {
					more = fmt.Sprintf(`,"requestState":%q,"inputResponses":{%q:{"action":"accept","content":{"name":%q}}}`, m.Result.RequestState, key, tt.answer)
				}
			}
			p.close()
		})
	}
}

// Progress that does not grow, or is no number, is not told.
func TestProgressGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		if err := core.Registry().Register(registry.Define(registry.Spec[none, none]{
			Name: "demo.waver", Description: "Report back and forth.", Permissions: []profiles.Permission{profiles.Anyone}, Published: true,
			Handle: func(c *registry.Call, _ none) (none, error) {
				for _, x := range []float64{1, 1, math.NaN(), 0.5, math.Inf(1), math.Inf(-1), 2, -3, 2.5} {
					c.Progress(x, math.Inf(1), "")
				}
				return none{}, nil
			},
		})); err != nil {
			t.Fatal(err)
		}
		p := dialAs(t, core, 0, mcp.Peer{Standard: true})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_waver","_meta":{"progressToken":7}}}` + "\n")
		synctest.Wait()
		said := p.said()
		var told []string
		for _, line := range said[:len(said)-1] {
			told = append(told, strings.TrimPrefix(line, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":`))
		}
		if want := []string{"1}}", "2}}", "2.5}}"}; !slices.Equal(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
		p.close()
	})
}

// What a peer has no room for is told later, all of it, and once: in both eras.
func TestUpdatesThatFoundNoRoom(t *testing.T) {
	for name, begin := range map[string]func(l *mcp.Link, x *deaf){
		"legacy": func(l *mcp.Link, _ *deaf) {
			deliver(l, fmt.Sprintf(hello, "2025-11-25"))
			deliver(l, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			for _, uri := range []string{"great", "small"} {
				deliver(l, `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"test://bell/`+uri+`"}}`)
			}
		},
		"modern": func(l *mcp.Link, x *deaf) {
			var o mcp.Outline
			o.Read([]byte(claimed(7, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["test://bell/great","test://secret","test://bell/small"]}`)))
			l.Deliver(&o, x)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			core, bells := newOffers(t, mcp.Options{})
			x := &deaf{}
			ctx, leave := context.WithCancel(t.Context())
			l := core.Link(ctx, mcp.Peer{}, x.Tell)
			begin(l, x)
			synctest.Wait()
			if first := strings.Join(x.taken(t), "\n"); name == "modern" && !strings.Contains(first, `"resourceSubscriptions":["test://bell/great","test://bell/small"]`) {
				t.Errorf("acknowledged: %s", first)
			}
			x.set(true)
			for range 3 {
				bells.ring("test://bell/great")
				bells.ring("test://bell/small")
				time.Sleep(time.Second)
			}
			x.set(false)
			time.Sleep(time.Second)
			told := x.taken(t)
			for _, uri := range []string{"great", "small"} {
				n := 0
				for _, text := range told {
					if strings.Contains(text, `"uri":"test://bell/`+uri+`"`) {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%s: of %s the peer was told %d times, want once: %q", name, uri, n, told)
				}
			}
			leave()
			synctest.Wait()
		})
	}
}

// A completion that panics, or fails in a way that is not for the client, is an internal error and says no more; the connection
// goes on.
func TestCompletionThatBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		complete := func(_ context.Context, p registry.Partial) (registry.Suggestions, error) {
			if p.Value == "panic" {
				panic("/etc/secrets")
			}
			return registry.Suggestions{}, errors.New("/etc/secrets")
		}
		if err := core.Registry().Prompts().Register(registry.DefinePrompt(registry.PromptSpec{
			Name: "broken", Description: "Complete badly.", Permissions: []profiles.Permission{profiles.Anyone},
			Arguments: []registry.Argument{{Name: "who", Complete: complete}},
			Get:       func(*registry.Call, map[string]string) (registry.Prompted, error) { return registry.Prompted{}, nil },
		})); err != nil {
			t.Fatal(err)
		}
		p := dialAs(t, core, 0, mcp.Peer{Standard: true})
		for _, how := range []string{"panic", "fail"} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"broken"},"argument":{"name":"who","value":%q}}}`+"\n", how))
			synctest.Wait()
			if said := strings.Join(p.said(), "\n"); said != `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}` {
				t.Errorf("%s: said %s", how, said)
			}
		}
		p.send(fmt.Sprintf(ping, 2))
		synctest.Wait()
		if said := strings.Join(p.said(), "\n"); said != `{"jsonrpc":"2.0","id":2,"result":{}}` {
			t.Errorf("said %s to a ping", said)
		}
		p.close()
	})
}

// Where the host does not let the person at the client decide, he is not asked: the call is held for a reviewer.
func TestHeldWithoutApprove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg := registry.New(registry.Options{Gate: approval.NewGate(approval.Options{Profiles: []string{"builder.readWrite"}})})
		if err := reg.Register(testSkills()...); err != nil {
			t.Fatal(err)
		}
		core, err := mcp.New(reg, mcp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := dialAs(t, core, 0, mcp.Peer{})
		p.send(claimed(1, "tools/call", `"name":"scene_createEntity","arguments":{}`))
		synctest.Wait()
		if said := strings.Join(p.said(), "\n"); !strings.Contains(said, `pending_approval`) || !strings.Contains(said, `"isError":true`) || strings.Contains(said, "elicitation") {
			t.Errorf("said %s", said)
		}
		p.close()
	})
}

// What a call attaches does not hide that it was only tried out.
func TestDryRunSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dialAs(t, newCore(t, mcp.Options{}), 0, mcp.Peer{Standard: true})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_show","arguments":{"only":"image"},"_meta":{"dev.limina/dryRun":true}}}` + "\n")
		synctest.Wait()
		if said := strings.Join(p.said(), "\n"); !strings.Contains(said, `{"type":"image"`) || !strings.Contains(said, `{"type":"text","text":"This was a dry run: nothing was changed.`) {
			t.Errorf("said %s", said)
		}
		p.close()
	})
}

// What slow calls keep while they run is bounded, in all and of each owner, over however many connections and by whatever names of one token: who has much leaves room for others. It is
// free when they end, one way or the other.
func TestInputsOfSlowCallsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{MaxInputs: 200 << 10})
		work := func(p *peer, id, pad int) (refused bool) {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":10%s}}}`+"\n", id, strings.Repeat(" ", pad)))
			synctest.Wait()
			said := strings.Join(p.said(), "\n")
			if refused = said != ""; refused && !strings.Contains(said, "the inputs of your slow calls that are running, over all your connections, leave no room for one of ") {
				t.Errorf("said %s", said)
			}
			return refused
		}
		var peers []*peer
		fleet := &mcp.Credential{Principal: "fleet-*", Profiles: []string{"builder.readWrite"}}
		for n, as := range []struct {
			name string
			cred *mcp.Credential
		}{{"ada", nil}, {"bob", nil}, {"eve", nil}, {"ada", nil}, {"fleet-1", fleet}, {"fleet-2", fleet}} {
			p := dialAs(t, core, 0, mcp.Peer{Credential: as.cred})
			p.send(initAs(as.name, fmt.Sprint("s", n), "builder.readWrite", "") + "\n")
			synctest.Wait()
			p.said()
			peers = append(peers, p)
		}
		const large = 60 << 10
		for i, tt := range []struct {
			peer, pad int
			refused   bool
		}{
			{0, large, false},
			{0, large, true}, // with it she would have more than is left
			{3, large, true}, // nor over another connection
			{1, large, false},
			{2, large, true},
			{4, 100, false},
			{5, 100, true}, // another name of the same token
			{2, 100, false},
		} {
			if got := work(peers[tt.peer], 10+i, tt.pad); got != tt.refused {
				t.Errorf("peer %d, %d bytes: refused %v, want %v", tt.peer, tt.pad, got, tt.refused)
			}
		}
		for round := range 3 { // they end, or are cancelled, and what they kept is free
			if round == 1 {
				peers[0].send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
				synctest.Wait()
			} else {
				time.Sleep(time.Minute)
				synctest.Wait()
			}
			peers[0].said()
			if work(peers[0], 1, 2*large/3) || work(peers[0], 2, 100) {
				t.Errorf("round %d: refused, though nobody has anything running", round)
			}
			peers[0].send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n")
		}
		for _, p := range peers {
			p.close()
		}
	})
}
