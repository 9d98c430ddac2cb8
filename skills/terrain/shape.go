package terrain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// ShapeIn is the input of terrain.shape.
type ShapeIn struct {
	Form   land.Form `json:"form" validate:"oneof=level basin mound" jsonschema:"default=level" jsonschema_description:"level: even ground, to build on, or with to a road or a quay. basin: a bowl with a rim all around, for a lake. mound: a round hill."`
	Center []float64 `json:"center,omitempty" validate:"omitempty,min=2,max=3" jsonschema_description:"Where its middle is, [x, z], or where its line begins. Of three numbers, [x, y, z], the height is not looked at: it is y. Needed without points."`
	To     []float64 `json:"to,omitempty" validate:"omitempty,min=2,max=3" jsonschema_description:"Where its line ends, [x, z]: ground is shaped all along. Left out: it is round."`

	Points [][]float64 `json:"points,omitempty" validate:"omitempty,min=2,max=200,dive,min=2,max=3" jsonschema_description:"In place of center and to: what a line goes through that winds, [x, z] each, as a road up to a village does, a river or a dyke. Level ground follows the land there, smoothly, at y if that is given, or at the heights of points [x, y, z]. scene.array with pattern path takes them for fences and lamps beside it."`
	Smooth bool        `json:"smooth" jsonschema:"default=true" jsonschema_description:"Whether points are gone through in a curve; false goes straight from one to the next."`
	Closed bool        `json:"closed,omitempty" jsonschema_description:"Whether points go on from the last to the first, as a race track does."`
	Radius float64     `json:"radius" validate:"gt=0,lte=200" jsonschema_description:"How far from the middle, or to either side of the line, it is so, in metres: half the width of a road."`
	Edge   *float64    `json:"edge,omitempty" validate:"omitempty,gte=0,lte=200" jsonschema_description:"How wide the slope is around it, in metres. Left out: half the radius, at least 3."`
	Y      *float64    `json:"y,omitempty" validate:"omitempty,gte=-1000,lte=1000" jsonschema_description:"Height of level ground, or of the rim of a basin, in metres. Left out: that of the ground at center; of a basin the lowest around it, so that no water runs out."`
	ToY    *float64    `json:"toY,omitempty" validate:"omitempty,gte=-1000,lte=1000" jsonschema_description:"Height of level ground at to. Left out: y if that is given, else that of the ground there."`
	Rise   *float64    `json:"rise,omitempty" validate:"omitempty,gte=-200,lte=200" jsonschema_description:"How high a mound is, or how deep a basin, in metres; 3 if left out. Of a basin -3 is the same as 3."`
	Depth  *float64    `json:"depth,omitempty" validate:"omitempty,gt=0,lte=200" jsonschema_description:"How deep a basin is, in place of rise."`
	Water  bool        `json:"water,omitempty" jsonschema_description:"Fill a basin with water, up to a little below its rim."`

	Material string  `json:"material,omitempty" jsonschema_description:"What the ground is of within radius, in the colour of that: stone, sand, snow or another that scene.createEntity takes. Left out: a level line is a road, of gravel; all else looks as what grows there."`
	Color    *uint32 `json:"color,omitempty" validate:"omitempty,lte=16777215" jsonschema_description:"Colour of the ground within radius, as 0xRRGGBB in decimal: 4473924 is asphalt."`
}

// ShapeOut is the output of terrain.shape.
type ShapeOut struct {
	Entity  world.ID   `json:"entity" jsonschema_description:"Id of what was made of the ground: three.setTransform moves and turns it, scene.group puts it into a group, scene.destroyEntity has the ground be as it was."`
	Regions []world.ID `json:"regions" jsonschema_description:"The regions whose ground it is."`
	Tiles   int        `json:"tiles" jsonschema_description:"How many tiles look different now."`
	Y       float64    `json:"y" jsonschema_description:"How high the ground is at center now."`
	Water   *world.ID  `json:"water,omitempty" jsonschema_description:"Id of the water, if it was filled."`
	Level   *float64   `json:"waterLevel,omitempty" jsonschema_description:"Of a basin: at which height water looks right in it."`
	Note    string     `json:"note,omitempty" jsonschema_description:"What stands there, and so may hang in the air or be in the ground now."`
}

// EventShaped is appended when ground was shaped: {entity, form, center, radius, regions}.
const EventShaped = "terrain.shaped"

const (
	freeboard = 0.25 // how far below the rim of a basin its water is
	mostNamed = 5    // of what stands there
)

// Shaping is terrain.shape.
func Shaping(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[ShapeIn, ShapeOut]{
		Name:  "terrain.shape",
		Title: "Shape the ground",
		Description: "Change generated ground around a place or along a line: make it even to build on, dig the bed of a lake and fill it, heap up a hill, lay a road. Shape it before you build on it: what stands there stays where it is. What it makes is an entity with the tag earthwork: where that goes, in a group too, the ground goes with it, and without it the ground is as it was. " +
			`A road 4 m wide that winds: {"points":[[0,0],[30,8],[40,40]],"radius":2}. Example, a lake: {"form":"basin","center":[20,-10],"radius":18,"rise":3,"water":true}`,
		Keywords:    "pond dig flatten level even plateau plot road hill crater valley river terraform sculpt landscape excavate ground",
		Permissions: []profiles.Permission{"terrain.generate"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ShapeIn) (ShapeOut, error) {
			if err := in.check(); err != nil {
				return ShapeOut{}, err
			}
			return world.Do(l.w, c, func(tx *world.Tx) (ShapeOut, error) { return l.shape(c, tx, &in) })
		},
	})
}

