package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

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
	EventClosed    = "world.closed"    // see closed
	EventRewritten = "world.rewritten" // see rewritten
)

// opened is the payload of EventOpened.
type opened struct {
	New bool `json:"new,omitempty"` // there was no world
	*onward
	against
}

// onward is with what a world goes on whose ticks and ids have been given further than it knows itself.
type onward struct {
	NextTick   uint64   `json:"nextTick"`
	NextEntity world.ID `json:"nextEntity"`
}

// closed is the payload of EventClosed. Earlier programs have written {}.
type closed struct {
	NextEntity world.ID `json:"nextEntity,omitempty"`
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
	Reason string `json:"reason"`
	Tick   uint64 `json:"tick"` // of the world as it was kept
	onward        // what was not kept may have had any between
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
	head, _ := e.Trace.Head()
	e.Approval.After(uint64(head) - 1) // no more were held than there were events
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
	if lacks.Older != nil {
		if err := k.goOn(&found, newest); err != nil {
			return err
		}
	}
	next := onward{NextTick: e.World.Tick() + 1, NextEntity: k.nextEntity()}
	if !found.Closed {
		return k.say(EventRecovered, recovered{Reason: "the process before has not closed the world: what it did last may be missing", Tick: found.Tick, onward: next, against: lacks})
	}
	said := opened{New: found.New, against: lacks}
	if lacks.Older != nil {
		said.onward = &next
	}
	return k.say(EventOpened, said)
}

// skippedIDs is how many ids are taken for given of a world that was not closed, beyond those that the trace tells of, and that is not there any more: a world does not say with each event how many it has
// given. They are sixteen times those that a world gives before it is on the disk.
const skippedIDs = 1 << 24

// goOn has an older world go on behind what the trace tells of, of which the newest event was found: a tick or an id that the trace has is of one past only.
func (k *keeping) goOn(found *durable.Found, newest trace.Event) error {
	tick, next := max(found.Tick, newest.Tick), k.nextEntity()
	if newest.Type != EventClosed {
		tick += durable.SkippedTicks // what the trace lacks at its end, where its process was killed
	}
	said, _ := k.e.Trace.Tail(trace.Filter{Limit: math.MaxInt, Actor: "engine"})
	for _, e := range said {
		next = max(next, nextEntityIn(e))
	}
	if newest.Type != EventClosed || nextEntityIn(newest) == 0 {
		next += skippedIDs
	}
	return found.Skip(tick, next)
}

// nextEntityIn is the nextEntity that the engine has said in an event; 0 if none.
func nextEntityIn(e trace.Event) world.ID {
	switch e.Type {
	case EventOpened, EventRecovered, EventClosed:
		var said closed
		if json.Unmarshal(e.Payload, &said) == nil {
			return said.NextEntity
		}
	}
	return 0
}

// nextEntity is that which the world makes next.
func (k *keeping) nextEntity() (id world.ID) {
	k.e.World.View(func(v *world.View) { id = v.NextID() })
	return id
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
	case found.Tick < told && (closed || found.Closed || told-found.Tick >= durable.SkippedTicks):
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
		err = k.say(EventClosed, closed{k.nextEntity()})
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
