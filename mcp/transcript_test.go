package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/stdio"
)

// TestTranscripts runs each transcript through a real Serve over in-memory pipes, in fake time. A
// transcript is one file of an archive, named after the options of its server: "published", "reader", "all"
// for all tools in pages of three, "short" for lines of at most 200 bytes, "asks" for skills that ask
// their client, "held" for one whose calls are held, "world" for the skills of a world. Its lines:
//
//	-> text      the peer sends the line
//	=> "text"    the peer sends these bytes, quoted as in Go, and no end of a line
//	<- text      the server has sent the line since the line before
//	.. word …    something happens: "sleep 5s", "register demo.new", "unregister demo.new", "offer"
//	             (resources and prompts), "withdraw greet" (one of them), "ring test://bell/a" (it changes),
//	             "cancel" (the context of Serve), "eof" (the peer closes)
//	== text      Serve has returned, with this error
//	# text       a remark
func TestTranscripts(t *testing.T) { transcript.Run(t, on(dial)) }

// on plays over a transport.
func on(dial func(*testing.T, *mcp.Mcp, int) *peer) transcript.Play {
	return func(t *testing.T, options, script string) string {
		t.Helper()
		return replay(t, dial, options, script)
	}
}

// replay plays the peer's part of a transcript and returns the whole with what the server said.
func replay(t *testing.T, dial func(*testing.T, *mcp.Mcp, int) *peer, options, script string) string {
	t.Helper()
	o := mcp.Options{Logger: mcpfuzz.Logger(t)}
	limit, offers := 0, false
	switch options, _, _ := strings.Cut(options, " "); options {
	case "published":
	case "asks", "held", "world":
	case "reader": // whose sessions may only look
		o.Profile = "system.readonly"
	case "all":
		o.Tools, o.PageSize = mcp.All, 3
	case "short":
		limit = 200
	case "offers": // resources and prompts, in pages of two
		offers, o.PageSize = true, 2
	case "two":
		o.MaxRunning = 2
	default:
		t.Fatalf("unknown options %q", options)
	}
	var core *mcp.Mcp
	var b *bells
	switch {
	case offers:
		core, b = newOffers(t, o)
	case strings.HasPrefix(options, "held"):
		core, _ = heldCore(t, mcp.Options{})
	case strings.HasPrefix(options, "world"):
		core = worldCore(t)
	default:
		core = newCore(t, o)
	}
	if strings.HasPrefix(options, "asks") {
		if err := core.Registry().Register(askSkills()...); err != nil {
			t.Fatal(err)
		}
	}
	p := dial(t, core, limit)
	p.bells = b
	names := transcript.NewNames()
	var got strings.Builder
	for line := range strings.Lines(script) {
		what, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if what == "<-" || what == "==" {
			continue
		}
		got.WriteString(line)
		switch what {
		case "->":
			p.send(names.Fill(text) + "\n")
		case "=>":
			raw, err := strconv.Unquote(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			p.send(raw)
		case "..":
			p.happen(text)
		case "#", "":
		default:
			t.Fatalf("bad line %q", line)
		}
		synctest.Wait()
		for _, said := range p.said() {
			fmt.Fprintf(&got, "<- %s\n", names.Hide(generated.ReplaceAllString(said, "ses_generated")))
		}
		select {
		case err := <-p.served:
			fmt.Fprintf(&got, "== %s\n", strings.ReplaceAll(fmt.Sprint(err), "\n", "; "))
			p.over = true
		default:
		}
	}
	p.close()
	if b != nil && b.watched() > 0 {
		t.Errorf("%d resources are watched for a peer that is gone", b.watched())
	}
	return got.String()
}

// generated is the id of a standard session.
var generated = regexp.MustCompile(`ses_[0-9a-f]{32}`)

// peer is the other end of a connection that is being served.
type peer struct {
	t      *testing.T
	core   *mcp.Mcp
	bells  *bells // that can be rung; nil if nothing is offered
	in     *io.PipeWriter
	framer *checked
	cancel context.CancelFunc
	served chan error // what Serve returned
	over   bool       // the transcript has shown it

	mu  sync.Mutex // guards out
	out bytes.Buffer
}

// dial starts serving a connection of which every standard message is checked.
func dial(t *testing.T, core *mcp.Mcp, limit int) *peer {
	t.Helper()
	return dialAs(t, core, limit, mcp.Peer{})
}

// dialAs is dial by somebody of whom something is known.
func dialAs(t *testing.T, core *mcp.Mcp, limit int, who mcp.Peer) *peer {
	t.Helper()
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	p := &peer{t: t, core: core, in: w, cancel: cancel, served: make(chan error, 1)}
	p.framer = check(t, stdio.New(r, p, stdio.Options{Limit: limit}))
	go func() { p.served <- core.ServePeer(ctx, p.framer, who) }()
	return p
}

func (p *peer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// said returns the lines that were sent since it was last called.
func (p *peer) said() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.TrimSuffix(p.out.String(), "\n")
	p.out.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func (p *peer) send(text string) {
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Errorf("send %q: %v", text, err)
	}
}

func (p *peer) happen(text string) {
	what, arg, _ := strings.Cut(text, " ")
	switch what {
	case "sleep":
		d, err := time.ParseDuration(arg)
		if err != nil {
			p.t.Fatal(err)
		}
		time.Sleep(d)
	case "register":
		if err := p.core.Registry().Register(extra(arg)); err != nil {
			p.t.Error(err)
		}
	case "offer":
		offer(p.t, p.core.Registry())
	case "withdraw":
		p.core.Registry().Resources().Unregister(arg)
		p.core.Registry().Prompts().Unregister(arg)
	case "ring":
		p.bells.ring(arg) // to ring again at once would race with the first being told
	case "unregister":
		p.core.Registry().Unregister(arg)
	case "cancel":
		p.cancel()
	case "eof":
		_ = p.in.Close()
	default:
		p.t.Fatalf("%q cannot happen", text)
	}
}

// close ends the connection and checks that Serve returns without an error, unless that was seen.
func (p *peer) close() {
	defer p.core.Close()
	defer p.cancel()
	_ = p.in.Close()
	if p.over {
		return
	}
	if err := <-p.served; err != nil {
		p.t.Errorf("Serve = %v", err)
	}
}
