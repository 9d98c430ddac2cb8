package server_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
)

// The figures and the log tell why connections have ended: those that their peers have closed from those that we had to.
func TestEndings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		known := parse(t, "tokens:\n"+entryAda+entryEve)
		r := startOn(t, true, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known, Logger: zerolog.New(zerolog.SyncWriter(&log)).Level(zerolog.InfoLevel)})
		bye := func(c *client, code int) {
			t.Helper()
			if err := c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, "bye"), time.Now().Add(time.Second)); err != nil {
				t.Fatal(err)
			}
			c.farewell()
		}
		bye(r.dial(), websocket.CloseNormalClosure)
		bye(r.dial(), websocket.ClosePolicyViolation) // whatever he says it is for
		_ = r.dial().NetConn().Close()
		binary := r.dial()
		if err := binary.WriteMessage(websocket.BinaryMessage, []byte("x")); err != nil {
			t.Fatal(err)
		}
		binary.farewell()
		eve := r.dial("Authorization", "Bearer eve-has-this-token")
		eve.ask(strings.NewReplacer("ada", "eve", "builder.readWrite", "system.readonly").Replace(initialize))
		known.Replace(parse(t, "tokens:\n"+entryAda))
		eve.farewell()
		silent := r.dial() // does not read the ping
		time.Sleep(5 * time.Minute)
		_ = silent.Close()
		synctest.Wait()
		_, text, _ := r.get("GET", "/metrics")
		figures := parseFigures(t, text)
		for reason, want := range map[string]float64{"left": 2, "broken": 1, "protocol": 1, "token": 1, "policy": 1, "shutdown": 0, "crowded": 0} {
			if got, ok := figures[`limina_closed_total{reason="`+reason+`"}`]; !ok || got != want {
				t.Errorf("%s: %v, want %v", reason, got, want)
			}
		}
		for _, want := range []string{`"token":"eve","from":"pipe","error":"websocket: 1008 the token has been taken back`, "the peer has read nothing for 10 s", "binary frames are not taken"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log does not say %q: %s", want, log.String())
			}
		}
		if n := strings.Count(log.String(), "connection ended"); n != 3 {
			t.Errorf("the log tells of %d ends, want the 3 that are not the peers': %s", n, log.String())
		}
	})
}
