package architecture_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// partitions draws walls inside, of which most can be there: many end at others, or cross them.
func partitions(t *rapid.T, in *architecture.BuildingIn) (list []architecture.Partition) {
	half := func(along string) float64 {
		if along == "width" {
			return in.Width/2 - in.WallThickness
		}
		return in.Depth/2 - in.WallThickness
	}
	tenths := rapid.IntRange(-9, 9)
	for range rapid.IntRange(1, 5).Draw(t, "partitions") {
		p := registry.Default[architecture.Partition]()
		p.Along, p.Storey = rapid.SampledFrom([]string{"width", "depth"}).Draw(t, "along"), rapid.IntRange(0, in.Storeys).Draw(t, "storey")
		across := "width"
		if p.Along == "width" {
			across = "depth"
		}
		place := func(name, along string) float64 { // anywhere, or at another
			if other := rapid.IntRange(-1, len(list)-1).Draw(t, name+" at another"); other >= 0 && list[other].Along != p.Along && along == p.Along {
				return list[other].At
			}
			return half(along) * float64(tenths.Draw(t, name)) / 10
		}
		p.At = place("at", across)
		if rapid.Bool().Draw(t, "from") {
			from := place("from", p.Along)
			p.From = &from
		}
		if rapid.Bool().Draw(t, "to") {
			to := place("to", p.Along)
			p.To = &to
		}
		if p.DoorWidth = rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "door's width"); p.DoorWidth > 0 && rapid.Bool().Draw(t, "door") {
			door := place("door", p.Along)
			p.Door = &door
		}
		list = append(list, p)
	}
	return list
}

// TestPartitions looks along the middle of each partition: it is closed but for a door as wide as was asked, has nothing but a lintel above that, reaches
// the ceiling, and no two parts are in each other. One that cannot be there is named.
func TestPartitions(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	built := 0
	rapid.Check(t, func(rt *rapid.T) {
		in := registry.Default[architecture.BuildingIn]()
		in.Width, in.Depth = rapid.Float64Range(8, 30).Draw(rt, "width"), rapid.Float64Range(8, 30).Draw(rt, "depth")
		in.WallThickness = rapid.SampledFrom([]float64{0.05, 0.25, 0.6}).Draw(rt, "thickness")
		in.Storeys, in.WithRoof = rapid.IntRange(1, 3).Draw(rt, "storeys"), rapid.Bool().Draw(rt, "roof")
		in.Rotation = rapid.Float64Range(-7, 7).Draw(rt, "rotation")
		in.Partitions = partitions(rt, &in)
		s := skilltest.New(t, skills)
		_, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", in)
		if e := (*registry.Error)(nil); errors.As(err, &e) {
			if e.Code != registry.CodeInvalidInput || !strings.HasPrefix(e.Message, "partitions[") {
				rt.Fatalf("%+v: %v", in.Partitions, e)
			}
			return
		}
		built++
		h := build(rt, skilltest.New(t, skills), p, in)
		for i := range h.blocks {
			for k := range i {
				ridge := h.blocks[i].kind == "roofRight" && h.blocks[k].kind == "roofLeft"
				if by := overlap(&h.blocks[i], &h.blocks[k]); by > slack && !ridge {
					rt.Fatalf("%s and %s are %g in each other: %+v", h.blocks[i].kind, h.blocks[k].kind, by, in.Partitions)
				}
			}
		}
		for i := range in.Partitions {
			for storey := range in.Storeys {
				if w := &in.Partitions[i]; w.Storey == 0 || w.Storey == storey+1 {
					h.checkPartition(rt, w, storey)
				}
			}
		}
	})
	if built < 10 {
		t.Errorf("%d houses could be built", built)
	}
}

