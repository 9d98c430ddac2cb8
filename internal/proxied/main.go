// Command proxied checks from outside that a proxy passes on all that clients of Limina need: pages, both kinds of WebSocket, MCP over HTTP with streams that
// are not held back, messages of 9 MB, lines on which nobody says anything, and whom the proxy has a request from. scripts/proxies runs it.
//
//	proxied -url https://127.0.0.1:8443/limina -token TOKEN [-quiet 75s] [-ca FILE]
//
// The token is of a profile that may build, and see who is there. It prints what is wrong, a line each, and ends with 1 then.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// patience is how long anything may take that is to come at once: a stream that is held back does not come at all.
const patience = 5 * time.Second

type checker struct {
	base   string // without a slash at the end
	token  string
	quiet  time.Duration
	secure *tls.Config
	web    *http.Client

	mu    sync.Mutex
	wrong int
}

func main() {
	c := &checker{}
	flag.StringVar(&c.base, "url", "", "where the proxy is, with its folder")
	flag.StringVar(&c.token, "token", "", "a token that opens a profile that may build, and see who is there")
	flag.DurationVar(&c.quiet, "quiet", 75*time.Second, "for how long nobody says anything")
	ca := flag.String("ca", "", "file of the certificate to trust")
	one := flag.Bool("http1", false, "speak HTTP/1.1 to the proxy, not HTTP/2")
	flag.Parse()
	c.base = strings.TrimSuffix(c.base, "/")
	c.secure = &tls.Config{MinVersion: tls.VersionTLS12}
	if *ca != "" {
		text, err := os.ReadFile(*ca)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		c.secure.RootCAs = x509.NewCertPool()
		c.secure.RootCAs.AppendCertsFromPEM(text)
	}
	c.web = &http.Client{Transport: &http.Transport{TLSClientConfig: c.secure.Clone(), ForceAttemptHTTP2: !*one}}
	c.pages()
	var all sync.WaitGroup
	for _, check := range []func(){c.native, c.standard, c.session, c.listen, c.long} {
		all.Go(check)
	}
	all.Wait()
	if c.wrong > 0 {
		os.Exit(1)
	}
}

// fails notes that something is wrong.
func (c *checker) fails(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong++
	fmt.Printf("WRONG %s: %s\n", c.base, fmt.Sprintf(format, args...))
}

// do makes a request, with the token, or without where one of the headers says that Authorization is "".
func (c *checker) do(method, path string, body io.Reader, headers ...string) (*http.Response, error) {
	q, err := http.NewRequest(method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Authorization", "Bearer "+c.token)
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		if q.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			q.Header.Del(headers[i])
		}
	}
	return c.web.Do(q)
}

// text is the status and the body of an answer.
func text(a *http.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", a.StatusCode, body)
}

// pages checks who sees which page.
func (c *checker) pages() {
	for _, p := range []struct{ path, auth, want string }{
		{"/healthz", "", "200 ok"},
		{"/view", "", "200 <!doctype html"},
		{"/", "Bearer " + c.token, c.base + "/mcp"},
		{"/metrics", "", "401 "},
		{"/metrics", "Bearer " + c.token, "limina_connections "},
		{"/mcp", "", "401 "},
	} {
		if got := text(c.do("GET", p.path, nil, "Authorization", p.auth)); !strings.Contains(strings.ToLower(got), p.want) {
			c.fails("GET %s: %.200q, and is to have %q", p.path, got, p.want)
		}
	}
}

// socket is a WebSocket, whose messages come as they do.
type socket struct {
	*websocket.Conn
	said chan string // closed at its end
	end  error       // then
}

func (c *checker) dial(protocols ...string) (*socket, error) {
	d := websocket.Dialer{TLSClientConfig: c.secure.Clone(), Subprotocols: protocols, HandshakeTimeout: patience}
	d.TLSClientConfig.NextProtos = []string{"http/1.1"}
	conn, answer, err := d.Dial("ws"+strings.TrimPrefix(c.base, "http")+"/", http.Header{"Authorization": {"Bearer " + c.token}, "Origin": {origin(c.base)}})
	if err != nil {
		if answer != nil {
			err = fmt.Errorf("%w: %s", err, text(answer, nil))
		}
		return nil, err
	}
	s := &socket{Conn: conn, said: make(chan string, 64)}
	go func() {
		defer close(s.said)
		for {
			var m []byte
			if _, m, s.end = conn.ReadMessage(); s.end != nil {
				return
			}
			s.said <- string(m)
		}
	}()
	return s, nil
}

