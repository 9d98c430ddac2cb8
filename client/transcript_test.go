package client_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/internal/transcript"
)

type netConn = net.Conn

// TestTranscripts plays a server to a real client, in memory and in fake time. A transcript is one file of
// an archive, named after the options of the client: "default", "ready", "token", "unix", "impatient"
// (gives up after a second), "single" (one call at a time), "small" (messages of at most 300 bytes).
// All but "default", "token" and "unix" begin with a session. Lines:
//
//	<- text      the server sends a text frame
//	<b hex       the server sends a binary frame
//	<! hex       the server sends these bytes
//	.. word …    something happens, see [play.happen]
//	-> text      the client has sent a text frame since the line before
//	<> text      … has connected, or gone
//	!! text      … has said how its connection is
//	== text      … what a program asked of it has come to an end
//	~~ text      … a view had an update
//	# text       a remark
func TestTranscripts(t *testing.T) { transcript.Run(t, replay) }

// play is a transcript that is being played.
type play struct {
	t       *testing.T
	server  *fake
	options client.Options
	client  *client.Client
	views   map[string]*client.View

	mu     sync.Mutex // guards what follows
	states []string
	ends   []string
}

// replay plays the server's part of a transcript and returns the whole with what the client did.
func replay(t *testing.T, name, script string) string {
	t.Helper()
	p := &play{t: t, server: serve(t), views: map[string]*client.View{}}
	p.options = client.Options{
		URL: "ws://limina.test/", AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite",
		NetDial: p.server.dialer, Backoff: client.Backoff{Jitter: func() float64 { return 0.5 }},
		OnState: func(err error) { p.note(&p.states, "!! %v", err) },
	}
	name, _, _ = strings.Cut(name, " ")
	switch name {
	case "default", "ready":
	case "token":
		p.options.Token = "secret"
	case "unix":
		p.options.URL = "unix:/run/limina.sock"
	case "impatient":
		p.options.Backoff.GiveUp = time.Second
	case "single":
		p.options.MaxCalls = 1
	case "small":
		p.options.MaxMessage = 300
	default:
		t.Fatalf("unknown options %q", name)
	}
	if name != "default" && name != "token" && name != "unix" {
		p.line("..", "dial")
		synctest.Wait()
		p.line("<-", `{"jsonrpc":"2.0","id":1,"result":{}}`)
		synctest.Wait()
		p.said()
	}
	var got strings.Builder
	for line := range strings.Lines(script) {
		what, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch what {
		case "->", "<>", "!!", "==", "~~":
			continue
		}
		got.WriteString(line)
		p.line(what, text)
		synctest.Wait()
		for _, said := range p.said() {
			got.WriteString(said + "\n")
		}
	}
	if p.client != nil {
		p.client.Close()
	}
	return got.String()
}

func (p *play) line(what, text string) {
	p.t.Helper()
	var err error
	switch what {
	case "<-":
		err = p.server.send(websocket.TextMessage, []byte(text))
	case "<b", "<!":
		var content []byte
		if content, err = hex.DecodeString(strings.ReplaceAll(text, " ", "")); err != nil {
			p.t.Fatalf("%s: %v", text, err)
		}
		if what == "<b" {
			err = p.server.send(websocket.BinaryMessage, content)
		} else {
			err = p.server.raw(content)
		}
	case "..":
		word, rest, _ := strings.Cut(text, " ")
		p.happen(text, word, rest)
	case "#", "":
	default:
		p.t.Fatalf("bad line %q", what+" "+text)
	}
	if err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
}

// said returns what happened since the line before, in an order that does not depend on chance.
func (p *play) said() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.Sort(p.ends)
	all := slices.Concat(p.server.said(), p.states, p.ends)
	p.states, p.ends = nil, nil
	return all
}

