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
	Held    uint64   `json:"held,omitempty"`         // the one since which it rests, as who has it go is banned; 0: it does not
	By      string   `json:"by,omitempty"`           // who has it go
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
	Bank   float64          `json:"bank,omitempty"`  // how far it leans into bends at most, in degrees; below 0 out of them
	Axles  float64          `json:"axles"`           // metres before and behind its middle at which it is on the way
	In     *world.Transform `json:"in,omitempty"`    // the space in which it is, when it began; nil: the world
	Moved  *world.Transform `json:"moved,omitempty"` // how it was moved since, in that space, turned and shifted; nil: it was not
}

// later returns what goes on past steps later where t is.
func (t Travel) later(past uint64) Travel {
	t.Start += past
	if t.Held != 0 {
		t.Held += past
	}
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
	if t.Held != 0 {
		step = t.Held
	}
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
	middleOf := middle
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
	if t.Bank != 0 {
		turn = turn.Mul(world.QuatFromEuler(0, 0, float64(-sign*t.lean(p, far, middleOf, at.pace))))
	}
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

// lean is by how much something leans to the left of its path where it is, in radians, when it is so fast: as far as whoever rides a bicycle does, Bank
// at most. A bend is seen over some metres, so that nothing jerks.
func (t *Travel) lean(p *plan, far float64, middle world.Vec3, pace float64) float64 {
	reach := min(max(t.Axles, 2), p.way.Length()/4)
	before, _ := p.way.At(p.way.Round(far + reach))
	behind, _ := p.way.At(p.way.Round(far - reach))
	a, b := middle.Sub(behind), before.Sub(middle)
	cross, dot := float64(a[2]*b[0])-float64(a[0]*b[2]), float64(a[0]*b[0])+float64(a[2]*b[2])
	if cross == 0 && dot <= 0 { // it is at an end
		return 0
	}
	bend := math.Atan2(cross, dot) / reach // radians to a metre
	most := math.Abs(t.Bank) * math.Pi / 180
	lean := min(max(math.Atan(pace*pace*bend/gravity), -most), most)
	if t.Bank < 0 {
		return -lean
	}
	return lean
}

// gravity is what things lean against in bends, in m/s².
const gravity = 9.81

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
	if err != nil || t.Lead != 0 || t.Held != 0 || tx.Step() == t.Start || len(p.Stops) == 0 || t.Express {
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
func (t *Travel) brief() bool { return t.Ends == "stop" && !t.Ended && t.Held == 0 }

// Bar has what follows a path rest where it is, by whom it does for whom nothing is done any more, and go on from there what rests for who is not among them.
func (c *Clips) Bar(tx *world.Tx, barred func(agent string) bool) error {
	for id, t := range c.travels.All(&tx.View) {
		rests := t.By != "" && barred(t.By)
		switch {
		case rests == (t.Held != 0):
			continue
		case rests:
			t.Held = max(tx.Step(), t.Start, 1)
		default:
			t.Start, t.Held = t.Start+max(tx.Step(), t.Held)-t.Held, 0
		}
		if err := c.travels.Set(tx, id, t); err != nil {
			return err
		}
		p, _ := c.playing.Get(&tx.View, id)
		if err := c.stir(tx, id, p); err != nil {
			return err
		}
	}
	return nil
}

// trespasses fails if what follows a path, an agent's or because he has laid it so, comes into a region that somebody else has claimed now: simulation steps are held to no claim, so who has them
// bring something there is.
func (c *Clips) trespasses(v *world.View, agent string, id world.ID, t *Travel, p *plan) error {
	of := others(v, agent)
	if len(of) == 0 {
		return nil
	}
	var half world.Vec3 // of what goes along with it, however it is turned about y
	if room := solid.Tree(c.w, v, id); room.Hi[0] >= room.Lo[0] {
		size := room.Hi.Sub(room.Lo).Scale(0.5)
		half = world.Vec3{min(size[0], size[2]), size[1], min(size[0], size[2])}
	}
	const (
		every = 0.5 // metres
		most  = 50_000
	)
	length := p.way.Length()
	n := int(min(math.Ceil(length/every), most))
	for i := range n + 1 {
		place, _ := t.place(p, instance{at: length*float64(i)/float64(n) + t.Behind})
		if t.In != nil {
			place = t.In.Apply(place)
		}
		at := place.Position
		for _, claim := range of {
			lo, hi := claim.Lo.Sub(half), claim.Hi.Add(half)
			if at.Max(lo) == at && at.Min(hi) == at {
				return registry.Errorf(registry.CodeForbidden, "%s would come to %v by the path %.40q, into a region that %s holds, from %v to %v. Nothing was changed; lay the path round it, or ask %[4]s to world.release it",
					id, shown.Point(at), t.Path, claim.Holder, claim.Lo, claim.Hi)
			}
		}
	}
	return nil
}

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

// Path returns which path an entity follows, "" if it follows none.
func (c *Clips) Path(v *world.View, id world.ID) string {
	t, _ := c.travels.Get(v, id)
	return t.Path
}

// Stay reports that an entity goes along a path, and so nowhere else by itself.
func (c *Clips) Stay(v *world.View, id world.ID) error {
	if why := c.Bound(v, id); why != "" {
		return registry.Failf("%s", why)
	}
	return nil
}

// Bound says why an entity goes nowhere by itself: it goes along a path; "" if it does not.
func (c *Clips) Bound(v *world.View, id world.ID) string {
	t, ok := c.travels.Get(v, id)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%v follows the path %.40q: animation.stop has it leave that, so that it can be sent elsewhere", id, t.Path)
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
	At     float64 `json:"at" jsonschema_description:"How far along it the entity is, in metres, from its first point on."`
	Length float64 `json:"length" jsonschema_description:"How long the path is."`
	Stop   string  `json:"stop,omitempty" jsonschema_description:"The stop at which it waits."`
	Back   bool    `json:"back,omitempty" jsonschema_description:"Whether it is on its way back, or goes round the other way."`
	Ended  bool    `json:"ended,omitempty" jsonschema_description:"Whether it is at its end, and stays there."`
}

// Underway returns where an entity is on its path, nil if it follows none.
func (c *Clips) Underway(v *world.View, id world.ID) *Underway {
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
	out := &Underway{PathID: t.Path, At: shown.Number(far), Length: shown.Number(p.way.Length()), Back: now.back != t.Reverse, Ended: now.ended}
	if now.stop >= 0 {
		out.Stop = p.Stops[now.stop].Name
	}
	return out
}
