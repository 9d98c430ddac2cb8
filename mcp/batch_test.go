package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// The answers to an array wait for the last of them, so they are bounded together: what comes behind too much of them is not done, and told so.
func TestAnswersToAnArrayAreBounded(t *testing.T) {
	core := newCore(t, mcp.Options{})
	done := 0
	err := core.Registry().Register(registry.Define(registry.Spec[none, saidOut]{
		Name: "demo.large", Description: "Say a lot.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, none) (saidOut, error) {
			done++
			return saidOut{strings.Repeat("x", 2<<20)}, nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	l := core.Link(t.Context(), mcp.Peer{}, func([]byte) bool { return true })
	defer l.Close()
	deliver(l, fmt.Sprintf(hello, "2025-03-26"))
	const many = 40
	calls := make([]string, many)
	for i := range calls {
		calls[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo_large","arguments":{}}}`, i)
	}
	text := strings.TrimPrefix(deliver(l, "["+strings.Join(calls, ",")+"]").got(), "answer 0 ")
	var answers []struct {
		ID     int
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(text), &answers); err != nil || len(answers) != many {
		t.Fatalf("%d answers, want %d: %v", len(answers), many, err)
	}
	refused := 0
	for i, a := range answers {
		if a.ID != i {
			t.Errorf("answer %d is to %d", i, a.ID)
		}
		if a.Error != nil && strings.Contains(a.Error.Message, "array") {
			refused++
		}
	}
	if len(text) > 40<<20 || refused == 0 || done < 4 || done+refused != many {
		t.Errorf("%d calls were made, and %d refused, of %d; the answers have %d bytes", done, refused, many, len(text))
	}
}

// An array has no more messages than there is room for what is known of each, and for what each is answered, however short they are; who sends more is told, and none is
// carried out.
func TestMessagesOfAnArrayAreBounded(t *testing.T) {
	core := newCore(t, mcp.Options{})
	l := core.Link(t.Context(), mcp.Peer{}, func([]byte) bool { return true })
	defer l.Close()
	deliver(l, fmt.Sprintf(hello, "2025-03-26"))
	const most = 16384
	for part, answers := range map[string]int{`1`: most, `{}`: most, `{"jsonrpc":"2.0","id":1,"method":"ping"}`: most, `{"jsonrpc":"2.0","method":"notifications/nothing"}`: 0} {
		text := strings.TrimPrefix(deliver(l, "["+strings.Repeat(part+",", most-1)+part+"]").got(), "answer 0 ")
		if got := strings.Count(text, `"jsonrpc"`); got != answers {
			t.Errorf("%d times %s has %d answers, want %d: %.200s", most, part, got, answers, text)
		}
		for _, more := range []int{1, 200_000} {
			got := deliver(l, "["+strings.Repeat(part+",", most+more-1)+part+"]").got()
			if !strings.Contains(got, "-32600") || !strings.Contains(got, "an array has at most 16384 messages: none of these was carried out") || strings.Count(got, `"jsonrpc"`) != 1 {
				t.Errorf("%d times %s: %.300s", most+more, part, got)
			}
		}
	}
	x := deliver(l, strings.Replace(claimed(1, "subscriptions/listen", `"notifications":{"resourceSubscriptions":[`+strings.Repeat(`"a",`, 4096)+`"a"]}`), "\n", "", 1))
	if got := x.got(); !strings.Contains(got, "-32602") || !strings.Contains(got, "notifications.resourceSubscriptions: at most 4096 names") {
		t.Errorf("a listen to more: %.300s", got)
	}
	var members []string
	for i := range 257 {
		members = append(members, fmt.Sprintf(`"%d":$`, i))
	}
	object := "{" + strings.Join(members, ",") + "}"
	for params, want := range map[string]string{
		`"name":"demo_work","arguments":{"seconds":1},"inputResponses":` + strings.ReplaceAll(object, "$", "{}"): "inputResponses: at most 256 answers",
		`"name":"demo_echo","arguments":` + strings.ReplaceAll(object, "$", `"x"`):                               "arguments: at most 256 strings",
	} {
		method := "tools/call"
		if strings.HasPrefix(want, "arg") {
			method = "prompts/get"
		}
		if got := deliver(l, strings.TrimSpace(claimed(1, method, params))).got(); !strings.Contains(got, "-32602") || !strings.Contains(got, want) {
			t.Errorf("%s: %.300s", method, got)
		}
	}
}
