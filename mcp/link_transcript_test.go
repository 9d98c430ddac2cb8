package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
)

// A Link answers as a connection does, word for word: the transcripts hold for it too. So they hold for
// HTTP, which hands its messages to one. Left out is what a Link does not have: a native dialect
// before initialize, parts of lines, limits, and an end that waits.
func TestTranscriptsOverLink(t *testing.T) {
	without := []string{"\n=> ", "\n.. eof", "\n.. cancel", "\n-> \n"}
	transcript.Again(t, 12, func(name, script string) bool {
		first, _, _ := strings.Cut(script[max(strings.Index(script, "-> "), 0):], "\n")
		standard := strings.Contains(first, `"protocolVersion"`) || strings.Contains(first, "io.modelcontextprotocol/")
		has := func(text string) bool { return strings.Contains(script, text) }
		return standard && !strings.HasPrefix(name, "short") && !slices.ContainsFunc(without, has)
	}, on(dialLink))
}

// dialLink is dial to a Link: each line is delivered with a way back of its own.
func dialLink(t *testing.T, core *mcp.Mcp, _ int) *peer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	p := &peer{t: t, core: core, in: w, cancel: cancel, served: make(chan error, 1)}
	out := lineWay{p}
	l := core.Link(ctx, mcp.Peer{}, out.Tell)
	go func() {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var o mcp.Outline
			o.Read(lines.Bytes())
			l.Deliver(&o, out)
		}
		p.served <- l.Close()
	}()
	return p
}

// lineWay is the way back of every message of a peer: lines.
type lineWay struct{ p *peer }

var _ mcp.Exchange = lineWay{}

func (w lineWay) Tell(text []byte) bool {
	_, err := fmt.Fprintf(w.p, "%s\n", text)
	return err == nil
}

func (w lineWay) Answer(text []byte, _ int) {
	if text != nil {
		_, _ = fmt.Fprintf(w.p, "%s\n", text)
	}
}
