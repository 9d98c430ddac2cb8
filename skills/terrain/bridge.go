package terrain

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// A road that crosses a river, a moat or a pond would fill it. So it ends on one bank, and goes on from the other; a bridge is for whoever lays it.

// Crossing is where a road crosses water.
type Crossing struct {
	Water  world.ID        `json:"water" jsonschema_description:"Id of the water."`
	From   world.Vec3      `json:"from" jsonschema_description:"Where the road ends on one bank, [x, y, z]."`
	To     world.Vec3      `json:"to" jsonschema_description:"Where it goes on from the other."`
	Bridge registry.Object `json:"bridge" jsonschema_description:"What makes a deck from one to the other, as the input of scene.createEntity."`
}

// gap is a part of a line, between two of its points, that is left as it is.
type gap struct {
	water    world.ID
	from, to int
	high     float64 // how high the water is at most there
}

// What bridges are like, in metres.
const (
	deck    = 0.4 // the thickness of one
	rest    = 0.5 // how far it lies on each bank
	above   = 0.8 // how high a bank is above the water at least
	longest = 80  // a gap that is longer is none: the road goes along the water, or is a causeway
	shallow = 0.2 // what is less deep is no water that anybody crosses
)

// gaps returns where a road crosses water that is there, in the order in which it comes to it. points is its line, of which the height does not count, reach how far
// to both sides it changes the ground, y tells how high that is now. Where it begins or ends in water, or goes along a river, there is none.
func (l *Lands) gaps(v *world.View, points []world.Vec3, reach float64, y func(x, z float64) float64) (list []gap) {
	for id, water := range l.w.Waters.All(v) {
		t, _ := v.WorldTransform(id)
		pool := water.Pool(t)
		found := overRiver
		if len(water.Line) == 0 {
			found = overLake
		}
		for _, g := range found(points, &pool, reach, y) {
			if g.water = id; points[g.from].Dist(points[g.to]) < longest {
				list = append(list, g)
			}
		}
	}
	slices.SortFunc(list, func(a, b gap) int { return a.from - b.from })
	for i := 0; i+1 < len(list); { // waters beside each other are crossed by one bridge
		a, b := &list[i], list[i+1]
		if i++; b.from <= a.to {
			a.to, a.high = max(a.to, b.to), max(a.high, b.high)
			list = slices.Delete(list, i, i+1)
			i--
		}
	}
	return list
}

// overRiver returns the gaps in a line over a river.
func overRiver(points []world.Vec3, river *world.Pool, reach float64, _ func(x, z float64) float64) (list []gap) {
	bed := land.Work{Form: land.Level}
	lead(&bed, river.Line)
	near := func(i int) bool { return bed.Away(points[i][0], points[i][2]) < river.Half+reach }
	for i := 0; i+1 < len(points); i++ {
		at, ok := crosses(points[i], points[i+1], river.Line)
		if !ok {
			continue
		}
		g := gap{from: i, to: i + 1, high: at[1]}
		for g.from > 0 && near(g.from) {
			g.from--
		}
		for g.to < len(points)-1 && near(g.to) {
			g.to++
		}
		i = g.to - 1
		if !near(g.from) && !near(g.to) {
			list = append(list, g)
		}
	}
	return list
}

// overLake returns the gaps in a line over level water.
func overLake(points []world.Vec3, lake *world.Pool, reach float64, y func(x, z float64) float64) (list []gap) {
	const parts = 4 // of a piece that are looked at
	last := len(points) - 1
	high := 0.0
	wet := func(i int) bool {
		for k := range parts {
			p := points[i].Add(points[i+1].Sub(points[i]).Scale((float64(k) + 0.5) / parts))
			if level, ok := lake.Level(p[0], p[2]); ok && level > y(p[0], p[2])+shallow {
				high = level
				return true
			}
		}
		return false
	}
	spare := max(1, int(reach/max(points[0].Dist(points[1]), 0.01))) // its shore is shallow
	for i := 0; i < last; i++ {
		from := i
		for i < last && wet(i) {
			i++
		}
		if i > from && from >= spare && i+spare <= last {
			list = append(list, gap{from: from - spare, to: i + spare, high: high})
		}
	}
	return list
}

// crosses returns where a line from a to b crosses another one, seen from above.
func crosses(a, b world.Vec3, line []world.Vec3) (at world.Vec3, ok bool) {
	side := func(p, q, r world.Vec3) float64 {
		return float64((q[0]-p[0])*(r[2]-p[2])) - float64((q[2]-p[2])*(r[0]-p[0]))
	}
	for i := range len(line) - 1 {
		p, q := line[i], line[i+1]
		before, behind := side(a, b, p), side(a, b, q)
		if (before < 0) == (behind < 0) || (side(p, q, a) < 0) == (side(p, q, b) < 0) {
			continue
		}
		return p.Add(q.Sub(p).Scale(before / (before - behind))), true
	}
	return at, false
}