func (p *play) note(to *[]string, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*to = append(*to, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; "))
}

// begin runs something that may take a while, and notes its outcome.
func (p *play) begin(what string, run func(context.Context) (any, error)) {
	ctx, cancel := p.t.Context(), context.CancelFunc(func() {})
	if head, limit, ok := strings.Cut(what, " within "); ok {
		d, err := time.ParseDuration(limit)
		if err != nil {
			p.t.Fatal(err)
		}
		what = head
		ctx, cancel = context.WithTimeout(ctx, d)
	}
	go func() {
		defer cancel()
		value, err := run(ctx)
		text, ok := value.(string)
		switch {
		case err != nil:
			text = "error: " + err.Error()
		case !ok:
			marshalled, err := json.Marshal(value)
			if err != nil {
				p.t.Error(err)
			}
			text = string(marshalled)
		}
		p.note(&p.ends, "== %s: %s", what, text)
	}()
}

// happen does what a line says:
//
//	dial, close, list, ping
//	call NAME ARGUMENTS, observe NAME ARGUMENTS (with its progress)
//	subscribe NAME AREA ENCODING, with "-" for the default subscription
//	declare NAME AREA
//	unsubscribe NAME
//	show NAME, follow NAME
//	sleep DURATION
//	cut, bye CODE REASON, refuse STATUS REASON, knock TEXT (a ping), mute: what the server does
//
// "within DURATION" at its end bounds what it does.
func (p *play) happen(what, word, rest string) {
	p.t.Helper()
	rest, _, _ = strings.Cut(rest, " within ")
	first, second, _ := strings.Cut(rest, " ")
	name := strings.Trim(first, "-")
	v := p.views[name]
	switch word {
	case "dial":
		p.begin(what, func(ctx context.Context) (any, error) {
			c, err := client.Dial(ctx, p.options)
			if err != nil {
				return nil, err
			}
			p.client = c
			return c.Session(), nil
		})
	case "close":
		p.begin(what, func(context.Context) (any, error) {
			p.client.Close()
			return "done", nil
		})
	case "list":
		p.begin(what, func(ctx context.Context) (any, error) { return p.client.List(ctx) })
	case "ping":
		p.begin(what, func(ctx context.Context) (any, error) { return "pong", p.client.Ping(ctx) })
	case "call", "observe":
		r := client.Request{Name: first, Arguments: json.RawMessage(second)}
		if word == "observe" {
			r.Progress = func(at client.Progress) { p.note(&p.ends, "== %s: so far %+v", what, at) }
		}
		p.begin(what, func(ctx context.Context) (any, error) {
			r, err := p.client.Do(ctx, r)
			if err != nil {
				return nil, err
			}
			return r, nil
		})
	case "subscribe":
		area, encoding, _ := strings.Cut(second, " ")
		p.begin(what, func(ctx context.Context) (any, error) {
			v, err := p.client.Subscribe(ctx, client.Subscription{Name: name, Area: p.area(area), Encoding: client.Encoding(encoding), Batch: name == "batch"})
			if err != nil {
				return nil, err
			}
			p.views[name] = v
			return show(v), nil
		})
	case "declare":
		p.begin(what, func(ctx context.Context) (any, error) { return "ok", v.Declare(ctx, p.area(second)) })
	case "unsubscribe":
		p.begin(what, func(ctx context.Context) (any, error) { return "ok", v.Unsubscribe(ctx) })
	case "show":
		p.note(&p.ends, "== %s", show(v))
	case "follow":
		go func() {
			for u := range v.Updates(p.t.Context()) {
				text, err := json.Marshal(u)
				if err != nil {
					p.t.Error(err)
				}
				p.note(&p.ends, "~~ %s %s", first, text)
			}
			p.note(&p.ends, "~~ %s ends: %v", first, v.Err())
		}()
	case "sleep":
		d, err := time.ParseDuration(rest)
		if err != nil {
			p.t.Fatal(err)
		}
		time.Sleep(d)
	case "mute":
		p.server.mute.Store(true)
	case "cut":
		p.server.cut()
	case "bye":
		code, err := strconv.Atoi(first)
		if err != nil {
			p.t.Fatal(err)
		}
		_ = p.server.send(websocket.CloseMessage, websocket.FormatCloseMessage(code, second))
	case "knock":
		_ = p.server.send(websocket.PingMessage, []byte(rest))
	case "refuse":
		code, err := strconv.Atoi(first)
		if err != nil {
			p.t.Fatal(err)
		}
		p.server.refuse(code, second)
	default:
		p.t.Fatalf("bad line %q", what)
	}
}

// area reads x,y,z,radius or all.
func (p *play) area(text string) client.Area {
	if text == "all" {
		return client.Whole()
	}
	var n [4]float64
	for i, part := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil {
			p.t.Error(err)
		}
		n[i] = x
	}
	return client.Within([3]float64(n[:3]), n[3])
}

// show says what is in a view.
func show(v *client.View) string {
	s := v.Snapshot()
	text := fmt.Sprintf("tick %d, step %d, area %v", s.Tick, s.Step, s.Area)
	for _, e := range s.Entities {
		text += fmt.Sprintf(", %v at %v", e.ID, e.Position)
		if len(e.Components) > 0 {
			parts, err := json.Marshal(e.Components)
			if err != nil {
				return err.Error()
			}
			text += " " + string(parts)
		}
	}
	for _, shared := range []any{s.World, s.Tables} {
		if parts, err := json.Marshal(shared); err == nil && len(parts) > 2 {
			text += ", " + string(parts)
		}
	}
	return text
}
