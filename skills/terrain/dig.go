package terrain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// plots returns the regions that have a tile within reach of what is asked for, on its way.
func (l *Lands) plots(v *world.View, in *ShapeIn, way *course) (list []plot, err error) {
	reach := in.work(way, func(float64, float64) float64 { return 0 }, nil)
	minX, minZ, maxX, maxZ := reach.Reach()
	for id, r := range l.regions.All(v) {
		p := plot{id: id, r: r}
		p.at, _ = v.WorldTransform(id)
		for _, t := range l.tiles(v, id) {
			place := t.ground.Place().Add(p.at.Position)
			if maxX > place[0]-land.Size/2 && minX < place[0]+land.Size/2 && maxZ > place[2]-land.Size/2 && minZ < place[2]+land.Size/2 {
				p.tiles = append(p.tiles, t)
			}
		}
		if len(p.tiles) == 0 {
			continue
		}
		if !p.asGenerated() {
			return nil, registry.Invalidf("center: the ground there, region %v, is turned, scaled or flattened as a whole: only as it was generated it can be shaped", id)
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		if id := l.meshAt(v, reach.At); id != 0 {
			return nil, registry.Failf("center: what lies at x %v, z %v, %v, is a mesh, of which nothing is shaped, and there is no generated ground within reach; world.generateRegion makes some", reach.At[0], reach.At[1], id)
		}
		return nil, registry.Failf("center: there is no generated ground within reach of x %v, z %v; world.generateRegion makes some", reach.At[0], reach.At[1])
	}
	return list, nil
}

// meshAt returns the widest mesh that is above or below a place, 0 if there is none.
func (l *Lands) meshAt(v *world.View, at [2]float64) (id world.ID) {
	widest := 0.0
	for e, shape := range l.w.Shapes.All(v) {
		if shape.Kind != "mesh" {
			continue
		}
		s, ok := solid.Of(l.w, v, e)
		if !ok {
			continue
		}
		room := s.Bounds()
		wide := room.Size()
		if area := float64(wide[0] * wide[2]); area > widest && at[0] >= room.Lo[0] && at[0] <= room.Hi[0] && at[1] >= room.Lo[2] && at[1] <= room.Hi[2] {
			id, widest = e, area
		}
	}
	return id
}

// height returns how high the ground of a region is at a place of the world, and whether that is on one of the tiles.
func (l *Lands) height(v *world.View, p *plot, x, z float64) (y float64, on bool) {
	for _, t := range p.tiles {
		at := t.ground.Place().Add(p.at.Position)
		if on = math.Abs(x-at[0]) <= land.Size/2 && math.Abs(z-at[2]) <= land.Size/2; on {
			g, _ := l.w.Grounds.Get(v, t.id)
			y = l.w.Surface(g).LandHeight(x-p.at.Position[0], z-p.at.Position[2])
			break
		}
	}
	if !on {
		y = p.r.Land.Height(x-p.at.Position[0], z-p.at.Position[2])
	}
	return p.at.Position[1] + p.r.height(y), on
}

// WorkTag is on everything that terrain.shape makes.
const WorkTag = "earthwork"

// names are what works are called until somebody names them.
var names = map[land.Form]string{land.Level: "plot", land.Basin: "basin", land.Mound: "hill", land.River: "river"}

// surface returns what tells how high the ground of regions is at a place, and whether that is on one of their tiles.
func (l *Lands) surface(v *world.View, plots []plot) surface {
	return func(x, z float64) (y float64, on bool) {
		beside := 0.0
		for i := range plots {
			if y, on = l.height(v, &plots[i], x, z); on {
				return y, true
			}
			if i == 0 {
				beside = y
			}
		}
		return beside, false
	}
}

// spilled tells of a river that is there whose bank is lower than its water where a work has changed the ground, "" if none is. own is the water of the work itself.
func (l *Lands) spilled(v *world.View, w *land.Work, own *world.ID, height func(x, z float64) float64) string {
	pools := l.w.Pools(v)
	for id, water := range l.w.Waters.All(v) {
		if len(water.Line) == 0 || own != nil && id == *own {
			continue
		}
		t, _ := v.WorldTransform(id)
		river := water.Pool(t)
		for i, banks := range river.Banks() {
			at := river.Line[i]
			for _, bank := range banks {
				p := at.Add(bank.Sub(at).Scale(bankSide))
				if !w.Touches(p[0], p[2]) {
					continue
				}
				high := height(p[0], p[2])
				if level, wet := pools.Level(p[0], p[2]); wet {
					high = max(high, level)
				}
				if high < at[1]-lowBank {
					return fmt.Sprintf("the bank of the river %v is lower now than its water at x %.0f, z %.0f, %.1f m high there: give a y above that, keep off it, or shape the ground first and lay the river then", id, p[0], p[2], at[1])
				}
			}
		}
	}
	return ""
}

// Where banks of rivers are looked at, and how far below the water they are low, in metres.
const (
	bankSide = 1.1 // times as far from the middle as the water reaches
	lowBank  = 0.3
)

// off tells where a part of a work is beyond the generated ground, "" if none is.
func off(w *land.Work, y surface) string {
	places := [][2]float64{w.At, w.To}
	for _, p := range w.Line {
		places = append(places, [2]float64{p[3], p[5]})
	}
	if !w.Long() {
		const around = 16
		for i := range around {
			sin, cos := world.Sincos(float64(2*math.Pi*float64(i)) / around)
			places = append(places, [2]float64{w.At[0] + float64(w.Radius*cos), w.At[1] + float64(w.Radius*sin)})
		}
	}
	for _, p := range places {
		if _, on := y(p[0], p[1]); !on {
			return fmt.Sprintf("a part of it, such as x %.0f, z %.0f, is beyond the tiles of generated ground, where nothing is shaped; world.streamFollow adds tiles", p[0], p[1])
		}
	}
	return ""
}

// findRiver returns what is asked for, with points through which a river finds its way from center to to.
func (l *Lands) findRiver(v *world.View, in *ShapeIn) (*ShapeIn, error) {
	from, to := flat(in.Center), flat(in.To)
	around := *in
	around.Form, around.Radius = land.Level, in.Radius+max(float64(netBeyond*math.Hypot(to[0]-from[0], to[1]-from[1])), 40)
	plots, err := l.plots(v, &around, nil)
	if err != nil {
		return nil, err
	}
	led := *in
	led.Center, led.To, led.Smooth = nil, nil, true
	led.Points, err = find(from, to, float64(2*in.Radius), l.surface(v, plots), l.w.Pools(v))
	return &led, err
}

func (l *Lands) shape(c *registry.Call, tx *world.Tx, in *ShapeIn) (out ShapeOut, err error) {
	found := in.Form == land.River && in.Points == nil
	if found {
		if in, err = l.findRiver(&tx.View, in); err != nil {
			return out, err
		}
	}
	way := in.course()
	plots, err := l.plots(&tx.View, in, way)
	if err != nil {
		return out, err
	}
	surface := l.surface(&tx.View, plots)
	height := func(x, z float64) float64 {
		y, _ := surface(x, z)
		return y
	}
	spans := l.spans(&tx.View, in, way, height)
	work := in.work(way, height, spans)
	line, left := work.Line, open(spans)
	work.Line = without(line, left)
	var flows river
	if in.Form == land.River {
		if flows, err = in.flow(way, surface, l.w.Pools(&tx.View)); err != nil {
			return out, err
		}
		lead(&work, flows.banks)
		line = work.Line
	}
	if work.Color, err = in.paint(&tx.View); err != nil {
		return out, err
	}
	on, beyond := l.standing(tx, &work), off(&work, surface)
	for i := range plots {
		if err := plots[i].full(); err != nil {
			return out, registry.Errorf(registry.CodeCapacityExceeded, "region %v: %v; scene.destroyEntity takes away those that nobody needs, and scene.queryEntities finds them by the tag %s", plots[i].id, err, WorkTag)
		}
		out.Regions = append(out.Regions, plots[i].id)
	}
	if l.works.Len(&tx.View) >= maxEarthworks {
		return out, registry.Errorf(registry.CodeCapacityExceeded, "there are %d earthworks, which is as many as the ground follows; scene.destroyEntity takes away those that nobody needs", maxEarthworks)
	}
	if out.Entity, err = l.create(tx, &work, line, left, height); err != nil {
		return out, err
	}
	err = tx.Follow(func() (err error) {
		out.Tiles, err = l.remake(tx)
		return err
	})
	if err != nil {
		return out, err
	}
	out.Y = height(work.At[0], work.At[1])
	if in.Form == land.Basin {
		level := work.Y - min(freeboard, work.Rise/2)
		out.Level = &level
		if in.Water {
			id, err := l.fill(tx, out.Entity, &work, level)
			if err != nil {
				return out, err
			}
			out.Water = &id
		}
	}
	if in.Form == land.River {
		lo, hi := flows.water[0], flows.water[0]
		for _, p := range flows.water {
			lo, hi = lo.Min(p), hi.Max(p)
		}
		middle := lo.Add(hi).Scale(0.5) // viewers of an area find it there
		id, err := tx.Create(world.Spec{Parent: out.Entity, Position: middle.Sub(world.Vec3{work.At[0], work.Y, work.At[1]}), Name: "water"})
		if err != nil {
			return out, err
		}
		water := world.Water{Size: 2 * in.Radius, Color: waterColor, Flow: shown.Number(flows.speed(in.deep()))}
		if in.Flow != nil {
			water.Flow = *in.Flow
		}
		for _, p := range flows.water {
			water.Line = append(water.Line, p.Sub(middle))
		}
		if err := l.w.Waters.Set(tx, id, water); err != nil {
			return out, err
		}
		out.Water, out.Course, out.Flow = &id, told(flows.water), &water.Flow
		out.Note = flows.note(found)
	}
	if len(spans) > 0 {
		out.Crosses, out.Note = in.crossings(line, spans)
	}
	out.Note = strings.Join(slices.DeleteFunc([]string{out.Note, beyond, l.spilled(&tx.View, &work, out.Water, height), on}, func(s string) bool { return s == "" }), ". ")
	return out, c.Emit(EventShaped, map[string]any{"entity": out.Entity, "form": in.Form, "center": work.At, "radius": in.Radius, "regions": out.Regions})
}

// lead has a work go along a line that winds.
func lead(w *land.Work, line []world.Vec3) {
	first, last := line[0], line[len(line)-1]
	w.At, w.To, w.Y, w.ToY = [2]float64{first[0], first[2]}, [2]float64{last[0], last[2]}, first[1], last[1]
	w.Line = nil
	for i, p := range line[1:] {
		before := line[i]
		w.Line = append(w.Line, land.Piece{before[0], before[1], before[2], p[0], p[1], p[2]})
	}
}

// create makes the entity of a work, of whose line some pieces are left as they are.
func (l *Lands) create(tx *world.Tx, w *land.Work, line []land.Piece, left []int, height func(x, z float64) float64) (world.ID, error) {
	e := Earthwork{Form: w.Form, Radius: w.Radius, Edge: w.Edge, Rise: w.Rise, Color: w.Color, Open: left}
	spec := world.Spec{Position: world.Vec3{w.At[0], w.Y, w.At[1]}, Name: names[w.Form], Tags: []string{WorkTag}}
	if w.Form == land.Mound {
		spec.Position[1] = height(w.At[0], w.At[1])
	}
	for i, p := range line {
		if i == 0 {
			e.Line = append(e.Line, world.Vec3{})
		}
		e.Line = append(e.Line, world.Vec3{p[3], p[4], p[5]}.Sub(world.Vec3{w.At[0], w.Y, w.At[1]}))
	}
	if w.Line == nil && w.To != w.At {
		e.To = &world.Vec3{w.To[0] - w.At[0], w.ToY - w.Y, w.To[1] - w.At[1]}
	}
	if w.Form == land.Level && w.Long() {
		spec.Name = "road"
	}
	id, err := tx.Create(spec)
	if err != nil {
		return 0, err
	}
	return id, l.works.Set(tx, id, e)
}

// fill lays water into a basin: its rim is higher all around, so that no corner of it is seen. Into one that winds it lays a rectangle for each of the bands that it
// goes through, beside each other, so that no valley beside it is flooded; they are in one group.
func (l *Lands) fill(tx *world.Tx, basin world.ID, w *land.Work, level float64) (world.ID, error) {
	rooms := bands(w)
	minX, minZ, maxX, maxZ := w.Reach()
	middle := world.Vec3{(minX+maxX)/2 - w.At[0], level - w.Y, (minZ+maxZ)/2 - w.At[1]}
	if len(rooms) == 0 {
		size := max(maxX-minX, maxZ-minZ) - float64(2*w.Edge)
		return l.water(tx, basin, middle, size, size)
	}
	group, err := tx.Create(world.Spec{Parent: basin, Position: middle, Name: "water"})
	for i := 0; err == nil && i < len(rooms); i++ {
		r := rooms[i]
		at := world.Vec3{(r[0]+r[2])/2 - w.At[0] - middle[0], 0, (r[1]+r[3])/2 - w.At[1] - middle[2]}
		_, err = l.water(tx, group, at, r[2]-r[0], r[3]-r[1])
	}
	return group, err
}

// water lays a rectangle of water, so wide along x and so deep along z.
func (l *Lands) water(tx *world.Tx, parent world.ID, at world.Vec3, width, depth float64) (world.ID, error) {
	id, err := tx.Create(world.Spec{Parent: parent, Position: at, Name: "water"})
	if err != nil {
		return 0, err
	}
	if width != depth {
		t, _ := tx.Transform(id)
		t.Scale = world.Vec3{1, 1, depth / width}
		if err := tx.SetTransform(id, t); err != nil {
			return 0, err
		}
	}
	return id, l.w.Waters.Set(tx, id, world.Water{Size: width, Color: waterColor})
}

// bands returns rectangles, minX, minZ, maxX, maxZ, that hold what is within the radius of a line that winds, and little else: they lie beside each other, across
// the way on which it is longer. None for a work that does not wind.
func bands(w *land.Work) (rooms [][4]float64) {
	if len(w.Line) == 0 {
		return nil
	}
	minX, minZ, maxX, maxZ := w.Reach()
	along := 2 // the axis that bands follow each other on, of x, y, z
	from, to := minZ+w.Edge, maxZ-w.Edge
	if maxX-minX > maxZ-minZ {
		along, from, to = 0, minX+w.Edge, maxX-w.Edge
	}
	n := max(1, int((to-from)/float64(2*w.Radius)))
	wide := (to - from) / float64(n)
	for i := range n {
		begin := from + float64(wide*float64(i))
		var spans [][2]float64
		for _, p := range w.Line {
			a, b := min(p[along], p[along+3])-w.Radius, max(p[along], p[along+3])+w.Radius
			if b > begin && a < begin+wide {
				spans = append(spans, [2]float64{min(p[2-along], p[5-along]) - w.Radius, max(p[2-along], p[5-along]) + w.Radius})
			}
		}
		slices.SortFunc(spans, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		for k := 0; k < len(spans); {
			lo, hi := spans[k][0], spans[k][1]
			for k++; k < len(spans) && spans[k][0] <= hi; k++ {
				hi = max(hi, spans[k][1])
			}
			if along == 2 {
				rooms = append(rooms, [4]float64{lo, begin, hi, begin + wide})
			} else {
				rooms = append(rooms, [4]float64{begin, lo, begin + wide, hi})
			}
		}
	}
	return rooms
}

// waterColor is what world.addWater takes where nothing else is said.
const waterColor = 2841970

// standing tells what is on the ground that a work changes, "" if nothing is.
func (l *Lands) standing(tx *world.Tx, w *land.Work) string {
	minX, minZ, maxX, maxZ := w.Reach()
	var on []string
	for _, id := range tx.InBox(world.Vec3{minX, -math.MaxFloat32, minZ}, world.Vec3{maxX, math.MaxFloat32, maxZ}) {
		at, _ := tx.Position(id)
		if tx.Parent(id) != 0 || l.w.Waters.Has(&tx.View, id) || !w.Touches(at[0], at[2]) || l.regions.Has(&tx.View, id) || l.works.Has(&tx.View, id) {
			continue
		}
		if !l.w.Shapes.Has(&tx.View, id) && len(tx.Children(id)) == 0 {
			continue
		}
		on = append(on, strings.TrimSpace(id.String()+" "+cmp.Or(tx.Name(id), "")))
	}
	if len(on) == 0 {
		return ""
	}
	more := ""
	if len(on) > mostNamed {
		on, more = on[:mostNamed], fmt.Sprintf(" and %d more", len(on)-mostNamed)
	}
	return fmt.Sprintf("%s%s stand there, where they stood: scene.place with onGround puts each on the ground as it is now, scene.validate tells what hangs or is in the ground", strings.Join(on, ", "), more)
}
