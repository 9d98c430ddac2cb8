package mcp_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// stateLines are what FuzzState makes its messages of.
var stateLines = func() (lines []string) {
	for _, m := range []string{
		`subscribe","params":{}`,
		`subscribe"`,
		`subscribe","params":{"aoi":{}}`,
		`subscribe","params":{"aoi":{"center":[0,0,0],"radius":5},"encoding":"packed"}`,
		`subscribe","params":{"aoi":{"center":[3,1,-2.5],"radius":7.25},"encoding":"binary","subscription":"a"}`,
		`subscribe","params":{"aoi":{"center":[-4,0,4],"radius":3},"encoding":"json","subscription":"b","batch":true}`,
		`subscribe","params":{"encoding":"packed","subscription":"c","batch":true}`,
		`subscribe","params":{"encoding":"binary","subscription":"d","batch":true}`,
		`subscribe","params":{"encoding":"binary"}`,
		`subscribe","params":{"since":2}`,
		`subscribe","params":{"since":1,"epoch":"none","subscription":"a","encoding":"packed"}`,
		`unsubscribe","params":{}`,
		`unsubscribe"`,
		`unsubscribe","params":{"subscription":"a"}`,
		`unsubscribe","params":{"subscription":"b"}`,
		`unsubscribe","params":{"subscription":"d"}`,
	} {
		lines = append(lines, `{"jsonrpc":"2.0","id":7,"method":"state/`+m+`}`)
	}
	for _, m := range []string{
		`"center":[1,0,1],"radius":2`,
		`"center":[0,0,0],"radius":0,"subscription":"a"`,
		`"center":[5e2,-1e1,0.5],"radius":1e3,"subscription":"b"`,
		`"center":[0,0,0],"radius":6,"subscription":"c"`,
		`"subscription":"d","center":[-6,0,0],"radius":4.5`,
	} {
		lines = append(lines, `{"jsonrpc":"2.0","id":"area","method":"aoi/declare","params":{`+m+`}}`)
	}
	return append(lines, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"state/subscribe"}`,
		`{"jsonrpc":"2.0","id":null,"method":"state/subscribe","params":[]}`)
}()

// FuzzState subscribes, declares areas and unsubscribes in ways that are right and nearly right, beside a world that changes.
// Every message gets the answers of FuzzServe's oracle; a client's copies take all that comes; and in the end each holds
// exactly what is in its area.
func FuzzState(f *testing.F) {
	for i := range stateLines {
		f.Add([]byte{0, byte(i), 0, 0, 12, 1, 7})
		f.Add([]byte{0, byte(i), 0, 1, byte(i * 7), byte(i * 11), 12, 40, 200, 0, byte(i + 1), 0, 0, 13, 3, 1, 1, 14, 2})
		f.Add([]byte{0, 4, 0, 0, 0, 7, 0, 0, 12, 9, 9, 0, byte(i), 0, byte(i%mcpfuzz.Disguises) << 3, 13, 0, 77, 3, 15, 0, byte(i), 0, 0, 12, 8, 8})
	}
	mcpfuzz.Seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			r := newStateRig(t)
			for i := range 9 {
				r.put(world.Vec3{float64(i - 4), 0, float64(i % 3)})
			}
			p := &copier{viewer: r.connect("a", "builder.readWrite"), live: map[string]bool{}}
			go p.listen()
			for m := (mcpfuzz.Mutator{Data: data}); len(m.Data) > 0 && !t.Failed(); {
				p.step(r, &m)
				synctest.Wait()
			}
			p.judge(r)
			_ = p.Close()
		})
	})
}

// copier is a client that keeps copies of what it subscribes to.
type copier struct {
	*viewer
	copy  replica.Copy
	live  map[string]bool // the subscriptions that it knows to have
	blind bool            // it asked for what came after a tick, of which it has no copy

	mu     sync.Mutex // guards what follows
	frames []frame    // not looked at
}

type frame struct {
	kind int
	text []byte
}

func (p *copier) listen() {
	for {
		kind, text, err := p.ReadMessage()
		if err != nil {
			return
		}
		p.mu.Lock()
		p.frames = append(p.frames, frame{kind, text})
		p.mu.Unlock()
	}
}

// step sends a message, or changes the world.
func (p *copier) step(r *stateRig, m *mcpfuzz.Mutator) {
	place := func() world.Vec3 { return world.Vec3{float64(m.Next()-128) / 8, 0, float64(m.Next()-128) / 16} }
	id := func() world.ID { return world.ID(m.Next() % 16) }
	switch op := m.Next() % 16; {
	case op < 12:
		p.message(r, m.Message(stateLines))
	case op == 12:
		r.put(place())
	case op == 15: // what is due comes later
		time.Sleep(time.Duration(m.Next()) * time.Millisecond)
	default:
		if _, err := r.w.Update(p.t.Context(), func(tx *world.Tx) error {
			if op == 14 {
				tx.Destroy(id())
			} else if id := id(); tx.Exists(id) {
				return tx.SetPosition(id, place())
			}
			return nil
		}); err != nil {
			p.t.Fatal(err)
		}
	}
	p.take()
}

// message sends text, and looks at what comes of it.
func (p *copier) message(r *stateRig, text []byte) {
	if strings.ToValidUTF8(string(text), "") != string(text) {
		return // which ends the connection: see FuzzFrames
	}
	p.take()
	p.blind = p.blind || strings.Contains(string(text), "since") || strings.Contains(string(text), `\u`)
	before := r.views()
	p.send(string(text))
	synctest.Wait()
	said := p.take()
	got, want := mcpfuzz.Answered(p.t, said), mcpfuzz.Expected(text, false)
	if !slices.Equal(got, want) {
		p.t.Errorf("%q is answered for the ids %q, want %q: %q", text, got, want, said)
	}
	if said == nil && r.views() == before || said != nil && !strings.Contains(said[0], `"ok":true`) {
		return
	}
	var request, params map[string]json.RawMessage // names of members are read to the letter
	var method, name string
	_ = json.Unmarshal(text, &request)
	_ = json.Unmarshal(request["method"], &method)
	_ = json.Unmarshal(request["params"], &params)
	_ = json.Unmarshal(params["subscription"], &name) // none is ""
	switch method {
	case "state/subscribe":
		p.live[name] = true
	case "state/unsubscribe":
		delete(p.live, name)
		p.copy.Forget(name)
	}
}

// take has the copies take what has come, and returns the answers.
func (p *copier) take() (answers []string) {
	p.mu.Lock()
	frames := p.frames
	p.frames = nil
	p.mu.Unlock()
	for _, f := range frames {
		var err error
		if f.kind == websocket.BinaryMessage {
			_, err = p.copy.Binary(f.text)
		} else {
			if strings.Contains(string(f.text), `"id":`) && !strings.Contains(string(f.text), `"method":`) {
				answers = append(answers, string(f.text))
			}
			_, err = p.copy.Text(f.text)
		}
		if err != nil && !p.blind {
			p.t.Errorf("%q: the copy says %v", f.text, err)
		}
	}
	return answers
}

// judge holds the copies against the world.
func (p *copier) judge(r *stateRig) {
	time.Sleep(10 * time.Second) // all is there
	synctest.Wait()
	p.take()
	if got := r.views(); got != len(p.live) {
		p.t.Errorf("%d subscriptions, the client knows %v", got, p.live)
	}
	if p.blind {
		return
	}
	for name := range p.live {
		v := p.copy.View(name)
		if v == nil {
			p.t.Errorf("%q: no copy", name)
			continue
		}
		var got, want []string
		for n, e := range v.Entities {
			got = append(got, fmt.Sprintf("ent_%d at %v", n, rounded(e.Pos)))
		}
		r.w.View(func(now *world.View) {
			for id := range now.All() {
				at, _ := now.Position(id)
				if v.Area.Whole || at.Dist(v.Area.Center) <= v.Area.Radius {
					want = append(want, fmt.Sprintf("%s at %v", id, rounded(at)))
				}
			}
		})
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			p.t.Errorf("%q of %+v holds %v, want %v", name, v.Area, got, want)
		}
	}
}

// rounded is to what a binary copy is precise.
func rounded(at [3]float64) (out [3]float64) {
	for i, x := range at {
		out[i] = math.Round(x*64) / 64
	}
	return out
}
