package animation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Motion is how an entity moves by the clip that it plays, or along its path, for those who write it down: from the clip's begin on, at the pace at which it is played,
// in the space of its parent.
type Motion struct {
	Clip  string
	Step  bool              // it jumps at each of the times; else it goes evenly from one to the next, as nearly as samples show it
	Times []float64         // in seconds, from 0 on, each more than the one before
	At    []world.Transform // where it is then

	Moves, Turns, Grows bool // which of position, rotation and scale are of the clip
	Others              bool // the clip changes colours or the intensity of a lamp, too
}

// How a motion is sampled that is not even between keys: so often in a second, as many times at most.
const (
	perSecond  = 20
	maxSamples = 1000
	instant    = 1e-3 // before a jump, in seconds
)

// Motion returns how an entity moves by what it plays. It is nil where nothing goes on: where nothing plays, or only what holds its end, moves nothing here, or stands
// still. several says that it plays more than one clip, or one by a part of its weight, of which there is no one motion.
func (c *Clips) Motion(v *world.View, id world.ID) (m *Motion, several bool) {
	playing, _ := c.playing.Get(v, id)
	var on []Part
	var of clip
	for i := range playing {
		found, ok := c.rows.Get(v, playing[i].Clip)
		if !ok || !found.moves() || playing[i].gone(v.Step()) {
			continue
		}
		on, of = append(on, playing[i]), found
	}
	if t, ok := c.travels.Get(v, id); ok {
		return c.course(v, id, &t), len(on) > 0
	}
	if len(on) == 0 || c.own(v, id) {
		return nil, false
	}
	if len(on) > 1 || on[0].Weight != 1 || on[0].Out != 0 {
		return nil, true
	}
	p := on[0]
	if p.Speed == 0 || !p.Loop && p.Ended {
		return nil, false
	}
	at := c.pose(v, id)
	m = &Motion{Clip: p.Clip}
	var times []float64
	times, m.Step = of.moments()
	if p.Speed < 0 && m.Step { // backwards it jumps before a key
		times, m.Step = of.ticks(times), false
	}
	for i := range times {
		t := times[i]
		if p.Speed < 0 {
			t = times[len(times)-1-i]
		}
		l := of.at(t)
		when := t / math.Abs(p.Speed)
		if p.Speed < 0 {
			when = (of.Duration - t) / -p.Speed
		}
		m.Times, m.At = append(m.Times, when), append(m.At, at.place(&l))
		m.Moves, m.Turns, m.Grows = l.has[position], l.has[rotation], l.has[scale]
		m.Others = l.has[color] || l.has[intensity]
	}
	return m, false
}

// course returns how an entity goes along its path, from the begin of its timetable on, nil if it stands at the end.
func (c *Clips) course(v *world.View, id world.ID, t *Travel) *Motion {
	p, ok := c.plan(v, t.Path)
	if !ok || t.Ended {
		return nil
	}
	tt := c.timetable(p, t)
	if !(tt.period > 0) {
		return nil
	}
	own, _ := v.Transform(id)
	m := &Motion{Clip: t.Path, Moves: true, Turns: true}
	n := min(math.Ceil(tt.period*perSecond), maxSamples)
	for i := range int(n) + 1 {
		when := float64(tt.period*float64(i)) / n
		at := when
		if i == int(n) { // the end, not the begin once more: between them is a jump where it begins anew
			at = math.Nextafter(tt.period, 0)
		}
		place, _ := t.place(p, tt.at(at))
		place.Scale = own.Scale
		m.Times, m.At = append(m.Times, when), append(m.At, place)
	}
	return m
}

// moments returns when a clip has to be looked at so that what goes evenly from one time to the next moves as it does; or that it jumps at each.
func (c *clip) moments() (times []float64, step bool) {
	step, even := true, true
	times = []float64{0}
	for i := range c.Tracks {
		t := &c.Tracks[i]
		p := t.part()
		if p == other || p >= color {
			continue
		}
		step = step && t.Interp == "step"
		even = even && (t.Interp == "step" || t.Interp == "linear" && (p < rotation || p >= scale))
		for k := range t.Keys {
			times = append(times, t.Keys[k].T)
		}
	}
	if step {
		slices.Sort(times)
		return apart(times), true
	}
	times = append(times, c.Duration)
	for i := range c.Tracks {
		if t := &c.Tracks[i]; t.Interp == "step" {
			for k := range t.Keys {
				times = append(times, max(0, t.Keys[k].T-instant))
			}
		}
	}
	if !even {
		n := min(math.Ceil(c.Duration*perSecond), maxSamples)
		for i := range int(n) {
			times = append(times, float64(c.Duration*float64(i))/n)
		}
	}
	slices.Sort(times)
	return apart(times), false
}

// ticks returns times with those just before them, and the end.
func (c *clip) ticks(times []float64) []float64 {
	list := append(slices.Clone(times), c.Duration)
	for _, t := range times {
		list = append(list, max(0, t-instant))
	}
	slices.Sort(list)
	return apart(list)
}

// apart leaves out times that are too near to the one before to be told apart.
func apart(times []float64) []float64 {
	return slices.CompactFunc(times, func(a, b float64) bool { return math.Abs(b-a) < instant/2 })
}
