package mcp_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/transport/ws"
)

// FuzzFrames sends a WebSocket what is nearly right: messages of the transcripts, changed, cut into fragments, with pings
// in between; then perhaps a frame that is none, or noise. Nothing panics or hangs. Until the first frame
// that is none, every message gets the answers that FuzzServe's oracle demands, and each ping its pong;
// after it the connection ends with one of the codes that the protocol has for that.
func FuzzFrames(f *testing.F) {
	lines := transcript.Lines(f, "-> ")
	for i := range lines {
		f.Add([]byte{2, byte(i), byte(i >> 8), 0, byte(i)})
		f.Add([]byte{byte(i % 3), 0, byte(i), byte(i >> 8), byte(i%mcpfuzz.Disguises) << 3})
	}
	for i := range 64 {
		f.Add([]byte{2, byte(i), 0, 0, 6, 77, 99, 130, 3, 2, byte(i), 0, 0, 0, byte(12 + i%4), byte(i), byte(i * 5), byte(i * 11), 1, 2, 3, 4})
	}
	mcpfuzz.Seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			p := knock(t)
			m := mcpfuzz.Mutator{Data: data}
			p.hello(m.Next())
			for n := 0; n < 24 && len(m.Data) > 0 && !p.odd; n++ {
				p.step(&m, lines)
			}
			p.judge()
		})
	})
}

// framed is a client that writes its frames itself.
type framed struct {
	t      *testing.T
	conn   net.Conn
	served chan error
	allow  []int // close codes that may come; nil: any
	odd    bool  // what was sent last is not what a client sends
	noisy  bool  // … and may hold pings, too
	pings  []string

	mu     sync.Mutex // guards what follows
	said   []string
	pongs  []string
	closed int // the code of the server's close frame
}

// knock connects to a server whose slow skill ends at once.
func knock(t *testing.T) *framed {
	t.Helper()
	core := napping(t)
	ctx, cancel := context.WithCancel(t.Context())
	p := &framed{t: t, served: make(chan error, 1)}
	c := listenWebSocket(ctx, t, core, ws.Options{Limit: 64 << 10}, p.served)()
	t.Cleanup(cancel)
	t.Cleanup(core.Close)
	p.conn = c.NetConn()
	c.SetPongHandler(func(data string) error {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.pongs = append(p.pongs, data)
		return nil
	})
	c.SetPingHandler(func(string) error { return nil })
	c.SetCloseHandler(func(int, string) error { return nil })
	go p.listen(c)
	return p
}

func (p *framed) listen(c *websocket.Conn) {
	for {
		kind, text, err := c.ReadMessage()
		p.mu.Lock()
		var end *websocket.CloseError
		switch {
		case errors.As(err, &end):
			p.closed = end.Code
		case kind == websocket.TextMessage:
			p.said = append(p.said, string(text))
		}
		p.mu.Unlock()
		if err != nil {
			_ = c.Close()
			return
		}
	}
}

// hello opens a session, of one dialect or another.
func (p *framed) hello(dialect int) {
	text := []string{initNative, initStandard, strings.ReplaceAll(initStandard, "2025-11-25", "2025-03-26")}[dialect%3]
	for line := range strings.Lines(text) {
		p.write(frameOf(0x81, []byte(line), 0), nil)
		synctest.Wait()
	}
	if said := p.hear(); len(said) != 1 || !strings.Contains(said[0], `"result"`) {
		p.t.Fatalf("no session: %q", said)
	}
}

// step sends something, and holds what comes back against the oracle.
func (p *framed) step(m *mcpfuzz.Mutator, lines []string) {
	switch op := m.Next() % 16; {
	case op < 10:
		p.message(m, m.Message(lines))
	case op < 12:
		p.write(p.ping(m), m)
	case op < 15:
		p.fault(m)
	default: // noise, to which nobody knows the answer
		noise := m.Data
		m.Data, p.odd, p.noisy = nil, true, true
		p.write(noise, nil)
	}
	synctest.Wait()
}

// message sends a message in fragments, with pings between them.
func (p *framed) message(m *mcpfuzz.Mutator, text []byte) {
	var frames []byte
	head := byte(0x01)
	left := text
	for range m.Next() % 4 {
		at := m.Next() * len(left) / 256
		frames = append(frames, frameOf(head, left[:at], m.Next())...)
		left, head = left[at:], 0
		if m.Next()%2 == 0 {
			frames = append(frames, p.ping(m)...)
		}
	}
	p.write(append(frames, frameOf(head|0x80, left, m.Next())...), m)
	synctest.Wait()
	said := p.hear()
	if !utf8.Valid(text) {
		p.odd, p.allow = true, []int{ws.CodeInvalidText}
		return
	}
	got := mcpfuzz.Answered(p.t, said)
	single, batch := mcpfuzz.Expected(text, false), mcpfuzz.Expected(text, true)
	slices.Sort(batch)
	if !slices.Equal(got, single) && !slices.Equal(got, batch) {
		p.t.Errorf("%q is answered for the ids %q, want %q or %q: %q", text, got, single, batch, said)
	}
}

