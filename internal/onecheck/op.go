package onecheck

import "fmt"

// The instructions that mean something here; see "Binary Format", "Instructions" in the
// WebAssembly Core Specification 2.0.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelect       = 0x1b
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opTableGet     = 0x25
	opTableSet     = 0x26
	opLoadFirst    = 0x28
	opLoad8U       = 0x2d
	opLoadLast     = 0x35
	opStoreFirst   = 0x36
	opStoreLast    = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opRefNull      = 0xd0
	opRefIsNull    = 0xd1
	opRefFunc      = 0xd2
	opPrefixed     = 0xfc
)

// op is an instruction.
type op struct {
	code       byte
	align      byte   // of an access
	start, end uint32 // in the body
	x          uint32 // the local, global, function, type or prefixed instruction; or the offset of an access
	n          int32  // the constant; or the type of a block
}

// width is how many bytes each access to memory reads or writes, from opLoadFirst to opStoreLast.
const width = "\x04\x08\x04\x08\x01\x01\x02\x02\x01\x01\x02\x02\x04\x04\x04\x08\x04\x08\x01\x02\x01\x02\x04"

func (o *op) accesses() bool { return o.code >= opLoadFirst && o.code <= opStoreLast }

// top is the end of what an access touches, from the address that it is given.
func (o *op) top() uint64 { return uint64(o.x) + uint64(width[o.code-opLoadFirst]) }

// decode reads an instruction.
func (r *reader) decode() (o op) {
	o.start = uint32(r.at)
	o.code = r.byte()
	switch c := o.code; {
	case c == opBlock, c == opLoop, c == opIf:
		o.n = int32(r.signed())
	case c == opBr, c == opBrIf, c == opCall, c >= opLocalGet && c <= opTableSet, c == opRefFunc:
		o.x = r.index()
	case c == opBrTable:
		for range r.count() + 1 {
			r.unsigned()
		}
	case c == opCallIndirect:
		o.x = r.index()
		r.unsigned()
	case c == opSelectTyped:
		r.take(r.count())
	case o.accesses():
		if o.align = r.byte(); o.align > 3 {
			r.fail(fmt.Errorf("an access aligned to 2^%d", o.align))
		}
		o.x = r.index()
	case c == opMemorySize, c == opMemoryGrow, c == opRefNull:
		r.byte()
	case c == opI32Const:
		o.n = int32(r.signed())
	case c == opI64Const:
		r.signed()
	case c == opF32Const:
		r.take(4)
	case c == opF64Const:
		r.take(8)
	case c == opPrefixed:
		o.x = r.index()
		switch {
		case o.x <= 7: // a float to an integer, saturating
		case o.x == 8, o.x == 10, o.x == 12, o.x == 14: // memory.init, memory.copy, table.init, table.copy
			r.unsigned()
			r.unsigned()
		case o.x <= 17:
			r.unsigned()
		default:
			r.fail(fmt.Errorf("an instruction 0xfc %d, which is not known", o.x))
		}
	case c <= 0x01, c == opElse, c == opEnd, c == opReturn, c == opDrop, c == opSelect, c >= 0x45 && c <= 0xc4, c == opRefIsNull:
	default:
		r.fail(fmt.Errorf("an instruction %#x, which is not known", c))
	}
	o.end = uint32(r.at)
	return o
}

// effect is how many values an instruction takes from the stack and leaves on it, for all that are no
// control instructions.
func (m *module) effect(o *op) (takes, leaves int, err error) {
	switch c := o.code; {
	case c == 0x01:
		return 0, 0, nil
	case c == opDrop, c == opLocalSet, c == opGlobalSet:
		return 1, 0, nil
	case c == opSelect, c == opSelectTyped:
		return 3, 1, nil
	case c == opLocalGet, c == opGlobalGet, c >= opI32Const && c <= opF64Const, c == opMemorySize, c == opRefNull, c == opRefFunc:
		return 0, 1, nil
	case c == opLocalTee, c == opTableGet, c == opMemoryGrow, c == opRefIsNull, c >= opLoadFirst && c <= opLoadLast:
		return 1, 1, nil
	case c == opTableSet, c >= opStoreFirst && c <= opStoreLast:
		return 2, 0, nil
	case c == opCall:
		if int(o.x) >= len(m.funcs) {
			return 0, 0, fmt.Errorf("a call of the function %d, of %d", o.x, len(m.funcs))
		}
		s := m.types[m.funcs[o.x]]
		return s.params, s.results, nil
	case c == opCallIndirect:
		if int(o.x) >= len(m.types) {
			return 0, 0, fmt.Errorf("a call of the type %d, of %d", o.x, len(m.types))
		}
		s := m.types[o.x]
		return s.params + 1, s.results, nil
	case c == 0x45, c == 0x50, c >= 0x67 && c <= 0x69, c >= 0x79 && c <= 0x7b, c >= 0x8b && c <= 0x91, c >= 0x99 && c <= 0x9f, c >= 0xa7 && c <= 0xc4:
		return 1, 1, nil // of one operand
	case c >= 0x46 && c <= 0xa6:
		return 2, 1, nil // of two
	case c == opPrefixed:
		switch {
		case o.x <= 7:
			return 1, 1, nil
		case o.x == 9, o.x == 13: // data.drop, elem.drop
			return 0, 0, nil
		case o.x == 15: // table.grow
			return 2, 1, nil
		case o.x == 16: // table.size
			return 0, 1, nil
		default:
			return 3, 0, nil
		}
	}
	return 0, 0, fmt.Errorf("an instruction %#x, which is not known", o.code)
}
