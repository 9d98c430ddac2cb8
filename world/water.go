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
}

func (a *Water) fits() bool {
	return fits(a.Size) && !slices.ContainsFunc(a.Line, func(p Vec3) bool { return !p.fits() })
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
	p.Half = float64(a.Size*math.Sqrt(math.Abs(float64(t.Scale[0]*t.Scale[2])))) / 2
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

// Box returns the box around the water.
func (p *Pool) Box() (lo, hi Vec3) { return p.lo, p.hi }

// Level returns how high the water is over or under x, z, false if none is.
func (p *Pool) Level(x, z float64) (y float64, ok bool) {
	if len(p.Line) == 0 {
		return p.At.Position[1], p.Water.spans(&p.At, x, z)
	}
	if x < p.lo[0] || x > p.hi[0] || z < p.lo[2] || z > p.hi[2] {
		return 0, false
	}
	nearest := float64(p.Half * p.Half)
	last := len(p.Line) - 2
	for i, b := range p.Line[1:] {
		a := p.Line[i]
		if x < min(a[0], b[0])-p.Half || x > max(a[0], b[0])+p.Half || z < min(a[2], b[2])-p.Half || z > max(a[2], b[2])+p.Half {
			continue
		}
		dx, dz, px, pz := b[0]-a[0], b[2]-a[2], x-a[0], z-a[2]
		long, along := float64(dx*dx)+float64(dz*dz), 0.0
		if long > 0 {
			along = (float64(px*dx) + float64(pz*dz)) / long
		}
		if i == 0 && along < 0 || i == last && along > 1 { // it begins and ends straight across
			continue
		}
		along = min(max(along, 0), 1)
		px, pz = px-float64(along*dx), pz-float64(along*dz)
		if away := float64(px*px) + float64(pz*pz); away <= nearest {
			nearest, y, ok = away, a[1]+float64(along*(b[1]-a[1])), true
		}
	}
	return y, ok
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
type Pools []Pool

// Level returns how high the water is that is over or under x, z, of several the highest; false if none is.
func (all Pools) Level(x, z float64) (y float64, ok bool) {
	y = math.Inf(-1)
	for i := range all {
		if level, here := all[i].Level(x, z); here && level > y {
			y, ok = level, true
		}
	}
	return y, ok
}

// Pools returns all water that there is, in the order of the ids of its entities. It is good as long as none changes.
func (w *World) Pools(v *View) (all Pools) {
	for id, water := range w.Waters.All(v) {
		t, _ := v.WorldTransform(id)
		all = append(all, water.Pool(t))
	}
	return all
}

// WaterLevel is [Pools.Level] of all water that there is, for who asks about one place.
func (w *World) WaterLevel(v *View, x, z float64) (y float64, ok bool) {
	if w.Waters.Len(v) == 0 {
		return 0, false
	}
	y = math.Inf(-1)
	for id, water := range w.Waters.All(v) {
		t, _ := v.WorldTransform(id)
		if water.beyond(&t, x, z) {
			continue
		}
		p := water.Pool(t)
		if level, here := p.Level(x, z); here && level > y {
			y, ok = level, true
		}
	}
	return y, ok
}

// beyond reports whether x, z is surely not within a river of an entity at t, without a look at where each of its points is.
func (a *Water) beyond(t *Transform, x, z float64) bool {
	if len(a.Line) == 0 {
		return false
	}
	far := 0.0
	for _, p := range a.Line {
		far = max(far, p.Dot(p))
	}
	s := &t.Scale
	wide := max(math.Abs(s[0]), math.Abs(s[1]), math.Abs(s[2]))
	far = float64((math.Sqrt(far) + a.Size) * wide)
	return math.Abs(x-t.Position[0]) > far || math.Abs(z-t.Position[2]) > far
}