// check reports fields that do not go with one another.
func (in *ShapeIn) check() error {
	if err := in.checkLine(); err != nil {
		return err
	}
	switch {
	case in.Depth != nil && in.Form != land.Basin:
		return registry.Invalidf("depth: is of a basin; a mound has rise, level ground y")
	case in.Depth != nil && in.Rise != nil:
		return registry.Invalidf("depth: is in place of rise: leave one of the two out")
	case in.Rise != nil && *in.Rise == 0:
		return registry.Invalidf("rise: must not be 0: how high a mound is, or how deep a basin, in metres")
	case in.Form == land.Mound && in.Rise != nil && *in.Rise < 0:
		return registry.Invalidf("rise: must be above 0 for a mound, got %v; the form basin digs", *in.Rise)
	case in.Form != land.Level && in.ToY != nil:
		return registry.Invalidf("toY: is of form level; a %s has y and rise", in.Form)
	case in.ToY != nil && in.To == nil:
		return registry.Invalidf("toY: needs to, the place that is so high")
	case in.Form == land.Level && in.Rise != nil:
		return registry.Invalidf("rise: is of a mound or a basin; level ground has y, its height")
	case in.Form == land.Mound && in.Y != nil:
		return registry.Invalidf("y: is of level ground or a basin; a mound lies on what is there, and has rise")
	case in.Form != land.Basin && in.Water:
		return registry.Invalidf("water: only a basin is filled; world.addWater lays water elsewhere")
	}
	return nil
}

// checkLine reports what is wrong with where the ground is to be shaped.
func (in *ShapeIn) checkLine() error {
	switch {
	case in.Points == nil && in.Center == nil:
		return registry.Invalidf("center: is required: where its middle is, [x, z], or points, what a line goes through")
	case in.Points == nil && in.Closed:
		return registry.Invalidf("closed: is of points")
	case in.Points == nil:
		return nil
	case in.Center != nil || in.To != nil || in.ToY != nil:
		return registry.Invalidf("points: are in place of center, to and toY: leave those out")
	case in.Form == land.Level && in.Y != nil && len(in.Points[0]) == 3:
		return registry.Invalidf("y: is of points [x, z]; these have heights of their own")
	}
	for i, p := range in.Points {
		if len(p) != len(in.Points[0]) {
			return registry.Invalidf("points[%d]: must have %d numbers as those before it, got %d", i, len(in.Points[0]), len(p))
		}
	}
	return nil
}

// The pieces of a line that winds.
const (
	piece    = 3.0  // about so many metres long
	mostPart = 250  // at most so many
	even     = 12.0 // over so many metres to both sides the height of ground is evened out that a line follows
)

// line returns the points of a line that winds, each with its height; nil for none. y tells how high the ground is at a place now.
func (in *ShapeIn) line(y func(x, z float64) float64) (points []world.Vec3) {
	if in.Points == nil {
		return nil
	}
	given := make([]world.Vec3, len(in.Points))
	own := len(in.Points[0]) == 3 && in.Form == land.Level
	for i, p := range in.Points {
		given[i] = world.Vec3{p[0], 0, p[len(p)-1]}
		if own {
			given[i][1] = p[1]
		}
	}
	way := curve.New(given, in.Smooth, in.Closed)
	n := int(min(max(math.Ceil(way.Length()/piece), 2), mostPart))
	for i := range n + 1 {
		p, _ := way.At(float64(way.Length()*float64(i)) / float64(n))
		points = append(points, p)
	}
	if own {
		return points
	}
	ground := make([]float64, len(points))
	for i, p := range points {
		if in.Y != nil {
			ground[i] = *in.Y
		} else {
			ground[i] = y(p[0], p[2])
		}
	}
	reach := max(1, int(even/(way.Length()/float64(n))))
	for i := range points {
		sum, count := 0.0, 0
		for k := -reach; k <= reach; k++ {
			at := i + k
			if in.Closed {
				at = (at%n + n) % n
			} else if m := min(i, len(points)-1-i); k < -m || k > m { // as far to both sides, so that it begins and ends on the ground
				continue
			}
			sum, count = sum+ground[at], count+1
		}
		points[i][1] = sum / float64(count)
	}
	return points
}

// paint returns the colour of the ground that is shaped, nil for that of what grows there.
func (in *ShapeIn) paint(v *world.View) (*uint32, error) {
	if in.Material == "" && in.Color == nil {
		if in.Form == land.Level && (in.To != nil || in.Points != nil) {
			gravel := uint32(0x7a7168)
			return &gravel, nil
		}
		return nil, nil
	}
	if in.Material == "" {
		return in.Color, nil
	}
	named, err := material.Named(v, in.Material)
	if err != nil {
		return nil, err
	}
	if in.Color != nil && *in.Color != 0xffffff {
		return in.Color, nil
	}
	return &named.Color, nil
}

