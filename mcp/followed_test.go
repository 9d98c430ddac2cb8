package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
)

// TestFollowedTogether: what all connections follow is bounded, of both eras, and what is not followed any more leaves room.
func TestFollowedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, bells := newOffers(t, mcp.Options{MaxInputs: 8 << 10})
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		follow := func(l *mcp.Link, method, uri string) string {
			w := deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/%s","params":{"uri":"test://bell/%s"}}`, method, uri))
			synctest.Wait()
			return w.got()
		}
		legacy := func(who string) *mcp.Link {
			l := core.Link(ctx, mcp.Peer{Credential: &mcp.Credential{Principal: who, Profiles: []string{"builder.readWrite"}}}, (&way{}).Tell)
			deliver(l, fmt.Sprintf(hello, "2025-11-25"))
			return l
		}
		full := func(got string) bool { return strings.Contains(got, "there is no room for more") }

		// One has as many as are left for others.
		first, second, again := legacy("ada"), legacy("bob"), legacy("ada")
		for i := range 4 {
			if got := follow(first, "subscribe", fmt.Sprint(i)); full(got) {
				t.Fatalf("number %d: %s", i, got)
			}
		}
		if got := follow(first, "subscribe", "4"); !full(got) {
			t.Errorf("one that leaves nothing to others: %s", got)
		}
		if got := follow(again, "subscribe", "4"); !full(got) {
			t.Errorf("one that leaves nothing to others, over another connection: %s", got)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
		for i := range 2 {
			if got := follow(second, "subscribe", fmt.Sprint(i)); full(got) {
				t.Errorf("number %d of another one: %s", i, got)
			}
		}
		if got := follow(second, "subscribe", "2"); !full(got) {
			t.Errorf("another one: %s", got)
		}

		// Twice is once, and what is not followed any more counts for nothing.
		for range 3 {
			if got := follow(first, "subscribe", "1"); full(got) {
				t.Errorf("again: %s", got)
			}
		}
		follow(second, "unsubscribe", "0")
		if got := follow(second, "subscribe", "5"); full(got) {
			t.Errorf("in the place of another: %s", got)
		}
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		for i := 2; i < 4; i++ {
			if got := follow(second, "subscribe", fmt.Sprint(i)); full(got) {
				t.Errorf("number %d, as the first has gone: %s", i, got)
			}
		}
		if err := second.Close(); err != nil {
			t.Error(err)
		}

		// A subscriptions/listen follows what there is room for, beside its message.
		var o mcp.Outline
		o.Read([]byte(claimed(7, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["test://bell/1","test://bell/2","test://bell/3","test://bell/4","test://bell/5"]}`)))
		w := &way{}
		l := core.Link(ctx, mcp.Peer{}, nil)
		l.Deliver(&o, w)
		synctest.Wait()
		if got := w.got(); !strings.Contains(got, `"resourceSubscriptions":["test://bell/1","test://bell/2","test://bell/3","test://bell/4"]`) {
			t.Errorf("a listen: %s", got)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if n := bells.watched(); n != 0 {
			t.Errorf("%d are watched in the end", n)
		}
		if got := follow(legacy("cid"), "subscribe", "1"); full(got) {
			t.Errorf("in the end: %s", got)
		}
		leave()
		synctest.Wait()
	})
}
