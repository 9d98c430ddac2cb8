package animation

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Travel is the component of what follows a path. Where that is in a step follows from it and from the path alone. Viewers get it.
type Travel struct {
	Path    string   `json:"pathId"`
	Speed   float64  `json:"speed"`                  // m/s
	Gentle  float64  `json:"acceleration,omitempty"` // m/s²
	Ends    string   `json:"ends,omitempty"`         // "turn", "stop", "again"; of a closed path ""
	Wait    float64  `json:"wait,omitempty"`         // seconds at each end
	Express bool     `json:"express,omitempty"`      // it stops nowhere on its way
	Reverse bool     `json:"reverse,omitempty"`      // the other way round
	Start   uint64   `json:"start"`                  // the simulation step in which it began
	Phase   float64  `json:"phase,omitempty"`        // seconds in the timetable at which it did
	Lead    world.ID `json:"lead,omitempty"`         // the first of its train; 0: it is that itself
	Behind  float64  `json:"behind,omitempty"`       // metres behind the middle of the train
	Long    float64  `json:"long,omitempty"`         // metres from the middle of the train to its first
	Ended   bool     `json:"ended,omitempty"`        // it is at its end

	About  bool             `json:"turnAround,omitempty"`
	Level  bool             `json:"level,omitempty"`
	Height float64          `json:"height,omitempty"`
	Side   float64          `json:"side,omitempty"`
	Front  string           `json:"front,omitempty"`
	Axles  float64          `json:"axles"`           // metres before and behind its middle at which it is on the way
	In     *world.Transform `json:"in,omitempty"`    // the space in which it is, when it began; nil: the world
	Moved  *world.Transform `json:"moved,omitempty"` // how it was moved since, in that space, turned and shifted; nil: it was not
}

// later returns what goes on past steps later where t is.
func (t Travel) later(past uint64) Travel {
	t.Start += past
	return t
}

// kin is what a copy of what follows a path does: it goes with the copy of its train, or, if that is not copied, by itself. copyOf returns what has become
// of an entity that is copied.
func (t Travel) kin(_ bool, copyOf func(world.ID) (world.ID, bool)) (Travel, bool) {
	if t.Lead != 0 {
		t.Lead, _ = copyOf(t.Lead)
	}
	return t, true
}

// seconds returns where in its timetable something is in a step.
func (t *Travel) seconds(step uint64, rate int) float64 {
	return t.Phase + float64(step-t.Start)/float64(rate)
}

// place returns where what follows a path is, in the space that it is in, when the middle of its train is somewhere; and how far along the path that is.
func (t *Travel) place(p *plan, at instance) (place world.Transform, far float64) {
	sign := 1.0
	far = at.at - t.Behind
	if t.Reverse {
		sign, far = -1, p.way.Length()-far
	}
	far = p.way.Round(far)
	middle, tangent := p.way.At(far)
	before, _ := p.way.At(p.way.Round(far + t.Axles))
	behind, _ := p.way.At(p.way.Round(far - t.Axles))
	along, ok := before.Sub(behind).Unit()
	if !ok {
		along = tangent
	}
	right := world.Vec3{-along[2], 0, along[0]} // of the path, whichever way round it is followed
	if side, ok := right.Unit(); ok {
		middle = middle.Add(side.Scale(t.Side))
	}
	ahead := along.Scale(sign)
	if t.Level {
		ahead[1] = 0
		if ahead, ok = ahead.Unit(); !ok {
			ahead = world.Vec3{0, 0, 1}
		}
	}
	turn := curve.Facing(ahead)
	middle = middle.Add(turn.Rotate(world.Vec3{0, t.Height, 0}))
	if t.About && at.turn != 0 {
		turn = turn.Mul(world.QuatFromEuler(0, float64(math.Pi*at.turn), 0))
	}
	place = world.Transform{Position: middle, Rotation: turn.Mul(axis(t.Front)), Scale: world.Vec3{1, 1, 1}}
	if t.In != nil {
		place = t.In.Relative(place)
	}
	if t.Moved != nil {
		place = t.Moved.Apply(place)
	}
	return place, far
}

