package world

import (
	"math"
	"slices"
)

// Water is a square of water, or a rectangle, as its entity is scaled and turned about the vertical. It is level, however that is tilted, and its middle is where
// the entity is. Water with a line is a river: a ribbon along that, as high at each place as the nearest one of the line, which goes where its entity goes, turned and
// scaled with it.
type Water struct {
	Size  float64 `json:"size"`           // edge length in metres, in the entity's own space; of a river its width, from bank to bank
	Color uint32  `json:"color"`          // 0xRRGGBB
	Line  []Vec3  `json:"line,omitempty"` // two points at least, along which it flows, in the entity's own space; nil: it is level
	Flow  float64 `json:"flow,omitempty"` // of a river how fast it flows in its middle, in m/s; to its banks ever less; 0: it stands
}

func (a *Water) fits() bool {
	return fits(a.Size) && fits(a.Flow) && !slices.ContainsFunc(a.Line, func(p Vec3) bool { return !p.fits() })
}

// Edges returns how far it is from the middle of the level water of an entity that is at t to its edges: along its own x, and along its own z.
func (a *Water) Edges(t *Transform) (right, front Vec3) {
	way := Vec3{1, 0, 0}
	if t.Rotation != (Quat{3: 1}) {
		if flat := t.Rotation.Rotate(way).Mul(Vec3{1, 0, 1}); flat.Len() > 1e-6 { // else it stands on its edge
			way = flat.Scale(1 / flat.Len())
		}
	}
	half := a.Size / 2
	right = way.Scale(float64(half * math.Abs(t.Scale[0])))
	return right, Vec3{-way[2], 0, way[0]}.Scale(float64(half * math.Abs(t.Scale[2])))
}

// Box returns the box around the water of an entity that is at t.
func (a *Water) Box(t *Transform) (lo, hi Vec3) {
	if len(a.Line) > 0 {
		p := a.Pool(*t)
		return p.lo, p.hi
	}
	return a.box(t)
}

func (a *Water) box(t *Transform) (lo, hi Vec3) {
	right, front := a.Edges(t)
	var half Vec3
	for i := range half {
		half[i] = math.Abs(right[i]) + math.Abs(front[i])
	}
	return t.Position.Sub(half), t.Position.Add(half)
}

// spans reports whether x, z is over or under the level water of an entity that is at t.
func (a *Water) spans(t *Transform, x, z float64) bool {
	dx, dz := x-t.Position[0], z-t.Position[2]
	if t.Rotation == (Quat{3: 1}) {
		return math.Abs(dx) <= float64(a.Size*math.Abs(t.Scale[0]))/2 && math.Abs(dz) <= float64(a.Size*math.Abs(t.Scale[2]))/2
	}
	right, front := a.Edges(t)
	within := func(edge Vec3) bool {
		along := float64(edge[0]*dx) + float64(edge[2]*dz)
		return math.Abs(along) <= float64(edge[0]*edge[0])+float64(edge[2]*edge[2])
	}
	return within(right) && within(front)
}

// Pool is water where its entity is, to be asked about many places.
type Pool struct {
	Water  Water
	At     Transform
	Line   []Vec3  // of a river, in the world; not to be changed
	Half   float64 // half the width of a river, in metres
	lo, hi Vec3
}

// Pool returns the water of an entity that is at t. It is good as long as neither changes.
func (a *Water) Pool(t Transform) Pool {
	p := Pool{Water: *a, At: t}
	if len(a.Line) == 0 {
		p.lo, p.hi = a.box(&t)
		return p
	}
	p.Half = a.half(&t)
	p.Line = make([]Vec3, len(a.Line))
	for i, at := range a.Line {
		at = t.Point(at)
		if p.Line[i] = at; i == 0 {
			p.lo, p.hi = at, at
		}
		p.lo, p.hi = p.lo.Min(at), p.hi.Max(at)
	}
	wide := Vec3{p.Half, 0, p.Half}
	p.lo, p.hi = p.lo.Sub(wide), p.hi.Add(wide)
	return p
}

// half returns half the width of the river of an entity that is at t.
func (a *Water) half(t *Transform) float64 {
	return float64(a.Size*math.Sqrt(math.Abs(float64(t.Scale[0]*t.Scale[2])))) / 2
}

// Box returns the box around the water.
func (p *Pool) Box() (lo, hi Vec3) { return p.lo, p.hi }

// Level returns how high the water is over or under x, z, false if none is.
func (p *Pool) Level(x, z float64) (y float64, ok bool) {
	if len(p.Line) == 0 {
		return p.At.Position[1], p.Water.spans(&p.At, x, z)
	}
	n := p.near(x, z)
	return n.y, n.ok
}

// Flows is Level, and how the water flows there: its velocity in m/s, which is level; zero of what stands.
func (p *Pool) Flows(x, z float64) (y float64, flow Vec3, ok bool) {
	if len(p.Line) == 0 || p.Water.Flow == 0 {
		y, ok = p.Level(x, z)
		return y, flow, ok
	}
	n := p.near(x, z)
	if !n.ok {
		return 0, flow, false
	}
	return n.y, n.flow(p.Water.Flow), true
}

