package terrain_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// laid is what terrain.shape says of a road.
type laid struct {
	Entity    string
	Note      string
	Crossings []struct {
		Water    string
		From, To world.Vec3
		Bridge   json.RawMessage
	}
}

func (s *site) road(input string) (out laid) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.Must(s.t, s.ann, "terrain.shape", input)), &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// TestRoadOverRiver lays roads, straight and winding ones, over a river: it flows as before, they end on its banks, above the water, and what is said of a bridge makes a deck
// that is flush with both. Where the road goes so does its gap.
func TestRoadOverRiver(t *testing.T) {
	for _, input := range []string{`{"center":[0,-30],"to":[6,30],"radius":2}`, `{"points":[[0,-30],[-4,-8],[2,10],[6,30]],"radius":2}`} {
		s := newSite(t)
		s.do("world.generateRegion", hilly)
		river := s.do("terrain.shape", `{"form":"river","points":[[-40,0],[0,-2],[40,0]],"radius":3,"depth":1.5}`)
		bed := map[world.Vec3]float64{}
		for _, p := range pointsOf(river["course"]) {
			bed[p] = s.height(p[0], p[2])
		}
		road := s.road(input)
		for p, y := range bed {
			near(t, "the bed of the river", s.height(p[0], p[2]), y)
		}
		if len(road.Crossings) != 1 || road.Crossings[0].Water != river["water"] || !strings.Contains(road.Note, "it crosses the water "+river["water"].(string)) || strings.Contains(road.Note, "lower now") {
			t.Fatalf("%s: %+v", input, road)
		}
		from, to := road.Crossings[0].From, road.Crossings[0].To
		if from[2] > -6 || to[2] < 4 || from.Dist(to) > 25 {
			t.Errorf("it ends at %v, and goes on at %v", from, to)
		}
		for _, end := range []world.Vec3{from, to} {
			within(t, "the road where it ends", s.height(end[0], end[2]), end[1], 0.1)
		}
		deck := entity(s.do("scene.createEntity", "%s", road.Crossings[0].Bridge))
		for _, end := range []world.Vec3{from, to} {
			in := end.Add(to.Add(from).Scale(0.5).Sub(end).Scale(0.1))
			s.World.View(func(v *world.View) {
				id, _ := world.ParseID(deck)
				o, _ := solid.Of(s.World, v, id)
				if _, high, ok := o.Column(in[0], in[2]); !ok || math.Abs(high-in[1]) > 0.02 {
					t.Errorf("the deck over %v is %v high, %v", in, high, ok)
				}
			})
		}
		middle := from.Add(to).Scale(0.5)
		if w := s.level(middle[0], middle[2]); math.IsNaN(w) || w > middle[1]-0.5 {
			t.Errorf("the water below the bridge is at %v, that at %v", w, middle[1])
		}

		// The road goes elsewhere, with its gap, and with nothing in the bed.
		s.do("three.setTransform", `{"entity":%q,"position":[%v,%v,%v]}`, road.Entity, 20.0, 30.0, -30.0)
		for _, g := range s.tiles() {
			for _, w := range g.Land.Works.List() {
				if w.Form == "level" && len(w.Line) > 0 && w.Away(20+middle[0], middle[2]) < 5 {
					t.Errorf("the gap is %v m wide where it was moved to", 2*w.Away(20+middle[0], middle[2]))
				}
			}
		}
		s.do("world.undo", `{}`)
		for p, y := range bed {
			near(t, "the bed of the river, undone", s.height(p[0], p[2]), y)
		}
	}
}

