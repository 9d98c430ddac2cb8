package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"limina": main, "talk": talk, "post": post})
}

// TestScripts runs the binary as a person or a client does.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}

// talk is a client for the scripts: it connects to the server whose ready line is in a file, sends the
// lines of its standard input, and says what comes. Deltas, which come when they come, it leaves out.
// With a second argument, a subprotocol, it prints the messages whole.
func talk() {
	if err := converse(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "talk:", err)
		os.Exit(1)
	}
}

func converse(file string, protocols []string) error {
	dial, err := dialer(file)
	if err != nil {
		return err
	}
	d := websocket.Dialer{Subprotocols: protocols, NetDialContext: dial}
	c, answer, err := d.Dial("ws://localhost/", nil)
	if err != nil {
		return err
	}
	_ = answer.Body.Close()
	defer c.Close()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := c.WriteMessage(websocket.TextMessage, lines.Bytes()); err != nil {
			return err
		}
		for waits := strings.Contains(lines.Text(), `"id":`); waits; {
			_, text, err := c.ReadMessage()
			if err != nil {
				return err
			}
			if len(protocols) > 0 {
				fmt.Printf("%s\n", text)
				break
			}
			waits = !say(text)
		}
		if strings.Contains(lines.Text(), "shutdown") {
			_, _, err := c.ReadMessage()
			var closed *websocket.CloseError
			if !errors.As(err, &closed) {
				return err
			}
			fmt.Println("closed:", closed.Code)
		}
	}
	return nil
}

// dialer connects to the server whose ready line is in a file.
func dialer(file string) (func(ctx context.Context, network, address string) (net.Conn, error), error) {
	ready, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	address := strings.TrimSpace(string(ready[strings.LastIndex(string(ready), " ")+1:]))
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		if path, ok := strings.CutPrefix(address, "unix:"); ok {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", address)
	}, nil
}

// post is talk over HTTP: each line of its standard input is posted, in one session.
func post() {
	if err := postLines(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "post:", err)
		os.Exit(1)
	}
}

func postLines(file string) error {
	dial, err := dialer(file)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DialContext: dial}}
	session := ""
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		r, err := http.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(lines.Text()))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Session-Id", session)
		answer, err := client.Do(r)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			return err
		}
		session = cmp.Or(session, answer.Header.Get("Mcp-Session-Id"))
		fmt.Print(answer.StatusCode)
		if len(text) == 0 {
			fmt.Println()
			continue
		}
		fmt.Print(" ")
		say(text)
	}
	return nil
}

// say says what a message is, and reports whether it is an answer.
func say(text []byte) (answer bool) {
	var m struct {
		ID     json.RawMessage
		Method string
		Error  *struct{ Code int }
	}
	if err := json.Unmarshal(text, &m); err != nil {
		fmt.Println("no message:", err)
		return true
	}
	switch {
	case m.Method == "state/delta":
	case m.Method != "":
		fmt.Println(m.Method)
	case m.Error != nil:
		fmt.Printf("id %s: error %d\n", m.ID, m.Error.Code)
	default:
		fmt.Printf("id %s: result\n", m.ID)
	}
	return m.Method == ""
}
