package mcp_test

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// ofTasks is what a request of who knows tasks, and has roots, says of its sender.
const ofTasks = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

// taskOf returns the id of the task in an answer.
func taskOf(answer string) string {
	_, id, _ := strings.Cut(answer, `"taskId":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// Who listens to a task that has a question, or has ended, before he could, is told so: nothing else would say it.
func TestListenToATaskThatWaitsOrHasEnded(t *testing.T) {
	for name, tt := range map[string]struct{ call, status string }{
		"waits": {`"name":"demo.ask","arguments":{"what":"roots"}`, "input_required"},
		"ended": {`"name":"demo.work","arguments":{"seconds":1}`, "completed"},
		"works": {`"name":"demo.work","arguments":{"seconds":60}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				core := newCore(t, mcp.Options{})
				defer core.Close()
				if err := core.Registry().Register(askSkills()...); err != nil {
					t.Fatal(err)
				}
				l := core.Link(t.Context(), mcp.Peer{}, nil)
				defer l.Close()
				x := deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{%s,%s}}`, tt.call, ofTasks))
				time.Sleep(5 * time.Second)
				id := taskOf(x.got())
				x = deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"taskIds":[%q]},%s}}`, id, ofTasks))
				ack, next, more := strings.Cut(x.got(), "\n")
				if !strings.Contains(ack, "acknowledged") || !strings.Contains(ack, id) {
					t.Fatalf("first it is told %q", ack)
				}
				if more != (tt.status != "") || !strings.Contains(next, tt.status) {
					t.Errorf("then it is told %q, want the status %q", next, tt.status)
				}
			})
		})
	}
}

// Who listens to a task is told of its changes in their order, also where he is slow to be told of the one before: that it goes on comes
// from whoever answers, that it has ended from the call.
func TestChangesOfATaskAreToldInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		defer core.Close()
		if err := core.Registry().Register(askSkills()...); err != nil {
			t.Fatal(err)
		}
		l := core.Link(t.Context(), mcp.Peer{}, nil)
		defer l.Close()
		x := deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.ask","arguments":{"what":"roots"},%s}}`, ofTasks))
		synctest.Wait()
		id := taskOf(x.got())
		var o mcp.Outline
		o.Read(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"taskIds":[%q]},%s}}`, id, ofTasks))
		heard := &hesitant{at: `"status":"working"`}
		l.Deliver(&o, heard)
		deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":%q,"inputResponses":{"q1":{"roots":[{"uri":"file:///a"}]}},%s}}`, id, ofTasks))
		synctest.Wait()
		var told []string
		for _, status := range status.FindAllStringSubmatch(heard.got(), -1) {
			told = append(told, status[1])
		}
		if want := []string{"input_required", "working", "completed"}; !slices.Equal(told, want) {
			t.Errorf("it is told %q, want %q: %s", told, want, heard.got())
		}
	})
}

var status = regexp.MustCompile(`"status":"(\w+)"`)

// hesitant is a way that lets others go on for a while before it notes what has a certain text.
type hesitant struct {
	way
	at    string
	begun chan struct{} // closed when it hesitates first; may be nil
	once  sync.Once
}

func (h *hesitant) Tell(text []byte) bool {
	if strings.Contains(string(text), h.at) {
		if h.begun != nil {
			h.once.Do(func() { close(h.begun) })
		}
		for range 10_000 {
			runtime.Gosched()
		}
	}
	return h.way.Tell(text)
}

// Nothing is told on what a peer listens to once that has ended, also where it was about to be told then.
func TestNothingIsToldBehindTheEnd(t *testing.T) {
	core := newCore(t, mcp.Options{})
	defer core.Close()
	l := core.Link(t.Context(), mcp.Peer{}, nil)
	defer l.Close()
	const at = "tools/list_changed"
	heard := &hesitant{at: at, begun: make(chan struct{})}
	var o mcp.Outline
	o.Read([]byte(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + listenMeta + `}}`))
	l.Deliver(&o, heard)
	registered := make(chan error)
	go func() { registered <- core.Registry().Register(askSkills()...) }()
	<-heard.begun
	l.Unlisten()
	if err := <-registered; err != nil {
		t.Fatal(err)
	}
	list := strings.Split(heard.got(), "\n")
	if last := list[len(list)-1]; len(list) != 3 || !strings.Contains(list[1], at) || !strings.HasPrefix(last, "answer 0 ") {
		t.Errorf("it is told %q, want an acknowledgement, the change, and the answer last", list)
	}
}

// A task needs no connection: of who is banned it is cancelled all the same, and of others it goes on.
func TestTasksOfTheBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		defer core.Close()
		named := func(name string) string {
			return strings.TrimSuffix(ofTasks, "}") + fmt.Sprintf(`,"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"}}`, name)
		}
		ids := map[string]string{}
		for _, name := range []string{"ada", "eve"} {
			l := core.Link(t.Context(), mcp.Peer{}, nil)
			x := deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":60},%s}}`, named(name)))
			synctest.Wait()
			if ids[name] = taskOf(x.got()); ids[name] == "" {
				t.Fatalf("no task: %s", x.got())
			}
			_ = l.Close()
		}
		core.Ban([]string{"eve"})
		core.Ban(nil) // so that she may ask
		time.Sleep(time.Second)
		l := core.Link(t.Context(), mcp.Peer{}, nil)
		defer l.Close()
		for name, want := range map[string]string{"ada": `"status":"working"`, "eve": `"text":"handler_error: cancelled; nothing was changed"`} {
			x := deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":%q,%s}}`, ids[name], named(name)))
			synctest.Wait()
			if got := x.got(); !strings.Contains(got, want) {
				t.Errorf("the task of %s: %s, want %s", name, got, want)
			}
		}
	})
}
