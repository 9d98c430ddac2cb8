package statesync

import (
	"github.com/limina-mcp/limina/internal/pages"
	"github.com/limina-mcp/limina/world"
)

const (
	pageBits = 8
	pageSize = 1 << pageBits
)

// records finds the record of an entity, if there is one, by three array accesses.
type records struct {
	pages pages.Of[recordPage]
	n     int
}

type recordPage struct {
	count   int
	records [pageSize]*record
}

func (r *records) get(id world.ID) *record {
	p := r.pages.At(uint64(id) >> pageBits)
	if p == nil {
		return nil
	}
	return p.records[id&(pageSize-1)]
}

func (r *records) put(rec *record) {
	k := uint64(rec.id) >> pageBits
	p := r.pages.At(k)
	if p == nil {
		p = new(recordPage)
		r.pages.Put(k, p)
	}
	p.records[rec.id&(pageSize-1)] = rec
	p.count++
	r.n++
}

func (r *records) drop(id world.ID) {
	k := uint64(id) >> pageBits
	p := r.pages.At(k)
	p.records[id&(pageSize-1)] = nil
	r.n--
	if p.count--; p.count == 0 {
		r.pages.Drop(k)
	}
}

// names gives the names of parts numbers, for formats that do not repeat them.
type names struct {
	numbers map[string]uint32
	list    []string
	keys    [][]byte // `,"name":`
}

func (n *names) number(name string) uint32 {
	if i, ok := n.numbers[name]; ok {
		return i
	}
	if n.numbers == nil {
		n.numbers = map[string]uint32{}
	}
	i := uint32(len(n.list))
	n.numbers[name] = i
	n.list = append(n.list, name)
	n.keys = append(n.keys, append(append([]byte(`,"`), name...), `":`...))
	return i
}
