package terrain

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// ShapeIn is the input of terrain.shape.
type ShapeIn struct {
	Form   land.Form `json:"form" validate:"oneof=level basin mound river" jsonschema:"default=level" jsonschema_description:"level: even ground, to build on, or with to a road or a quay. basin: a bowl with a rim all around, for a lake; along a line a moat or a canal, whose water is level. mound: a round hill. river: a bed with water that falls with the land, from a source (center) to where it ends (to), by a way that it finds itself, or through points."`
	Center []float64 `json:"center,omitempty" validate:"omitempty,min=2,max=3" jsonschema_description:"Where its middle is, [x, z], or where its line begins. Of three numbers, [x, y, z], the height is not looked at: it is y. Needed without points."`
	To     []float64 `json:"to,omitempty" validate:"omitempty,min=2,max=3" jsonschema_description:"Where its line ends, [x, z]: ground is shaped all along. Left out: it is round."`

	Points [][]float64 `json:"points,omitempty" validate:"omitempty,min=2,max=200,dive,min=2,max=3" jsonschema_description:"In place of center and to: what a line goes through that winds, [x, z] each, as a road up to a village does, a river or a dyke. Level ground follows the land there, smoothly, at y if that is given, or at the heights of points [x, y, z]; of a river those are of its banks. scene.array with pattern path takes them for fences and lamps beside it."`
	Smooth bool        `json:"smooth" jsonschema:"default=true" jsonschema_description:"Whether points are gone through in a curve; false goes straight from one to the next."`
	Closed bool        `json:"closed,omitempty" jsonschema_description:"Whether points go on from the last to the first, as a race track does."`
	Radius float64     `json:"radius" validate:"gt=0,lte=200" jsonschema_description:"How far from the middle, or to either side of the line, it is so, in metres: half the width of a road or a river."`
	Edge   *float64    `json:"edge,omitempty" validate:"omitempty,gte=0,lte=200" jsonschema_description:"How wide the slope is around it, in metres. Left out: half the radius, at least 3; of a river the radius, at least 4."`
	Y      *float64    `json:"y,omitempty" validate:"omitempty,gte=-1000,lte=1000" jsonschema_description:"Height of level ground, or of the rim of a basin, in metres. Left out: that of the ground at center; of a basin the lowest around it, so that no water runs out."`
	ToY    *float64    `json:"toY,omitempty" validate:"omitempty,gte=-1000,lte=1000" jsonschema_description:"Height of level ground at to. Left out: y if that is given, else that of the ground there."`
	Rise   *float64    `json:"rise,omitempty" validate:"omitempty,gte=-200,lte=200" jsonschema_description:"How high a mound is, or how deep a basin or a river, in metres. Left out: 3, of a river half its radius, but 0.5 to 3. Of a basin -3 is the same as 3."`
	Depth  *float64    `json:"depth,omitempty" validate:"omitempty,gt=0,lte=200" jsonschema_description:"How deep a basin or a river is, in place of rise."`
	Flow   *float64    `json:"flow,omitempty" validate:"omitempty,gte=0,lte=20" jsonschema_description:"How fast a river flows in its middle, in m/s: what floats and who swims drifts with it, less towards the banks. A walker makes 1.5 to 3, a swimmer half that; 0 stands. Left out: as its fall and depth have it, at most 2."`
	Water  bool        `json:"water,omitempty" jsonschema_description:"Fill a basin with water, up to a little below its rim. A river has some anyway."`

	Material string  `json:"material,omitempty" jsonschema_description:"What the ground is of within radius, in the colour of that: stone, sand, snow or another that scene.createEntity takes. Left out: a level line is a road, of gravel; all else looks as what grows there."`
	Color    *uint32 `json:"color,omitempty" validate:"omitempty,lte=16777215" jsonschema_description:"Colour of the ground within radius, as 0xRRGGBB in decimal: 4473924 is asphalt."`
}