// moved has a way be where somebody has moved what follows it: from one place to another.
func (t *Travel) moved(from, to *world.Transform) {
	turn := to.Rotation.Mul(from.Rotation.Conj())
	shift := world.Transform{Rotation: turn, Position: to.Position.Sub(turn.Rotate(from.Position)), Scale: world.Vec3{1, 1, 1}}
	if t.Moved != nil {
		shift = shift.Apply(*t.Moved)
	}
	shift.Scale = world.Vec3{1, 1, 1}
	if q, ok := shift.Rotation.Unit(); ok {
		shift.Rotation = q
	}
	t.Moved = &shift
}

// ride has an entity that follows a path be where it is in this step, at rest of what else it plays.
func (c *Clips) ride(tx *world.Tx, id world.ID, t Travel, at *pose) (now Travel, rides bool, err error) {
	p, ok := c.plan(&tx.View, t.Path)
	if !ok { // it was taken back
		c.travels.Remove(tx, id)
		return Travel{}, false, nil
	}
	changed := false
	if old, was := c.poses.Get(&tx.View, id); was {
		if now, _ := tx.Transform(id); now.Position != old.At.Position || now.Rotation != old.At.Rotation {
			t.moved(&old.Rest, &at.Rest)
			changed = true
		}
	}
	tt := c.timetable(p, &t)
	is := tt.at(t.seconds(tx.Step(), c.w.StepRate()))
	place, _ := t.place(p, is)
	at.Rest.Position, at.Rest.Rotation = place.Position, place.Rotation
	if is.ended != t.Ended {
		t.Ended, changed = is.ended, true
		if t.Ended {
			err = c.arrive(tx, id, &t, "ended", nil)
		}
	}
	if changed && err == nil {
		err = c.travels.Set(tx, id, t)
	}
	if err != nil || t.Lead != 0 || tx.Step() == t.Start || len(p.Stops) == 0 || t.Express {
		return t, true, err
	}
	return t, true, c.call(tx, id, &t, p, tt.at(t.seconds(tx.Step()-1, c.w.StepRate())).stop, is.stop)
}

// call tells of the stop of a path that something has left, and of the one to which it has come; -1: none.
func (c *Clips) call(tx *world.Tx, id world.ID, t *Travel, p *plan, left, come int) error {
	if left == come {
		return nil
	}
	if left >= 0 {
		if err := c.arrive(tx, id, t, "left", &p.Stops[left]); err != nil {
			return err
		}
	}
	if come >= 0 {
		return c.arrive(tx, id, t, "arrived", &p.Stops[come])
	}
	return nil
}

// Arrival is what is said of what has come to a stop, has left one, or is at the end of its path: the event "path.arrived" and the like.
type Arrival struct {
	Path    string  `json:"pathId"`
	Stop    string  `json:"stop,omitempty"`
	Seconds float64 `json:"seconds,omitempty"` // for how long it stops
}

// OnArrive has fn told of what comes to stops, where the world is put together: what is arrived, left or ended.
func (c *Clips) OnArrive(fn func(tx *world.Tx, id world.ID, what string, a Arrival) error) {
	c.arrived = fn
}

func (c *Clips) arrive(tx *world.Tx, id world.ID, t *Travel, what string, at *halt) error {
	if c.arrived == nil || t.Lead != 0 {
		return nil
	}
	a := Arrival{Path: t.Path}
	if at != nil {
		a.Stop, a.Seconds = at.Name, at.Seconds
	}
	return c.arrived(tx, id, what, a)
}

// brief reports whether something comes to the end of its path, and stays there.
func (t *Travel) brief() bool { return t.Ends == "stop" && !t.Ended }

