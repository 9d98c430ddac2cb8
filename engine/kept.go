package engine

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/trace/folder"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/durable"
)

// What the trace says of a world that is kept: that a process has begun with it, that one has after another that did not end in order,
// that one has ended in order, and that one has written all of it again. The actor is engine.
const (
	EventOpened    = "world.opened"    // see opened
	EventRecovered = "world.recovered" // see recovered
	EventClosed    = "world.closed"    // {}
	EventRewritten = "world.rewritten" // see rewritten
)

// opened is the payload of EventOpened.
type opened struct {
	New bool `json:"new,omitempty"` // there was no world
	against
}

// against is what a trace lacks that is kept with a world, and the world.
type against struct {
	TraceCut int64  `json:"traceCut,omitempty"` // bytes of the trace that were dropped: they were not written to their end
	Untraced *ticks `json:"untraced,omitempty"` // what the trace does not tell of, but for what was not kept of a world that was not closed; nil: nothing
	Older    *ticks `json:"older,omitempty"`    // what the trace tells of, and has not become of the world: it is an older one; nil: nothing
}

// ticks are those of a world after the first of two, up to the second. They may be the same, where a process was there and changed nothing.
type ticks struct {
	From uint64 `json:"fromTick"`
	To   uint64 `json:"toTick"`
}

// recovered is the payload of EventRecovered.
type recovered struct {
	Reason     string   `json:"reason"`
	Tick       uint64   `json:"tick"`       // of the world as it was kept
	NextTick   uint64   `json:"nextTick"`   // what was not kept may have had any between
	NextEntity world.ID `json:"nextEntity"` // likewise
	against
}

// rewritten is the payload of EventRewritten: while the process ran somebody has taken away what was kept, and all of the world is written again.
type rewritten struct {
	Reason string `json:"reason"`
}

// keeping is a trace that is kept with its world: on the disk it is never behind it.
type keeping struct {
	e      *Engine
	dir    string
	folder *folder.Folder
}

// keepTrace returns what a store of the world has ahead of it, nil for nothing.
func (e *Engine) keepTrace(dir string) durable.Ahead {
	if e.traceKeep < 0 {
		return nil
	}
	e.kept = &keeping{e: e, dir: folder.Of(dir)}
	return e.kept
}

// Begin opens the trace, and says in it how the world was found.
func (k *keeping) Begin(found durable.Found) (err error) {
	e := k.e
	k.folder, err = folder.Open(e.Trace, k.dir, folder.Options{Keep: e.traceKeep, Tick: e.World.Tick, Told: e.told, Closed: found.Closed && !found.New, Had: trace.ID(found.Mark)})
	if err != nil {
		return err
	}
	next, _ := e.Trace.Head()
	e.Approval.After(uint64(next) - 1) // no more were held than there were events
	newest, has := k.folder.Found()
	if has && newest.Type == EventClosed {
		if err := found.Damage(newest.Tick); err != nil {
			return err
		}
	}
	lacks := against{TraceCut: k.folder.Cut()}
	lacks.Untraced, lacks.Older = compare(newest, has, found)
	switch older := lacks.Older; {
	case older == nil:
	case found.New:
		e.told(fmt.Sprintf("there is no world, and its trace tells of one up to tick %d: the file was taken away", older.To), nil)
	default:
		e.told(fmt.Sprintf("the world is as it was at tick %d, and its trace tells of it up to tick %d: an older file was put in its place, or the end of the file is gone", older.From, older.To), nil)
	}
	typ, payload := EventOpened, any(opened{found.New, lacks})
	if !found.Closed {
		r := recovered{Reason: "the process before has not closed the world: what it did last may be missing", Tick: found.Tick, NextTick: e.World.Tick() + 1, against: lacks}
		e.World.View(func(v *world.View) { r.NextEntity = v.NextID() })
		typ, payload = EventRecovered, r
	}
	return k.say(typ, payload)
}

// compare returns what of a world the trace, which ends with the newest event if it has any, does not tell of, because processes have had it that kept none, and what it tells of that has not become of
// the world, because somebody has put an older one in its place.
func compare(newest trace.Event, has bool, found durable.Found) (untraced, older *ticks) {
	if !has {
		if found.New || found.Tick == 0 {
			return nil, nil
		}
		return &ticks{0, found.Tick}, nil
	}
	told, closed := newest.Tick, newest.Type == EventClosed
	switch {
	case found.New:
		return nil, &ticks{0, told}
	case closed && found.Tick < told:
		return nil, &ticks{found.Tick, told}
	case found.Tick < told: // the process before was killed, and what it did last is missing: that is for world.recovered to say
		return nil, nil
	case closed && (found.Tick > told || !found.Closed), found.Tick-told >= durable.SkippedTicks:
		return &ticks{told, found.Tick}, nil
	}
	return nil, nil
}

// Sync is of durable.Ahead. The mark is the newest event that is on the disk.
func (k *keeping) Sync() (mark uint64, err error) {
	err = k.folder.Sync()
	return uint64(k.folder.Newest()), err
}

func (k *keeping) say(typ string, contents any) error { return k.e.say(typ, contents) }

func (e *Engine) say(typ string, contents any) error {
	payload, err := json.Marshal(contents)
	if err == nil {
		_, err = e.Trace.Append(nil, trace.Draft{Type: typ, Actor: "engine", Tick: e.World.Tick(), Payload: payload})
	}
	return err
}

// rewrite says that all of the world is written again.
func (e *Engine) rewrite(why string) {
	if err := e.say(EventRewritten, rewritten{why}); err != nil {
		e.logger.Error().Err(err).Msg("noting that the world is written again")
	}
}

// End is of durable.Ahead: it ends with a world that was closed, or with one that was not, for the reason err.
func (k *keeping) End(err error) error {
	switch {
	case k.folder == nil:
		return err
	case errors.Is(err, durable.ErrTaken):
		return errors.Join(err, k.folder.Leave())
	case err == nil:
		err = k.say(EventClosed, struct{}{})
	}
	return disk.Join(err, k.folder.Close())
}

// told has a person know what happens to what is kept.
func (e *Engine) told(what string, err error) {
	if err != nil {
		e.logger.Error().Err(err).Msg(what)
	} else {
		e.logger.Warn().Msg(what)
	}
}
