package statesync

import "math/bits"

// frameTarget is how long a frame of several messages becomes: what is due beyond waits for the next.
const frameTarget = 256 << 10

// appendBatch appends the message of v and those of others that may share its frame.
func (f *Feed) appendBatch(dst []byte, v *View, others []*View) []byte {
	start := len(dst)
	b := batch{dst: dst, text: v.format.frame() == TextFrame}
	b.add(f.hub, v)
	b.sum = fetch(others)
	for _, o := range others {
		if len(b.dst)-start > frameTarget {
			break
		}
		if o.batch && o.format.frame() == v.format.frame() && o.open() {
			o.due = false
			b.add(f.hub, o)
		}
	}
	return b.end()
}

// batch is a frame of several messages: a JSON array, or binary messages one behind the other.
type batch struct {
	dst  []byte
	text bool
	some bool
	sum  uint64 // of fetch: nobody asks for it, but without it there would be nothing to fetch for
}

// fetch looks at what the messages of views will need, and returns something of all of it: as Hub.fetch does
// for a commit.
func fetch(views []*View) (sum uint64) {
	for _, v := range views {
		sum += v.seen + v.tick
		for w := range v.words {
			for marked := v.words[w].marked; marked != 0; marked &= marked - 1 {
				if r := v.records[w<<6+bits.TrailingZeros64(marked)]; r != nil {
					sum++
				}
			}
		}
	}
	return sum
}

// MaxAhead is how many feeds [Hub.Ahead] looks at.
const MaxAhead = 16

// Ahead says that Drain is about to be called for feeds, one after the other. It changes nothing, and saves time: it looks at
// what that will need of the first [MaxAhead], all at once. A server of many clients spends most of its time waiting for
// memory, and where no load waits for the one before, the processor does many at a time. What it returns means nothing.
func (h *Hub) Ahead(feeds []*Feed) (sum uint64) {
	var (
		pulled [MaxAhead]*Feed
		views  [MaxAhead]*View
		n, due int
	)
	feeds = feeds[:min(len(feeds), MaxAhead)]
	for _, f := range feeds { // before any is locked: a lock waits for all loads before it
		if f.hub == h {
			sum++
		}
	}
	for _, f := range feeds {
		if f.hub == h && f.mu.TryLock() {
			pulled[n] = f
			n++
		}
	}
	h.mu.RLock()
	for _, f := range pulled[:n] {
		if len(f.due) > 0 {
			views[due] = f.due[0]
			due++
		}
	}
	for _, v := range views[:due] { // the views themselves, before what they refer to
		sum += v.seen + v.step + uint64(len(v.words)+len(v.causes))
	}
	sum += fetch(views[:due])
	h.mu.RUnlock()
	for _, f := range pulled[:n] {
		f.mu.Unlock()
	}
	return sum
}

func (b *batch) add(h *Hub, v *View) {
	n := len(b.dst)
	if b.text {
		open := byte('[')
		if b.some {
			open = ','
		}
		b.dst = append(b.dst, open)
	}
	m := len(b.dst)
	b.dst = v.append(h, b.dst)
	if len(b.dst) == m {
		b.dst = b.dst[:n]
		return
	}
	b.some = true
}

func (b *batch) end() []byte {
	if b.some && b.text {
		return append(b.dst, ']')
	}
	return b.dst
}