// alight ends that an entity follows a path, and leaves it as it is.
func (c *Clips) alight(tx *world.Tx, id world.ID) error {
	if !c.travels.Remove(tx, id) {
		return nil
	}
	p, plays := c.playing.Get(&tx.View, id)
	if !plays {
		return c.settle(tx, id)
	}
	return c.stir(tx, id, p)
}

// train returns those that follow a path in the train of which an entity is the first: those behind it.
func (c *Clips) train(v *world.View, lead world.ID) (all []world.ID) {
	for id, t := range c.travels.All(v) {
		if t.Lead == lead {
			all = append(all, id)
		}
	}
	return all
}

// long returns how long an entity is from its front to its back, with all below it, however it is turned.
func (c *Clips) long(v *world.View, id world.ID, front string) float64 {
	own, _ := v.WorldTransform(id)
	ahead := own.Rotation.Mul(axis(front).Conj()).Rotate(world.Vec3{0, 0, 1})
	back, most := math.Inf(1), math.Inf(-1)
	reach := func(id world.ID) {
		if s, ok := solid.Of(c.w, v, id); ok {
			most = max(most, s.Support(ahead).Dot(ahead))
			back = min(back, s.Support(ahead.Scale(-1)).Dot(ahead))
		}
	}
	reach(id)
	for e := range v.Below(id) {
		reach(e)
	}
	return max(most-back, 0)
}

// rideable reports why an entity cannot follow a path.
func (c *Clips) rideable(tx *world.Tx, id world.ID, field string) error {
	if c.own(&tx.View, id) {
		return registry.Failf("%s: %s goes where it is sent, by its feet or its agent: navmesh.moveTo and player.move have it go; what follows a path is a thing, on which it may stand or which it may be put under", field, id)
	}
	return nil
}

// FollowIn is the input of animation.follow.
type FollowIn struct {
	Entities     []world.ID      `json:"entities,omitempty" validate:"max=64" jsonschema_description:"What follows the path: one thing, or the cars of a train, its first in front. Each goes with all below it."`
	Entity       world.ID        `json:"entity,omitempty" jsonschema_description:"The same for one thing."`
	PathID       string          `json:"pathId" validate:"min=1,max=128" jsonschema_description:"The path, as animation.authorPath calls it."`
	Speed        float64         `json:"speed" validate:"gt=0,lte=200" jsonschema:"default=5" jsonschema_description:"Metres a second."`
	Acceleration float64         `json:"acceleration" validate:"gte=0,lte=100" jsonschema:"default=1" jsonschema_description:"How gently it sets off and stops at stops and ends, in m/s²; 0: at once."`
	From         *float64        `json:"from,omitempty" validate:"omitempty,gte=0" jsonschema_description:"How far along the path the first begins, in metres. Left out: at the place of the path that is nearest to where it is."`
	Spacing      float64         `json:"spacing" validate:"gte=0,lte=1000" jsonschema:"default=0" jsonschema_description:"Metres from the middle of one car to that of the next. 0: as long as they are, and 0.3 m."`
	Reverse      bool            `json:"reverse" jsonschema:"default=false" jsonschema_description:"Whether it follows the path the other way round, from its last point to its first."`
	Ends         string          `json:"ends,omitempty" validate:"omitempty,oneof=turn stop again" jsonschema_description:"At the end of a path that is not closed: turn (default) goes back and to and fro, stop stays there, again begins anew at the begin."`
	Wait         float64         `json:"wait" validate:"gte=0,lte=86400" jsonschema:"default=2" jsonschema_description:"Seconds it waits at the ends."`
	TurnAround   bool            `json:"turnAround" jsonschema:"default=false" jsonschema_description:"Whether it turns about at the ends, while it waits, as a boat does; else it goes back backwards, as a tram does."`
	Stops        bool            `json:"stops" jsonschema:"default=true" jsonschema_description:"Whether it stops at the stops of the path."`
	Front        string          `json:"front" validate:"oneof=z -z x -x" jsonschema:"default=z" jsonschema_description:"Which of its own axes goes ahead. How it is turned now counts for nothing."`
	Level        bool            `json:"level" jsonschema:"default=false" jsonschema_description:"Whether it stays level where the path goes up and down, as a gondola or a lift; else its front goes up and down with it."`
	Height       float64         `json:"height" validate:"gte=-1000,lte=1000" jsonschema:"default=0" jsonschema_description:"Metres of its own middle, or of the origin of a group, above the path: half its height, for a box on rails."`
	Side         float64         `json:"side" validate:"gte=-1000,lte=1000" jsonschema:"default=0" jsonschema_description:"Metres to the right of the path, as its points go; below 0 to the left: the second track of a line."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.followed."`
}

