package terrain

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// What is here has rivers fall with their land: the banks are never higher than before, as one goes from the source to the mouth, and the water is a little lower
// than the banks. Where a river comes from, or runs into, water that is there it is level with that.

// river is a river that is to be.
type river struct {
	banks  []world.Vec3 // the line of its bed, as high as its banks
	water  []world.Vec3 // that of its surface, which ends where other water begins
	turned bool         // it flows from the last of the points that were given
	short  bool         // it ends far from where it was to, in other water
	mouth  world.Vec3   // … where
	cut    float64      // how far it is below the ground at most
	at     world.Vec3   // … where
}

const (
	deepCut    = 5.0  // how far below the ground a river is that is told of
	mostCourse = 24   // points of its surface are told
	mouthless  = 1e-6 // what is within so many metres of other water is level with it
)

// surface tells how high the ground is at a place now, and whether that is ground.
type surface func(x, z float64) (y float64, on bool)

// flow finds out how a river runs through the points of its way.
func (in *ShapeIn) flow(way *course, y surface, pools world.Pools) (r river, err error) {
	points, step, own := slices.Clone(way.points), way.step, way.own
	if !(step > 0.01) {
		return r, registry.Invalidf("points: must be apart: the river is %.2g m long", float64(step*float64(len(points)-1)))
	}
	n := len(points)
	ground, low, sea := make([]float64, n), make([]float64, n), make([]float64, n)
	look := func() {
		for i, p := range points {
			a, b := points[max(i-1, 0)], points[min(i+1, n-1)]
			side := b.Sub(a).Mul(world.Vec3{1, 0, 1})
			if side.Len() > 0 {
				side = world.Vec3{-side[2], 0, side[0]}.Scale(in.Radius / side.Len())
			}
			ground[i], _ = y(p[0], p[2])
			low[i] = ground[i]
			for _, part := range [...]float64{-1, -0.5, 0.5, 1} {
				q := p.Add(side.Scale(part))
				beside, _ := y(q[0], q[2])
				low[i] = min(low[i], beside)
			}
			level, wet := pools.Level(p[0], p[2])
			if sea[i] = math.Inf(-1); wet && level > ground[i] {
				sea[i] = level
			} else if wet { // what is lower beside it is under that water
				low[i] = max(low[i], level)
			}
			if own {
				ground[i], low[i] = p[1], p[1]
			}
		}
	}
	look()
	if !own && max(ground[n-1], sea[n-1]) > max(ground[0], sea[0]) {
		slices.Reverse(points)
		r.turned = true
		look()
	}
	board := min(freeboard, in.deep()/2)
	falls := make([]float64, n)
	for i := range falls {
		falls[i] = low[i]
		if !math.IsInf(sea[i], -1) {
			falls[i] = sea[i] + board
		}
	}
	descend(falls)
	if !own {
		smooth := ease(falls, step)
		for i := range falls {
			falls[i] = min(falls[i], smooth[i])
		}
	}
	surface := make([]float64, n)
	for i := range points {
		surface[i] = falls[i] - board
		if level, wet := pools.Level(points[i][0], points[i][2]); wet && level <= falls[i] {
			surface[i] = max(surface[i], level)
		}
		if !math.IsInf(sea[i], -1) {
			falls[i] = min(falls[i], low[i]) // beneath other water there are no banks
		}
	}
	inSea := func(i int) bool { return surface[i]-sea[i] < mouthless }
	from, to := 0, n-1
	for from < n-1 && inSea(from) && inSea(from+1) {
		from++
	}
	for i := range to { // it ends in the water beyond which it falls no more
		if i > from && inSea(i) && surface[i]-surface[n-1] < mouthless {
			to = i
			r.short = points[i].Flat(points[n-1]) > max(4*in.Radius, 20)
			r.mouth = points[i]
			break
		}
	}
	if from >= n-1 || to == from {
		return r, registry.Invalidf("points: all of the river is under water that is there already; its source has to be on land, or in a lake higher than where it ends")
	}
	reach := max(1, int(math.Ceil(in.Radius/step)))
	for i := max(0, from-reach); i <= min(n-1, to+reach); i++ {
		r.banks = append(r.banks, world.Vec3{points[i][0], falls[i], points[i][2]})
	}
	for i := from; i <= to; i++ {
		if cut := ground[i] - falls[i]; cut > r.cut {
			r.cut, r.at = cut, points[i]
		}
		r.water = append(r.water, world.Vec3{points[i][0], surface[i], points[i][2]})
	}
	if !inSea(from) { // its bed begins and ends round
		r.water[0] = past(r.water[1], r.water[0], in.Radius)
	}
	if last := len(r.water) - 1; !inSea(to) {
		r.water[last] = past(r.water[last-1], r.water[last], in.Radius)
	}
	return r, nil
}

