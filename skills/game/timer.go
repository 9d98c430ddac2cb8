package game

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/lapse"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// MaxSeconds is how long a timer may run.
const MaxSeconds = 1e9

// timer is a row of the table of timers, as viewers get it. Steps are simulation steps.
type timer struct {
	State     string `json:"state"`             // "running", "paused", "done"
	Direction string `json:"direction"`         // "countdown", "countup"
	Steps     uint64 `json:"steps,omitempty"`   // how long it runs; 0: without end
	Start     uint64 `json:"start"`             // while it runs: the step from which on it has run, were there no pauses
	Elapsed   uint64 `json:"elapsed,omitempty"` // else: how long it has run
	Since     uint64 `json:"since"`             // the step of the call that started it, or had it go on, last
	OnDone    string `json:"onComplete,omitempty"`
	By        string `json:"by"`
}

// elapsed is for how many steps it has run.
func (t *timer) elapsed(now uint64) uint64 {
	if t.State == running {
		return now - t.Start
	}
	return t.Elapsed
}

// TimerIn is the input of game.timer.
type TimerIn struct {
	Name       string          `json:"name,omitempty" validate:"omitempty,min=1,max=128" jsonschema_description:"The name of the timer. tick can do without."`
	Action     string          `json:"action" validate:"oneof=start pause resume get tick remove" jsonschema:"default=start" jsonschema_description:"start begins it, anew if it is there. get reads it. remove ends it for good, and nothing of it stays. tick says which have run out: time goes by itself, and no call advances it."`
	Duration   *float64        `json:"duration,omitempty" validate:"omitempty,gt=0" jsonschema_description:"start: how long it runs, in simulated seconds. A countdown needs it; a countup without it has no end."`
	Direction  string          `json:"direction" validate:"oneof=countdown countup" jsonschema:"default=countdown" jsonschema_description:"start: how it is shown, from duration down to 0 or from 0 up."`
	Dt         *float64        `json:"dt,omitempty" validate:"omitempty,gte=0" jsonschema_description:"tick: without effect, because the server counts the time."`
	OnComplete string          `json:"onComplete,omitempty" validate:"omitempty,min=1,max=128" jsonschema_description:"start: the name of the event that the server emits when it has run out, for event.listen."`
	Meta       registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// TimerOut is the output of game.timer.
type TimerOut struct {
	OK        bool     `json:"ok" jsonschema_description:"Whether it was done. False if there was nothing to pause, or to resume."`
	Remaining float64  `json:"remaining" jsonschema_description:"Simulated seconds until it has run out; 0 if it has, or has no end."`
	Completed []string `json:"completed" jsonschema_description:"All timers that have run out, and were not started again."`
	Elapsed   float64  `json:"elapsed" jsonschema_description:"For how many simulated seconds it has run."`
	State     string   `json:"state,omitempty" jsonschema_description:"running, paused or done."`
	Note      string   `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Timer is game.timer.
func Timer(g *Game) registry.Skill {
	return registry.Define(registry.Spec[TimerIn, TimerOut]{
		Name:  "game.timer",
		Title: "Start or read a timer of the game",
		Description: "Start, pause, resume or read a timer. The server counts its time, in simulated seconds, and emits the event onComplete when it has run out: event.listen says what is done then. Viewers see it. Needs event.write for onComplete. " +
			`For what happens again and again in a zone use trigger.onStay, for a sequence cutscene.define. Example: {"name":"bomb","duration":30,"onComplete":"boom"}`,
		Keywords:    "countdown stopwatch clock delay wait after seconds time limit schedule later alarm duration long left remaining elapsed race start stop",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in TimerIn) (TimerOut, error) {
			if err := in.check(); err != nil {
				return TimerOut{}, err
			}
			if err := checkEvent(c, "onComplete", in.OnComplete); err != nil {
				return TimerOut{}, err
			}
			return world.Do(g.w, c, func(tx *world.Tx) (out TimerOut, err error) { return g.time(tx, c.Principal().ID, &in) })
		},
	})
}

// check holds together what belongs together.
func (in *TimerIn) check() error {
	switch {
	case in.Name == "" && in.Action != "tick":
		return registry.Invalidf("name: is required to %s a timer", in.Action)
	case in.Action != "start" && in.Duration != nil:
		return registry.Invalidf(`duration: is for "action":"start"`)
	case in.Action != "start" && in.OnComplete != "":
		return registry.Invalidf(`onComplete: is for "action":"start"`)
	case in.Action == "start" && in.Duration == nil && in.Direction == "countdown":
		return registry.Invalidf(`duration: is required for a countdown, in seconds; "direction":"countup" can do without`)
	case in.Duration != nil && *in.Duration > MaxSeconds:
		return registry.Errorf(registry.CodeCapacityExceeded, "duration: a timer runs for at most %v seconds", MaxSeconds)
	case in.Duration == nil && in.OnComplete != "":
		return registry.Invalidf("onComplete: a timer without duration has no end")
	}
	return nil
}

// time does what is asked of a timer.
func (g *Game) time(tx *world.Tx, by string, in *TimerIn) (out TimerOut, err error) {
	t, there := g.timers.Get(&tx.View, in.Name)
	now := tx.Step()
	switch {
	case in.Action == "start":
		if !there {
			if err := g.makeRoom(tx, by); err != nil {
				return out, err
			}
		}
		t = timer{State: running, Direction: in.Direction, Start: now, Since: now, OnDone: in.OnComplete, By: by}
		if in.Duration != nil {
			t.Steps = g.w.StepsIn(*in.Duration)
		}
		there, out.OK = true, true
	case in.Name != "" && !there:
		return out, missing(&tx.View, g.timers, "timer", in.Name, "game.timer")
	case in.Action == "pause" && t.State == running:
		t.State, t.Elapsed, t.Start, out.OK = "paused", now-t.Start, 0, true
	case in.Action == "resume" && t.State == "paused":
		t.State, t.Start, t.Since, t.Elapsed, out.OK = running, now-t.Elapsed, now, 0, true
	case in.Action == "pause" || in.Action == "resume":
		out.Note = "it is " + t.State + ": there is nothing to " + in.Action
	case in.Action == "tick":
		out.OK, out.Note = true, "the server counts the time: tick advances nothing"
	case in.Action == "remove":
		g.drop(tx, in.Name)
		out.OK = true
	default:
		out.OK = true
	}
	if out.OK && in.Action != "get" && in.Action != "tick" && in.Action != "remove" {
		if err := g.keep(tx, in.Name, t); err != nil {
			return out, err
		}
	}
	if there {
		g.show(&out, &t, now)
	}
	out.Completed = g.completed(&tx.View)
	return out, nil
}

// makeRoom has there be room for one more timer of somebody's. Where there is none, those that have run out are let go, those first that were begun longest ago, until
// there is: else who comes once, starts one and never comes again would leave less room to others for ever.
func (g *Game) makeRoom(tx *world.Tx, by string) error {
	room := func() error {
		of := share.Kept{Most: MaxTimers, What: "timers", Free: `"action":"remove" ends one, start one of yours anew, under its name; game.restart ends all`}
		return share.RoomIn(&tx.View, &of, g.timers.All(&tx.View), by, func(t *timer) string { return t.By })
	}
	why := room()
	if why == nil {
		return nil
	}
	type ended struct {
		name  string
		since uint64
	}
	var all []ended
	for name, t := range g.timers.All(&tx.View) {
		if t.State == "done" {
			all = append(all, ended{name, t.Since})
		}
	}
	slices.SortStableFunc(all, func(a, b ended) int { return cmp.Compare(a.since, b.since) })
	mark := tx.Savepoint()
	for _, e := range all {
		g.drop(tx, e.name)
		if room() == nil {
			return nil
		}
	}
	tx.RollbackTo(mark)
	return why
}

// drop has there be no timer of a name any more.
func (g *Game) drop(tx *world.Tx, name string) {
	g.timers.Delete(tx, name)
	g.due.Delete(tx, name)
	g.seen.Delete(tx, name)
}

// keep puts a timer in the place of the one that there was.
func (g *Game) keep(tx *world.Tx, name string, t timer) error {
	if err := g.timers.Set(tx, name, t); err != nil {
		return err
	}
	if t.State != running || t.Steps == 0 {
		g.due.Delete(tx, name)
		g.seen.Delete(tx, name)
		return nil
	}
	if err := g.seen.Set(tx, name, lapse.Now(tx.Step())); err != nil {
		return err
	}
	return g.due.Set(tx, name, t.Start+t.Steps)
}

// show says how a timer stands.
func (g *Game) show(out *TimerOut, t *timer, now uint64) {
	ran := t.elapsed(now)
	out.Elapsed, out.State = g.w.Seconds(ran), t.State
	if t.Steps > ran {
		out.Remaining = g.w.Seconds(t.Steps - ran)
	}
}

// completed returns the timers that have run out, in order.
func (g *Game) completed(v *world.View) []string {
	names := []string{}
	for name, t := range g.timers.All(v) {
		if t.State == "done" {
			names = append(names, name)
		}
	}
	return names
}

// awake moves timers that run on by the time for which they were away, so that they go on with what they had.
func (g *Game) awake(tx *world.Tx) error {
	type lapsed struct {
		name string
		away uint64
	}
	var back []lapsed
	for name := range g.due.All(&tx.View) {
		before, _ := g.seen.Get(&tx.View, name)
		seen := before
		if away := seen.Count(tx.Step()); away > 0 {
			back = append(back, lapsed{name, away})
		} else if seen != before {
			if err := g.seen.Set(tx, name, seen); err != nil {
				return err
			}
		}
	}
	for _, l := range back {
		t, _ := g.timers.Get(&tx.View, l.name)
		t.Start += l.away
		if err := g.keep(tx, l.name, t); err != nil {
			return err
		}
	}
	return nil
}

// step ends the timers that have run out, those that did so first and then by name, and announces it.
func (g *Game) step(tx *world.Tx) error {
	if g.due.Len(&tx.View) == 0 {
		return nil
	}
	if err := g.awake(tx); err != nil {
		return err
	}
	var out []string
	for name, at := range g.due.All(&tx.View) {
		if at <= tx.Step() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	for _, name := range out {
		t, _ := g.timers.Get(&tx.View, name)
		t.State, t.Elapsed, t.Start = "done", t.Steps, 0
		if err := g.keep(tx, name, t); err != nil {
			return err
		}
		// As an action that cannot be done, an event that there is no room for is told and no more.
		of := map[string]string{"timer": name}
		if err := g.does.Try(tx, "game", t.By, of, func() error {
			return tx.As(t.By, func() error { return g.announce(tx, t.OnDone, t.By, of) })
		}); err != nil {
			return err
		}
	}
	return nil
}
