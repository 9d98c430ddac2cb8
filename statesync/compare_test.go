package statesync_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// compare fails unless a copy is what its area was at a tick.
func (a *arena) compare(t *rapid.T, v *replica.View, s *subscription, tick uint64) {
	was := &a.past[tick]
	want := map[uint64]string{}
	for id, e := range was.entities {
		if s.area.Holds(e.pos) {
			want[id.Number()] = e.json
		}
	}
	got := map[uint64]string{}
	for n, e := range v.Entities {
		got[n] = a.like(want[n], e, s.opts.Encoding)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("at tick %d the copy of %q (%s, %+v) is not its area (-is +copy):\n%s", tick, v.Name, s.opts.Encoding, s.area, diff)
	}
	wantTables := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(was.shared["table"]), &wantTables); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(wantTables, v.Tables["table"]); diff != "" {
		t.Fatalf("table at tick %d (-is +copy):\n%s", tick, diff)
	}
	wantPlaced := was.rows(s.area)
	if diff := gocmp.Diff(wantPlaced, v.Tables["placed"], cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("placed rows of %q (%s, %+v) at tick %d (-is +copy):\n%s", v.Name, s.opts.Encoding, s.area, tick, diff)
	}
	shared := maps.Clone(was.shared)
	delete(shared, "table")
	delete(shared, "placed")
	for name, value := range v.World {
		if shared[name] != string(value) {
			t.Fatalf("%s at tick %d: %s, the copy has %s", name, tick, shared[name], value)
		}
		delete(shared, name)
	}
	if len(shared) > 0 {
		t.Fatalf("the copy has nothing of %v", shared)
	}
}

// rows returns the rows with places that an area sees.
func (s *state) rows(area statesync.Area) map[string]json.RawMessage {
	rows := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(s.shared["placed"]), &rows); err != nil {
		panic(err)
	}
	maps.DeleteFunc(rows, func(_ string, text json.RawMessage) bool {
		var r placed
		if err := json.Unmarshal(text, &r); err != nil {
			panic(err)
		}
		switch {
		case r.Entity != 0:
			e, ok := s.entities[r.Entity]
			return !ok || !area.Holds(e.pos)
		case r.Point != nil && !area.Whole:
			far := area.Radius + r.Radius
			return r.Point.Dist2(area.Center) > float64(far*far) // a root rounds onto the edge what is beyond it
		}
		return false
	})
	return rows
}

// like renders the copy of an entity: as want if it is that to the precision of the encoding.
func (a *arena) like(want string, e *replica.Entity, encoding statesync.Encoding) string {
	var w struct {
		Pos   [3]float64
		Rot   [4]float64
		Scale [3]float64
	}
	parts := map[string]json.RawMessage{}
	_ = json.Unmarshal([]byte(want), &w)
	_ = json.Unmarshal([]byte(want), &parts)
	for _, name := range []string{"id", "eid", "pos", "rot", "scale", "body"} {
		delete(parts, name)
	}
	tolerance := 0.0
	if encoding != statesync.JSON {
		tolerance = 1
	}
	same := len(parts) == len(e.Parts)
	for name, value := range parts {
		same = same && string(e.Parts[name]) == string(value)
	}
	dot := 0.0
	for i := range w.Rot {
		dot += w.Rot[i] * e.Rot[i]
	}
	for i := range w.Rot {
		same = same && math.Abs(w.Rot[i]*math.Copysign(1, dot)-e.Rot[i]) <= tolerance*0.003
	}
	for i := range w.Pos {
		same = same && math.Abs(w.Pos[i]-e.Pos[i]) <= tolerance*(0.5/a.quanta+1e-9)
		same = same && math.Abs(w.Scale[i]-e.Scale[i]) <= tolerance*1e-6*math.Abs(w.Scale[i])
	}
	if same {
		return want
	}
	return fmt.Sprintf("%+v %s", *e, e.Parts)
}

// touches reports whether a commit had an effect that an area sees.
func (a *arena) touches(tick uint64, area statesync.Area, moments bool) bool {
	was, is := a.past[tick-1], a.past[tick]
	in := func(s seen, ok bool) bool {
		return ok && area.Holds(s.pos)
	}
	for _, s := range []map[world.ID]seen{was.entities, is.entities} {
		for id := range s {
			before, existed := was.entities[id]
			after, exists := is.entities[id]
			if before != after && (in(before, existed) || in(after, exists)) {
				return true
			}
		}
	}
	if moments {
		for _, m := range is.moments {
			if !m.Placed || in(seen{pos: m.At}, true) {
				return true
			}
		}
	}
	if diff := gocmp.Diff(was.rows(area), is.rows(area)); diff != "" {
		return true
	}
	before, after := maps.Clone(was.shared), maps.Clone(is.shared)
	delete(before, "placed")
	delete(after, "placed")
	return !maps.Equal(before, after)
}

// checkCauses compares causedBy with the intents since the last message whose effect the view saw. A
// commit may say that something has changed that is as before; then more may be named.
func (a *arena) checkCauses(t *rapid.T, u *replica.Update, s *subscription, tick uint64) {
	if u.Snapshot && s.first {
		if len(u.CausedBy) > 0 {
			t.Fatalf("the first snapshot is caused by %v", u.CausedBy)
		}
		return
	}
	for n := s.told + 1; n <= tick && len(u.CausedBy) < 256; n++ {
		cause := a.past[n].cause
		if cause != 0 && !s.reading[n] && a.touches(n, s.at(n), n > s.from) && !slices.Contains(u.CausedBy, cause) {
			t.Fatalf("the message from tick %d to %d is caused by %v, which lacks %d", s.told, tick, u.CausedBy, cause)
		}
	}
	if !slices.IsSorted(u.CausedBy) || len(slices.Compact(slices.Clone(u.CausedBy))) != len(u.CausedBy) {
		t.Fatalf("caused by %v", u.CausedBy)
	}
}

func (a *arena) checkEvents(t *rapid.T, u *replica.Update, s *subscription, tick uint64) {
	var want, got []string
	for n := max(s.told, s.from) + 1; n <= tick && (!u.Snapshot || !s.first); n++ {
		for _, m := range a.past[n].moments {
			if !m.Placed || s.at(n).Holds(m.At) {
				want = append(want, m.Kind)
			}
		}
	}
	for _, e := range u.Events {
		var m struct{ Kind string }
		if err := json.Unmarshal(e, &m); err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Kind)
	}
	missed := max(len(want)-4, 0)
	want = want[missed:]
	if !slices.Equal(want, got) || u.Missed != uint64(missed) {
		t.Fatalf("events from tick %d to %d: %v and %d missed, want %v and %d", s.told, tick, got, u.Missed, want, missed)
	}
}

// settle pulls and delivers everything, and compares every copy with the world as it is.
func (a *arena) settle(t *rapid.T) {
	for _, p := range a.peers {
		for a.pull(t, p) {
		}
		for len(p.way) > 0 {
			a.deliver(t, p)
		}
		for name, s := range p.views {
			a.compare(t, p.copy.View(name), s, a.tick())
		}
	}
	if err := a.hub.Check(); err != nil {
		t.Fatal(err)
	}
}
