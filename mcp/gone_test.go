package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// who is what a modern request says of its sender; tasks is whether he knows them.
func who(name string, tasks bool) string {
	extensions := ""
	if tasks {
		extensions = `"extensions":{"io.modelcontextprotocol/tasks":{}}`
	}
	return fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{%s},"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"}}`, extensions, name)
}

// toolCall is a modern tool call.
func toolCall(id int, tool, arguments, who string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`, id, tool, arguments, who)
}

const notHere = `\"eve\" may not be here`

// A connection may be of several, as each message says whose it is. Of one who is banned, and was not the first, what runs ends at once, and says why; what others have goes on.
func TestBanOfASecondName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		defer core.Close()
		l := core.Link(t.Context(), mcp.Peer{}, (&way{}).Tell)
		defer l.Close()
		ways := map[string]*way{}
		for i, name := range []string{"ada", "eve"} {
			ways[name+" calls"] = deliver(l, toolCall(10+i, "demo.work", `{"seconds":20}`, who(name, false)))
			ways[name+" listens"] = deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`, 20+i, who(name, false)))
		}
		time.Sleep(time.Second)
		core.Ban([]string{"eve"})
		synctest.Wait()
		for name, want := range map[string][]string{
			"ada calls": nil, "ada listens": {"acknowledged"},
			"eve calls": {`"id":11,`, "forbidden: ", notHere, `"isError":true`}, "eve listens": {"acknowledged", `"id":21,"error":{"code":-31001,`, notHere},
		} {
			got := ways[name].got()
			for _, part := range want {
				if !strings.Contains(got, part) {
					t.Errorf("%s: %q, without %q", name, got, part)
				}
			}
			if n := strings.Count(got, "answer "); n != strings.Count(name, "eve") {
				t.Errorf("%s: answered %d times: %q", name, n, got)
			}
		}
		if err := core.Registry().Register(askSkills()...); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got := ways["ada calls"].got(); !strings.HasPrefix(got, "answer 0 ") || strings.Contains(got, "isError") {
			t.Errorf("ada's call has come to %q", got)
		}
		for name, want := range map[string]int{"ada listens": 1, "eve listens": 0} {
			if got := ways[name].got(); strings.Count(got, "tools/list_changed") != want {
				t.Errorf("%s: %q, want %d changes", name, got, want)
			}
		}
	})
}

// stubborn are skills that do not look whether they are cancelled. begun is told that one runs; it goes on when it can read from on.
func stubborn(begun chan<- string, on <-chan struct{}) []registry.Skill {
	type in struct {
		Slow bool `json:"slow,omitempty"`
	}
	wait := func(c *registry.Call, _ in) (none, error) {
		begun <- c.Principal().ID
		<-on
		return none{}, c.Emit("demo.done", none{})
	}
	late := func(c *registry.Call, i in) (none, error) {
		begun <- c.Principal().ID
		<-on
		c.Detach()
		return wait(c, i)
	}
	anyone := []profiles.Permission{profiles.Anyone}
	return []registry.Skill{
		registry.Define(registry.Spec[in, none]{Name: "demo.stubborn", Description: "Wait.", Permissions: anyone, Published: true, Timeout: time.Hour, Handle: wait}),
		registry.Define(registry.Spec[in, none]{Name: "demo.stubbornly", Description: "Wait, beside others.", Permissions: anyone, Slow: true, Published: true, Timeout: time.Hour, Handle: wait}),
		registry.Define(registry.Spec[in, none]{Name: "demo.detaches", Description: "Become a task.", Permissions: anyone, Slow: true, Detach: registry.DetachLate, Published: true, Timeout: time.Hour, Handle: late}),
	}
}

// What a call of the banned has done is not committed, however little it cares that it is cancelled: it ends as a refusal, and what it has emitted is dropped. It does not become a task either.
func TestNothingOfTheBannedIsCommitted(t *testing.T) {
	for name, tt := range map[string]struct {
		tool  string
		tasks bool
		in    bool // in process
		first string
	}{
		"quick":           {tool: "demo.stubborn", first: "ada"},
		"slow":            {tool: "demo.stubbornly", first: "ada"},
		"becomes a task":  {tool: "demo.detaches", tasks: true, first: "ada"},
		"in process":      {tool: "demo.stubborn", in: true},
		"slow in process": {tool: "demo.stubbornly", in: true},
	} {
		for _, banned := range []bool{true, false} {
			t.Run(fmt.Sprint(name, banned), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					core := newCore(t, mcp.Options{})
					defer core.Close()
					begun, on := make(chan string, 2), make(chan struct{}, 2)
					if err := core.Registry().Register(stubborn(begun, on)...); err != nil {
						t.Fatal(err)
					}
					l := core.Link(t.Context(), mcp.Peer{}, (&way{}).Tell)
					defer l.Close()
					defer close(on)
					deliver(l, toolCall(1, "demo.echo", `{"text":"x"}`, who("ada", false)))
					answer := make(chan string, 1)
					go func() {
						if !tt.in {
							x := deliver(l, toolCall(2, tt.tool, `{}`, who("eve", tt.tasks)))
							synctest.Wait()
							for x.got() == "" {
								time.Sleep(time.Second)
							}
							answer <- x.got()
							return
						}
						s, err := core.Open(mcp.Identity{AgentID: "eve", SessionID: "s", Profile: "builder.readWrite"})
						if err != nil {
							t.Error(err)
						}
						res := core.CallTool(context.Background(), s, mcp.Request{Tool: tt.tool})
						answer <- fmt.Sprint(res.Error)
					}()
					if got := <-begun; got != "eve" {
						t.Fatalf("it is a call of %s", got)
					}
					if banned {
						core.Ban([]string{"e*"})
					}
					on <- struct{}{}
					if tt.tool == "demo.detaches" {
						<-begun
						on <- struct{}{}
					}
					got := <-answer
					synctest.Wait()
					if is := strings.Contains(got, "may not be here"); is != banned {
						t.Errorf("it is answered %q", got)
					}
					if is := strings.Contains(got, "taskId"); is != (tt.tasks && !banned) {
						t.Errorf("it is a task: %q", got)
					}
					done := 0
					for e := range core.Registry().Trace().Range {
						if e.Type == "demo.done" {
							done++
						}
					}
					if done != map[bool]int{false: 1}[banned] {
						t.Errorf("what it has done is there %d times", done)
					}
				})
			})
		}
	}
}

// A modern message is granted what its profile grants when it comes, also where one like it has come before; what has been taken from a profile is taken from who has come on the connection of another.
func TestReprofileReachesASecondName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		with := func(grants string) *profiles.Set {
			set, err := profiles.Builtin().With([]byte("profiles: {some: {grants: ["+grants+"]}}"), "file")
			if err != nil {
				t.Fatal(err)
			}
			return set
		}
		known := profiles.Builtin()
		known.Replace(with("scene.read"))
		core := newCore(t, mcp.Options{Profiles: known, Profile: "some"})
		defer core.Close()
		begun, on := make(chan string, 2), make(chan struct{}, 2)
		writes := registry.Define(registry.Spec[none, none]{
			Name: "demo.writes", Description: "Write.", Permissions: []profiles.Permission{"scene.write"}, Slow: true, Published: true, Timeout: time.Hour,
			Handle: func(c *registry.Call, _ none) (none, error) {
				begun <- c.Principal().ID
				<-on
				return none{}, nil
			},
		})
		if err := core.Registry().Register(writes); err != nil {
			t.Fatal(err)
		}
		l := core.Link(t.Context(), mcp.Peer{}, (&way{}).Tell)
		defer l.Close()
		defer close(on)
		call := func(name string) *way { return deliver(l, toolCall(1, "demo.writes", `{}`, who(name, false))) }
		const missing = "missing permission: scene.write"
		x := call("ada")
		if synctest.Wait(); !strings.Contains(x.got(), missing) {
			t.Errorf("ada, before it is granted: %s", x.got())
		}
		known.Replace(with("scene.read, scene.write"))
		core.Reprofile()
		x = call("eve")
		<-begun
		known.Replace(with("scene.read"))
		if ended := core.Reprofile(); ended != 0 {
			t.Errorf("%d sessions have ended", ended)
		}
		on <- struct{}{}
		if synctest.Wait(); !strings.Contains(x.got(), "forbidden: the profile some does not grant any more what it did") {
			t.Errorf("eve, whose call was running: %s", x.got())
		}
		x = call("eve")
		if synctest.Wait(); !strings.Contains(x.got(), missing) {
			t.Errorf("eve, as she has called before: %s", x.got())
		}
	})
}
