package layout

import (
	"fmt"
	"math"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/listed"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// ArrayIn is the input of scene.array.
type ArrayIn struct {
	Entity   world.ID     `json:"entity" jsonschema_description:"What to repeat, with everything below it. It is the first of the array and stays where it is, except that path puts it at the beginning of the way."`
	Pattern  string       `json:"pattern" validate:"oneof=line grid circle path scatter" jsonschema_description:"line: count copies in a row along step. grid: counts along x, y, z with spacing between. circle: count on a circle around center, or, with rise, on a spiral upwards, as the steps of a spiral staircase. path: along the curve through points, as lamps or trees at a road, or, with stretch, the pieces of the road itself. scatter: count at random places of area, at least apart metres from each other."`
	Count    int          `json:"count" validate:"gte=1,lte=500" jsonschema:"default=1" jsonschema_description:"For line, circle, path and scatter: how many there are in the end, the original included (for scatter: besides the original)."`
	Step     world.Vec3   `json:"step" jsonschema:"default=0 0 0" jsonschema_description:"For line: metres x, y, z from one to the next."`
	Counts   [3]int       `json:"counts" validate:"dive,gte=1,lte=500" jsonschema:"default=1 1 1" jsonschema_description:"For grid: how many along x, y, z, the original included."`
	Spacing  world.Vec3   `json:"spacing" jsonschema:"default=0 0 0" jsonschema_description:"For grid: metres from one to the next along x, y, z."`
	Center   world.Vec3   `json:"center" jsonschema:"default=0 0 0" jsonschema_description:"For circle: its middle."`
	Radius   float64      `json:"radius,omitempty" validate:"omitempty,gt=0,lte=10000" jsonschema_description:"For circle: its radius in metres; the original goes there first. Left out: as far as the original is from center."`
	Angle    float64      `json:"angle" validate:"gte=-6.3,lte=6.3" jsonschema:"default=6.283185307179586" jsonschema_description:"For circle: the angle that it spans, in radians; a whole turn by default."`
	Rounds   float64      `json:"rounds" validate:"gte=-100,lte=100" jsonschema:"default=0" jsonschema_description:"For circle with rise: how many times it goes round, 1 or more, instead of angle: counter-clockwise as seen from above, below 0 clockwise."`
	Rise     float64      `json:"rise" validate:"gte=-100,lte=100" jsonschema:"default=0" jsonschema_description:"For circle: metres that each one is higher than the one before, such as 0.18 for stairs; below 0 it goes down."`
	Axis     string       `json:"axis" validate:"oneof=x y z" jsonschema:"default=y" jsonschema_description:"For circle: what it goes round. y lies level; z stands and is seen from the front, as a clock face, a rose window or a Ferris wheel; x stands and is seen from the side."`
	Turn     bool         `json:"turn" jsonschema:"default=true" jsonschema_description:"For circle and path: turn each one as it goes round; along a path its front, +z, looks ahead."`
	Points   []world.Vec3 `json:"points,omitempty" validate:"max=200" jsonschema_description:"For path: what the way goes through, [x, y, z] each; y is the height of the middle of what is repeated."`
	Closed   bool         `json:"closed" jsonschema:"default=false" jsonschema_description:"For path: whether it goes on from the last point to the first, as a race track does."`
	Smooth   bool         `json:"smooth" jsonschema:"default=true" jsonschema_description:"For path: whether it is a curve through the points; false goes straight from one to the next."`
	Side     float64      `json:"side" validate:"gte=-1000,lte=1000" jsonschema:"default=0" jsonschema_description:"For path: so many metres to the right of it, below 0 to the left: kerbs and trees take the points of their road."`
	Every    float64      `json:"every" validate:"gte=0,lte=1000" jsonschema:"default=0" jsonschema_description:"For path: metres from one to the next, instead of count. With stretch about so long is each piece; left out, as long as the original."`
	Stretch  bool         `json:"stretch" jsonschema:"default=false" jsonschema_description:"For path: stretch each one along its z so that it meets the next, up and down slopes too: a road, a kerb, a wall out of one box. All of them are in a group then."`
	Bank     float64      `json:"bank" validate:"gte=-60,lte=60" jsonschema:"default=0" jsonschema_description:"For path with stretch: by how many degrees it leans into the narrowest bend, and into wider ones less, as a race track does; below 0 out of them. It turns about its points, so its inner side goes down: give them that much height. What has a side leans with it."`
	OnGround bool         `json:"onGround" jsonschema:"default=false" jsonschema_description:"Stand each copy on what is below it, the ground for one, also generated ground. For path: count the heights of points from the ground instead, which the way follows then. Not for a grid with several along y, nor with rise."`
	Area     *Area        `json:"area,omitempty" jsonschema_description:"For scatter: where the middles go. Those above others stand on what is below if ground is set."`
	Apart    float64      `json:"apart" validate:"gte=0,lte=1000" jsonschema:"default=0" jsonschema_description:"For scatter: the least distance of the middles, also from that of the original, in metres, in x and z."`
	Ground   bool         `json:"ground" jsonschema:"default=true" jsonschema_description:"For scatter: stand each one on what is below it."`
	Clear    bool         `json:"clear" jsonschema:"default=false" jsonschema_description:"For scatter: only where it is in nothing that stands there."`
	Outdoors bool         `json:"outdoors" jsonschema:"default=false" jsonschema_description:"For scatter: only where there is nothing over it either, so that no tree stands in a house or under a bridge."`
	Seed     uint64       `json:"seed" jsonschema:"default=1" jsonschema_description:"For scatter: another number gives other places, the same one the same places."`
	List     *int         `json:"list,omitempty" validate:"omitempty,gte=0,lte=500" jsonschema_description:"How many ids the answer lists at most; 50 if left out, 0 for none."`
}

// ArrayOut is the output of scene.array.
type ArrayOut struct {
	Entities []world.ID `json:"entities" jsonschema_description:"Ids of the copies, without the original: the first of them, as many as list says."`
	Count    int        `json:"count" jsonschema_description:"How many copies there are."`
	More     int        `json:"more,omitempty" jsonschema_description:"How many of them are not listed."`
	Bounds   Box        `json:"bounds" jsonschema_description:"The smallest upright box around all of them and the original."`
	Group    world.ID   `json:"group,omitempty" jsonschema_description:"With stretch: the group that the original and the copies are in, so that they are painted, moved and checked as the one thing that they are."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Array is scene.array.
func Array(w *world.World, things *solid.Index, lacks ...Lacks) registry.Skill {
	return registry.Define(registry.Spec[ArrayIn, ArrayOut]{
		Name:  "scene.array",
		Title: "Repeat an entity in a pattern",
		Description: "Copy an entity, with everything below it, many times in one call: in a line, a grid, a circle, along a curve, or scattered at random with a distance kept. " +
			`Make one first, as it should be, then repeat it. Example, 5 by 5 columns 2 m apart: {"entity":"ent_3","pattern":"grid","counts":[5,1,5],"spacing":[2,0,2]}; a road out of one box: {"entity":"ent_4","pattern":"path","points":[[0,0.05,0],[20,0.05,5],[30,0.05,30]],"stretch":true}; ` +
			`a spiral staircase of 32 steps, twice round, out of one step beside its middle: {"entity":"ent_5","pattern":"circle","center":[0,0.1,0],"count":32,"rounds":2,"rise":0.18}`,
		Keywords:    "repeat row fence battlements merlons crenellations columns colonnade railing jetty pier grid circle ring spiral helix winding screw coil round line pattern staircase stair step ladder many column chain curve road track banked race circuit kerb spline along domino stack book shelf arch viaduct arcade seat stepping stone",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ArrayIn) (ArrayOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (ArrayOut, error) {
				out, err := in.repeat(w, tx, things)
				if err != nil {
					return out, err
				}
				all := solid.Tree(w, &tx.View, in.Entity)
				for _, id := range out.Entities {
					all = all.Join(solid.Tree(w, &tx.View, id))
				}
				if all.Lo[0] > all.Hi[0] { // nothing has a shape
					at, _ := tx.Position(in.Entity)
					all = solid.Bounds{Lo: at, Hi: at}
				}
				all.Lo, all.Hi = shown.Point(all.Lo), shown.Point(all.Hi)
				if out.Note == "" && len(out.Entities) > 0 {
					out.Note = lack(&tx.View, in.Entity, lacks)
				}
				out.Count, out.Bounds = len(out.Entities), boxOf(all)
				out.Entities, out.More = listed.Cut(out.Entities, listed.Most(c, in.List))
				return out, nil
			})
		},
	})
}

// repeat makes the copies.
func (in *ArrayIn) repeat(w *world.World, tx *world.Tx, things *solid.Index) (ArrayOut, error) {
	t, ok := tx.WorldTransform(in.Entity)
	if !ok {
		return ArrayOut{}, tx.Unknown(in.Entity)
	}
	if in.Pattern == "path" {
		return in.lay(w, tx, things, t)
	}
	if in.Pattern == "scatter" {
		return in.scatter(w, tx, things, t)
	}
	if err := in.counted(); err != nil {
		return ArrayOut{}, err
	}
	if in.Radius > 0 {
		t = in.out(t)
		if err := set(tx, in.Entity, t); err != nil {
			return ArrayOut{}, err
		}
	}
	places, err := in.places(t)
	if err != nil {
		return ArrayOut{}, err
	}
	out := ArrayOut{Entities: make([]world.ID, 0, len(places))}
	for _, p := range places {
		id, err := clone(tx, in.Entity, p, "")
		if err != nil {
			return ArrayOut{}, err
		}
		if in.OnGround {
			if err := Stand(w, tx, things, id); err != nil {
				return ArrayOut{}, err
			}
		}
		out.Entities = append(out.Entities, id)
	}
	return out, nil
}

// Stand puts an entity, with all below it, on what is below its middle, the ground for one: down or up to it. It fails where the place is none that an entity may have.
func Stand(w *world.World, tx *world.Tx, things *solid.Index, id world.ID) error {
	there := solid.Tree(w, &tx.View, id)
	return shift(tx, id, world.Vec3{0, ground(things, &tx.View, id, there) - there.Lo[1], 0})
}

// lay puts the original at the beginning of a way and copies along it.
func (in *ArrayIn) lay(w *world.World, tx *world.Tx, things *solid.Index, t world.Transform) (ArrayOut, error) {
	if err := in.counted(); err != nil {
		return ArrayOut{}, err
	}
	places, err := in.along(w, tx, things, t)
	if err != nil {
		return ArrayOut{}, err
	}
	out := ArrayOut{Entities: make([]world.ID, 0, len(places)-1)}
	for _, p := range places[1:] {
		id, err := clone(tx, in.Entity, p, "")
		if err != nil {
			return ArrayOut{}, err
		}
		out.Entities = append(out.Entities, id)
	}
	if err := set(tx, in.Entity, places[0]); err != nil || !in.Stretch || len(places) == 1 {
		return out, err
	}
	out.Group, _, err = together(w, tx, append([]world.ID{in.Entity}, out.Entities...), tx.Name(in.Entity), nil)
	return out, err
}

// places returns where the copies in a line, a grid or a circle go.
func (in *ArrayIn) places(t world.Transform) ([]world.Transform, error) {
	switch in.Pattern {
	case "line":
		if in.Step == (world.Vec3{}) && in.Count > 1 {
			return nil, registry.Invalidf("step: must not be zero: all would be at the same place; give metres x, y, z from one to the next, such as [2,0,0]")
		}
		return in.line(t), nil
	case "grid":
		return in.grid(t)
	default:
		return in.circle(t)
	}
}

// counted refuses a count, a distance or a wish that is for another pattern: it would be left out without a word. That it says the same does
// no harm, nor does one beside that of the pattern.
func (in *ArrayIn) counted() error {
	switch all := in.Counts[0] * in.Counts[1] * in.Counts[2]; {
	case in.Pattern == "grid" && in.Count != 1 && in.Count != all:
		return registry.Invalidf("count: is not for grid; give counts, how many along x, y, z, such as [%d,1,1]", in.Count)
	case in.Pattern != "scatter" && in.Clear:
		return registry.Invalidf("clear: is for scatter only; leave it out for %s", in.Pattern)
	case in.Pattern != "scatter" && in.Area != nil:
		return registry.Invalidf("area: is for scatter only; leave it out for %s", in.Pattern)
	case in.Pattern != "scatter" && in.Apart != 0:
		return registry.Invalidf("apart: is for scatter only; leave it out for %s", in.Pattern)
	case in.Pattern == "scatter" && in.OnGround && !in.Ground:
		return registry.Invalidf("onGround: says that each stands on what is below it, and ground that none does; leave one of them out")
	case in.Pattern == "grid" && in.OnGround && in.Counts[1] > 1:
		return registry.Invalidf("onGround: is not for a grid with several along y: those above each other would stand in one place; give 1 along y")
	case in.Pattern == "circle" && in.OnGround && in.Rise != 0:
		return registry.Invalidf("onGround: is not for a circle with rise; leave one of them out")
	case in.Pattern != "scatter" && in.Outdoors:
		return registry.Invalidf("outdoors: is for scatter only; leave it out for %s", in.Pattern)
	case in.Pattern != "grid" && all != 1 && all != in.Count:
		return registry.Invalidf("counts: is for grid only; for %s give count, such as %d", in.Pattern, min(all, maxCopies))
	case in.Pattern == "line" && in.Spacing != (world.Vec3{}) && in.Step == (world.Vec3{}):
		return registry.Invalidf("spacing: is for grid only; for line give step, such as [%v,%v,%v]", in.Spacing[0], in.Spacing[1], in.Spacing[2])
	case in.Pattern == "grid" && in.Step != (world.Vec3{}) && in.Spacing == (world.Vec3{}) && all != 1:
		return registry.Invalidf("step: is for line only; for grid give spacing, how far it is along x, y, z, such as [%v,%v,%v]", in.Step[0], in.Step[1], in.Step[2])
	}
	return in.wound()
}

// wound refuses rounds and rise where they are for another pattern, and those that go round in themselves.
func (in *ArrayIn) wound() error {
	round := math.Abs(in.Rounds)
	switch {
	case in.Pattern != "circle" && in.Rise != 0:
		return registry.Invalidf("rise: is for circle only; %s", map[string]string{
			"line":    fmt.Sprintf("for line let step go up, such as [%v,%v,%v]", in.Step[0], in.Rise, in.Step[2]),
			"grid":    "for grid let spacing go up",
			"path":    "for path let y of points go up",
			"scatter": "leave it out for scatter",
		}[in.Pattern])
	case in.Pattern != "circle" && in.Radius != 0:
		return registry.Invalidf("radius: is for circle only; leave it out for %s", in.Pattern)
	case in.Pattern != "circle" && in.Rounds != 0:
		return registry.Invalidf("rounds: is for circle only; leave it out for %s", in.Pattern)
	case in.Pattern != "circle" && in.Axis != "y":
		return registry.Invalidf("axis: is for circle only; leave it out for %s", in.Pattern)
	case in.Axis != "y" && in.OnGround:
		return registry.Invalidf("onGround: is for a circle that lies, with axis y; leave one of them out")
	case in.Pattern != "circle":
		return nil
	case in.Step != (world.Vec3{}):
		return registry.Invalidf("step: is for line only; for circle give rise, the metres that each one is higher than the one before, such as %v", in.Step[1])
	case round == 0:
		return nil
	case in.Angle != wholeTurn:
		return registry.Invalidf("rounds: takes the place of angle, which is given too; leave one of them out")
	case round < 1:
		return registry.Invalidf("rounds: must be 1 or more; for less than a whole turn give angle instead, such as %.4g", float64(2*math.Pi*in.Rounds))
	case round > 1 && in.Rise == 0:
		return registry.Invalidf("rise: has to be given for more rounds than 1: they would lie in each other")
	case float64(in.Count) < float64(3*round):
		return registry.Invalidf("count: must be 3 or more for each round, %d for %v rounds, got %d", int(math.Ceil(float64(3*round))), in.Rounds, in.Count)
	}
	return nil
}

// wholeTurn is the angle of a circle of which none is given.
const wholeTurn = 6.283185307179586

func (in *ArrayIn) line(t world.Transform) (places []world.Transform) {
	for i := 1; i < in.Count; i++ {
		p := t
		p.Position = t.Position.Add(in.Step.Scale(float64(i)))
		places = append(places, p)
	}
	return places
}

// maxCopies is how many copies one call may make.
const maxCopies = 500

func (in *ArrayIn) grid(t world.Transform) (places []world.Transform, err error) {
	n := in.Counts
	for i, axis := range "xyz" {
		if n[i] > 1 && in.Spacing[i] == 0 {
			return nil, registry.Invalidf("spacing: must not be zero along %c, where there are %d", axis, n[i])
		}
	}
	if n[0]*n[1]*n[2] > maxCopies+1 {
		return nil, registry.Invalidf("counts: %d by %d by %d are %d, at most %d are allowed", n[0], n[1], n[2], n[0]*n[1]*n[2], maxCopies+1)
	}
	for y := range n[1] {
		for z := range n[2] {
			for x := range n[0] {
				if x == 0 && y == 0 && z == 0 {
					continue
				}
				p := t
				p.Position = t.Position.Add(in.Spacing.Mul(world.Vec3{float64(x), float64(y), float64(z)}))
				places = append(places, p)
			}
		}
	}
	return places, nil
}

// out is where the original goes that is to be as far from the middle of a circle as its radius is: the way that it is from there already, or
// towards +x, and up where it stands.
func (in *ArrayIn) out(t world.Transform) world.Transform {
	way, axis := t.Position.Sub(in.Center), in.axis()
	way[axis] = 0
	if way.Len() < 1e-9 {
		way = world.Vec3{}
		way[[3]int{1, 0, 1}[axis]] = 1
	}
	along := t.Position[axis]
	t.Position = in.Center.Add(way.Scale(in.Radius / way.Len()))
	t.Position[axis] = along
	return t
}

// axis is along which the circle does not go.
func (in *ArrayIn) axis() int { return strings.Index("xyz", in.Axis) }

// circle goes round counter-clockwise as seen from where its axis points, and that way by rise from one to the next. A whole turn is cut into as many
// parts as there are things, and so are several, another angle into one less, so that the last is at its end.
func (in *ArrayIn) circle(t world.Transform) (places []world.Transform, err error) {
	arm, axis := t.Position.Sub(in.Center), in.axis()
	flat := arm
	if flat[axis] = 0; flat == (world.Vec3{}) {
		if arm != flat {
			return nil, registry.Invalidf(`center: the original is straight along %s from it, and that is what the circle goes round; give radius, another center, or another axis: "z" for a wheel that is seen from the front`, in.Axis)
		}
		return nil, registry.Invalidf("center: must not be where the original is: its distance is the radius; give radius, or another center")
	}
	angle, parts := in.Angle, float64(in.Count)
	if in.Rounds != 0 {
		angle = 2 * math.Pi * in.Rounds
	} else if math.Abs(in.Angle) < 2*math.Pi-1e-6 {
		parts--
	}
	for i := 1; i < in.Count; i++ {
		var by world.Vec3
		by[axis] = float64(angle*float64(i)) / parts
		turn := world.QuatFromEuler(by[0], by[1], by[2])
		p := t
		p.Position = in.Center.Add(turn.Rotate(arm))
		p.Position[axis] += float64(in.Rise * float64(i))
		if in.Turn {
			p.Rotation = turn.Mul(t.Rotation)
		}
		places = append(places, p)
	}
	return places, nil
}
