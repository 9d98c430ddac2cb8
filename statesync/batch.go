package statesync

// frameTarget is how long a frame of several messages becomes: what is due beyond waits for the next.
const frameTarget = 256 << 10

// appendBatch appends the message of v and those of others that may share its frame.
func (f *Feed) appendBatch(dst []byte, v *View, others []*View) []byte {
	start := len(dst)
	b := batch{dst: dst, text: v.format.frame() == TextFrame}
	b.add(f.hub, v)
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
