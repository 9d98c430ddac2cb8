package slab

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// big is as large as pages of entities are, and holds something for the collector.
type big struct {
	name *int
	rest [24 << 10]byte
}

// TestPool takes and gives pieces in any order, as many as some slabs have.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pool
		var out []*big
		at := map[*big]int{} // what is written into each
		next := 0
		for range rapid.IntRange(1, 30).Draw(t, "rounds") {
			if rapid.Bool().Draw(t, "take") {
				for range rapid.IntRange(1, 90).Draw(t, "n") {
					b := &Take[big](&p, 1)[0]
					if *b != (big{}) {
						t.Fatal("a piece is not zero")
					}
					if _, ok := at[b]; ok {
						t.Fatal("a piece was handed out twice")
					}
					next++
					n := next
					b.name, b.rest[0], b.rest[len(b.rest)-1] = &n, byte(n), byte(n>>8)
					out, at[b] = append(out, b), n
				}
				continue
			}
			for range rapid.IntRange(0, len(out)).Draw(t, "n") {
				i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
				b := out[i]
				if *b.name != at[b] || b.rest[0] != byte(at[b]) || b.rest[len(b.rest)-1] != byte(at[b]>>8) {
					t.Fatalf("piece %d has become %d", at[b], *b.name)
				}
				delete(at, b)
				out[i] = out[len(out)-1]
				out = out[:len(out)-1]
				Give(&p, unsafe.Slice(b, 1))
			}
			whole(t, &p, len(out))
		}
		for _, b := range out {
			Give(&p, unsafe.Slice(b, 1))
		}
		whole(t, &p, 0)
		if len(p.slabs) > 1 {
			t.Fatalf("nothing is out, and %d slabs are kept", len(p.slabs))
		}
	})
}

// whole checks what a pool says of itself: so many pieces are out.
func whole(t *rapid.T, p *Pool, out int) {
	const each = size / unsafe.Sizeof(big{})
	sum, idle := p.alone, 0
	for i := range p.slabs {
		s := &p.slabs[i]
		if s.free != int(each)-s.fresh+len(s.back) {
			t.Fatalf("slab %d says that %d are free, of %d of which %d have not been out and %d are back", i, s.free, each, int(each)-s.fresh, len(s.back))
		}
		sum += int(each) - s.free
		if s.free == int(each) {
			idle++
		}
	}
	if sum != out {
		t.Fatalf("%d pieces are out, the pool says %d", out, sum)
	}
	if idle > 1 {
		t.Fatalf("%d slabs have nothing out", idle)
	}
	if p.alone > from/int(unsafe.Sizeof(big{})) {
		t.Fatalf("%d pieces are out that are in no slab", p.alone)
	}
}

// TestLarge holds that pieces which are no small part of a slab, or nothing at all, are made one by one, as are the first of all others.
func TestLarge(t *testing.T) {
	var p, q, none Pool
	var huge, small [][]byte
	for range 8 {
		huge, small = append(huge, Take[byte](&p, most+1)), append(small, Take[byte](&q, 1<<10))
	}
	if len(p.slabs) != 0 || len(q.slabs) != 0 {
		t.Fatalf("%d and %d slabs", len(p.slabs), len(q.slabs))
	}
	Give(&none, Take[struct{}](&none, 256))
	for i := range huge {
		Give(&p, huge[i])
		Give(&q, small[i])
	}
	if p.alone != 0 || q.alone != 0 || none.alone != 0 {
		t.Fatalf("%d, %d and %d are out", p.alone, q.alone, none.alone)
	}
}
