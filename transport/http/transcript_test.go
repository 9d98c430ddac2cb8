package httpmcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// TestTranscripts plays each transcript through a real client, in fake time. A transcript is one file of
// an archive, named after the options of its endpoint, see options. Its lines:
//
//	a> POST {"jsonrpc":…     a client makes a request, which is called a from here on
//	a> POST Name: value | …  the same with headers; "Name:" takes one away
//	a< 200 {"jsonrpc":…      what it is answered: the status, headers that say something, and the body
//	a< 3-1 {"jsonrpc":…      an event, with its id
//	a< 3 comments            what keeps the stream alive, before or between the rest
//	a< end                   a stream has ended
//	.. word …                something happens: "sleep 5s", "register demo.new", "drop a" (its client goes away),
//	                         "ring" (the resource changes), "stop" (the endpoint is shut down), "stop 10s" (with so much patience)
//	# text                   a remark
//
// A request says who it is by Mcp-Session-Id: ses_1, the first session that was opened. A header
// "Modern: tools/call demo_echo" stands for the three that a modern request has, and $meta in a body for
// its _meta ($asked for that of a client that can be asked). What the server says that it can do is left out: that is package mcp's.
//
// Each is played twice: whether it is a Front that answers, or net/http, nobody can tell.
func TestTranscripts(t *testing.T) {
	for _, how := range []string{"front", "net/http"} {
		t.Run(how, func(t *testing.T) {
			transcript.Run(t, func(t *testing.T, name, script string) string {
				t.Helper()
				return replay(t, name, script, how == "front")
			})
		})
	}
}

// options are those of the first word of a transcript's name.
func options(t *testing.T, name string) (o httpmcp.Options) {
	t.Helper()
	switch word, _, _ := strings.Cut(name, " "); word {
	case "plain":
	case "short":
		o.Limit = 200
	case "few":
		o.MaxSessions = 1
	case "small":
		o.History = 300
	case "hold":
		o.Hold = 2500 * time.Millisecond
	default:
		t.Fatalf("unknown options %q", word)
	}
	return o
}

// replay plays the clients' part of a transcript and returns the whole with what the server said.
func replay(t *testing.T, name, script string, fronted bool) string {
	t.Helper()
	p := &play{rig: serveOn(t, options(t, name), fronted), said: map[string][]string{}, names: transcript.NewNames(), drops: map[string]context.CancelFunc{}}
	var got strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		what, text, _ := strings.Cut(line, " ")
		if strings.HasSuffix(what, "<") {
			continue
		}
		got.WriteString(line + "\n")
		switch {
		case strings.HasSuffix(what, ">"):
			p.request(strings.TrimSuffix(what, ">"), text)
		case what == "..":
			p.happen(text)
		case what == "#" || what == "":
		default:
			t.Fatalf("bad line %q", line)
		}
		synctest.Wait()
		got.WriteString(p.news())
	}
	for _, drop := range p.drops {
		drop()
	}
	return got.String()
}

// play is a transcript that is being played.
type play struct {
	*rig
	drops map[string]context.CancelFunc

	mu       sync.Mutex // guards what follows
	said     map[string][]string
	sessions []string
	names    *transcript.Names
}

// news returns what was said since it was last called, request by request.
func (p *play) news() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.said)) {
		alive := 0
		for _, said := range p.said[name] {
			if said == ":" {
				alive++
				continue
			}
			fmt.Fprintf(&b, "%s< %s\n", name, said)
		}
		if alive > 0 {
			fmt.Fprintf(&b, "%s< %d comments\n", name, alive)
		}
	}
	clear(p.said)
	return b.String()
}

// note notes what was said to a request, with the names of its sessions.
func (p *play) note(name, said string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	said = generated.ReplaceAllStringFunc(said, func(id string) string {
		at := slices.Index(p.sessions, id)
		if at < 0 {
			at, p.sessions = len(p.sessions), append(p.sessions, id)
		}
		return fmt.Sprintf("ses_%d", at+1)
	})
	said = p.names.Hide(said)
	said = capabilities.ReplaceAllString(said, `"capabilities":{…}`)
	said = strings.ReplaceAll(said, `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"limina","title":"Limina","version":"0.0.0"}}`, `"_meta":{…}`)
	p.said[name] = append(p.said[name], strings.TrimRight(said, " "))
}