// flat is a place without its height: the first of its numbers and the last.
func flat(p []float64) [2]float64 { return [2]float64{p[0], p[len(p)-1]} }

// work is what there is to do. y tells how high the ground is at a place now.
func (in *ShapeIn) work(y func(x, z float64) float64) land.Work {
	w := land.Work{Form: in.Form, Radius: in.Radius, Edge: max(in.Radius/2, 3)}
	line := in.line(y)
	if line == nil {
		w.At = flat(in.Center)
		if w.To = w.At; in.To != nil {
			w.To = flat(in.To)
		}
	} else {
		first, last := line[0], line[len(line)-1]
		w.At, w.To, w.Y, w.ToY = [2]float64{first[0], first[2]}, [2]float64{last[0], last[2]}, first[1], last[1]
		for i, p := range line[1:] {
			before := line[i]
			w.Line = append(w.Line, land.Piece{before[0], before[1], before[2], p[0], p[1], p[2]})
		}
	}
	if in.Edge != nil {
		w.Edge = *in.Edge
	}
	if in.Form != land.Level {
		w.Rise = 3
	}
	if in.Rise != nil {
		w.Rise = math.Abs(*in.Rise)
	}
	if in.Depth != nil {
		w.Rise = *in.Depth
	}
	switch {
	case in.Form == land.Mound || line != nil && in.Form == land.Level:
		return w
	case in.Y != nil:
		w.Y = *in.Y
	case in.Form == land.Basin:
		w.Y = lowestAround(&w, y)
	default:
		w.Y = y(w.At[0], w.At[1])
	}
	switch {
	case in.ToY != nil:
		w.ToY = *in.ToY
	case in.Y != nil || in.To == nil || in.Form == land.Basin:
		w.ToY = w.Y
	default:
		w.ToY = y(w.To[0], w.To[1])
	}
	return w
}

// lowestAround returns the lowest ground on the outer edge of a work.
func lowestAround(w *land.Work, y func(x, z float64) float64) float64 {
	const places = 48
	low := math.Inf(1)
	ends := [][2]float64{w.At, w.To}
	for _, p := range w.Line {
		ends = append(ends, [2]float64{p[0], p[2]})
	}
	for _, end := range ends {
		for i := range places {
			sin, cos := world.Sincos(float64(2*math.Pi*float64(i)) / places)
			r := w.Radius + w.Edge
			low = min(low, y(end[0]+float64(r*cos), end[1]+float64(r*sin)))
		}
	}
	return low
}

// plots returns the regions that have a tile within reach of what is asked for.
func (l *Lands) plots(v *world.View, in *ShapeIn) (list []plot, err error) {
	reach := in.work(func(float64, float64) float64 { return 0 })
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
var names = map[land.Form]string{land.Level: "plot", land.Basin: "basin", land.Mound: "hill"}

func (l *Lands) shape(c *registry.Call, tx *world.Tx, in *ShapeIn) (out ShapeOut, err error) {
	plots, err := l.plots(&tx.View, in)
	if err != nil {
		return out, err
	}
	height := func(x, z float64) float64 {
		beside := 0.0
		for i := range plots {
			y, on := l.height(&tx.View, &plots[i], x, z)
			if on {
				return y
			}
			if i == 0 {
				beside = y
			}
		}
		return beside
	}
	work := in.work(height)
	if work.Color, err = in.paint(&tx.View); err != nil {
		return out, err
	}
	on := l.standing(tx, &work)
	for i := range plots {
		if err := plots[i].full(); err != nil {
			return out, registry.Errorf(registry.CodeCapacityExceeded, "region %v: %v; scene.destroyEntity takes away those that nobody needs, and scene.queryEntities finds them by the tag %s", plots[i].id, err, WorkTag)
		}
		out.Regions = append(out.Regions, plots[i].id)
	}
	if l.works.Len(&tx.View) >= maxEarthworks {
		return out, registry.Errorf(registry.CodeCapacityExceeded, "there are %d earthworks, which is as many as the ground follows; scene.destroyEntity takes away those that nobody needs", maxEarthworks)
	}
	if out.Entity, err = l.create(tx, &work, height); err != nil {
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
	out.Note = on
	return out, c.Emit(EventShaped, map[string]any{"entity": out.Entity, "form": in.Form, "center": work.At, "radius": in.Radius, "regions": out.Regions})
}

// create makes the entity of a work.
func (l *Lands) create(tx *world.Tx, w *land.Work, height func(x, z float64) float64) (world.ID, error) {
	e := Earthwork{Form: w.Form, Radius: w.Radius, Edge: w.Edge, Rise: w.Rise, Color: w.Color}
	spec := world.Spec{Position: world.Vec3{w.At[0], w.Y, w.At[1]}, Name: names[w.Form], Tags: []string{WorkTag}}
	if w.Form == land.Mound {
		spec.Position[1] = height(w.At[0], w.At[1])
	}
	for i, p := range w.Line {
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