// ShapeOut is the output of terrain.shape.
type ShapeOut struct {
	Entity  world.ID     `json:"entity" jsonschema_description:"Id of what was made of the ground: three.setTransform moves and turns it, scene.group puts it into a group, scene.destroyEntity has the ground be as it was."`
	Regions []world.ID   `json:"regions" jsonschema_description:"The regions whose ground it is."`
	Tiles   int          `json:"tiles" jsonschema_description:"How many tiles look different now."`
	Y       float64      `json:"y" jsonschema_description:"How high the ground is at center now."`
	Water   *world.ID    `json:"water,omitempty" jsonschema_description:"Id of the water, if it was filled, or of that of a river."`
	Level   *float64     `json:"waterLevel,omitempty" jsonschema_description:"Of a basin: at which height water looks right in it."`
	Flow    *float64     `json:"flow,omitempty" jsonschema_description:"Of a river: how fast it flows in its middle, in m/s."`
	Crosses []Crossing   `json:"crossings,omitempty" jsonschema_description:"Of a road: where it crosses water, and leaves the ground below that as it is, for bridges."`
	Course  []world.Vec3 `json:"course,omitempty" jsonschema_description:"Of a river: points of the surface of its water, [x, y, z], from its source to where it ends: bridges go over them, boats on them, roads beside them."`
	Note    string       `json:"note,omitempty" jsonschema_description:"What stands there, and so may hang in the air or be in the ground now; of a river, where it is in a gorge."`
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
		Description: "Change generated ground around a place or along a line: make it even to build on, dig the bed of a lake and fill it, heap up a hill, lay a road, have a river flow from a mountain to the sea. Shape it before you build on it: what stands there stays where it is. What it makes is an entity with the tag earthwork: where that goes, in a group too, the ground goes with it, and without it the ground is as it was. " +
			`A road 4 m wide that winds: {"points":[[0,0],[30,8],[40,40]],"radius":2}. Example, a lake: {"form":"basin","center":[20,-10],"radius":18,"rise":3,"water":true}. A river that finds its way from a spring to the sea, which is there before it: {"form":"river","center":[-60,-40],"to":[120,90],"radius":4}`,
		Keywords:    "river stream brook creek waterfall pond dig flatten level even plateau plot road hill crater valley terraform sculpt landscape excavate ground",
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
	case in.Form == land.River && (in.Y != nil || in.ToY != nil):
		return registry.Invalidf("%s: a river falls with its land: leave it out, or give points [x, y, z] that are as high as its banks are to be", map[bool]string{true: "y", false: "toY"}[in.Y != nil])
	case in.Form != land.River && in.Flow != nil:
		return registry.Invalidf("flow: only a river flows; give form river, or leave it out")
	case in.Form == land.River && in.Closed:
		return registry.Invalidf("closed: a river flows from its source to where it ends; a moat is a basin, whose water is level")
	case in.Form == land.River && in.Points == nil && in.To == nil:
		return registry.Invalidf("to: is required of a river: where it ends, [x, z], such as in the sea; center is its source")
	case in.Depth != nil && in.Form != land.Basin && in.Form != land.River:
		return registry.Invalidf("depth: is of a basin or a river; a mound has rise, level ground y")
	case in.Depth != nil && in.Rise != nil:
		return registry.Invalidf("depth: is in place of rise: leave one of the two out")
	case in.Rise != nil && *in.Rise == 0:
		return registry.Invalidf("rise: must not be 0: how high a mound is, or how deep a basin or a river, in metres")
	case in.Form == land.Mound && in.Rise != nil && *in.Rise < 0:
		return registry.Invalidf("rise: must be above 0 for a mound, got %v; the form basin digs", *in.Rise)
	case in.Form != land.Level && in.ToY != nil:
		return registry.Invalidf("toY: is of form level; a %s has y and rise", in.Form)
	case in.ToY != nil && in.To == nil:
		return registry.Invalidf("toY: needs to, the place that is so high")
	case in.Form == land.Level && in.Rise != nil:
		return registry.Invalidf("rise: is of a mound, a basin or a river; level ground has y, its height")
	case in.Form == land.Mound && in.Y != nil:
		return registry.Invalidf("y: is of level ground or a basin; a mound lies on what is there, and has rise")
	case in.Form != land.Basin && in.Form != land.River && in.Water:
		return registry.Invalidf("water: only a basin or a river is filled; world.addWater lays water elsewhere")
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

// course is a line that winds.
type course struct {
	points []world.Vec3 // not to be changed
	step   float64      // so many metres along it from each other
	own    bool         // their heights were given
}

// course returns the line that winds through the points that are given, nil if none are.
func (in *ShapeIn) course() *course {
	if in.Points == nil {
		return nil
	}
	given := make([]world.Vec3, len(in.Points))
	own := len(in.Points[0]) == 3 && (in.Form == land.Level || in.Form == land.River)
	for i, p := range in.Points {
		given[i] = world.Vec3{p[0], 0, p[len(p)-1]}
		if own {
			given[i][1] = p[1]
		}
	}
	way := curve.New(given, in.Smooth, in.Closed)
	n := int(min(max(math.Ceil(way.Length()/piece), 2), mostPart))
	c := &course{step: way.Length() / float64(n), own: own}
	for i := range n + 1 {
		p, _ := way.At(float64(way.Length()*float64(i)) / float64(n))
		c.points = append(c.points, p)
	}
	return c
}

// line returns the points of a line that winds, each with its height. y tells how high the ground is at a place now, spans are the gaps in it.
func (in *ShapeIn) line(way *course, y func(x, z float64) float64, spans []gap) []world.Vec3 {
	if way.own {
		return way.points
	}
	points := slices.Clone(way.points)
	ground := make([]float64, len(points))
	for i, p := range points {
		if in.Y != nil {
			ground[i] = *in.Y
		} else {
			ground[i] = y(p[0], p[2])
		}
	}
	if in.Y == nil {
		level(ground, spans, evenedOver(way.step))
	}
	evened(points, ground, way.step, in.Closed)
	return points
}

// evenedOver is over how many points to each side heights are evened out.
func evenedOver(step float64) int { return max(1, int(even/step)) }

// evened gives points that are so far from each other the heights that they have on the average around them.
func evened(points []world.Vec3, heights []float64, step float64, closed bool) {
	n := len(points) - 1
	reach := evenedOver(step)
	for i := range points {
		sum, count := 0.0, 0
		for k := -reach; k <= reach; k++ {
			at := i + k
			if closed {
				at = (at%n + n) % n
			} else if m := min(i, len(points)-1-i); k < -m || k > m { // as far to both sides, so that it begins and ends on the ground
				continue
			}
			sum, count = sum+heights[at], count+1
		}
		points[i][1] = sum / float64(count)
	}
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

// edge is how wide the slope is around it.
func (in *ShapeIn) edge() float64 {
	switch {
	case in.Edge != nil:
		return *in.Edge
	case in.Form == land.River: // gentler where it has to cut into the land
		return max(in.Radius, 4)
	}
	return max(in.Radius/2, 3)
}

// work is what there is to do, on a way that winds or, if that is nil, from center to to. y tells how high the ground is at a place now, spans are the gaps in it.
func (in *ShapeIn) work(way *course, y func(x, z float64) float64, spans []gap) land.Work {
	w := land.Work{Form: in.Form, Radius: in.Radius, Edge: in.edge()}
	if way == nil {
		w.At = flat(in.Center)
		if w.To = w.At; in.To != nil {
			w.To = flat(in.To)
		}
	} else {
		lead(&w, in.line(way, y, spans))
	}
	if in.Form != land.Level {
		w.Rise = in.deep()
	}
	switch {
	case in.Form == land.Mound || in.Form == land.River || way != nil && in.Form == land.Level:
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
	if len(spans) > 0 {
		points := in.straight()
		ramp(points, w.Y, w.ToY, spans)
		lead(&w, points)
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