// speed returns how fast a river flows that is so deep, in m/s. It is Chézy's rule, v = C √(R S), of the fall S of its surface and the hydraulic radius R, which is two thirds of the depth where
// a bed is round and wide; C is that of natural streams. Steep ones tumble from pool to pool, so none is faster than what one can row against.
func (r *river) speed(deep float64) float64 {
	const natural, fastest = 30, 2 // √m/s, m/s
	long, last := 0.0, len(r.water)-1
	for i := range last {
		long += r.water[i].Flat(r.water[i+1])
	}
	if !(long > 0) {
		return 0
	}
	fall := max(r.water[0][1]-r.water[last][1], 0)
	return min(float64(natural*math.Sqrt(float64(deep*2/3)*(fall/long))), fastest)
}

// past returns the point so many metres farther on the way from a to b, as high as b.
func past(a, b world.Vec3, far float64) world.Vec3 {
	way := b.Sub(a).Mul(world.Vec3{1, 0, 1})
	if way.Len() == 0 {
		return b
	}
	return b.Add(way.Scale(far / way.Len()))
}

// descend has no height be greater than one before it.
func descend(heights []float64) {
	for i := 1; i < len(heights); i++ {
		heights[i] = min(heights[i], heights[i-1])
	}
}

// ease returns heights along a line, so many metres from each other, that are evened out. What falls all the way still does.
func ease(heights []float64, step float64) []float64 {
	eased := make([]float64, len(heights))
	reach := max(1, int(even/step))
	for i := range heights {
		m := min(reach, i, len(heights)-1-i) // as far to both sides
		sum := 0.0
		for k := i - m; k <= i+m; k++ {
			sum += heights[k]
		}
		eased[i] = sum / float64(2*m+1)
	}
	return eased
}

// deep is how deep the bed of a river, or a basin, is to be.
func (in *ShapeIn) deep() float64 {
	switch {
	case in.Depth != nil:
		return *in.Depth
	case in.Rise != nil:
		return math.Abs(*in.Rise)
	case in.Form == land.River:
		return min(max(in.Radius/2, 0.5), 3)
	}
	return 3
}

// told returns some of the points of a line, the first and the last among them.
func told(line []world.Vec3) (list []world.Vec3) {
	n := min(len(line), mostCourse)
	for i := range n {
		list = append(list, shown.Point(line[i*(len(line)-1)/max(n-1, 1)]))
	}
	return list
}

// note tells what whoever has asked for a river may not expect.
func (r *river) note(found bool) (note string) {
	var notes []string
	if r.turned {
		notes = append(notes, "it flows from the end that is higher, the last that was given")
	}
	if r.short {
		notes = append(notes, fmt.Sprintf("it ends in the water at x %.0f, z %.0f: beyond that the land is higher", r.mouth[0], r.mouth[2]))
	}
	if r.cut > deepCut {
		note = fmt.Sprintf("near x %.0f, z %.0f the land is %.0f m higher than the river, which cannot flow up: it is in a gorge there", r.at[0], r.at[2], r.cut)
		if !found {
			note += "; with center and to in place of points it finds its own way around"
		}
		notes = append(notes, note)
	}
	return strings.Join(notes, "; ")
}

// The net of places among which a river finds its way.
const (
	netCell   = 4.0 // at least so many metres from one to the next
	netMost   = 120 // at most so many along each side
	netBeyond = 0.4 // of the way between the ends lies beside them
	bend      = 4   // places to each side over which its way is evened out
)

