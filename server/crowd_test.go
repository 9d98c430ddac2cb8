package server_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
)

// Of many who do not read what they are answered, those that have had an answer waiting for longest are let go; who reads has his answer.
func TestUnreadAnswersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Core: core(t, mcp.Options{MaxUnsent: 2 << 20})})
		text := strings.Repeat("x", 500<<10)
		var clients []*client
		enter := func(c *client, session string) {
			c.ask(strings.Replace(initialize, `"s1"`, `"`+session+`"`, 1))
		}
		for _, session := range strings.Split("abcdefgh", "") {
			c := r.dial()
			enter(c, session)
			if err := c.WriteMessage(websocket.TextMessage, []byte(call(1, "demo.echo", `{"text":"`+text+`"}`))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			clients = append(clients, c)
		}
		time.Sleep(2 * time.Second) // what is being written has a second
		for i, c := range clients {
			_, got, err := c.ReadMessage()
			if has := err == nil && strings.Contains(string(got), text); has != (i >= 4) {
				t.Errorf("the %d. of 8 has its answer: %v (%v)", i+1, has, err)
			}
		}
		other := r.dial()
		enter(other, "other")
		if got := other.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
			t.Errorf("another connection got %s", got)
		}
	})
}
