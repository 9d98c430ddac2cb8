package statesync_test

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// state is what a world was at one tick, as a dumb observer wrote it down.
type state struct {
	entities map[world.ID]seen
	shared   map[string]string
	cause    uint64 // the intent of the commit
	moments  []world.Moment
}

type seen struct {
	pos  world.Vec3
	json string
}

// arena is a world with clients, and everything that its world has ever been.
type arena struct {
	w      *world.World
	hub    *statesync.Hub
	table  *world.Table[int, string]
	placed *world.Table[int, placed]
	past   []state // by tick
	intent uint64
	ids    []world.ID
	keys   int    // of rows that have places, less one
	saved  []byte // a snapshot of the world as it once was; nil before the first
	quanta float64
	peers  []*peer
}

// placed is a row that has a place.
type placed struct {
	N      int
	Entity world.ID    `json:",omitempty"`
	Point  *world.Vec3 `json:",omitempty"`
	Radius float64
}

// peer is a client: a feed, frames on their way, and a copy.
type peer struct {
	feed  *statesync.Feed
	due   bool // was woken
	copy  replica.Copy
	views map[string]*subscription
	way   []frame
	rough map[string]bool // copies that are not exact, because they were made from a compact encoding
}

// GoString keeps the reports of rapid short.
func (p *peer) GoString() string { return "peer" }

// any returns a subscription, nil if there is none.
func (p *peer) any() *subscription {
	for _, name := range slices.Sorted(maps.Keys(p.views)) {
		return p.views[name]
	}
	return nil
}

// subscription is what a peer has asked for.
type subscription struct {
	opts statesync.Options
	view *statesync.View
	area statesync.Area
	past []span // the areas it had
	told uint64 // tick of the newest message that was pulled
	from uint64 // events count from here on

	first bool // its first message is on its way

	reading map[uint64]bool // ticks of commits that came while an area was being read
}

// span is an area and the tick after which a view had it.
type span struct {
	after uint64
	area  statesync.Area
}

func (s *subscription) move(tick uint64, area statesync.Area) {
	s.area = area
	s.past = append(slices.Clip(s.past), span{tick, area})
}

// at returns the area in which the commit of a tick was seen.
func (s *subscription) at(tick uint64) (area statesync.Area) {
	for _, p := range s.past {
		if p.after < tick || p.after == 0 {
			area = p.area
		}
	}
	return area
}

// apply has a copy take a frame in.
func apply(c *replica.Copy, binary bool, frame []byte) ([]replica.Update, error) {
	if binary {
		return c.Binary(frame)
	}
	return c.Text(frame)
}

// frame is a frame on its way, with what it was made from.
type frame struct {
	kind statesync.Frame
	text []byte
	tick uint64
	subs map[string]subscription // when it was made
}

func newArena(config statesync.Config) *arena {
	w := world.New(world.Config{})
	a := &arena{w: w, table: world.NewTable[int, string](w, "table", 0), placed: world.NewTable[int, placed](w, "placed", 0)}
	a.placed.Locate(func(r placed) world.Place { return world.Place{Entity: r.Entity, Point: r.Point, Radius: r.Radius} })
	a.hub = statesync.New(w, config)
	a.quanta = math.Ldexp(1, max(config.Precision, 1))
	if config.Precision == 0 {
		a.quanta = 64
	}
	a.write(&world.Commit{})
	w.Observe(func(c *world.Commit) { a.past = append(a.past, a.look(c.View(), c)) })
	return a
}

func (a *arena) write(c *world.Commit) {
	a.w.View(func(v *world.View) { a.past = append(a.past, a.look(v, c)) })
}

func (a *arena) look(v *world.View, c *world.Commit) state {
	s := state{entities: map[world.ID]seen{}, shared: map[string]string{}, moments: slices.Clone(c.Moments)}
	for id := range v.All() {
		p, _ := v.Position(id)
		s.entities[id] = seen{p, string(a.w.AppendEntity(nil, v, id))}
	}
	for _, name := range a.w.Shared(v) {
		s.shared[name] = string(a.w.AppendShared(nil, v, name))
	}
	if len(c.Causes) > 0 {
		s.cause = c.Causes[0]
	}
	return s
}

// call is a call that a transaction is opened on.
type call struct{ tx any }

func (c *call) Context() context.Context { return context.Background() }
func (c *call) Transaction() any         { return c.tx }
func (c *call) Begin(tx any)             { c.tx = tx }
func (c *call) Author() (string, string) { return "ada", "a skill" }
func (c *call) Holder() string           { return "" }
func (c *call) Seen() (uint64, bool)     { return 0, false }