// FollowOut is the output of animation.follow.
type FollowOut struct {
	OK      bool         `json:"ok" jsonschema_description:"Always true."`
	Length  float64      `json:"length" jsonschema_description:"How long the path is, in metres."`
	Seconds float64      `json:"seconds" jsonschema_description:"How long it takes with all stops: once round, there and back, or to the end."`
	Places  []world.Vec3 `json:"places" jsonschema_description:"Where each is now, in the world."`
	Note    string       `json:"note,omitempty" jsonschema_description:"What may not be as you meant it."`
}

func (c *Clips) follow() registry.Skill {
	return registry.Define(registry.Spec[FollowIn, FollowOut]{
		Name:  "animation.follow",
		Title: "Follow a path",
		Description: "Have an entity, or a train of several, follow a path of animation.authorPath, its front ahead, at a constant speed, stopping at its stops: round and round, to and fro, or once. It is on the path at once, and simulation steps move it; it carries who stands on it. Events tell listeners where it is: path.arrived, path.left, path.ended. animation.stop of it, or of the first of a train, ends that, and another animation.follow has it go on from there otherwise. " +
			`Who walks uses navmesh.moveTo. Examples: {"entities":["ent_3","ent_4","ent_5"],"pathId":"line","speed":8,"height":0.9}, {"entity":"ent_9","pathId":"river","speed":2,"turnAround":true,"level":true}`,
		Keywords:    "move along path curve train wagons tram boat ship bus car vehicle track rail route patrol loop shuttle ferry drive convoy",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in FollowIn) (FollowOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (FollowOut, error) {
				return c.sendOff(tx, call, &in)
			})
		},
	})
}

// gap is what is free between the cars of a train, in metres, unless their spacing is said.
const gap = 0.3

// sendOff has entities follow a path.
func (c *Clips) sendOff(tx *world.Tx, call *registry.Call, in *FollowIn) (out FollowOut, err error) {
	field := func(int) string { return "entity" }
	switch {
	case len(in.Entities) > 0 && in.Entity != 0:
		return out, registry.Invalidf("entity: say either entity or entities, not both")
	case in.Entity != 0:
		in.Entities = []world.ID{in.Entity}
	case len(in.Entities) == 0:
		return out, registry.Invalidf("entities: is required: what follows the path, the first of a train in front")
	default:
		field = func(i int) string { return fmt.Sprintf("entities[%d]", i) }
	}
	p, err := c.findPath(&tx.View, "pathId", in.PathID)
	if err != nil {
		return out, err
	}
	if p.Closed && in.Ends != "" {
		return out, registry.Invalidf("ends: the path %.40q is closed, and has no ends: leave it out", in.PathID)
	}
	length := p.way.Length()
	if in.From != nil && *in.From > length {
		return out, registry.Invalidf("from: must be at most the length of the path, %.5g m, got %v", length, *in.From)
	}
	for i, id := range in.Entities {
		if !tx.Exists(id) {
			return out, registry.Under(field(i), tx.Unknown(id))
		}
		if err := c.guard(&tx.View, call.Principal(), id); err != nil {
			return out, err
		}
		if err := c.rideable(tx, id, field(i)); err != nil {
			return out, err
		}
		for k, other := range in.Entities {
			if k != i && tx.Within(id, other) {
				return out, registry.Invalidf("%s: %s is in %s, with which it goes anyhow: name one of them", field(i), id, other)
			}
		}
	}
	travels, err := c.coupled(tx, in, p)
	if err != nil {
		return out, err
	}
	gone := map[world.ID]bool{}
	for _, id := range in.Entities {
		gone[id] = true
	}
	for _, id := range in.Entities { // a train that loses its first stays behind
		for _, behind := range c.train(&tx.View, id) {
			if gone[behind] {
				continue
			}
			if err := c.alight(tx, behind); err != nil {
				return out, err
			}
		}
	}
	for i, id := range in.Entities {
		if err := c.board(tx, id, &travels[i], p, field(i)); err != nil {
			return out, err
		}
		at, _ := tx.WorldTransform(id)
		out.Places = append(out.Places, shown.Point(at.Position))
	}
	tt := c.timetable(p, &travels[0])
	out.OK, out.Length, out.Seconds, out.Note = true, shown.Number(length), shown.Number(tt.period), tt.doubts(&travels[0])
	return out, call.Emit("animation.followed", event{Entity: in.Entities[0], Path: in.PathID, Meta: in.Meta})
}

