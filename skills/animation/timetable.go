package animation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// run is a piece of a timetable: a wait, and the way from there to the next.
type run struct {
	wait     float64 // seconds, at from
	stop     int     // of the path, at from; -1: none
	turns    bool    // it turns about while it waits
	from, to float64 // metres along the way, beyond its length for what goes round
	seconds  float64 // from from to to
}

// timetable says where the middle of what follows a path is when. It follows from the path, and from how that is followed, alone.
type timetable struct {
	runs   []run
	pace   float64 // m/s
	gentle float64 // m/s²; 0: it starts and stops at once
	period float64 // seconds, after which it begins anew; or ends
	once   bool
	closed bool
	length float64 // of the way
	low    float64 // where the middle of a train is as far back as it comes
	high   float64
}

// instance is where the middle of what follows a path is at a time.
type instance struct {
	at    float64
	back  bool    // it is on its way back
	pace  float64 // m/s
	turn  float64 // by how much it has turned about, from 0 to 2 half turns
	stop  int     // of the path, at which it waits; -1: it does not
	ended bool
}

// newTimetable returns the timetable of what follows a path so.
func newTimetable(p *plan, t *Travel) *timetable {
	tt := &timetable{pace: t.Speed, gentle: t.Gentle, length: p.way.Length(), closed: p.Closed}
	stops := make([]halt, 0, len(p.Stops))
	number := func(i int) int { return i }
	if !t.Express {
		stops = append(stops, p.Stops...)
	}
	if t.Reverse {
		slices.Reverse(stops)
		for i := range stops {
			stops[i].At = tt.length - stops[i].At
		}
		number = func(i int) int { return len(stops) - 1 - i }
	}
	if p.Closed {
		tt.round(stops, number)
	} else {
		tt.line(stops, number, t)
	}
	for i := range tt.runs {
		r := &tt.runs[i]
		r.seconds = tt.lasts(r)
		tt.period += r.wait + r.seconds
	}
	return tt
}

// round has a timetable go round from stop to stop.
func (tt *timetable) round(stops []halt, number func(int) int) {
	if len(stops) == 0 {
		tt.gentle = 0
		tt.runs = []run{{stop: -1, to: tt.length}}
		return
	}
	for i := range stops {
		to := stops[(i+1)%len(stops)].At
		if i == len(stops)-1 {
			to += tt.length
		}
		tt.runs = append(tt.runs, run{wait: stops[i].Seconds, stop: number(i), from: stops[i].At, to: to})
	}
}

// line has a timetable go from one end to the other.
func (tt *timetable) line(stops []halt, number func(int) int, t *Travel) {
	long := min(t.Long, tt.length/2)
	tt.low, tt.high = long, tt.length-long
	first, last := run{wait: t.Wait, stop: -1, from: tt.low}, run{wait: t.Wait, stop: -1, from: tt.high}
	if tt.once = t.Ends == "stop"; tt.once {
		first.wait = 0
	}
	const same = 0.01 // metres
	var between []run
	for i := range stops {
		r := run{wait: stops[i].Seconds, stop: number(i), from: min(max(stops[i].At, tt.low), tt.high)}
		switch end := &last; {
		case r.from-tt.low < same:
			end = &first
			fallthrough
		case tt.high-r.from < same: // the end is a stop
			if end.stop < 0 {
				end.stop, end.wait = r.stop, max(end.wait, r.wait)
			}
		default:
			if n := len(between); n == 0 || r.from-between[n-1].from >= same {
				between = append(between, r)
			}
		}
	}
	marks := append(append([]run{first}, between...), last)
	for i := range marks[:len(marks)-1] {
		marks[i].to = marks[i+1].from
		tt.runs = append(tt.runs, marks[i])
	}
	last.to = last.from
	switch t.Ends {
	case "stop":
		last.wait = 0
		tt.runs = append(tt.runs, last)
	case "again":
		tt.runs = append(tt.runs, last)
	default:
		tt.runs[0].turns = t.About
		for i := len(marks) - 1; i > 0; i-- {
			r := marks[i]
			r.to, r.turns = marks[i-1].from, t.About && i == len(marks)-1
			tt.runs = append(tt.runs, r)
		}
	}
}

// lasts returns how many seconds a run takes, without its wait.
func (tt *timetable) lasts(r *run) float64 {
	long := math.Abs(r.to - r.from)
	switch {
	case long == 0:
		return 0
	case tt.gentle == 0:
		return long / tt.pace
	case long*tt.gentle < float64(tt.pace*tt.pace): // it never gets to its pace
		return 2 * math.Sqrt(long/tt.gentle)
	}
	return long/tt.pace + tt.pace/tt.gentle
}

