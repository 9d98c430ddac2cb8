package animation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// path is a way that things follow, as the world keeps it. Rows are immutable.
type path struct {
	Points   []world.Vec3 `json:"points"`
	Closed   bool         `json:"closed,omitempty"`
	Straight bool         `json:"straight,omitempty"`
	Heights  []float64    `json:"heights,omitempty"` // of the ground below each point of the way; nil: those of the points are the world's
	Stops    []halt       `json:"stops,omitempty"`   // in the order in which the way leads to them
}

// halt is where what follows a path stops.
type halt struct {
	Name    string  `json:"name"`
	At      float64 `json:"at"` // metres along the way
	Seconds float64 `json:"seconds"`
}

// way returns the way of a path.
func (p *path) way() *curve.Way {
	return curve.New(p.Points, !p.Straight, p.Closed).Raised(p.Heights)
}

// plan is a path with what follows from it.
type plan struct {
	path
	way *curve.Way
}

// plan returns a path, with its way.
func (c *Clips) plan(v *world.View, id string) (*plan, bool) {
	row, ok := c.paths.Get(v, id)
	if !ok {
		return nil, false
	}
	c.drawn.Lock()
	defer c.drawn.Unlock()
	// A path that was put in place of another, or is there again after an undo, has points of its own.
	if known := c.drawn.plans[id]; known != nil && &known.Points[0] == &row.Points[0] {
		return known, true
	}
	if len(c.drawn.plans) >= MaxPaths {
		clear(c.drawn.plans)
	}
	made := &plan{row, row.way()}
	c.drawn.plans[id] = made
	return made, true
}

// AuthorPathIn is the input of animation.authorPath.
type AuthorPathIn struct {
	ID       string          `json:"id" validate:"min=1,max=128" jsonschema_description:"What animation.follow calls it. A path of that id is replaced, also for what follows it."`
	Points   []world.Vec3    `json:"points" validate:"min=2,max=200" jsonschema_description:"What it goes through, [x, y, z] each, in metres of the world. scene.array with pattern path lays rails, a road or a river bed along the same points."`
	Closed   bool            `json:"closed" jsonschema:"default=false" jsonschema_description:"Whether it goes on from the last point to the first, round and round."`
	Smooth   bool            `json:"smooth" jsonschema:"default=true" jsonschema_description:"Whether it is a curve through the points; false goes straight from one to the next."`
	OnGround bool            `json:"onGround" jsonschema:"default=false" jsonschema_description:"Count the heights of the points from the ground, as it is now."`
	Stops    []PathStop      `json:"stops,omitempty" validate:"max=64" jsonschema_description:"Where what follows it stops."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.pathAuthored."`
}

// PathStop is a stop of a path that is to be.
type PathStop struct {
	Name     string     `json:"name,omitempty" validate:"max=64" jsonschema_description:"Its name, in the events path.arrived:NAME and path.left:NAME. Left out: its number, from 1."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where it is, about: the place of the path that is nearest. There the middle of a train stops."`
	Seconds  float64    `json:"seconds" validate:"gte=0.1,lte=86400" jsonschema:"default=5" jsonschema_description:"How long."`
}

// JSONWords says what a stop is.
func (PathStop) JSONWords() string {
	return `an object with position (optional: name, seconds), as {"name":"Mill","position":[12,0,3],"seconds":5}`
}

// AuthorPathOut is the output of animation.authorPath.
type AuthorPathOut struct {
	OK     bool          `json:"ok" jsonschema_description:"Always true."`
	Length float64       `json:"length" jsonschema_description:"How long it is, in metres; once round, if it is closed."`
	Stops  []PathStopped `json:"stops,omitempty" jsonschema_description:"Its stops, in the order in which it leads to them."`
	Note   string        `json:"note,omitempty" jsonschema_description:"What may be a mistake."`
}

// PathStopped is a stop of a path, as it came to be.
type PathStopped struct {
	Name     string     `json:"name" jsonschema_description:"Its name."`
	At       float64    `json:"at" jsonschema_description:"How far along the path it is, in metres."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where that is."`
	Off      float64    `json:"off,omitempty" jsonschema_description:"How far that is from where you said, in metres, if it is more than half a metre: between its points a path curves. A point at the stop has it pass there."`
}

// off is how far beside its path a stop may be said before that is told, in metres.
const off = 0.5

// farOff is how far, in metres, a stop may be said beside its path before who says so is told.
const farOff = 6.0

// maxLength is how long a path is at most, in metres.
const maxLength = 1e6