func (h *house) checkPartition(t *rapid.T, w *architecture.Partition, storey int) {
	from, to := -h.in.Width/2+h.in.WallThickness, h.in.Width/2-h.in.WallThickness
	if w.Along == "depth" {
		from, to = -h.in.Depth/2+h.in.WallThickness, h.in.Depth/2-h.in.WallThickness
	}
	if w.From != nil {
		from = *w.From
	}
	if w.To != nil {
		to = *w.To
	}
	at := func(along, up float64) world.Vec3 {
		if w.Along == "depth" {
			return h.place(w.At, h.in.Height*float64(storey)+up, along)
		}
		return h.place(along, h.in.Height*float64(storey)+up, w.At)
	}
	free := func(up float64) float64 { // how much of it is open at a height
		open := 0.0
		const n = 400
		for i := range n {
			if k, _ := h.inside(at(from+(to-from)*(float64(i)+0.5)/n, up)); k == 0 {
				open += (to - from) / n
			}
		}
		return open
	}
	near := (to-from)/100 + 1e-6
	if got := free(0.1); math.Abs(got-w.DoorWidth) > near {
		t.Fatalf("%+v has %g open: %+v", *w, got, h.in.Partitions)
	}
	if got := free(2.09); math.Abs(got-w.DoorWidth) > near {
		t.Fatalf("%+v has %g open under its lintel", *w, got)
	}
	for _, up := range []float64{2.11, h.in.Height - 1e-3} {
		if got := free(up); got > near {
			t.Fatalf("%+v has %g open at %g", *w, got, up)
		}
	}
}

// TestPartitionErrors holds that a partition that cannot be there is named, and what can be.
func TestPartitionErrors(t *testing.T) {
	const bad = registry.CodeInvalidInput
	in := func(partitions string) string { return `{"partitions":[` + partitions + `]}` }
	skilltest.Run(t, skills, "architecture.building", []skilltest.Case{
		{Name: "no way", Input: in(`{}`), Code: bad, Err: `partitions[0].along: is required: one of "width", "depth"`},
		{Name: "in the wall", Input: in(`{"along":"depth","at":4}`), Code: bad, Err: `partitions[0].at: must be from -3.69 to 3.69, between the walls, got 4`},
		{Name: "begins outside", Input: in(`{"along":"depth","from":-3}`), Code: bad, Err: `partitions[0].from: must be at least -2.75 and less than 2.75, between the walls, got -3`},
		{Name: "ends outside", Input: in(`{"along":"depth","from":0,"to":3}`), Code: bad, Err: `partitions[0].to: must be more than 0, its from, and at most 2.75, the wall, got 3`},
		{Name: "back to front", Input: in(`{"along":"depth","from":1,"to":0.5}`), Code: bad, Err: `partitions[0].to: must be more than 1, its from, and at most 2.75, the wall, got 0.5`},
		{Name: "between two others", Input: in(`{"along":"width","at":-1},{"along":"width","at":-0.9,"storey":0,"to":-2},{"along":"depth","from":-1,"to":-0.95,"at":2}`), Code: bad, Err: `partitions[2].to: must be more than from and beyond what it begins at; it has no length`},
		{Name: "beside another", Input: in(`{"along":"width","at":-1},{"along":"width","at":-0.9}`), Code: bad, Err: `partitions[1].at: must be at most -1.12 or at least -0.88 beside partitions[0], got -0.9; where both end at a third one, put that before them`},
		{Name: "another storey", Input: in(`{"along":"width","storey":2}`), Code: bad, Err: `partitions[0].storey: must be at most 1, how many storeys there are, got 2`},
		{Name: "no room for a door", Input: in(`{"along":"width","to":-3}`), Code: bad, Err: `partitions[0].doorWidth: must be at most 0.75, the longest piece of it that no other meets, or 0 for no door, got 1.2`},
		{Name: "a door in a corner", Input: in(`{"along":"depth","at":-2,"door":2.5}`), Code: bad, Err: `partitions[0].door: must be from -2.15 to 2.15 for this width, got 2.5`},
		{Name: "a door where another comes", Input: in(`{"along":"width","at":-1,"door":0.2},{"along":"depth","to":-1}`), Code: bad, Err: `partitions[0].door: must be from -3.15 to -0.66 or from 0.66 to 3.15 for this width, got 0.2`},
		{Name: "a high door", Input: in(`{"along":"width","doorHeight":4}`), Code: bad, Err: `partitions[0].doorHeight: must be at most 3.2, what is clear under the ceiling, got 4`},
		{Name: "behind the door", Input: in(`{"along":"width","at":2.5}`), Code: bad, Err: `partitions[0].at: must be at most 1.89, clear of the door of the house, got 2.5`},
		{Name: "in the door", Input: in(`{"along":"depth"}`), Code: bad, Err: `partitions[0].at: must be at most -0.76 or at least 0.76, clear of the door of the house, or to at most 1.95, got 0`},
		{Name: "on the stairs", Input: `{"storeys":2,"partitions":[{"along":"depth","at":-1,"storey":2}]}`, Code: bad, Err: `partitions[0].at: must be elsewhere, or its from and to, got -1: the stairs and the way onto them are from -3.3 to 3.3 along the width and from -2.75 to -1.45 along the depth`},
	})
}