// ramp gives a straight road with gaps in it, from one height to another, its heights: even, but where it has to rise to a bridge.
func ramp(points []world.Vec3, y, toY float64, spans []gap) {
	heights := make([]float64, len(points))
	for i := range heights {
		heights[i] = y + float64((toY-y)*float64(i))/float64(len(points)-1)
	}
	step := points[0].Dist(points[1])
	if level(heights, spans, evenedOver(step)) {
		evened(points, heights, step, false)
		return
	}
	for i := range points {
		points[i][1] = heights[i]
	}
}

// straight returns the points of a line from center to to, as long as the pieces of one that winds.
func (in *ShapeIn) straight() []world.Vec3 {
	from, to := flat(in.Center), flat(in.To)
	way := world.Vec3{to[0] - from[0], 0, to[1] - from[1]}
	n := int(min(max(math.Ceil(way.Len()/piece), 2), mostPart))
	points := make([]world.Vec3, n+1)
	for i := range points {
		points[i] = world.Vec3{from[0], 0, from[1]}.Add(way.Scale(float64(i) / float64(n)))
	}
	return points
}

// spans returns the gaps of a road that is asked for.
func (l *Lands) spans(v *world.View, in *ShapeIn, way *course, y func(x, z float64) float64) []gap {
	reach := in.Radius + in.edge()
	switch {
	case in.Form != land.Level:
		return nil
	case way != nil:
		return l.gaps(v, way.points, reach, y)
	case in.To != nil:
		return l.gaps(v, in.straight(), reach, y)
	}
	return nil
}

// open returns which pieces of a line are in gaps.
func open(spans []gap) (list []int) {
	for _, g := range spans {
		for i := g.from; i < g.to; i++ {
			list = append(list, i)
		}
	}
	return list
}

// without returns the pieces of a line but for some.
func without(line []land.Piece, open []int) (rest []land.Piece) {
	for i, p := range line {
		if !slices.Contains(open, i) {
			rest = append(rest, p)
		}
	}
	return rest
}

// level has the heights of a road be those of its banks over the gaps in it, and these be above the water, as far as they are evened out then. It reports whether they
// were lower.
func level(heights []float64, spans []gap, reach int) (lifted bool) {
	for _, g := range spans {
		low := g.high + above
		for i := max(g.from-reach, 0); i <= min(g.to+reach, len(heights)-1); i++ {
			if (i <= g.from || i >= g.to) && heights[i] < low {
				heights[i], lifted = low, true
			}
		}
		from, to := heights[g.from], heights[g.to]
		for i := g.from; i <= g.to; i++ {
			heights[i] = from + float64((to-from)*float64(i-g.from))/float64(g.to-g.from)
		}
	}
	return lifted
}

// crossings tells of the gaps in a line, and what to do about them.
func (in *ShapeIn) crossings(line []land.Piece, spans []gap) (list []Crossing, note string) {
	var notes []string
	for _, g := range spans {
		from, to := world.Vec3(line[g.from][:3]), world.Vec3(line[g.to-1][3:])
		way := to.Sub(from)
		middle := from.Add(way.Scale(0.5))
		if way[2] < 0 { // a deck has no front: the smaller angle
			way = way.Scale(-1)
		}
		turn := world.QuatFromEuler(0, math.Atan2(way[0], way[2]), 0).Mul(world.QuatFromEuler(-math.Atan2(way[1], math.Hypot(way[0], way[2])), 0, 0))
		middle = middle.Sub(turn.Rotate(world.Vec3{0, deck / 2, 0}))
		bridge, _ := json.Marshal(map[string]any{ // which are numbers of a world
			"name": "bridge", "position": shown.Point(middle), "rotationEuler": shown.Point(angle.Euler(turn)), "scale": shown.Point(world.Vec3{2 * in.Radius, deck, way.Len() + 2*rest}),
			"static": true, "material": "stone",
		})
		list = append(list, Crossing{Water: g.water, From: shown.Point(from), To: shown.Point(to), Bridge: bridge})
		notes = append(notes, fmt.Sprintf("it crosses the water %v at x %.0f, z %.0f, and leaves the ground below that as it is: scene.createEntity with bridge of crossings lays a deck over it", g.water, middle[0], middle[2]))
	}
	return list, strings.Join(notes, ". ")
}
