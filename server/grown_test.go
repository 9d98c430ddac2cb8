package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// A peer subscribes to more than it may see, and is refused; then the world grows into what it has, and it is let go with the
// reason, while another one is served on.
func TestSeesTooMuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(world.Config{})
		hub := statesync.New(w, statesync.Config{MaxHeld: 10})
		t.Cleanup(hub.Close)
		grow := func(n int) {
			if _, err := w.Update(context.Background(), func(tx *world.Tx) error {
				for range n {
					if _, err := tx.Create(world.Spec{}); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		grow(4)
		r := start(t, server.Config{Core: core(t, mcp.Options{State: hub})})
		greedy, modest := r.dial(), r.dial()
		greedy.ask(initialize)
		modest.ask(strings.ReplaceAll(initialize, "s1", "s2"))
		subscribe := func(name string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"state/subscribe","params":{"subscription":%q,"encoding":"packed"}}`, name, name)
		}
		for _, name := range []string{"a", "b"} {
			if got := greedy.ask(subscribe(name)); !strings.Contains(got, "state/snapshot") {
				t.Fatalf("%s: %s", name, got)
			}
			greedy.receive()
		}
		if got := greedy.ask(subscribe("c")); !strings.Contains(got, `"code":-32002`) || !strings.Contains(got, "one connection may see 10 entities") {
			t.Errorf("a third one: %s", got)
		}
		modest.ask(subscribe("a"))
		modest.receive()
		grow(2)
		code, reason := greedy.farewell()
		if code != 1008 || reason != mcp.ErrSeesTooMuch.Error() {
			t.Errorf("closed with %d %q", code, reason)
		}
		synctest.Wait()
		if n := hub.Stats().Views; n != 1 {
			t.Errorf("there are %d views, want that of who sees little", n)
		}
		if got := modest.receive(); !strings.Contains(got, `"entered":[[4,`) {
			t.Errorf("who sees little is told %s", got)
		}
	})
}