// TestLowRoadOverRiver has a road that is laid lower than the river rise to its bridge.
func TestLowRoadOverRiver(t *testing.T) {
	for _, input := range []string{`{"center":[0,-60],"to":[6,60],"radius":2,"y":-30}`, `{"points":[[0,-60],[-4,-8],[2,10],[6,60]],"radius":2}`} {
		s := newSite(t)
		s.do("world.generateRegion", hilly)
		river := s.do("terrain.shape", `{"form":"river","points":[[-40,14,0],[40,12,0]],"radius":3,"depth":1.5}`)
		water := s.level(0, 0)
		road := s.road(input)
		if len(road.Crossings) != 1 || s.level(0, 0) != water {
			t.Fatalf("%s: %+v, %v", input, road, river)
		}
		for _, end := range []world.Vec3{road.Crossings[0].From, road.Crossings[0].To} {
			if end[1] < water+0.4 {
				t.Errorf("the water is at %v, the road ends at %v", water, end)
			}
			within(t, "the road where it ends", s.height(end[0], end[2]), end[1], 0.5)
		}
	}
}

// TestRoadOverMoat has a road cross a moat and a pond, which stay as they are, and not a puddle, nor a lake in which it ends.
func TestRoadOverMoat(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	s.do("terrain.shape", `{"center":[0,0],"radius":45,"edge":10,"y":2}`)
	s.do("terrain.shape", `{"form":"basin","points":[[-20,-20],[20,-20],[20,20],[-20,20]],"closed":true,"smooth":false,"radius":4,"rise":3,"water":true}`)
	s.do("terrain.shape", `{"form":"basin","center":[0,0],"radius":6,"rise":2,"water":true}`)
	deep := [][2]float64{{0, -20}, {0, 20}, {0, 0}}
	var bed []float64
	for _, p := range deep {
		bed = append(bed, s.height(p[0], p[1]))
	}
	road := s.road(`{"center":[0,-40],"to":[0,40],"radius":1.5}`)
	for i, p := range deep {
		near(t, "the bed of what it crosses", s.height(p[0], p[1]), bed[i])
	}
	if len(road.Crossings) != 3 {
		t.Fatalf("it crosses %+v", road.Crossings)
	}
	for i, z := range []float64{-20, 0, 20} {
		c := road.Crossings[i]
		if c.From[2] > z-4 || c.To[2] < z+4 || c.From.Dist(c.To) > 18 || math.Abs(c.From[1]-2.55) > 0.1 { // the water is at 1.75
			t.Errorf("bridge %d is from %v to %v", i, c.From, c.To)
		}
	}
	if road := s.road(`{"center":[0,-40],"to":[0,-20],"radius":1.5}`); len(road.Crossings) > 0 {
		t.Errorf("a quay crosses %+v", road.Crossings)
	}
}

// TestRoadByRiver: a road that goes along a river, or ends in it, or is a plot that lies on it, has no bridge.
func TestRoadByRiver(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	s.do("terrain.shape", `{"form":"river","points":[[-40,12,0],[40,10,0]],"radius":3,"depth":1.5}`)
	for _, input := range []string{
		`{"center":[-30,9],"to":[30,9],"radius":2}`, `{"center":[0,-30],"to":[0,2],"radius":2}`, `{"center":[0,0],"radius":9}`, `{"points":[[-35,-3],[35,3]],"radius":2}`,
		`{"form":"basin","points":[[0,-30],[0,30]],"radius":2}`, `{"form":"mound","center":[0,0],"radius":9}`,
	} {
		if road := s.road(input); len(road.Crossings) > 0 {
			t.Errorf("%s: %+v", input, road.Crossings)
		}
		s.do("world.undo", `{}`)
	}
	s.do("terrain.shape", `{"form":"river","points":[[-40,12,6],[40,10,6]],"radius":2,"depth":1}`)
	both := s.road(`{"center":[0,-30],"to":[0,35],"radius":2}`)
	var rivers []string
	for _, c := range both.Crossings {
		rivers = append(rivers, c.Water)
	}
	if slices.Sort(rivers); len(rivers) != 1 || both.Crossings[0].To[2] < 9 {
		t.Errorf("two rivers beside each other are crossed by %+v", both.Crossings)
	}
}