// origin is where a page of the site comes from.
func origin(base string) string {
	scheme, rest, _ := strings.Cut(base, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// await waits for a message that has a text in it.
func (s *socket) await(want string) error {
	late := time.After(patience)
	for {
		select {
		case m, ok := <-s.said:
			if !ok {
				return fmt.Errorf("it has ended: %w", s.end)
			}
			if strings.Contains(m, want) {
				return nil
			}
		case <-late:
			return fmt.Errorf("%s has not come in %v", want, patience)
		}
	}
}

func (s *socket) ask(message, want string) error {
	if err := s.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
		return err
	}
	return s.await(want)
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"proxied","version":"1"}}}`

func call(id int, skill, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, skill, arguments)
}

// native checks a WebSocket of the native dialect: that what others change is told at once, also after a while in which nobody has said anything.
func (c *checker) native() {
	s, err := c.dial()
	if err != nil {
		c.fails("a WebSocket: %v", err)
		return
	}
	defer func() { _ = s.Close() }()
	err = s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"proxied","sessionId":"native-%d","profile":"builder.readWrite"}}`, os.Getpid()), `"session"`)
	if err == nil {
		err = s.ask(`{"jsonrpc":"2.0","id":2,"method":"state/subscribe","params":{}}`, `"id":2`)
	}
	for i := 0; i < 2 && err == nil; i++ {
		if i > 0 {
			c.rest(s)
		}
		name := fmt.Sprintf("native-%d-%d", os.Getpid(), i)
		if err = s.WriteMessage(websocket.TextMessage, []byte(call(3+i, "scene.createEntity", fmt.Sprintf(`{"name":%q}`, name)))); err == nil {
			err = s.await(`"name":"` + name)
		}
	}
	if err != nil {
		c.fails("a native WebSocket: %v", err)
	}
}

// rest lets time pass in which nobody says anything; what the server tells of others is let go by.
func (c *checker) rest(s *socket) {
	over := time.After(c.quiet)
	for {
		select {
		case _, ok := <-s.said:
			if !ok {
				return
			}
		case <-over:
			return
		}
	}
}

// standard checks a WebSocket of standard MCP.
func (c *checker) standard() {
	s, err := c.dial("mcp")
	if err != nil {
		c.fails("a WebSocket of subprotocol mcp: %v", err)
		return
	}
	defer func() { _ = s.Close() }()
	if s.Subprotocol() != "mcp" {
		c.fails("the subprotocol mcp is not passed on")
	}
	err = s.ask(hello, `"serverInfo"`)
	if err == nil {
		// A message as long as one may be; what is wrong with it is found behind all of it.
		err = s.ask(call(2, "scene_createEntity", `{"color":"`+strings.Repeat("x", 9<<20)+`"}`), `"id":2`)
	}
	if err == nil {
		c.rest(s)
		err = s.ask(`{"jsonrpc":"2.0","id":3,"method":"ping"}`, `"id":3`)
	}
	if err != nil {
		c.fails("a WebSocket of subprotocol mcp: %v", err)
	}
}

// stream is a stream of events, whose lines come as they do.
func stream(a *http.Response) chan string {
	lines := make(chan string, 1024)
	go func() {
		defer close(lines)
		in := bufio.NewReader(a.Body)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				lines <- "END " + err.Error()
				return
			}
			lines <- line
		}
	}()
	return lines
}

func awaitLine(lines chan string, want string) error {
	late := time.After(patience)
	for {
		select {
		case line, ok := <-lines:
			switch {
			case !ok, strings.HasPrefix(line, "END "):
				return fmt.Errorf("the stream has ended: %s", line)
			case strings.Contains(line, want):
				return nil
			}
		case <-late:
			return fmt.Errorf("%s has not come in %v: the proxy holds it back", want, patience)
		}
	}
}

