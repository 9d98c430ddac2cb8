package trace

// ring is a queue of bytes, held in chunks of one size, so that it takes hardly more memory than it has content and
// never moves any. A position counts all bytes ever written before it.
//
// A chunk whose content has been dropped is used again, but not while anybody reads without the log's lock: that is
// what pinned counts.
type ring struct {
	chunkSize int
	chunks    [][]byte // each chunkSize long
	base      int64    // the position of the first byte of chunks[0]
	start     int64    // the position of the first byte of the content
	end       int64    // the position behind its last
	spare     [][]byte // chunks without content, at most maxSpare
	pinned    int
}

const maxSpare = 2

// size returns how many bytes the content has.
func (r *ring) size() int { return int(r.end - r.start) }

// write appends p to the content.
func (r *ring) write(p []byte) {
	for len(p) > 0 {
		at := int(r.end - r.base)
		if at == len(r.chunks)*r.chunkSize {
			r.chunks = append(r.chunks, r.emptyChunk())
		}
		n := copy(r.chunks[at/r.chunkSize][at%r.chunkSize:], p)
		r.end += int64(n)
		p = p[n:]
	}
}

func (r *ring) emptyChunk() []byte {
	last := len(r.spare) - 1
	if last < 0 {
		return make([]byte, r.chunkSize)
	}
	c := r.spare[last]
	r.spare = r.spare[:last]
	return c
}

// discard drops the content before a position.
func (r *ring) discard(before int64) {
	r.start = before
	n := int(r.start-r.base) / r.chunkSize
	if n == 0 {
		return
	}
	if r.pinned == 0 {
		keep := min(n, maxSpare-len(r.spare))
		r.spare = append(r.spare, r.chunks[:keep]...)
	}
	left := copy(r.chunks, r.chunks[n:])
	clear(r.chunks[left:])
	r.chunks = r.chunks[:left]
	r.base += int64(n) * int64(r.chunkSize)
}

// piece returns as much of the content between two positions as lies in one chunk, from the first of them on.
func (r *ring) piece(from, to int64) []byte {
	at := int(from - r.base)
	offset := at % r.chunkSize
	n := min(int(to-from), r.chunkSize-offset)
	return r.chunks[at/r.chunkSize][offset : offset+n : offset+n]
}

// pieces returns all of the content between two positions. It stays what it is for as long as the ring is pinned.
func (r *ring) pieces(from, to int64) [][]byte {
	var ps [][]byte
	for from < to {
		p := r.piece(from, to)
		ps = append(ps, p)
		from += int64(len(p))
	}
	return ps
}

// read appends the content between two positions to buf.
func (r *ring) read(from, to int64, buf []byte) []byte {
	for from < to {
		p := r.piece(from, to)
		buf = append(buf, p...)
		from += int64(len(p))
	}
	return buf
}
