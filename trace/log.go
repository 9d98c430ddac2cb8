package trace

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Log is the event log: a chain of the newest events, without a gap, and of each actor the newest few, also when they have left that for those of others
// ([Options.Aside]). It is safe for concurrent use. Appends wait for each other and for the [Sink]; readers hold them
// up for no longer than it takes to find an event or to copy the ones that were asked for.
type Log struct {
	maxEvents int
	maxBytes  int
	clock     func() time.Time
	sink      Sink

	mu       sync.Mutex // guards what follows
	lines    ring       // the events' bodies, each with a line feed
	index    index
	aside    aside
	draft    []byte // the bodies that an Append makes; kept for the next
	made     []made // what is known of each of them
	last     origin // of the newest of them
	joined   []byte // scratch: a body that lies in more than one chunk
	whole    []byte // what the sink gets; kept for the next
	hashes   []hash // of the events in whole
	chain    chainer
	follower *Follower // nil: none
	own      bool      // something was appended
	sealing  bool      // a goroutine runs behind
	behind   func()    // sealBehind

	turn  sync.Mutex // before mu: to be held by who makes hashes without it. Guards what follows
	batch batch
}

const (
	defaultMaxEvents = 8192
	defaultMaxBytes  = 4 << 20
	defaultAside     = 32
	maxKeptDraft     = 64 << 10 // an Append's buffer that has grown larger is not kept
)

// New returns an empty log.
func New(opts Options) *Log {
	if opts.MaxEvents <= 0 {
		opts.MaxEvents = defaultMaxEvents
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = defaultMaxBytes
	}
	if opts.Aside == 0 {
		opts.Aside = min(defaultAside, opts.MaxEvents/8)
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	l := &Log{
		maxEvents: opts.MaxEvents,
		maxBytes:  opts.MaxBytes,
		clock:     opts.Clock,
		sink:      opts.Sink,
		lines:     ring{chunkSize: min(max(opts.MaxBytes/64, 256), 64<<10)},
		index:     newIndex(),
		aside:     aside{each: max(opts.Aside, 0), room: opts.MaxBytes / 4},
	}
	l.behind = l.sealBehind
	return l
}

// Append adds events, all or none, with consecutive ids, and returns ids with theirs appended. Each comes from one draft; the
// log keeps nothing of it. An error says which draft is wrong and why, or comes from the sink; nothing has been
// appended then and the chain is as before.
//
// In the steady state, which is when the log is full, it allocates nothing but the texts of a type, an actor and a session that are new together or not UTF-8, and a buffer if
// the lines of one Append take more than 64 KiB. Without a sink it leaves the events' hashes for later: see sealBehind.
func (l *Log) Append(ids []ID, drafts ...Draft) ([]ID, error) {
	if len(drafts) == 0 {
		return ids, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.index.next
	for i := range drafts {
		if err := drafts[i].check(i, next); err != nil {
			return ids, err
		}
	}
	if err := l.writeDraftsLocked(drafts); err != nil {
		return ids, err
	}
	if l.sink != nil {
		if err := l.sinkLocked(next + ID(len(drafts)-1)); err != nil {
			return ids, fmt.Errorf("trace: sink: %w", err)
		}
	}
	start := 0
	for i, m := range l.made {
		d := &drafts[i]
		l.keepLocked(label{d.Type, d.Actor, d.Session}, m.facts, l.draft[start:m.end])
		ids = append(ids, next+ID(i))
		start = m.end
	}
	l.own = true
	if l.follower != nil {
		l.follower.noteLocked(len(l.draft))
	}
	if l.sink != nil {
		l.sealedLocked(next, l.hashes)
	} else {
		l.sealLaterLocked()
	}
	return ids, nil
}

// made is a body that was made.
type made struct {
	facts
	end int // where it ends in Log.draft
}

// writeDraftsLocked makes the bodies of all drafts, in l.draft and l.made.
func (l *Log) writeDraftsLocked(drafts []Draft) error {
	if cap(l.draft) > maxKeptDraft {
		l.draft = nil
	}
	bodies, all := l.draft[:0], l.made[:0]
	next := l.index.next
	var now time.Time
	for i := range drafts {
		d := &drafts[i]
		at := d.Time
		if at.IsZero() {
			if now.IsZero() {
				now = l.clock()
			}
			at = now
		}
		var parent ID
		if d.Parent > 0 {
			parent = next + ID(d.Parent-1)
		}
		start := len(bodies)
		bodies = slices.Grow(bodies, d.sizeHint())
		bodies = appendHead(bodies, d, &l.last, next+ID(i), parent, at.UnixMilli())
		has := facts{d.Tick, int32(len(bodies) - start)}
		bodies = append(appendPayload(bodies, d.Payload), '\n')
		if size := len(bodies) - start + tailLen; size > l.maxBytes {
			return fmt.Errorf("trace: draft %d: the event takes %d bytes, the log holds %d", i+1, size, l.maxBytes)
		}
		all = append(all, made{has, len(bodies)})
	}
	l.draft, l.made = bodies, all
	return nil
}

// keepLocked adds one body, and drops old ones to make room.
func (l *Log) keepLocked(of label, has facts, body []byte) {
	for l.fullLocked(len(body) + tailLen) {
		l.sealLocked(l.index.first)
		l.setAsideLocked()
		l.index.pop()
		oldest := l.lines.end
		if l.index.len() > 0 {
			oldest = l.index.at(l.index.first).start
		}
		l.lines.discard(oldest)
	}
	l.index.push(of, has, l.lines.end)
	l.lines.write(body)
	if a := l.index.labels.actor(l.index.labels.last); a.owner != nil && a.count+len(a.owner.events) > l.aside.each {
		l.dropAsideLocked(a.owner)
	}
}

// fullLocked reports whether the oldest event has to leave for one whose line has so many bytes.
func (l *Log) fullLocked(more int) bool {
	size := l.sizeLocked() + more
	if l.index.len() < l.maxEvents && size <= l.maxBytes {
		return false
	}
	f := l.follower
	return f == nil || l.index.first <= f.safe || size > l.maxBytes+f.room
}

// sizeLocked returns how many bytes the events' lines have.
func (l *Log) sizeLocked() int { return l.lines.size() + l.index.len()*tailLen }

// Room returns how many bytes of lines the log holds at most.
func (l *Log) Room() int64 { return int64(l.maxBytes) }

// Len returns how many events the chain holds, those without a gap up to the newest.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index.len()
}

// Head returns the id that the next event will get, and the hash of the newest: zeros if there has been none.
func (l *Log) Head() (next ID, hash [32]byte) {
	l.lockSealed()
	defer l.mu.Unlock()
	return l.index.next, *l.index.hash(l.index.next - 1)
}
