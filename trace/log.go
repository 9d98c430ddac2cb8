package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Log is the event log. It is safe for concurrent use. Appends wait for each other and for the [Sink]; readers hold them
// up for no longer than it takes to find an event or to copy the ones that were asked for.
type Log struct {
	maxEvents int
	maxBytes  int
	clock     func() time.Time
	sink      Sink

	mu    sync.Mutex
	lines ring
	index index
	head  [hexLen]byte      // the newest event's hash, in hex
	hash  [sha256.Size]byte // the same
	draft []byte            // the lines that an Append makes; kept for the next
	ends  []int             // where each of them ends
	last  origin            // of the newest of them
}

const (
	defaultMaxEvents = 8192
	defaultMaxBytes  = 4 << 20
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
	}
	hex.Encode(l.head[:], l.hash[:])
	return l
}

// Append adds events, all or none, with consecutive ids, and returns ids with theirs appended. Each comes from one draft; the
// log keeps nothing of it. An error says which draft is wrong and why, or comes from the sink; nothing has been
// appended then and the chain is as before.
//
// In the steady state, which is when the log is full, it allocates nothing but the name of an actor who is new, and a buffer if
// the lines of one Append take more than 64 KiB.
func (l *Log) Append(ids []ID, drafts ...Draft) ([]ID, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	next := l.index.next
	for i := range drafts {
		if err := drafts[i].check(i, next); err != nil {
			return ids, err
		}
	}
	head, hash, err := l.writeDraftsLocked(drafts)
	if err != nil {
		return ids, err
	}
	if l.sink != nil && len(drafts) > 0 {
		if err := l.sink.Write(l.draft, next+ID(len(drafts)-1)); err != nil {
			return ids, fmt.Errorf("trace: sink: %w", err)
		}
	}
	l.head, l.hash = head, hash
	start := 0
	for i, end := range l.ends {
		l.keepLocked(drafts[i].Actor, l.draft[start:end])
		ids = append(ids, next+ID(i))
		start = end
	}
	return ids, nil
}

// writeDraftsLocked makes the lines of all drafts, in l.draft and l.ends, and returns the chain's new head.
func (l *Log) writeDraftsLocked(drafts []Draft) (head [hexLen]byte, hash [sha256.Size]byte, err error) {
	if cap(l.draft) > maxKeptDraft {
		l.draft = nil
	}
	lines, ends := l.draft[:0], l.ends[:0]
	head, hash = l.head, l.hash
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
		start := len(lines)
		lines = slices.Grow(lines, d.sizeHint())
		lines = appendHashed(lines, d, &l.last, next+ID(i), parent, at.UnixMilli(), &head)
		hash = sha256.Sum256(lines[start:])
		hex.Encode(head[:], hash[:])
		lines = appendSeal(lines, &head)
		if size := len(lines) - start; size > l.maxBytes {
			return head, hash, fmt.Errorf("trace: draft %d: the event takes %d bytes, the log holds %d", i+1, size, l.maxBytes)
		}
		ends = append(ends, len(lines))
	}
	l.draft, l.ends = lines, ends
	return head, hash, nil
}

// keepLocked adds one line, and drops old ones to make room.
func (l *Log) keepLocked(actor string, line []byte) {
	for l.index.len() == l.maxEvents || l.lines.size()+len(line) > l.maxBytes {
		l.index.pop()
		oldest := l.lines.end
		if l.index.len() > 0 {
			oldest = l.index.at(l.index.first).start
		}
		l.lines.discard(oldest)
	}
	l.index.push(actor, l.lines.end)
	l.lines.write(line)
}

// Len returns how many events the log holds.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index.len()
}

// Head returns the id that the next event will get, and the hash of the newest: zeros if there has been none.
func (l *Log) Head() (next ID, hash [32]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index.next, l.hash
}