// find returns the points of a way for a river from one place to another that falls where the land does, and cuts into it where it must. It keeps so far off the edge of the ground, if
// it can.
func find(from, to [2]float64, spared float64, y surface, pools world.Pools) ([][]float64, error) {
	far := math.Hypot(to[0]-from[0], to[1]-from[1])
	if far < 2*netCell {
		return nil, registry.Invalidf("to: must be at least %v m from center, where the river begins, got %.3g m", 2*netCell, far)
	}
	spare := max(float64(netBeyond*far), 40)
	var lo, size [2]float64
	for i := range lo {
		lo[i] = min(from[i], to[i]) - spare
		size[i] = max(from[i], to[i]) + spare - lo[i]
	}
	cell := max(netCell, max(size[0], size[1])/netMost)
	n := net{wide: int(size[0]/cell) + 1, deep: int(size[1]/cell) + 1, cell: cell, clear: int(math.Ceil(spared / cell))}
	heights, off := make([]float64, n.wide*n.deep), make([]bool, n.wide*n.deep)
	for i := range heights {
		x, z := lo[0]+float64(cell*float64(i%n.wide)), lo[1]+float64(cell*float64(i/n.wide))
		h, on := y(x, z)
		if level, wet := pools.Level(x, z); wet && level > h {
			h = level
		}
		heights[i], off[i] = h, !on
	}
	at := func(p [2]float64) int {
		return int(math.Round((p[1]-lo[1])/cell))*n.wide + int(math.Round((p[0]-lo[0])/cell))
	}
	a, b := at(from), at(to)
	if heights[a] < heights[b] {
		a, b, from, to = b, a, to, from
	}
	way := n.way(a, b, heights, off)
	if way == nil {
		return nil, registry.Invalidf("to: no generated ground leads there from center")
	}
	through := make([]world.Vec3, len(way))
	for i, k := range way {
		through[i] = world.Vec3{lo[0] + float64(cell*float64(k%n.wide)), 0, lo[1] + float64(cell*float64(k/n.wide))}
	}
	through[0], through[len(through)-1] = world.Vec3{from[0], 0, from[1]}, world.Vec3{to[0], 0, to[1]}
	var points [][]float64
	for i := 0; i < len(through); i += 2 {
		if i > len(through)-3 {
			i = len(through) - 1
		}
		m := min(bend, i, len(through)-1-i)
		var sum world.Vec3
		for k := i - m; k <= i+m; k++ {
			sum = sum.Add(through[k])
		}
		sum = sum.Scale(1 / float64(2*m+1))
		points = append(points, []float64{sum[0], sum[2]})
	}
	return points, nil
}

// net is places in rows, wide along x and deep along z, each so many metres from the next.
type net struct {
	wide, deep int
	cell       float64
	clear      int // so many places from the edge it costs no more
}

// edge returns which places are so near to one that is off the ground.
func (n *net) edge(off []bool) []bool {
	near := make([]bool, len(off))
	for i, is := range off {
		x, z := i%n.wide, i/n.wide
		for k := max(0, z-n.clear); is && k <= min(n.deep-1, z+n.clear); k++ {
			for j := max(0, x-n.clear); j <= min(n.wide-1, x+n.clear); j++ {
				near[k*n.wide+j] = true
			}
		}
	}
	return near
}

// What a metre of its way costs a river beside itself: for each metre that it is below the ground, and for each that it is above its end. So it takes to the valley.
const (
	cutCost  = 1.0
	highCost = 0.08
	edgeCost = 5.0 // at the edge of the ground
)

// way returns the cheapest way between two places, nil if there is none.
func (n *net) way(from, to int, heights []float64, off []bool) (way []int) {
	cost, level, before := make([]float64, len(heights)), make([]float64, len(heights)), make([]int, len(heights))
	for i := range cost {
		cost[i], before[i] = math.Inf(1), -1
	}
	cost[from], level[from] = 0, heights[from]
	edge := n.edge(off)
	open := &frontier{{0, from}}
	for open.Len() > 0 {
		next := heap.Pop(open).(reached)
		if next.at == to {
			break
		}
		if next.cost > cost[next.at] {
			continue
		}
		x, z := next.at%n.wide, next.at/n.wide
		for dz := -1; dz <= 1; dz++ {
			for dx := -1; dx <= 1; dx++ {
				if dx == 0 && dz == 0 || x+dx < 0 || x+dx >= n.wide || z+dz < 0 || z+dz >= n.deep {
					continue
				}
				k := next.at + dz*n.wide + dx
				if off[k] && k != to {
					continue
				}
				long := n.cell
				if dx != 0 && dz != 0 {
					long = float64(long * math.Sqrt2)
				}
				cut := max(heights[k]-level[next.at], 0)
				each := 1 + float64(cutCost*cut) + float64(highCost*max(heights[k]-heights[to], 0))
				if edge[k] {
					each += edgeCost
				}
				c := next.cost + float64(long*each)
				if c < cost[k] {
					cost[k], level[k], before[k] = c, min(level[next.at], heights[k]), next.at
					heap.Push(open, reached{c, k})
				}
			}
		}
	}
	if before[to] < 0 {
		return nil
	}
	for k := to; k >= 0; k = before[k] {
		way = append(way, k)
	}
	slices.Reverse(way)
	return way
}

// reached is a place that a way leads to, and what that costs; frontier those from which ways go on.
type (
	reached struct {
		cost float64
		at   int
	}
	frontier []reached
)

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, k int) bool {
	return f[i].cost < f[k].cost || f[i].cost == f[k].cost && f[i].at < f[k].at
}
func (f frontier) Swap(i, k int) { f[i], f[k] = f[k], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	last := len(*f) - 1
	x := (*f)[last]
	*f = (*f)[:last]
	return x
}