// TestRooms looks at what the example of architecture.building has for three rooms.
func TestRooms(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	out := s.Must(t, p, "architecture.building", `{"width":10,"partitions":[{"along":"width","at":-0.5},{"along":"depth","to":-0.5}],"windows":[{"wall":"back"},{"wall":"front","at":-3}]}`)
	for _, want := range []string{
		`{"kind":"partitionLintel","entity":"ent_15","position":[-2.405,2.65,-0.5],"size":[1.2,1.1,0.12]}`, // clear of the one that ends in the middle
		`{"kind":"partitionLintel","entity":"ent_18","position":[0,2.65,-1.655],"size":[0.12,1.1,1.2]}`,
		`"note":"partitions[1] ends in windows[0]: move one of them, unless you mean it"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s, want %s", out, want)
		}
	}
	if got := s.Must(t, p, "architecture.building", `{"position":[30,0,0],"height":2,"partitions":[{"along":"depth","at":2}]}`); strings.Contains(got, "partitionLintel") || strings.Contains(got, "note") {
		t.Errorf("a door that nobody asked for does not fit in a low house: %s", got)
	}
}

// TestRebuildRooms changes the rooms of a house.
func TestRebuildRooms(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	kinds := func(out string) (list []string) {
		for _, part := range strings.Split(out, `"kind":"`)[1:] {
			kind, _, _ := strings.Cut(part, `"`)
			if strings.HasPrefix(kind, "partition") {
				list = append(list, kind)
			}
		}
		slices.SortFunc(list, cmp.Compare)
		return list
	}
	s.Must(t, p, "architecture.building", `{"roofStyle":"flat","storeys":2,"partitions":[{"along":"width","at":1,"storey":2}]}`)
	group := s.Must(t, p, "scene.queryEntities", `{"name":"house"}`)
	_, group, _ = strings.Cut(group, `"entity":"`)
	group, _, _ = strings.Cut(group, `"`)
	if _, err := s.Call(p, "architecture.rebuild", `{"building":"`+group+`","storeys":1}`); err == nil || err.Error() != "storeys: the house has partitions[0] in storey 2: give partitions anew, [] for none, or at least 2 storeys, got 1" {
		t.Errorf("got %v", err)
	}
	pier := s.Must(t, p, "scene.queryEntities", `{"name":"partitionPier"}`)
	_, pier, _ = strings.Cut(pier, `"entity":"`)
	pier, _, _ = strings.Cut(pier, `"`)
	s.Must(t, p, "three.setMaterial", `{"entity":"`+pier+`","material":"brick"}`)
	out := s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","partitions":[{"along":"width","at":1.2,"storey":2},{"along":"width","at":1.2,"storey":1,"doorWidth":0}]}`)
	if got, want := strings.Join(kinds(out), " "), "partitionLintel partitionPier partitionPier partitionPier"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.Contains(out, `"kind":"partitionPier","entity":"`+pier+`"`) || !strings.Contains(s.Entity(t, pier), `"name":"brick"`) {
		t.Errorf("the painted pier %s has not stayed: %s", pier, out)
	}
	if got := kinds(s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","storeys":1,"partitions":[]}`)); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}
