package onecheck

import (
	"errors"
	"fmt"
	"math"
)

// errShort is that a module ends in the middle of something.
var errShort = errors.New("the module is cut off")

// reader reads what WebAssembly's binary format is made of. After an error it reads zeros.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.b)
}

func (r *reader) done() bool { return r.at >= len(r.b) }

func (r *reader) byte() byte {
	if r.at >= len(r.b) {
		r.fail(errShort)
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

// unsigned reads a LEB128 number.
func (r *reader) unsigned() uint64 {
	var x uint64
	for shift := 0; shift < 64; shift += 7 {
		c := r.byte()
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return x
		}
	}
	r.fail(errors.New("a number of more than 64 bits"))
	return 0
}

// index reads a number of 32 bits.
func (r *reader) index() uint32 {
	x := r.unsigned()
	if x > math.MaxUint32 {
		r.fail(errors.New("a number of more than 32 bits"))
	}
	return uint32(x)
}

// signed reads a signed LEB128 number.
func (r *reader) signed() int64 {
	var x int64
	for shift := 0; shift < 64; {
		c := r.byte()
		x |= int64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if shift < 64 && c&0x40 != 0 {
				x |= -1 << shift
			}
			return x
		}
	}
	r.fail(errors.New("a number of more than 64 bits"))
	return 0
}

// count reads how many of something follow, each of at least one byte.
func (r *reader) count() int {
	n := r.unsigned()
	if n > uint64(len(r.b)-r.at) {
		r.fail(errShort)
		return 0
	}
	return int(n)
}

func (r *reader) take(n int) []byte {
	if n > len(r.b)-r.at {
		r.fail(errShort)
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

// signature is how many values a function or a block takes and leaves.
type signature struct{ params, results int }

// module is what has to be known of a module to follow the stack through its functions.
type module struct {
	types    []signature
	imported int      // functions that are imported come first
	funcs    []uint32 // the type of each function
}

// The sections that are looked into.
const (
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionCode     = 10
)

func (m *module) readTypes(r *reader) {
	for range r.count() {
		if c := r.byte(); c != 0x60 {
			r.fail(fmt.Errorf("a type of the form %#x", c))
			return
		}
		var s signature
		s.params = r.count()
		r.take(s.params)
		s.results = r.count()
		r.take(s.results)
		m.types = append(m.types, s)
	}
}

func (m *module) readImports(r *reader) {
	limits := func() {
		flags := r.byte()
		r.unsigned()
		if flags&1 != 0 {
			r.unsigned()
		}
	}
	for range r.count() {
		r.take(r.count())
		r.take(r.count())
		switch kind := r.byte(); kind {
		case 0: // a function
			m.funcs = append(m.funcs, r.index())
			m.imported++
		case 1: // a table
			r.byte()
			limits()
		case 2: // a memory
			limits()
		case 3: // a global
			r.take(2)
		default:
			r.fail(fmt.Errorf("an import of the kind %d", kind))
			return
		}
	}
}

func (m *module) readFunctions(r *reader) {
	for range r.count() {
		m.funcs = append(m.funcs, r.index())
	}
	for _, t := range m.funcs {
		if int(t) >= len(m.types) {
			r.fail(fmt.Errorf("a function of the type %d, of %d", t, len(m.types)))
		}
	}
}
