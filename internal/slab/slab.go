// Package slab makes memory for structures that are kept in pieces of one size and may grow to many megabytes: what a million entities have. A piece that is
// touched for the first time has the kernel find a page of 4 KB each time, which in a virtual machine takes as long as several calls do. So from a megabyte
// on the pieces of a pool are cut from slabs, for which the kernel is asked for pages of 2 MB: slabs lie side by side, so that some share a page. Smaller worlds
// take no more memory for it.
package slab

import (
	"reflect"
	"slices"
	"unsafe"
)

const (
	from = 1 << 20   // bytes that a pool makes piece by piece
	size = 512 << 10 // bytes of a slab, a few less if pieces do not fill it: as much is kept for one piece that is out
	most = size / 8
)

// Pool makes pieces of one type, and takes them back to hand them out again. The zero Pool is ready. It is not safe for concurrent use.
type Pool struct {
	alone int    // how many pieces are out that were made one by one
	slabs []slab // some of their pieces are out, but for one slab at most
}

// slab is memory for some pieces.
type slab struct {
	first unsafe.Pointer // the first piece, which keeps all of them
	fresh int            // from this one on they have not been out yet
	back  []uint32       // were out, and are in the slab again
	free  int            // how many are in it, fresh or not
}

// Take returns a piece of so many zeros. All of a pool must be of one type and length.
func Take[T any](p *Pool, length int) []T {
	return unsafe.Slice((*T)(p.take(reflect.TypeFor[T](), length)), length)
}

// Give takes a piece back that the pool has made. Nobody may look at it any more.
func Give[T any](p *Pool, piece []T) {
	clear(piece)
	var one T
	p.give(unsafe.Pointer(unsafe.SliceData(piece)), unsafe.Sizeof(one)*uintptr(len(piece)))
}

// take and give know nothing of the type: the compiler makes what does anew for each.
func (p *Pool) take(t reflect.Type, length int) unsafe.Pointer {
	each := t.Size() * uintptr(length)
	if each == 0 || each > most || p.alone < from/int(each) {
		p.alone++
		return memory(t, length)
	}
	i := slices.IndexFunc(p.slabs, func(s slab) bool { return s.free > 0 })
	if i < 0 {
		i = len(p.slabs)
		n := size / int(each)
		p.slabs = append(p.slabs, slab{first: memory(t, n*length), free: n})
		advise(uintptr(p.slabs[i].first), uintptr(n)*each)
	}
	return p.slabs[i].take(each)
}

func memory(t reflect.Type, length int) unsafe.Pointer {
	return reflect.MakeSlice(reflect.SliceOf(t), length, length).UnsafePointer()
}

func (s *slab) take(each uintptr) unsafe.Pointer {
	s.free--
	at := s.fresh
	if last := len(s.back) - 1; last >= 0 {
		at = int(s.back[last])
		s.back = s.back[:last]
	} else {
		s.fresh++
	}
	return unsafe.Add(s.first, uintptr(at)*each)
}

func (p *Pool) give(piece unsafe.Pointer, each uintptr) {
	for i := range p.slabs {
		s, n := &p.slabs[i], size/each
		at := uintptr(piece) - uintptr(s.first) // wraps around for what lies before
		if at >= n*each {
			continue
		}
		s.back = append(s.back, uint32(at/each))
		if s.free++; s.free == int(n) && p.another(i) {
			p.slabs = slices.Delete(p.slabs, i, i+1)
		}
		return
	}
	p.alone--
}

// another reports whether a slab but the i-th has a piece, so that this one is not about to be made again.
func (p *Pool) another(i int) bool {
	for j := range p.slabs {
		if j != i && p.slabs[j].free > 0 {
			return true
		}
	}
	return false
}
