package statesync_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/statesync"
)

// TestConverge has random clients watch a random world: with areas that move, readers that are slow,
// and connections that are lost with frames on their way. After every delta a client holds what its
// area was at the tick of the delta, whatever the encoding, and in the end what the area is.
func TestConverge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newArena(statesync.Config{
			Precision: rapid.IntRange(1, 10).Draw(t, "precision"),
			History:   rapid.SampledFrom([]int{-1, 5, 40, 1000}).Draw(t, "history"),
			MaxEvents: 4,
		})
		a.hub.Sparing(rapid.SampledFrom([]int{1024, 8, 2}).Draw(t, "spare"), rapid.SampledFrom([]int{8, 2}).Draw(t, "share"))
		a.keys = rapid.SampledFrom([]int{3, 3, 200}).Draw(t, "keys")
		somebody := func(t *rapid.T) *peer {
			if len(a.peers) == 0 {
				return a.connect()
			}
			return rapid.SampledFrom(a.peers).Draw(t, "peer")
		}
		encoding := rapid.SampledFrom([]statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary})
		subscribe := func(t *rapid.T) {
			p := somebody(t)
			name := rapid.SampledFrom([]string{"", "north", "süd"}).Draw(t, "name")
			a.subscribe(t, p, statesync.Options{Name: name, Area: drawArea(t), Encoding: encoding.Draw(t, "encoding"), Batch: rapid.Bool().Draw(t, "batch")})
		}
		commit := func(t *rapid.T) {
			before := a.tick()
			a.commit(t)
			for _, p := range a.peers {
				for _, v := range p.feed.Views() {
					if s := p.views[v.Name()]; s != nil && !p.due && a.tick() > before && a.touches(a.tick(), s.area, true) {
						t.Fatalf("tick %d touches view %q and nobody was woken", a.tick(), v.Name())
					}
				}
			}
		}
		pull := func(t *rapid.T) { a.pull(t, somebody(t)) }
		t.Repeat(map[string]func(*rapid.T){
			"connect": func(t *rapid.T) {
				if len(a.peers) < 4 {
					a.connect()
				}
			},
			"subscribe":  subscribe,
			"subscribe2": subscribe,
			"commit":     commit,
			"commit2":    commit,
			"commit3":    commit,
			"commit4":    commit,
			"pull":       pull,
			"pull2":      pull,
			"deliver":    func(t *rapid.T) { a.deliver(t, somebody(t)) },
			"deliver all": func(t *rapid.T) {
				for p := somebody(t); len(p.way) > 0; {
					a.deliver(t, p)
				}
			},
			"declare": func(t *rapid.T) {
				p := somebody(t)
				if s := p.any(); s != nil {
					area := drawArea(t)
					if rapid.Bool().Draw(t, "a little") && !s.area.Whole {
						area = s.area
						area.Center[0] += rapid.Float64Range(-4, 4).Draw(t, "dx")
						area.Radius *= rapid.Float64Range(0.8, 1.2).Draw(t, "growth")
					}
					s.move(a.tick(), area)
					var text []byte
					var err error
					if rapid.Bool().Draw(t, "slowly") {
						text, err = s.view.DeclareSlowly(nil, area, rapid.IntRange(1, 3).Draw(t, "chunk"), func() {
							a.commit(t)
							a.pull(t, p)
							s.reading[a.tick()] = true
						})
					} else {
						text, err = s.view.Declare(nil, area)
					}
					if err != nil {
						t.Fatal(err)
					}
					if len(text) > 0 {
						p.send(text, s, a.tick())
						s.told = a.tick()
					}
					a.late(t, p)
					s.view.Start()
				}
			},
			"unsubscribe": func(t *rapid.T) {
				p := somebody(t)
				if s := p.any(); s != nil {
					if !p.feed.Unsubscribe(s.opts.Name) {
						t.Fatalf("Unsubscribe(%q) = false", s.opts.Name)
					}
					delete(p.views, s.opts.Name)
				}
			},
			"reconnect": func(t *rapid.T) {
				p := somebody(t)
				p.feed.Close()
				p.way = nil
				was := p.views
				p.views, p.due = map[string]*subscription{}, false
				p.feed = a.hub.Connect(func() { p.due = true })
				for range rapid.IntRange(0, 3).Draw(t, "missed") {
					a.commit(t)
				}
				for _, name := range slices.Sorted(maps.Keys(was)) {
					o := was[name].opts
					o.Area, o.Resume, o.Since = drawArea(t), false, 0
					if v := p.copy.View(name); v != nil && (o.Encoding != statesync.JSON || !p.rough[name]) && rapid.IntRange(0, 4).Draw(t, "resume") > 0 {
						o.Resume, o.Since = true, v.Tick
						o.Area = statesync.Area{Center: v.Area.Center, Radius: v.Area.Radius, Whole: v.Area.Whole}
						if rapid.Bool().Draw(t, "recode") {
							o.Encoding = rapid.SampledFrom([]statesync.Encoding{statesync.Packed, statesync.Binary}).Draw(t, "encoding")
						}
					}
					a.subscribe(t, p, o)
				}
			},
			"": func(t *rapid.T) {
				if err := a.hub.Check(); err != nil {
					t.Fatal(err)
				}
			},
		})
		a.settle(t)
		for _, p := range a.peers {
			p.feed.Close()
		}
		if err := a.hub.Check(); err != nil {
			t.Fatal(err)
		}
	})
}