func (c *Clips) authorPath() registry.Skill {
	return registry.Define(registry.Spec[AuthorPathIn, AuthorPathOut]{
		Name:  "animation.authorPath",
		Title: "Make a path to follow",
		Description: "Make a path, a curve through points, closed or open, with stops, that entities go along by animation.follow: the track of a train, the line of a tram, the course of a boat, a patrol by air. It draws nothing: rails and roads are laid along the same points by scene.array with pattern path. For motion about one place use animation.authorClip. " +
			`Example: {"id":"line","points":[[0,0.2,0],[30,0.2,4],[36,0.2,30],[0,0.2,34]],"closed":true,"stops":[{"name":"Mill","position":[30,0,4],"seconds":6}]}`,
		Keywords:    "curve track rail railway train tram bus boat ship plane route line spline waypoints circuit loop stops station vehicle traffic cable car rollercoaster",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in AuthorPathIn) (AuthorPathOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (AuthorPathOut, error) {
				made, out, err := c.made(&tx.View, &in)
				if err != nil {
					return AuthorPathOut{}, err
				}
				if err := c.putPath(tx, call.Principal(), in.ID, made); err != nil {
					return AuthorPathOut{}, err
				}
				return out, call.Emit("animation.pathAuthored", event{Path: in.ID, Meta: in.Meta})
			})
		},
	})
}

// made returns the path that a caller means.
func (c *Clips) made(v *world.View, in *AuthorPathIn) (path, AuthorPathOut, error) {
	p := path{Points: slices.Clone(in.Points), Closed: in.Closed, Straight: !in.Smooth}
	way := p.way()
	if in.OnGround {
		for _, at := range way.Points() {
			p.Heights = append(p.Heights, c.ground(v, at[0], at[2]))
		}
		way = way.Raised(p.Heights)
	}
	out := AuthorPathOut{OK: true, Length: shown.Number(way.Length())}
	if !(way.Length() > 0.01) {
		return path{}, out, registry.Invalidf("points: must not all be at the same place")
	}
	if !(way.Length() <= maxLength) {
		return path{}, out, registry.Invalidf("points: the way is %.4g m long; at most %v are allowed", way.Length(), maxLength)
	}
	beside := map[float64]float64{} // how far stops were said beside the path, by where on it they are
	for i, s := range in.Stops {
		at, far := way.Nearest(s.Position)
		if in.OnGround { // y may be meant either way
			high := s.Position
			high[1] += c.ground(v, high[0], high[2])
			if other, less := way.Nearest(high); less < far {
				at, far = other, less
			}
		}
		if far > farOff && out.Note == "" {
			out.Note = fmt.Sprintf("stops[%d].position is %.3g m from the path, whose nearest place was taken: is it meant?", i, far)
		}
		at = way.Round(at)
		if far > off {
			beside[at] = shown.Number(far)
		}
		p.Stops = append(p.Stops, halt{cmp.Or(s.Name, strconv.Itoa(i+1)), at, s.Seconds})
	}
	slices.SortStableFunc(p.Stops, func(a, b halt) int { return cmp.Compare(a.At, b.At) })
	for i := range p.Stops {
		s := &p.Stops[i]
		if i > 0 && s.At-p.Stops[i-1].At < 0.01 {
			return path{}, out, registry.Invalidf("stops: %s and %s are at the same place of the path, %.5g m along it", quote.Clip(p.Stops[i-1].Name), quote.Clip(s.Name), s.At)
		}
		at, _ := way.At(s.At)
		out.Stops = append(out.Stops, PathStopped{s.Name, shown.Number(s.At), shown.Point(at), beside[s.At]})
	}
	return p, out, nil
}

// putPath stores a path of a caller's. What follows it goes on by it.
func (c *Clips) putPath(tx *world.Tx, by *profiles.Principal, id string, made path) error {
	all := len(made.Points)
	for name, other := range c.paths.All(&tx.View) {
		if name != id {
			all += len(other.Points)
		}
	}
	if all > MaxAllPoints {
		return registry.Errorf(registry.CodeCapacityExceeded, "points: all paths would have %d together, and may have %d", all, MaxAllPoints)
	}
	if _, there := c.paths.Get(&tx.View, id); !there {
		if err := c.pathsBy.Take(tx, id, by.Owner(), c.paths.Len(&tx.View)); err != nil {
			return err
		}
	}
	if err := c.paths.Set(tx, id, made); err != nil {
		return err
	}
	plan := &plan{made, made.way()}
	for e, t := range c.travels.All(&tx.View) {
		if t.Path == id {
			if err := c.trespasses(&tx.View, by.ID, e, &t, plan); err != nil {
				return err
			}
			p, _ := c.playing.Get(&tx.View, e)
			if err := c.stir(tx, e, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// findPath returns the path that a caller names. The error says which is nearest.
func (c *Clips) findPath(v *world.View, field, id string) (*plan, error) {
	if found, ok := c.plan(v, id); ok {
		return found, nil
	}
	if _, ok := c.rows.Get(v, id); ok {
		return nil, registry.Failf("%s: %q is a clip, no path: animation.play with clipId has something play it", field, quote.Clip(id))
	}
	names := make([]string, 0, c.paths.Len(v))
	for name := range c.paths.All(v) {
		names = append(names, name)
	}
	switch near := wire.Nearest(id, names); {
	case len(names) == 0:
		return nil, registry.Failf("%s: unknown path %q; there is none: animation.authorPath makes one", field, quote.Clip(id))
	case near != "":
		return nil, registry.Failf("%s: unknown path %q, did you mean %q?", field, quote.Clip(id), near)
	}
	const most = 8
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return nil, registry.Failf("%s: unknown path %q; there are %s%s. animation.authorPath makes another", field, quote.Clip(id), strings.Join(names, ", "), more)
}
