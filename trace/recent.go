package trace

import (
	"encoding/json"
	"slices"
)

// Brief is an event without its links, its time and its hashes.
type Brief struct {
	ID      ID
	Type    string
	Tick    uint64
	Payload json.RawMessage
}

// AppendRecent appends to dst the newest n events of an actor in one session, oldest first. An empty text is one that is empty. It is what [Log.Tail]
// says of them, for a fraction of the time: it reads no event but to copy its payload, and those share one piece of memory.
func (l *Log) AppendRecent(dst []Brief, actor, session string, n int) []Brief {
	actor, session = shown(actor), shown(session)
	old, size := len(dst), 0
	l.mu.Lock()
	defer l.mu.Unlock()
	x := &l.index
	for id := x.labels.newest(actor); id >= x.first && len(dst)-old < n; id = x.previous(id) {
		e := x.at(id)
		if of := x.labels.of(e.label); of.session == session {
			dst = append(dst, Brief{ID: id, Type: of.typ, Tick: e.tick})
			from, to := x.payload(id, l.lines.end)
			size += int(to - from)
		}
	}
	var older []setAside
	if len(dst)-old < n {
		older = l.asideLocked(actor)
	}
	for i := len(older) - 1; i >= 0 && len(dst)-old < n; i-- {
		e := &older[i]
		if of := x.labels.of(e.label); of.actor == actor && of.session == session {
			dst = append(dst, Brief{ID: e.id, Type: of.typ, Tick: e.tick, Payload: e.body[e.payload:]})
			size += len(e.body) - int(e.payload)
		}
	}
	own, payloads := dst[old:], make([]byte, 0, size)
	for i := range own {
		start := len(payloads)
		if own[i].Payload != nil {
			payloads = append(payloads, own[i].Payload...)
			own[i].Payload = payloads[start:len(payloads):len(payloads)]
			continue
		}
		from, to := x.payload(own[i].ID, l.lines.end)
		payloads = l.lines.read(from, to, payloads)
		own[i].Payload = payloads[start:len(payloads):len(payloads)]
	}
	slices.Reverse(own)
	return dst
}
