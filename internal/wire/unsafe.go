package wire

import (
	"fmt"
	"reflect"
	"unsafe"
)

// All of the package's unsafe code is in this file. A plan knows the type and the
// offset of every field, and reflection would check both again, box and sometimes
// allocate at every step: reading the bench's six fields takes several times as long
// that way. What keeps it sound:
//
//   - A pointer enters only through Plan.pointer, which compares the type of what it
//     was given with the type that the plan was compiled from, as reflect does: there
//     is one word for each type.
//   - It moves only by the offsets and sizes that reflect gave for that type.
//   - It is never an integer in between, so the garbage collector always sees it.
//   - Memory that must grow or hold pointers of its own (slices, maps, what a pointer
//     points at) is made by reflect.

// pointer is the address of a value of the type that the accompanying *value was
// compiled from. It is a struct so that no other file can make or convert one.
type pointer struct{ p unsafe.Pointer }

// pointer returns the address in v, which must be a *T of the plan's T and not nil.
func (p *Plan) pointer(v any) pointer {
	word, at := words(v)
	if word != p.word || at.nowhere() {
		panic(fmt.Sprintf("wire: a plan of %v was given a %T", p.root.typ, v))
	}
	return at
}

// typeWord stands for a type of pointers: the first word of every interface value that holds one.
type typeWord struct{ p unsafe.Pointer }

// words are the two words of an interface value that holds a pointer.
func words(v any) (typeWord, pointer) {
	w := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	return typeWord{w[0]}, pointer{w[1]}
}

func wordOf(ptr reflect.Type) typeWord {
	word, _ := words(reflect.Zero(ptr).Interface())
	return word
}

// address is the pointer to an addressable value.
func address(v reflect.Value) pointer { return pointer{v.Addr().UnsafePointer()} }

// at returns the address of the field at an offset.
func (p pointer) at(offset uintptr) pointer { return pointer{unsafe.Add(p.p, offset)} }

// of returns an interface value that holds p as the pointer type that sample holds. It
// replaces the data word of the interface, which for a pointer is the pointer; the
// first word, the type's methods, was looked up when the plan was compiled. I must be
// an interface type with methods.
func of[I any](sample I, p pointer) I {
	(*[2]unsafe.Pointer)(unsafe.Pointer(&sample))[1] = p.p
	return sample
}

// as is the T at p.
func as[T any](p pointer) *T { return (*T)(p.p) }

// readOnly is the bytes of a string without a copy, for the functions that scan bytes.
func readOnly(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// reflected is the value at p, addressable.
func reflected(t reflect.Type, p pointer) reflect.Value {
	return reflect.NewAt(t, p.p).Elem()
}

// nowhere reports whether p is a nil pointer.
func (p pointer) nowhere() bool { return p.p == nil }

// target is what the pointer at p points at; a map is one to where it is.
func (p pointer) target() pointer { return pointer{*(*unsafe.Pointer)(p.p)} }

// slice is the header of the slice at p: its first item and its length.
func (p pointer) slice() (first pointer, n int) {
	s := *(*[]struct{})(p.p)
	return pointer{unsafe.Pointer(unsafe.SliceData(s))}, len(s)
}

// setEmpty makes the slice at p empty, not nil.
func (p pointer) setEmpty() { *(*[]struct{})(p.p) = []struct{}{} }

// copyBits copies a value that holds no pointers.
func copyBits(dst, src pointer, size uintptr) {
	copy(unsafe.Slice((*byte)(dst.p), size), unsafe.Slice((*byte)(src.p), size))
}

// sameBits reports whether two values that hold no pointers have the same bits.
func sameBits(p, q pointer, size uintptr) bool {
	return unsafe.String((*byte)(p.p), size) == unsafe.String((*byte)(q.p), size)
}

// bytesAt returns words in which, from a place on, size bytes are ones, and those at like, zeros if that is nowhere. They are as words in memory are.
func bytesAt(place, size uintptr, like pointer) (mask, want uint64) {
	for i := range size {
		at := place + i
		*(*byte)(unsafe.Add(unsafe.Pointer(&mask), at)) = 0xff
		if !like.nowhere() {
			*(*byte)(unsafe.Add(unsafe.Pointer(&want), at)) = *(*byte)(like.at(i).p)
		}
	}
	return mask, want
}

// loadInt is the signed integer of the given size at p.
func loadInt(p pointer, size uintptr) int64 {
	switch size {
	case 1:
		return int64(*(*int8)(p.p))
	case 2:
		return int64(*(*int16)(p.p))
	case 4:
		return int64(*(*int32)(p.p))
	}
	return *(*int64)(p.p)
}

// loadUint is the unsigned integer of the given size at p.
func loadUint(p pointer, size uintptr) uint64 {
	switch size {
	case 1:
		return uint64(*(*uint8)(p.p))
	case 2:
		return uint64(*(*uint16)(p.p))
	case 4:
		return uint64(*(*uint32)(p.p))
	}
	return *(*uint64)(p.p)
}

// storeBits stores the low bits of an integer of the given size.
func storeBits(p pointer, bits uint64, size uintptr) {
	switch size {
	case 1:
		*(*uint8)(p.p) = uint8(bits)
	case 2:
		*(*uint16)(p.p) = uint16(bits)
	case 4:
		*(*uint32)(p.p) = uint32(bits)
	default:
		*(*uint64)(p.p) = bits
	}
}
