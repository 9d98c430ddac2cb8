package animation

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

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
	Bank         float64         `json:"bank" validate:"gte=-60,lte=60" jsonschema:"default=0" jsonschema_description:"How many degrees it leans into bends at most, the more the faster it is and the narrower they are: 30 for a plane or a bicycle, 8 for a fast train; below 0 out of them, as a bus."`
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
		Keywords:    "move along path curve train wagons tram boat ship bus car vehicle track rail route patrol loop shuttle ferry drive convoy lean tilt bank roll curve bend plane",
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
	travels, err := c.coupled(tx, in, p, call.Principal().ID)
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
		if err := c.trespasses(&tx.View, call.Principal().ID, id, &travels[i], p); err != nil {
			return out, err
		}
		if err := c.board(tx, id, &travels[i], p, field(i)); err != nil {
			return out, err
		}
		at, _ := tx.WorldTransform(id)
		out.Places = append(out.Places, shown.Point(at.Position))
	}
	tt := c.timetable(p, &travels[0])
	out.OK, out.Length, out.Seconds = true, shown.Number(length), shown.Number(tt.period)
	out.Note = shown.Notes(tt.doubts(&travels[0]), c.sunk(&tx.View, in.Entities[0], &travels[0]))
	return out, call.Emit("animation.followed", event{Entity: in.Entities[0], Path: in.PathID, Meta: in.Meta})
}

// coupled returns how each of a train follows its path.
func (c *Clips) coupled(tx *world.Tx, in *FollowIn, p *plan, by string) ([]Travel, error) {
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
			Path: in.PathID, Speed: in.Speed, Gentle: in.Acceleration, Ends: in.Ends, Wait: in.Wait, Express: !in.Stops, Reverse: in.Reverse, Start: tx.Step(), By: by,
			Behind: reach, About: in.TurnAround, Level: in.Level, Height: in.Height, Side: in.Side, Front: in.Front, Bank: in.Bank, Axles: min(max(long*0.35, 0.05), p.way.Length()/4),
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

// deep is how far below its path something reaches that is told so, in its height.
const deep = 0.2

// sunk says that something reaches deep below the path that it follows, as a car does whose middle is on the road, and what has it stand there; "" if it does not.
func (c *Clips) sunk(v *world.View, id world.ID, t *Travel) string {
	at, _ := v.WorldTransform(id)
	if t.Height != 0 { // it is put there on purpose
		return ""
	}
	room := solid.Tree(c.w, v, id)
	tall, below := room.Hi[1]-room.Lo[1], at.Position[1]-room.Lo[1]
	if !(tall > 0) || below < deep*tall || math.IsInf(tall, 0) {
		return ""
	}
	return fmt.Sprintf("%v reaches %.3g m below the path: with height %.4g it stands on it", id, below, math.Ceil(below*1000)/1000)
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