// capabilities are those of a server.
var capabilities = regexp.MustCompile(`"capabilities":\{("[^"]+":\{[^{}]*(\{[^{}]*\}[^{}]*)*\},?)*\}`)

// claim is what a modern request has to say of itself.
const claim = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// generated is the id of a session.
var generated = regexp.MustCompile(`ses_[0-9a-f]{32}`)

// request makes a request and notes what comes of it.
func (p *play) request(name, text string) {
	method, rest, _ := strings.Cut(text, " ")
	headers, body, found := strings.Cut(rest, "| ")
	if !found {
		headers, body, found = strings.Cut(rest, "|")
	}
	if !found && strings.Contains(headers, ": ") && !strings.HasPrefix(headers, "{") {
		body = ""
	} else if !found {
		headers, body = "", rest
	}
	body = strings.NewReplacer("$meta", claim, "$asked", strings.Replace(claim, "{}", `{"elicitation":{}}`, 1)).Replace(body)
	p.mu.Lock()
	body = p.names.Fill(body)
	for i, id := range p.sessions {
		headers = strings.ReplaceAll(headers, fmt.Sprintf("ses_%d", i+1), id)
	}
	p.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	p.drops[name] = cancel
	r, err := http.NewRequestWithContext(ctx, method, "http://limina/mcp", strings.NewReader(body))
	if err != nil {
		p.tb.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, header := range strings.Split(headers, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(header), ":")
		switch value = strings.TrimPrefix(value, " "); {
		case key == "":
		case key == "Modern":
			method, name, _ := strings.Cut(value, " ")
			r.Header.Set("MCP-Protocol-Version", "2026-07-28")
			r.Header.Set("Mcp-Method", method)
			if name != "" {
				r.Header.Set("Mcp-Name", name)
			}
		case value == "":
			r.Header.Del(key)
		default:
			r.Header.Set(key, value)
		}
	}
	go func() {
		answer, err := p.client.Do(r)
		if err != nil {
			p.note(name, "lost")
			return
		}
		defer answer.Body.Close()
		p.hear(name, answer)
	}()
}

// hear notes an answer.
func (p *play) hear(name string, answer *http.Response) {
	head := fmt.Sprint(answer.StatusCode)
	for _, key := range []string{"Mcp-Session-Id", "Allow", "Retry-After"} {
		if value := answer.Header.Get(key); value != "" {
			head += " " + key + ": " + value
		}
	}
	if answer.Header.Get("Content-Type") != "text/event-stream" {
		body, _ := io.ReadAll(answer.Body)
		p.note(name, head+" "+strings.TrimSpace(string(body)))
		return
	}
	p.note(name, head+" stream")
	id := ""
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ": ")
		switch key {
		case "id":
			id = value + " "
		case "data":
			p.note(name, id+value)
			id = ""
		case "":
		default:
			p.note(name, lines.Text())
		}
	}
	p.note(name, "end")
}

func (p *play) happen(text string) {
	what, arg, _ := strings.Cut(text, " ")
	switch what {
	case "sleep":
		d, err := time.ParseDuration(arg)
		if err != nil {
			p.tb.Fatal(err)
		}
		time.Sleep(d)
	case "register":
		if err := p.core.Registry().Register(extra(arg)); err != nil {
			p.tb.Error(err)
		}
	case "drop":
		p.drops[arg]()
	case "ring":
		p.bell.ring()
	case "stop":
		patience := context.Background()
		if d, err := time.ParseDuration(arg); err == nil {
			ctx, cancel := context.WithTimeout(patience, d)
			p.tb.Cleanup(cancel)
			patience = ctx
		}
		go p.endpoint.Shutdown(patience)
	default:
		p.tb.Fatalf("%q cannot happen", text)
	}
}

// extra is a skill that comes later.
func extra(name string) registry.Skill {
	return registry.Define(registry.Spec[none, none]{
		Name: name, Description: "Come later.", Permissions: []profiles.Permission{profiles.Anyone}, Published: true,
		Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
	})
}