func (p *Pool) near(x, z float64) near {
	n := near{x: x, z: z, half: p.Half, least: float64(p.Half * p.Half)}
	if x < p.lo[0] || x > p.hi[0] || z < p.lo[2] || z > p.hi[2] {
		return n
	}
	for i := range len(p.Line) - 1 {
		n.look(p.Line[i], p.Line[i+1], i == 0, i == len(p.Line)-2)
	}
	return n
}

// Level returns how high the water of an entity that is at t is over or under x, z, false if none is. Who asks about many places asks its pool.
func (a *Water) Level(t *Transform, x, z float64) (y float64, ok bool) {
	if len(a.Line) == 0 {
		return t.Position[1], a.spans(t, x, z)
	}
	n := a.near(t, x, z)
	return n.y, n.ok
}

func (a *Water) near(t *Transform, x, z float64) near {
	half := a.half(t)
	n := near{x: x, z: z, half: half, least: float64(half * half)}
	from := t.Point(a.Line[0])
	for i, p := range a.Line[1:] {
		to := t.Point(p)
		n.look(from, to, i == 0, i == len(a.Line)-2)
		from = to
	}
	return n
}

// near finds the place of a line that is nearest to x, z, and how high that is.
type near struct {
	x, z, half float64
	least      float64 // how far away it is, squared
	y          float64
	dx, dz     float64 // the piece of the line on which that place is
	ok         bool
}

// flow returns how the water of a river flows there that has such a speed in its middle.
func (n *near) flow(speed float64) Vec3 {
	long := math.Sqrt(float64(n.dx*n.dx) + float64(n.dz*n.dz))
	if !(long > 0) || !(n.half > 0) {
		return Vec3{}
	}
	speed *= (1 - n.least/float64(n.half*n.half)) / long
	return Vec3{float64(speed * n.dx), 0, float64(speed * n.dz)}
}

// look looks at the piece of the line from a to b.
func (n *near) look(a, b Vec3, first, last bool) {
	if n.x < min(a[0], b[0])-n.half || n.x > max(a[0], b[0])+n.half || n.z < min(a[2], b[2])-n.half || n.z > max(a[2], b[2])+n.half {
		return
	}
	dx, dz, px, pz := b[0]-a[0], b[2]-a[2], n.x-a[0], n.z-a[2]
	long, along := float64(dx*dx)+float64(dz*dz), 0.0
	if long > 0 {
		along = (float64(px*dx) + float64(pz*dz)) / long
	}
	if first && along < 0 || last && along > 1 { // it begins and ends straight across
		return
	}
	along = min(max(along, 0), 1)
	px, pz = px-float64(along*dx), pz-float64(along*dz)
	if away := float64(px*px) + float64(pz*pz); away <= n.least {
		n.least, n.y, n.ok = away, a[1]+float64(along*(b[1]-a[1])), true
		n.dx, n.dz = dx, dz
	}
}

// Banks returns where the banks of a river are at each point of its line, to the left and to the right of whoever looks to where it flows; nil for level water.
func (p *Pool) Banks() (banks [][2]Vec3) {
	last := len(p.Line) - 1
	flat := func(a, b Vec3) Vec3 {
		d := b.Sub(a).Mul(Vec3{1, 0, 1})
		if d.Len() > 0 {
			return d.Scale(1 / d.Len())
		}
		return d
	}
	for i, at := range p.Line {
		a, b := p.Line[max(i-1, 0)], p.Line[min(i+1, last)]
		in, out := flat(a, at), flat(at, b)
		switch i {
		case 0:
			in = out
		case last:
			out = in
		}
		way := flat(Vec3{}, in.Add(out))
		if way == (Vec3{}) { // it turns back, or stands
			way = out
		}
		reach := p.Half / max(way.Dot(out), 0.5) // the banks are parallel to the line
		right := Vec3{-way[2], 0, way[0]}.Scale(reach)
		banks = append(banks, [2]Vec3{at.Sub(right), at.Add(right)})
	}
	return banks
}

// Pools are several waters.
type Pools []*Pool

// Level returns how high the water is that is over or under x, z, of several the highest; -Inf and false if none is.
func (all Pools) Level(x, z float64) (y float64, ok bool) {
	y, _, ok = all.Flows(x, z)
	return y, ok
}

// Flows is Level, and how that water flows there, see [Pool.Flows].
func (all Pools) Flows(x, z float64) (y float64, flow Vec3, ok bool) {
	y = math.Inf(-1)
	for _, p := range all {
		if level, way, here := p.Flows(x, z); here && level > y {
			y, flow, ok = level, way, true
		}
	}
	return y, flow, ok
}

// Pools returns all water that there is, in the order of the ids of its entities. It is good as long as none changes.
func (w *World) Pools(v *View) (all Pools) {
	for id, water := range w.Waters.All(v) {
		t, _ := v.WorldTransform(id)
		pool := water.Pool(t)
		all = append(all, &pool)
	}
	return all
}

// WaterLevel is [Pools.Level] of all water that there is, for who asks about one place.
func (w *World) WaterLevel(v *View, x, z float64) (y float64, ok bool) {
	y = math.Inf(-1)
	for id, water := range w.Waters.All(v) {
		t, _ := v.WorldTransform(id)
		if level, here := water.Level(&t, x, z); here && level > y {
			y, ok = level, true
		}
	}
	return y, ok
}