// gone returns how far something has come on a run so many seconds after it set out.
func (tt *timetable) gone(r *run, after float64) float64 {
	long := math.Abs(r.to - r.from)
	left := r.seconds - after
	switch {
	case left <= 0:
		return long
	case tt.gentle == 0:
		return min(float64(tt.pace*after), long)
	}
	gets := min(tt.pace/tt.gentle, r.seconds/2) // seconds until it has its pace
	switch {
	case after < gets:
		return float64(float64(after*after)*tt.gentle) / 2
	case left < gets:
		return long - float64(float64(left*left)*tt.gentle)/2
	}
	return float64(float64(gets*gets)*tt.gentle)/2 + float64(float64(tt.gentle*gets)*(after-gets))
}

// after is the opposite of gone: the seconds in which something has come so far on a run.
func (tt *timetable) after(r *run, far float64) float64 {
	long := math.Abs(r.to - r.from)
	if tt.gentle == 0 {
		return far / tt.pace
	}
	gets := min(tt.pace/tt.gentle, r.seconds/2)
	most := float64(float64(gets*gets)*tt.gentle) / 2
	switch {
	case far < most:
		return math.Sqrt(2 * far / tt.gentle)
	case long-far < most:
		return r.seconds - math.Sqrt(2*(long-far)/tt.gentle)
	}
	return gets + (far-most)/float64(tt.gentle*gets)
}

// at returns where something is so many seconds after its timetable began.
func (tt *timetable) at(seconds float64) instance {
	if !(tt.period > 0) {
		return instance{at: tt.low, stop: -1, ended: tt.once}
	}
	if tt.once && seconds >= tt.period {
		end := tt.runs[len(tt.runs)-1]
		return instance{at: end.from, stop: end.stop, ended: true}
	}
	if seconds = math.Mod(seconds, tt.period); seconds < 0 {
		seconds += tt.period
	}
	half := 0.0 // half turns so far
	for i := range tt.runs {
		r := &tt.runs[i]
		back := r.to < r.from
		if seconds < r.wait {
			now := instance{at: r.from, back: back, stop: r.stop, turn: half}
			if r.turns && back {
				now.turn = seconds / r.wait
			} else if r.turns {
				now.turn = 1 + seconds/r.wait
			}
			return now
		}
		seconds -= r.wait
		if back {
			half = 1
		}
		if seconds < r.seconds || i == len(tt.runs)-1 {
			far := tt.gone(r, seconds)
			if back {
				far = -far
			}
			const moment = 1.0 / 256
			pace := (tt.gone(r, min(seconds+moment, r.seconds)) - tt.gone(r, max(seconds-moment, 0))) / (2 * moment)
			return instance{at: r.from + far, back: back, stop: -1, turn: half, pace: pace}
		}
		seconds -= r.seconds
	}
	return instance{} // there is a last run
}

// begins returns the seconds in the timetable at which something is at a place on its way there.
func (tt *timetable) begins(at float64) float64 {
	if !tt.closed {
		at = min(max(at, tt.low), tt.high)
	}
	since := 0.0
	for i := range tt.runs {
		r := &tt.runs[i]
		there := at
		if tt.closed && there < r.from-1e-6 {
			there += tt.length
		}
		if r.to >= r.from && there >= r.from-1e-6 && there <= r.to {
			if there-r.from < 1e-3 && !r.turns {
				return since // it waits first, if it does
			}
			return since + r.wait + tt.after(r, there-r.from)
		}
		since += r.wait + r.seconds
	}
	return 0
}

// timing is what a timetable follows from, beside the path.
type timing struct {
	path                      string
	speed, gentle, long, wait float64
	ends                      string
	express, reverse, about   bool
}

// timetable returns the timetable of what follows a path so.
func (c *Clips) timetable(p *plan, t *Travel) *timetable {
	key := timing{t.Path, t.Speed, t.Gentle, t.Long, t.Wait, t.Ends, t.Express, t.Reverse, t.About}
	c.drawn.Lock()
	defer c.drawn.Unlock()
	if known, ok := c.drawn.times[key]; ok && known.of == p {
		return known.timetable
	}
	if len(c.drawn.times) >= MaxMoving {
		clear(c.drawn.times)
	}
	made := newTimetable(p, t)
	c.drawn.times[key] = timed{p, made}
	return made
}

// timed is a timetable, and the path that it is of.
type timed struct {
	of *plan
	*timetable
}

// axis returns the rotation that turns one of the own axes of an entity, its front, to z.
func axis(front string) world.Quat {
	const half = math.Sqrt2 / 2
	switch front {
	case "-z":
		return world.Quat{0, 1, 0, 0}
	case "x":
		return world.Quat{0, -half, 0, half}
	case "-x":
		return world.Quat{0, half, 0, half}
	}
	return world.NoRotation()
}