// do commits what fn does as an intent.
func (a *arena) do(fn func(tx *world.Tx) error) {
	c := &call{}
	_, err := world.Do(a.w, c, func(tx *world.Tx) (struct{}, error) { return struct{}{}, fn(tx) })
	if err != nil {
		c.tx.(*world.Tx).Rollback()
		return
	}
	a.intent++
	c.tx.(*world.Tx).Commit(a.intent)
}

func (a *arena) tick() uint64 { return uint64(len(a.past) - 1) }

// change makes one random change.
func (a *arena) change(t *rapid.T, tx *world.Tx) error {
	point := func() world.Vec3 {
		coordinate := rapid.OneOf(rapid.Float64Range(-30, 30), rapid.Map(rapid.IntRange(-20, 20), func(n int) float64 { return float64(n) }))
		p := world.Vec3{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z")}
		if rapid.IntRange(0, 19).Draw(t, "remote") == 0 {
			p[rapid.IntRange(0, 2).Draw(t, "axis")] = rapid.SampledFrom([]float64{1e5, -3e8, 1e30, 3.4e38}).Draw(t, "far")
		}
		return p
	}
	if len(a.ids) == 0 || rapid.IntRange(0, 3).Draw(t, "create") == 0 {
		spec := world.Spec{Position: point()}
		if len(a.ids) > 0 && rapid.IntRange(0, 3).Draw(t, "child") == 0 {
			spec.Parent = rapid.SampledFrom(a.ids).Draw(t, "parent")
			if !tx.Exists(spec.Parent) {
				spec.Parent = 0
			}
		}
		id, err := tx.Create(spec)
		if err == nil {
			a.ids = append(a.ids, id)
		}
		return nil
	}
	id := rapid.SampledFrom(a.ids).Draw(t, "id")
	if !tx.Exists(id) {
		return nil
	}
	var err error
	switch rapid.IntRange(0, 14).Draw(t, "op") {
	case 0, 1:
		err = tx.SetPosition(id, point())
	case 2, 3, 4:
		at, _ := tx.Transform(id)
		small := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Float64Range(-0.01, 0.01))
		err = tx.SetPosition(id, at.Position.Add(world.Vec3{small.Draw(t, "dx"), small.Draw(t, "dy"), small.Draw(t, "dz")}))
	case 5:
		angle := rapid.Float64Range(-3.2, 3.2)
		err = tx.SetRotation(id, world.QuatFromEuler(angle.Draw(t, "a"), angle.Draw(t, "b"), angle.Draw(t, "c")))
	case 6:
		err = tx.SetScale(id, rapid.SampledFrom([]world.Vec3{{1, 1, 1}, {2, 2, 2}, {0.5, 1, 3}, {2, 2, 3}, {3, 2, 2}, {2, 3, 2}, {0, 0, 0}}).Draw(t, "scale"))
	case 7:
		tx.Destroy(id)
	case 8:
		err = tx.SetParent(id, rapid.SampledFrom(append(slices.Clone(a.ids), 0)).Draw(t, "parent"))
	case 9:
		err = tx.SetName(id, rapid.SampledFrom([]string{"", "door", "wändé \"x\""}).Draw(t, "name"))
	case 10:
		_, err = tx.AddTag(id, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "tag"))
	case 11:
		err = a.w.Shapes.Set(tx, id, world.Shape{Kind: "box", Color: uint32(rapid.IntRange(0, 3).Draw(t, "color"))})
	case 12:
		a.w.Shapes.Remove(tx, id)
	case 13:
		err = a.w.Bodies.Set(tx, id, world.Body{Type: "dynamic", Collider: "box"})
	case 14:
		a.w.Bodies.Remove(tx, id)
	}
	_ = err // refused, and so nothing happened
	return nil
}

