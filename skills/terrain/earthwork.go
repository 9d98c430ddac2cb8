package terrain

import (
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// Earthwork says that generated ground is other than it grew where an entity is: the component "earthwork". It goes where the entity goes, turned and
// scaled with it, and ends with it. What it makes of the ground is in the tiles ([world.Ground]), which follow from all earthworks, in the order of
// their ids.
type Earthwork struct {
	Form   land.Form   `json:"form"`
	To     *world.Vec3 `json:"to,omitempty"` // the other end of its line, in the entity's space
	Radius float64     `json:"radius"`
	Edge   float64     `json:"edge"`
	Rise   float64     `json:"rise,omitempty"`
	// The points of a line that winds, in the entity's space, in place of the one to To; and the colour of what lies within Radius, unless its material has one.
	Line  []world.Vec3 `json:"line,omitempty"`
	Color *uint32      `json:"color,omitempty"`
	Open  []int        `json:"open,omitempty"` // the pieces of Line, counted from 0, that are left as they are, for bridges
}

// maxEarthworks is how many of a world the ground follows, the oldest: all tiles are held against all of them.
const maxEarthworks = 1024

// work returns an earthwork where its entity is as a work of the world.
func (e *Earthwork) work(t world.Transform) land.Work {
	wide := math.Sqrt(math.Abs(float64(t.Scale[0] * t.Scale[2])))
	w := land.Work{
		Form: e.Form, At: [2]float64{t.Position[0], t.Position[2]}, Radius: float64(e.Radius * wide), Edge: float64(e.Edge * wide),
		Y: t.Position[1], Rise: math.Abs(float64(e.Rise * t.Scale[1])), Color: e.Color,
	}
	to := t.Position
	if e.To != nil {
		to = t.Point(*e.To)
	}
	w.To, w.ToY = [2]float64{to[0], to[2]}, to[1]
	for i := range len(e.Line) - 1 {
		if slices.Contains(e.Open, i) {
			continue
		}
		p, q := t.Point(e.Line[i]), t.Point(e.Line[i+1])
		w.Line = append(w.Line, land.Piece{p[0], p[1], p[2], q[0], q[1], q[2]})
	}
	if e.Form != land.Level && e.Form != land.River {
		w.ToY = w.Y
	}
	if e.Form == land.Mound { // which lies on what is there
		w.Y, w.ToY = 0, 0
	}
	return w
}

// earthworks returns what the ground has to follow, in the world's coordinates. What no land would take, for it was scaled or moved too far, is left out.
func (l *Lands) earthworks(v *world.View) (list []land.Work) {
	n := 0
	for id, e := range l.works.All(v) {
		if n++; n > maxEarthworks {
			break
		}
		t, _ := v.WorldTransform(id)
		w := e.work(t)
		if m, ok := l.w.Materials.Get(v, id); ok && m.Color != nil {
			w.Color = m.Color
		}
		if w.Check() == nil {
			list = append(list, w)
		}
	}
	return list
}

// touched follows the open transaction, and reports whether it has changed anything that the ground follows from.
func (l *Lands) touched(v *world.View) bool {
	before := l.stale
	l.stale = false
	other := v.Follow(&l.cursor, func(id world.ID) {
		l.stale = l.stale || l.works.Has(v, id) || l.regions.Has(v, id) || l.w.Grounds.Has(v, id)
	})
	l.stale = l.stale || before && !other
	return l.stale
}

// dying is told of each entity that is about to be destroyed.
func (l *Lands) dying(tx *world.Tx, id world.ID) {
	if l.works.Has(&tx.View, id) {
		l.touched(&tx.View)
		l.stale = true
	}
}

// settle has the ground follow what a call has done.
func (l *Lands) settle(tx *world.Tx) error {
	if !l.stale && l.works.Len(&tx.View) == 0 || !l.touched(&tx.View) {
		return nil
	}
	return l.catchUp(tx)
}

// catchUp is remake of what follows from what was held to claims.
func (l *Lands) catchUp(tx *world.Tx) error {
	return tx.Follow(func() error {
		_, err := l.remake(tx)
		return err
	})
}

// Reach returns the box in which an earthwork changes the ground, from below it to the sky, false for what is none.
func (l *Lands) Reach(v *world.View, id world.ID) (lo, hi world.Vec3, ok bool) {
	e, ok := l.works.Get(v, id)
	if !ok {
		return lo, hi, false
	}
	t, _ := v.WorldTransform(id)
	w := e.work(t)
	minX, minZ, maxX, maxZ := w.Reach()
	return world.Vec3{minX, -world.MaxNumber, minZ}, world.Vec3{maxX, world.MaxNumber, maxZ}, true
}

// remake has all tiles be as the land of their region and all earthworks make them, and returns how many are other than they were.
func (l *Lands) remake(tx *world.Tx) (changed int, err error) {
	works := l.earthworks(&tx.View)
	for id, r := range l.regions.All(&tx.View) {
		p := plot{id: id, r: r}
		p.at, _ = tx.WorldTransform(id)
		base := r.Land.Works.List()
		own := base
		if p.asGenerated() {
			own = slices.Clone(base)
			for _, w := range works {
				own = append(own, p.own(w))
			}
		}
		for _, t := range l.tiles(&tx.View, id) {
			g := t.ground
			if g.Land.Works, err = near(own, t.ground.Tile); err != nil {
				return changed, err
			}
			if g == t.ground {
				continue
			}
			if err := l.reground(tx, t.id, g); err != nil {
				return changed, err
			}
			changed++
		}
	}
	l.touched(&tx.View) // of what was just done nothing follows
	l.stale = false
	return changed, nil
}

// near returns those of the works that a tile has to know of. Of more than it takes the oldest count, where something was moved there that was made elsewhere.
func near(works []land.Work, tile [2]int) (land.Works, error) {
	var list []land.Work
	for i := range works {
		if len(list) < land.MaxWorks && works[i].Near(tile[0], tile[1]) {
			list = append(list, works[i].In(tile[0], tile[1]))
		}
	}
	return land.WorksOf(list)
}

// reground has a tile be other ground.
func (l *Lands) reground(tx *world.Tx, id world.ID, g world.Ground) error {
	if err := l.w.Grounds.Set(tx, id, g); err != nil {
		return err
	}
	shape, ok := l.w.Shapes.Get(&tx.View, id)
	if !ok {
		return nil
	}
	surface := l.w.Surface(g)
	shape.Size[1] = surface.Hi - surface.Lo
	return l.w.Shapes.Set(tx, id, shape)
}

// plot is a region that is shaped.
type plot struct {
	id    world.ID
	r     Region
	at    world.Transform
	tiles []loaded // that the work reaches
}

// asGenerated reports whether a region is as it was generated, but perhaps moved: only so earthworks can be told in its land's numbers.
func (p *plot) asGenerated() bool {
	factor, _ := p.r.Surface.rise()
	return p.at.Rotation == world.NoRotation() && p.at.Scale == (world.Vec3{1, 1, 1}) && factor > 0
}

// own returns a work of the world as one of the plot's land.
func (p *plot) own(w land.Work) land.Work {
	factor, pivot := p.r.Surface.rise()
	at := p.at.Position
	down := func(y float64) float64 { return pivot + (y-at[1]-pivot)/factor }
	w.At[0], w.At[1], w.To[0], w.To[1] = w.At[0]-at[0], w.At[1]-at[2], w.To[0]-at[0], w.To[1]-at[2]
	w.Rise /= factor
	w.Line = slices.Clone(w.Line)
	for i := range w.Line {
		p := &w.Line[i]
		*p = land.Piece{p[0] - at[0], down(p[1]), p[2] - at[2], p[3] - at[0], down(p[4]), p[5] - at[2]}
	}
	if w.Form != land.Mound {
		w.Y, w.ToY = down(w.Y), down(w.ToY)
	}
	return w
}

// full says that a tile has as many works as it takes, nil if there is room for one more in all.
func (p *plot) full() error {
	for _, t := range p.tiles {
		if n := len(t.ground.Land.Works.List()); n >= land.MaxWorks {
			return fmt.Errorf("%v has %d works, %d are allowed", t.id, n, land.MaxWorks)
		}
	}
	return nil
}