// hear returns what was said since it was last called.
func (p *framed) hear() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	said := p.said
	p.said = nil
	return said
}

// fault sends what no client may send, or what ends the connection.
func (p *framed) fault(m *mcpfuzz.Mutator) {
	p.odd, p.allow = true, []int{ws.CodeProtocol}
	payload := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	masked := func(head byte, payload []byte) []byte { return frameOf(head, payload, m.Next()) }
	long := make([]byte, 126)
	var out []byte
	switch m.Next() % 14 {
	case 0: // without a mask
		out = append([]byte{0x81, byte(len(payload))}, payload...)
	case 1: // a reserved bit
		out = masked(0x81|0x10<<(m.Next()%3), payload)
	case 2: // an opcode that is none
		out = masked(0x80|[]byte{3, 4, 5, 6, 7, 11, 12, 13, 14, 15}[m.Next()%10], payload)
	case 3: // a control frame in parts
		out = masked([]byte{8, 9, 10}[m.Next()%3], nil)
	case 4: // a control frame that is too long
		out = masked(0x80|[]byte{8, 9, 10}[m.Next()%3], long)
	case 5: // the rest of nothing
		out = masked(0x80, payload)
	case 6: // a message inside another
		out = append(masked(0x01, payload[:5]), masked(0x81, payload)...)
	case 7:
		out, p.allow = masked(0x82, payload), []int{ws.CodeUnsupported}
	case 8:
		out, p.allow = masked(0x81, []byte("\"\xff\"")), []int{ws.CodeInvalidText}
	case 9: // a length beyond every limit, of which nothing comes
		out, p.allow = append(binary.BigEndian.AppendUint64([]byte{0x81, 0xff}, 1<<62), 0, 0, 0, 0), []int{ws.CodePolicy}
	case 10: // a length with its top bit
		out, p.allow = append(binary.BigEndian.AppendUint64([]byte{0x81, 0xff}, 1<<63), 0, 0, 0, 0), []int{ws.CodeTooBig}
	case 11: // a fragment bomb
		for range 40 {
			out = append(out, masked(byte(min(len(out), 1)^1), make([]byte, 2<<10))...)
		}
		p.allow = []int{ws.CodeTooBig, ws.CodeInvalidText}
	case 12: // the end, with a code that may not be sent
		out = masked(0x88, []byte{byte(m.Next()), byte(m.Next())})
		p.allow = nil
	default:
		out, p.allow = masked(0x88, []byte{3, 0xe8}), []int{ws.CodeNormal}
	}
	p.write(out, m)
}

// write writes bytes, in pieces if there is something to choose their sizes by. It fails only when the
// server has gone.
func (p *framed) write(b []byte, m *mcpfuzz.Mutator) {
	for len(b) > 0 {
		n := len(b)
		if m != nil {
			if piece := m.Next(); piece > 0 && piece < 64 {
				n = min(piece, n)
			}
		}
		if _, err := p.conn.Write(b[:n]); err != nil {
			if !p.odd {
				p.t.Errorf("the connection has ended: %v, closed with %d", err, p.closed)
			}
			return
		}
		b = b[n:]
	}
}

// judge ends the connection, unless it has ended, and looks at how it did.
func (p *framed) judge() {
	if p.odd {
		time.Sleep(2 * time.Minute) // a message without an end has been given up
	} else {
		p.allow = []int{ws.CodeNormal}
		p.write(frameOf(0x88, []byte{3, 0xe8}, 0), nil)
		time.Sleep(3 * time.Second)
	}
	p.mu.Lock()
	code := p.closed
	pongs := p.pongs
	if p.noisy {
		pongs = pongs[:min(len(p.pings), len(pongs))]
	}
	if !slices.Equal(p.pings, pongs) {
		p.t.Errorf("pings %q were answered by %q", p.pings, p.pongs)
	}
	p.mu.Unlock()
	if p.allow != nil && !slices.Contains(p.allow, code) {
		p.t.Errorf("closed with %d, want one of %v", code, p.allow)
	}
	if code == ws.CodeInternal {
		p.t.Errorf("closed with %d", code)
	}
	_ = p.conn.Close()
	<-p.served
}

// ping returns a ping or a pong.
func (p *framed) ping(m *mcpfuzz.Mutator) []byte {
	payload := make([]byte, m.Next()%126)
	for i := range payload {
		payload[i] = byte(i)
	}
	if m.Next()%2 == 0 {
		return frameOf(0x8a, payload, m.Next())
	}
	p.pings = append(p.pings, string(payload))
	return frameOf(0x89, payload, m.Next())
}

// frameOf is a client's frame; how chooses its mask.
func frameOf(head byte, payload []byte, how int) []byte {
	f := []byte{head}
	switch n := len(payload); {
	case n < 126:
		f = append(f, 0x80|byte(n))
	case n < 1<<16:
		f = binary.BigEndian.AppendUint16(append(f, 0x80|126), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, 0x80|127), uint64(n))
	}
	mask := [4]byte{byte(how), byte(how * 3), byte(how * 7), byte(how >> 1)}
	f = append(f, mask[:]...)
	for i, b := range payload {
		f = append(f, b^mask[i%4])
	}
	return f
}