// share changes what belongs to no entity, or adds a moment.
func (a *arena) share(t *rapid.T, tx *world.Tx) error {
	x := rapid.Float64Range(-30, 30)
	switch rapid.IntRange(0, 8).Draw(t, "shared") {
	case 5:
		for i := range a.keys { // more, with 200, than are looked at one by one
			row := placed{N: rapid.IntRange(0, 3).Draw(t, "n"), Point: &world.Vec3{float64(i % 30)}}
			if err := a.placed.Set(tx, i, row); err != nil {
				return err
			}
		}
		return nil
	case 6, 7:
		row := placed{N: rapid.IntRange(0, 3).Draw(t, "n")}
		switch rapid.IntRange(0, 4).Draw(t, "place") {
		case 0:
		case 1:
			row.Point, row.Radius = &world.Vec3{x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")}, rapid.SampledFrom([]float64{0, 3, 20}).Draw(t, "radius")
		default:
			if len(a.ids) > 0 {
				row.Entity = rapid.SampledFrom(a.ids).Draw(t, "at")
			}
		}
		return a.placed.Set(tx, rapid.IntRange(0, a.keys).Draw(t, "key"), row)
	case 8:
		a.placed.Delete(tx, rapid.IntRange(0, a.keys).Draw(t, "key"))
		return nil
	case 0:
		return a.w.Environment.Time.Set(tx, world.Time{Hour: rapid.Float64Range(0, 24).Draw(t, "hour")})
	case 1:
		return a.table.Set(tx, rapid.IntRange(0, 9).Draw(t, "key"), rapid.StringN(0, 4, 8).Draw(t, "row"))
	case 2:
		a.table.Delete(tx, rapid.IntRange(0, 9).Draw(t, "key"))
		return nil
	case 3:
		return tx.Moment(world.Moment{Kind: "bell", Payload: json.RawMessage(`{"n":1}`)})
	}
	return tx.Moment(world.Moment{Kind: "step", Placed: true, At: world.Vec3{x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")}})
}

func drawArea(t *rapid.T) statesync.Area {
	if rapid.IntRange(0, 4).Draw(t, "whole") == 0 {
		return statesync.Whole()
	}
	x := rapid.Float64Range(-30, 30)
	radius := rapid.OneOf(rapid.Float64Range(0, 40), rapid.SampledFrom([]float64{0, 1, 5, 1e9})).Draw(t, "radius")
	return statesync.Within(world.Vec3{x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")}, radius)
}

// bringBack takes commits back, makes them again, or restores what once was: entities that were destroyed are
// there again under their ids, in the same commit even.
func (a *arena) bringBack(t *rapid.T) {
	switch rapid.IntRange(0, 3).Draw(t, "back") {
	case 0, 1:
		n := rapid.IntRange(1, 3).Draw(t, "undo")
		a.do(func(tx *world.Tx) error { _, err := tx.Undo(n); return err })
	case 2:
		a.do(func(tx *world.Tx) error { _, err := tx.Redo(1); return err })
	default:
		then := a.saved
		a.w.View(func(v *world.View) { a.saved = v.AppendSnapshot(nil) })
		if then == nil {
			then = a.saved
		}
		a.do(func(tx *world.Tx) error {
			for _, id := range a.ids {
				if rapid.Bool().Draw(t, "destroy before") {
					tx.Destroy(id)
				}
			}
			if _, err := tx.Create(world.Spec{}); err != nil {
				return err
			}
			return tx.Restore(then)
		})
	}
}

// commit makes a random commit.
func (a *arena) commit(t *rapid.T) {
	if rapid.IntRange(0, 7).Draw(t, "backwards") == 0 {
		a.bringBack(t)
		return
	}
	fn := func(tx *world.Tx) error {
		for range rapid.IntRange(1, 5).Draw(t, "changes") {
			change := a.change
			if rapid.IntRange(0, 4).Draw(t, "what") == 0 {
				change = a.share
			}
			if err := change(t, tx); err != nil {
				return err
			}
		}
		return nil
	}
	if rapid.Bool().Draw(t, "engine") {
		_, _ = a.w.Update(context.Background(), fn)
		return
	}
	a.do(fn)
}

func (a *arena) connect() *peer {
	p := &peer{views: map[string]*subscription{}, rough: map[string]bool{}}
	p.feed = a.hub.Connect(func() { p.due = true })
	a.peers = append(a.peers, p)
	return p
}

// subscribe subscribes, now and then slowly, with commits in between.
func (a *arena) subscribe(t *rapid.T, p *peer, o statesync.Options) {
	var text []byte
	var v *statesync.View
	var err error
	from := a.tick()
	if rapid.IntRange(0, 3).Draw(t, "slowly") == 0 {
		text, v, err = p.feed.SubscribeSlowly(nil, o, rapid.IntRange(1, 3).Draw(t, "chunk"), func() { a.commit(t) })
	} else {
		text, v, err = p.feed.Subscribe(nil, o)
	}
	if err != nil {
		t.Fatalf("Subscribe(%+v) = %v", o, err)
	}
	if len(text) == 0 {
		t.Fatalf("Subscribe(%+v) appended no message", o)
	}
	s := &subscription{opts: o, view: v, told: a.tick(), from: a.tick(), reading: map[uint64]bool{}}
	s.move(0, o.Area)
	if o.Resume {
		s.from = from
	}
	p.views[o.Name] = s
	if o.Resume {
		s.told = o.Since
	}
	s.first = true
	p.send(text, s, a.tick())
	s.told, s.first = a.tick(), false
	a.late(t, p)
	v.Start()
}

// send sends what a subscription was told by itself on its way.
func (p *peer) send(text []byte, s *subscription, tick uint64) {
	kind := statesync.TextFrame
	if s.opts.Encoding == statesync.Binary {
		kind = statesync.BinaryFrame
	}
	p.way = append(p.way, frame{kind: kind, text: text, tick: tick, subs: map[string]subscription{s.opts.Name: *s}})
}

// late has something happen before a view is started, now and then.
func (a *arena) late(t *rapid.T, p *peer) {
	if rapid.Bool().Draw(t, "late") {
		a.commit(t)
		a.pull(t, p)
	}
}

// pull takes one frame from a feed and sends it on its way.
func (a *arena) pull(t *rapid.T, p *peer) bool {
	text, kind := p.feed.Append(nil)
	if kind == statesync.NoFrame {
		if len(text) > 0 {
			t.Fatalf("Append() = %q, NoFrame", text)
		}
		p.due = false
		return false
	}
	f := frame{kind: kind, text: text, tick: a.tick(), subs: map[string]subscription{}}
	for name, s := range p.views {
		f.subs[name] = *s
	}
	p.way = append(p.way, f)
	for _, v := range p.feed.Views() { // those that are in it have been told up to now
		if v.Tick() == a.tick() {
			p.views[v.Name()].told = a.tick()
		}
	}
	return true
}

// deliver has a client apply the first frame on its way.
func (a *arena) deliver(t *rapid.T, p *peer) {
	if len(p.way) == 0 {
		return
	}
	f := p.way[0]
	p.way = p.way[1:]
	before := map[string][]uint64{}
	for name := range f.subs {
		if v := p.copy.View(name); v != nil {
			before[name] = slices.Sorted(maps.Keys(v.Entities))
		}
	}
	updates, err := apply(&p.copy, f.kind == statesync.BinaryFrame, f.text)
	if err != nil || len(updates) == 0 {
		t.Fatalf("frame %q: %d updates, %v", f.text, len(updates), err)
	}
	for _, u := range updates {
		s, ok := f.subs[u.View.Name]
		if !ok {
			t.Fatalf("a message of subscription %q, which there is none", u.View.Name)
		}
		if u.View.Tick != f.tick {
			t.Fatalf("the message is of tick %d, made at %d", u.View.Tick, f.tick)
		}
		if s.opts.Encoding == statesync.JSON {
			if named := removedIn(t, f.text, u.View.Name); !slices.Equal(named, u.Removed) {
				t.Fatalf("%v are removed, of which only %v were held", named, u.Removed)
			}
		}
		var entered []uint64
		for _, n := range u.Changed {
			if !u.Snapshot && (!slices.Contains(before[u.View.Name], n) || slices.Contains(u.Removed, n)) {
				entered = append(entered, n)
			}
		}
		if !slices.Equal(entered, u.Entered) {
			t.Fatalf("%v are said to have entered, want %v", u.Entered, entered)
		}
		if s.opts.Encoding == statesync.JSON && !slices.IsSorted(u.Changed) {
			t.Fatalf("changes are not in the order of creation: %v", u.Changed)
		}
		p.rough[u.View.Name] = s.opts.Encoding != statesync.JSON
		a.compare(t, u.View, &s, f.tick)
		a.checkCauses(t, &u, &s, f.tick)
		a.checkEvents(t, &u, &s, f.tick)
	}
}

// removedIn returns what the messages of a subscription in a frame of JSON remove, as the server says it.
func removedIn(t *rapid.T, frame []byte, subscription string) (removed []uint64) {
	type message struct {
		Params struct {
			Subscription string
			Removed      []string
		}
	}
	var batch []message
	if frame[0] != '[' {
		frame = slices.Concat([]byte("["), frame, []byte("]"))
	}
	if err := json.Unmarshal(frame, &batch); err != nil {
		t.Fatalf("%s: %v", frame, err)
	}
	for _, m := range batch {
		if m.Params.Subscription != subscription {
			continue
		}
		for _, text := range m.Params.Removed {
			n, err := strconv.ParseUint(strings.TrimPrefix(text, "ent_"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			removed = append(removed, n)
		}
	}
	return removed
}
