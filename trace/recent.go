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
	own, payloads := dst[old:], make([]byte, 0, size)
	for i := range own {
		start := len(payloads)
		from, to := x.payload(own[i].ID, l.lines.end)
		payloads = l.lines.read(from, to, payloads)
		own[i].Payload = payloads[start:len(payloads):len(payloads)]
	}
	slices.Reverse(own)
	return dst
}
