package replica

import (
	"encoding/binary"
	"math"
)

// reader reads a binary frame. After an error it reads zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = malformed(format, args...)
	}
	r.rest = nil
}

// take returns the next n bytes.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail("the frame ends too early")
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint() uint64 {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail("the frame ends in the middle of a number")
		return 0
	}
	r.rest = r.rest[n:]
	return x
}

// int reads a signed number of 32 bits.
func (r *reader) int() int32 {
	x := uint32(r.uint())
	return int32(x>>1) ^ -int32(x&1)
}

// count reads how many of something follow, each of which takes a byte at least.
func (r *reader) count() uint64 {
	n := r.uint()
	if n > uint64(len(r.rest)) {
		r.fail("%d are announced, %d bytes are left", n, len(r.rest))
		return 0
	}
	return n
}

func (r *reader) bytes() []byte { return r.take(r.uint()) }

func (r *reader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) float32() float64 { return float64(math.Float32frombits(r.uint32())) }
