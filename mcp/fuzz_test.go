package mcp_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

// FuzzServe sends anything to a connection. Nothing ends it; every line gets the answers that an
// oracle made of encoding/json demands, and no others; ids come back to the letter; and lines that
// come in one read are answered as lines that come one by one.
func FuzzServe(f *testing.F) {
	for _, line := range transcript.Lines(f, "-> ") {
		f.Add(uint8(0), []byte(line))
		f.Add(uint8(1), []byte(line))
		f.Add(uint8(2), []byte(line+"\n"+line))
	}
	f.Fuzz(func(t *testing.T, dialect uint8, data []byte) {
		if len(data) > 4<<10 {
			return // large inputs only cost time
		}
		var singly []string
		lines := strings.Split(string(data), "\n")
		synctest.Test(t, func(t *testing.T) {
			p := fuzzPeer(t, dialect)
			for _, line := range lines {
				batches := p.framer.negotiated() == "2025-03-26"
				p.send(line + "\n")
				synctest.Wait()
				said := p.said()
				judge(t, strings.TrimSuffix(line, "\r"), batches, said)
				singly = append(singly, said...)
			}
			p.close()
		})
		synctest.Test(t, func(t *testing.T) {
			p := fuzzPeer(t, dialect)
			defer p.close()
			p.send(string(data))
			_ = p.in.Close()
			synctest.Wait()
			said := p.said()
			if strings.Contains(string(data), "ancel") || strings.Contains(string(data), `\u`) {
				return // a call that ended before may be running now, and be cancelled
			}
			if diff := cmp.Diff(answered(t, singly), answered(t, said)); diff != "" {
				t.Errorf("%q: answered one by one and at once (-one by one +at once):\n%s", data, diff)
			}
		})
	})
}

// fuzzPeer connects to a server whose slow skill ends at once, with a session.
func fuzzPeer(t *testing.T, dialect uint8) *peer {
	t.Helper()
	skills := slices.DeleteFunc(testSkills(), func(k registry.Skill) bool {
		return k.Name() == "demo.work" || k.Name() == "demo.quick"
	})
	reg := registry.New(registry.Options{})
	nap := registry.Define(registry.Spec[none, none]{
		Name: "demo.work", Description: "Do nothing, slowly.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true, Published: true,
		Handle: func(c *registry.Call, _ none) (none, error) {
			c.Progress(1, 1, "")
			return none{}, nil
		},
	})
	if err := reg.Register(append(skills, nap)...); err != nil {
		t.Fatal(err)
	}
	core, err := mcp.New(reg, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := dial(t, core, 0)
	p.send([]string{initNative, initStandard, strings.ReplaceAll(initStandard, "2025-11-25", "2025-03-26")}[dialect%3])
	synctest.Wait()
	p.said()
	return p
}

// judge holds what was said to one line against what the oracle says.
func judge(t *testing.T, line string, batches bool, said []string) {
	t.Helper()
	got, want := answered(t, said), expected([]byte(line), batches)
	slices.Sort(want)
	if !slices.Equal(want, got) {
		t.Errorf("%q is answered for the ids %q, want %q: %q", line, got, want, said)
	}
}

// expected returns the ids of the answers that a line must get, "" for an answer without one.
func expected(line []byte, batches bool) []string {
	text := bytes.Trim(line, " \t\r\n")
	if len(text) == 0 {
		return nil
	}
	if !json.Valid(text) || !utf8.Valid(text) || depth(text) > 128 {
		return []string{""}
	}
	parts := messages(text)
	if text[0] != '[' {
		return expectedOne(text)
	}
	if !batches || len(parts) == 0 {
		return []string{""}
	}
	var ids []string
	for _, part := range parts {
		ids = append(ids, expectedOne(part)...)
	}
	return ids
}

func expectedOne(text json.RawMessage) []string {
	if text[0] != '{' {
		return []string{""}
	}
	members := map[string][]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var v json.RawMessage
		_ = d.Decode(&v)
		members[key.(string)] = append(members[key.(string)], v)
	}
	id := ""
	if ids := members["id"]; len(ids) > 0 {
		if len(ids) > 1 || !usable(ids[0]) {
			return []string{""}
		}
		id = string(ids[0])
	}
	var version, method string
	wellFormed := len(members["jsonrpc"]) == 1 && json.Unmarshal(members["jsonrpc"][0], &version) == nil && version == "2.0" &&
		len(members["method"]) < 2 && len(members["params"]) < 2
	if !wellFormed {
		return []string{id}
	}
	if len(members["method"]) == 0 && len(members["result"])+len(members["error"]) > 0 {
		return nil
	}
	if len(members["method"]) != 1 || json.Unmarshal(members["method"][0], &method) != nil || method == "" {
		return []string{id}
	}
	if id == "" {
		return nil
	}
	return []string{id}
}

func usable(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	if len(id) > 100 { // big.Rat would take its time for 1e999999999
		return !bytes.ContainsAny(id, ".eE")
	}
	if i := bytes.IndexAny(id, "eE"); i >= 0 && len(bytes.TrimLeft(id[i+1:], "+-0")) > 4 {
		mantissa, ok := new(big.Rat).SetString(string(id[:i]))
		return ok && (mantissa.Sign() == 0 || id[i+1] != '-')
	}
	r, ok := new(big.Rat).SetString(string(id))
	return ok && r.IsInt()
}

func depth(text []byte) (deepest int) {
	d := json.NewDecoder(bytes.NewReader(text))
	for now := 0; ; {
		token, err := d.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			now++
			deepest = max(deepest, now)
		case json.Delim('}'), json.Delim(']'):
			now--
		}
	}
}

// answered returns the ids that were answered, or acknowledged for good, sorted, "" for null and for none.
func answered(t *testing.T, said []string) (ids []string) {
	t.Helper()
	for _, s := range said {
		if !json.Valid([]byte(s)) {
			t.Fatalf("said what is no JSON: %q", s)
		}
		for _, m := range messages([]byte(s)) {
			var answer struct {
				ID     json.RawMessage
				Method string
				Params struct {
					Meta map[string]json.RawMessage `json:"_meta"`
				}
				Result struct {
					Meta map[string]json.RawMessage `json:"_meta"`
				}
			}
			_ = json.Unmarshal(m, &answer) // a result may be anything
			const tag = "io.modelcontextprotocol/subscriptionId"
			switch {
			case answer.Method == "notifications/subscriptions/acknowledged": // it stays open
				ids = append(ids, string(answer.Params.Meta[tag]))
			case answer.Method == "" && answer.Result.Meta[tag] == nil: // else it was acknowledged
				ids = append(ids, strings.TrimPrefix(string(answer.ID), "null"))
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// A peer that sends noise for ever is answered for as long, in bounded memory.
func TestNoise(t *testing.T) {
	core := newCore(t, mcp.Options{})
	noise := strings.Repeat("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}\n[[[[\n\x00\xff\n\"\n", 20_000)
	var out countWriter
	if err := core.Serve(t.Context(), stdio.New(strings.NewReader(noise), &out, stdio.Options{})); err != nil {
		t.Errorf("Serve = %v", err)
	}
	if out.lines != 80_000 || out.largest > 64<<10 {
		t.Errorf("%d answers, want 80000; the largest write is %d bytes", out.lines, out.largest)
	}
}

type countWriter struct{ lines, largest int }

func (c *countWriter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	c.largest = max(c.largest, len(p))
	return len(p), nil
}

var _ io.Writer = (*countWriter)(nil)