// coupled returns how each of a train follows its path.
func (c *Clips) coupled(tx *world.Tx, in *FollowIn, p *plan) ([]Travel, error) {
	travels := make([]Travel, len(in.Entities))
	reach, last := 0.0, 0.0 // how far each is behind the first
	for i, id := range in.Entities {
		long := c.long(&tx.View, id, in.Front)
		switch {
		case i > 0 && in.Spacing > 0:
			reach += in.Spacing
		case i > 0:
			reach += (last+long)/2 + gap
		}
		last = long
		travels[i] = Travel{
			Path: in.PathID, Speed: in.Speed, Gentle: in.Acceleration, Ends: in.Ends, Wait: in.Wait, Express: !in.Stops, Reverse: in.Reverse, Start: tx.Step(),
			Behind: reach, About: in.TurnAround, Level: in.Level, Height: in.Height, Side: in.Side, Front: in.Front, Axles: min(max(long*0.35, 0.05), p.way.Length()/4),
		}
		t := &travels[i]
		if p.Closed {
			t.Wait = 0
		} else if t.Ends == "" {
			t.Ends = "turn"
		}
		if t.Front == "z" {
			t.Front = ""
		}
		if i > 0 {
			t.Lead = in.Entities[0]
		}
		if above := tx.Parent(id); above != 0 {
			if space, _ := tx.WorldTransform(above); space != world.Identity() {
				for _, s := range space.Scale {
					if s == 0 {
						return nil, registry.Failf("entity: %s is in %s, which has a scale of 0", id, above)
					}
				}
				t.In = &space
			}
		}
	}
	length := p.way.Length()
	if reach > length {
		return nil, registry.Invalidf("entities: the train is %.5g m long, and the path %.5g: name fewer, or let points be farther apart", reach, length)
	}
	var far float64
	if in.From != nil {
		far = *in.From
	} else {
		at, _ := tx.WorldTransform(in.Entities[0])
		far, _ = p.way.Nearest(at.Position.Sub(world.Vec3{0, in.Height, 0}))
	}
	if in.Reverse {
		far = length - far
	}
	for i := range travels {
		travels[i].Long = reach / 2
		travels[i].Behind -= reach / 2
	}
	middle := p.way.Round(far - reach/2)
	phase := newTimetable(p, &travels[0]).begins(middle)
	for i := range travels {
		travels[i].Phase = phase
	}
	return travels, nil
}

