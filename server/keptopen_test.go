package server_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
)

// A token that has been taken back opens nothing any more on a connection that it has come on before, whoever answers there: the next request has the same head, to the byte.
func TestTokenIsTakenBackOnItsConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := parse(t, "tokens:\n"+entryAda+entryFleet)
		r := startOn(t, false, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known})
		web, auth := r.page(), []string{"Authorization", "Bearer ada-has-this-token"}
		modern := append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "demo.echo"}, auth...)
		echo := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}}`
		for range 2 {
			if status, text, _ := r.post(web, echo, modern...); status != 200 || !strings.Contains(text, `"agent":"ada"`) {
				t.Fatalf("before: %d %s", status, text)
			}
		}
		body, rest := io.Pipe()
		req, err := http.NewRequest(http.MethodPost, "http://localhost:8787/mcp", body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(modern); i += 2 {
			req.Header.Set(modern[i], modern[i+1])
		}
		slow := make(chan string)
		go func() {
			answer, err := r.page().Do(req)
			if err != nil {
				t.Error(err)
				close(slow)
				return
			}
			defer answer.Body.Close()
			text, _ := io.ReadAll(answer.Body)
			slow <- fmt.Sprint(answer.StatusCode, " ", string(text))
		}()
		if _, err := io.WriteString(rest, echo[:20]); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()

		known.Replace(parse(t, "tokens:\n"+entryFleet))
		synctest.Wait()
		if _, err := io.WriteString(rest, echo[20:]); err != nil {
			t.Error(err)
		}
		_ = rest.Close()
		if got := <-slow; !strings.HasPrefix(got, "401 ") || !strings.Contains(got, "the token has been taken back") {
			t.Errorf("a call that was not there as a whole: %s", got)
		}
		if status, text, _ := r.post(web, echo, modern...); status != 401 {
			t.Errorf("a call: %d %s", status, text)
		}
	})
}