// session checks MCP over HTTP with a session and its stream.
func (c *checker) session() {
	a, err := c.do("POST", "/mcp", strings.NewReader(hello))
	if err != nil {
		c.fails("initialize over HTTP: %v", err)
		return
	}
	id := a.Header.Get("Mcp-Session-Id")
	if got := text(a, nil); id == "" {
		c.fails("initialize over HTTP: %.200q", got)
		return
	}
	in := func(method, body string) (*http.Response, error) {
		return c.do(method, "/mcp", strings.NewReader(body), "Mcp-Session-Id", id, "MCP-Protocol-Version", "2025-11-25")
	}
	if got := text(in("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)); !strings.HasPrefix(got, "202") {
		c.fails("a notification over HTTP: %.200q", got)
	}
	a, err = in("GET", "")
	if err != nil || a.StatusCode != http.StatusOK {
		c.fails("the stream of a session: %s", text(a, err))
		return
	}
	defer a.Body.Close()
	lines := stream(a)
	if got := text(in("POST", `{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"limina://world/summary"}}`)); !strings.HasPrefix(got, "200") {
		c.fails("resources/subscribe over HTTP: %.200q", got)
	}
	for i := range 2 {
		if i > 0 {
			time.Sleep(c.quiet)
		}
		if got := text(in("POST", call(3+i, "scene_createEntity", `{}`))); !strings.Contains(got, `ent_`) {
			c.fails("a call over HTTP: %.200q", got)
		}
		if err := awaitLine(lines, "notifications/resources/updated"); err != nil {
			c.fails("the stream of a session: %v", err)
			return
		}
	}
	var who struct {
		Sessions []struct{ Agent, Via, From string }
	}
	got := text(c.do("GET", "/sessions", nil))
	if err := json.Unmarshal([]byte(strings.TrimPrefix(got, "200 ")), &who); err != nil || len(who.Sessions) == 0 {
		c.fails("/sessions: %.200q", got)
	}
	for _, s := range who.Sessions {
		if !strings.HasSuffix(s.From, ", for 127.0.0.1") {
			c.fails("/sessions does not say whom the proxy has a connection from: %s by %s is from %q", s.Agent, s.Via, s.From)
		}
	}
	if got := text(in("DELETE", "")); !strings.HasPrefix(got, "204") {
		c.fails("DELETE of a session: %.200q", got)
	}
}

// listen checks a stream of the era without sessions.
func (c *checker) listen() {
	modern := func(id int, method, params string) (*http.Response, error) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"proxied","version":"1"}}}}`,
			id, method, params)
		return c.do("POST", "/mcp", strings.NewReader(body), "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name(method))
	}
	a, err := modern(1, "subscriptions/listen", `"notifications":{"dev.limina/state-sync":{}},`)
	if err != nil || a.StatusCode != http.StatusOK {
		c.fails("subscriptions/listen: %s", text(a, err))
		return
	}
	defer a.Body.Close()
	lines := stream(a)
	if err := awaitLine(lines, "state/snapshot"); err != nil {
		c.fails("subscriptions/listen: %v", err)
		return
	}
	for i := range 2 {
		over := time.After(time.Duration(i) * c.quiet)
	rest:
		for {
			select {
			case line := <-lines:
				if strings.HasPrefix(line, "END ") {
					c.fails("subscriptions/listen: the stream has ended: %s", line)
					return
				}
			case <-over:
				break rest
			}
		}
		made := fmt.Sprintf("listen-%d-%d", os.Getpid(), i)
		if got := text(modern(2+i, "tools/call", fmt.Sprintf(`"name":"scene_createEntity","arguments":{"name":%q},`, made))); !strings.Contains(got, "ent_") {
			c.fails("a call of 2026-07-28: %.200q", got)
		}
		if err := awaitLine(lines, made); err != nil {
			c.fails("subscriptions/listen: %v", err)
			return
		}
	}
}

func name(method string) string {
	if method == "tools/call" {
		return "scene_createEntity"
	}
	return ""
}

// long checks bodies as long as they may be, and longer ones, which Limina refuses, not the proxy.
func (c *checker) long() {
	a, err := c.do("POST", "/mcp", strings.NewReader(hello))
	id := ""
	if err == nil {
		id = a.Header.Get("Mcp-Session-Id")
	}
	_ = text(a, err)
	body := []byte(call(9, "scene_createEntity", `{"color":"`+strings.Repeat("x", 9<<20)+`"}`))
	if got := text(c.do("POST", "/mcp", bytes.NewReader(body), "Mcp-Session-Id", id)); !strings.HasPrefix(got, "200") || !strings.Contains(got, `"id":9`) {
		c.fails("a body of 9 MiB: %.200q", got)
	}
	// A connection that ends before the answer is read does not do: a client would not learn why.
	if got := text(c.do("POST", "/mcp", bytes.NewReader(append(body, bytes.Repeat([]byte(" "), 2<<20)...)), "Mcp-Session-Id", id)); !strings.HasPrefix(got, "413 ") {
		c.fails("a body of 11 MiB: %.200q, and is to have 413", got)
	}
}