// board has an entity follow a path from now on, and puts it there.
func (c *Clips) board(tx *world.Tx, id world.ID, t *Travel, p *plan, field string) error {
	if err := c.room(&tx.View, id); err != nil {
		return err
	}
	if err := c.free(tx, id, field); err != nil {
		return err
	}
	c.halt(tx, id)
	playing, _ := c.playing.Get(&tx.View, id)
	at := c.pose(&tx.View, id)
	place, _ := t.place(p, c.timetable(p, t).at(t.Phase))
	at.Rest.Position, at.Rest.Rotation = place.Position, place.Rotation
	l := c.mixed(&tx.View, id, &at, playing, tx.Step())
	if err := c.show(tx, id, &at, &l); err != nil {
		return err
	}
	if err := c.poses.Set(tx, id, at); err != nil {
		return err
	}
	if err := c.travels.Set(tx, id, *t); err != nil {
		return err
	}
	return c.stir(tx, id, playing)
}

// doubts says what of how something follows a path may not be as it was meant.
func (tt *timetable) doubts(t *Travel) string {
	if tt.at(t.Phase).ended {
		return "it is at the end of the path already, where it stays: with reverse it goes back, and from says where else it begins"
	}
	longest := 0.0
	for i := range tt.runs {
		longest = max(longest, math.Abs(tt.runs[i].to-tt.runs[i].from))
	}
	if pace := tt.pace; float64(longest*tt.gentle) < float64(pace*pace) && tt.gentle > 0 {
		return fmt.Sprintf("it never gets to %v m/s: its longest way without a stop is %.4g m, on which an acceleration of %v m/s² takes it to %.3g m/s; with a larger acceleration, or 0, it does", pace, longest, tt.gentle, math.Sqrt(longest*tt.gentle))
	}
	return ""
}

// Stay reports that an entity goes along a path, and so nowhere else by itself.
func (c *Clips) Stay(v *world.View, id world.ID) error {
	if t, ok := c.travels.Get(v, id); ok {
		return registry.Failf("%v follows the path %.40q: animation.stop has it leave that, so that it can be sent elsewhere", id, t.Path)
	}
	return nil
}

// Leave has a function have what is going to follow a path not be on its way elsewhere any more. It is called once, where the world is put together.
func (c *Clips) Leave(halt func(tx *world.Tx, id world.ID) bool) { c.halt = halt }

// OffTrack says that what is moved follows a path, and that this goes along with it, "" if it follows none.
func (c *Clips) OffTrack(v *world.View, id world.ID) string {
	t, ok := c.travels.Get(v, id)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%v follows the path %.40q, and takes its own way along, beside the path, from here on; animation.follow with from puts it elsewhere on the path, animation.stop first has it stay where it is put", id, t.Path)
}

// Underway is where something is on its path.
type Underway struct {
	PathID string  `json:"pathId" jsonschema_description:"The path."`
	At     float64 `json:"at" jsonschema_description:"How far along it the entity is, in metres."`
	Length float64 `json:"length" jsonschema_description:"How long the path is."`
	Stop   string  `json:"stop,omitempty" jsonschema_description:"The stop at which it waits."`
	Back   bool    `json:"back,omitempty" jsonschema_description:"Whether it is on its way back, or goes round the other way."`
	Ended  bool    `json:"ended,omitempty" jsonschema_description:"Whether it is at its end, and stays there."`
}

// underway returns where an entity is on its path, nil if it follows none.
func (c *Clips) underway(v *world.View, id world.ID) *Underway {
	t, ok := c.travels.Get(v, id)
	if !ok {
		return nil
	}
	p, ok := c.plan(v, t.Path)
	if !ok {
		return nil
	}
	now := c.timetable(p, &t).at(t.seconds(v.Step(), c.w.StepRate()))
	_, far := t.place(p, now)
	out := &Underway{PathID: t.Path, At: far, Length: p.way.Length(), Back: now.back != t.Reverse, Ended: now.ended}
	if now.stop >= 0 {
		out.Stop = p.Stops[now.stop].Name
	}
	return out
}
