package registry

import (
	"bytes"
	"math/rand/v2"

	"github.com/limina-mcp/limina/trace"
)

// promiseBit is set in every promise: no log counts that far.
const promiseBit = trace.ID(1) << 63

// EmitNamed is [Call.Emit] for a skill whose output names the event. An event has no id before its
// call commits, so what is returned is a promise: put into the output, also by calls around this
// one, it is the event's id when the caller sees it. To a typed caller only an output that is an
// [EventNamer] shows it. Nothing else can be done with it, and a [Recorder] sees it as it is.
func (c *Call) EmitNamed(typ string, payload any) (trace.ID, error) {
	if err := c.Emit(typ, payload); err != nil {
		return 0, err
	}
	if c.root.dry {
		return 0, nil // there will be no event
	}
	// Nobody can have guessed it and put it into an input.
	p := promiseBit | trace.ID(rand.Uint64())
	l := &c.root.log
	l.notes[len(l.notes)-1].promise = p
	l.promised = true
	return p, nil
}

// EventNamer is what a pointer to an output may be that holds ids from [Call.EmitNamed]: it passes
// each of them through resolve.
type EventNamer interface {
	NameEvents(resolve func(trace.ID) trace.ID)
}

// keep puts the ids of events into the output that begins at out[start], in place of their promises.
func (l *draftList) keep(ids []trace.ID, start int, out []byte) []byte {
	output := out[start:]
	for i, n := range l.notes {
		if n.promise != 0 {
			output = bytes.ReplaceAll(output, []byte(n.promise.String()), []byte(ids[i].String()))
		}
	}
	return append(out[:start], output...)
}

// keepIn is keep for an output that is a Go value.
func (l *draftList) keepIn(ids []trace.ID, output any) {
	namer, ok := output.(EventNamer)
	if !ok {
		return
	}
	namer.NameEvents(func(id trace.ID) trace.ID {
		for i, n := range l.notes {
			if n.promise == id && id != 0 {
				return ids[i]
			}
		}
		return id
	})
}
