package onecheck

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// reach bounds what is added to an address by an instruction of its own and is made a part of the access instead.
// The two differ where the sum does not fit 32 bits: it then began anew, at 0, and now fails.
const reach = 1 << 16

// access is the accesses by one address in one stretch: instructions of which all run if the first does.
type access struct {
	root   int
	first  int    // the instruction before which a check would be
	local  uint32 // that holds the address there
	lowest uint64 // how far the first one reaches
	top    uint64 // how far the farthest does
}

// edit is what becomes of an instruction.
type edit struct {
	at    int
	kind  byte
	local uint32
	n     int64
}

// The kinds of edit.
const (
	checked  = iota // before it, it is checked that n bytes are in memory from where a local says
	replaced        // it becomes a local.get
	gone            // it is left out
	moved           // n is added to the offset of the access
)

// changes are the edits of a function, and the stretch that is being read.
type changes struct {
	edits   []edit
	stretch []access
	framed  bool // the stretch has its check of the frame
}

// flush ends a stretch.
func (c *changes) flush() {
	for _, a := range c.stretch {
		if a.top > a.lowest {
			c.edits = append(c.edits, edit{a.first, checked, a.local, int64(a.top)})
		}
	}
	c.stretch, c.framed = c.stretch[:0], false
}

// run goes through a function and returns what is to be changed, in the order of the instructions.
func (f *flow) run(sig signature) ([]edit, error) {
	f.stack, f.nest, f.settled = f.stack[:0], f.nest[:0], f.settled[:0]
	f.homes = append(f.homes[:0], 0)
	f.span++
	f.nest = append(f.nest, control{code: opBlock, sig: signature{results: sig.results}})
	var c changes
	skip := 0 // how many blocks deep in what nothing gets to
	for i := range f.ops {
		if len(f.nest) == 0 {
			return nil, errors.New("instructions after the end")
		}
		if f.nest[len(f.nest)-1].dead {
			switch code := f.ops[i].code; {
			case code >= opBlock && code <= opIf:
				skip++
				continue
			case skip > 0 && code == opEnd:
				skip--
				continue
			case skip > 0, code != opEnd && code != opElse:
				continue
			}
		}
		if err := f.step(i, &c); err != nil {
			return nil, fmt.Errorf("instruction %d: %w", i, err)
		}
	}
	slices.SortFunc(c.edits, func(a, b edit) int { return cmp.Or(a.at-b.at, int(a.kind)-int(b.kind)) })
	return c.edits, nil
}

// step goes through an instruction.
func (f *flow) step(i int, c *changes) error {
	o := &f.ops[i]
	now := &f.nest[len(f.nest)-1]
	switch {
	case o.code >= opBlock && o.code <= opIf:
		return f.enter(o, c)
	case o.code == opElse, o.code == opEnd:
		c.flush()
		f.span++
		f.stack, f.settled = f.stack[:now.height], f.settled[:now.settled]
		n := now.sig.params
		if o.code == opEnd {
			n = now.sig.results
			f.nest = f.nest[:len(f.nest)-1]
		}
		now.dead = false
		return f.leave(n)
	case o.code == opUnreachable, o.code == opBr, o.code == opBrTable, o.code == opReturn:
		c.flush()
		now.dead = true
		return nil
	case o.code == opBrIf:
		c.flush()
		if _, err := f.pop(); err != nil {
			return err
		}
		return f.carry(o.x)
	case o.code == opLocalGet:
		v := f.get(o.x)
		v.kind, v.at = got, i
		if v.by = -1; v.more > 0 {
			if local, ok := f.home(v.root); ok {
				v.by = int(local)
			}
		}
		f.push(v)
		return nil
	case o.code == opLocalSet, o.code == opLocalTee:
		v, err := f.pop()
		if i == f.framed {
			v = value{root: frame}
			f.base = o.x
		}
		f.set(o.x, v)
		if o.code == opLocalTee {
			f.push(f.get(o.x))
		}
		return err
	case o.code == opI32Const:
		f.push(value{kind: constant, more: int64(o.n), at: i})
		return nil
	case o.code == opI32Add:
		return f.add(i)
	case o.accesses():
		return f.access(i, c)
	}
	takes, leaves, err := f.m.effect(o)
	if err != nil {
		return err
	}
	for range takes {
		if _, err := f.pop(); err != nil {
			return err
		}
	}
	if o.code == opCall || o.code == opCallIndirect || o.code == opMemoryGrow {
		c.flush()
	}
	return f.leave(leaves)
}

// leave puts n values on the stack of which nothing is known. What a call leaves is as long as a type that is written
// once, so a short module could have any number.
func (f *flow) leave(n int) error {
	if len(f.stack)+n > 1<<16 {
		return errors.New("too much is on the stack")
	}
	f.stack = append(f.stack, make([]value, n)...)
	return nil
}

// enter goes into a block, a loop or an if.
func (f *flow) enter(o *op, c *changes) error {
	if o.code == opIf {
		if _, err := f.pop(); err != nil {
			return err
		}
	}
	if o.code != opBlock {
		c.flush()
	}
	s, err := f.blockType(o.n)
	if err != nil {
		return err
	}
	height := len(f.stack) - s.params
	if height < f.nest[len(f.nest)-1].height {
		return errStack
	}
	if o.code == opLoop {
		f.span++
	}
	clear(f.stack[height:]) // in a loop they may come from elsewhere
	f.nest = append(f.nest, control{code: o.code, height: height, sig: s, settled: len(f.settled)})
	return nil
}

// carry has what a branch to a label would take along stay as it was computed: it is needed there too, if the branch is
// not taken and an access uses it here.
func (f *flow) carry(label uint32) error {
	if uint64(label) >= uint64(len(f.nest)) {
		return fmt.Errorf("a branch to the label %d, of %d", label, len(f.nest))
	}
	to := &f.nest[len(f.nest)-1-int(label)]
	n := to.sig.results
	if to.code == opLoop {
		n = to.sig.params
	}
	from := len(f.stack) - n
	if from < f.nest[len(f.nest)-1].height {
		return errStack
	}
	for i := from; i < len(f.stack); i++ {
		f.stack[i].kind = other
	}
	return nil
}

// add goes through an i32.add.
func (f *flow) add(i int) error {
	b, err := f.pop()
	if err != nil {
		return err
	}
	a, err := f.pop()
	if err != nil {
		return err
	}
	if a.kind == constant {
		a, b = b, a
	}
	var v value
	if b.kind == constant && a.kind != constant {
		if more := a.more + b.more; more >= 0 && more < reach {
			v = value{root: a.root, more: more}
		}
		if b.more >= 0 && b.more < reach {
			v.kind, v.at, v.by = sum, i, b.at
		}
	}
	f.push(v)
	return nil
}

// access goes through a load or a store.
func (f *flow) access(i int, c *changes) error {
	o := &f.ops[i]
	if o.code >= opStoreFirst {
		if _, err := f.pop(); err != nil {
			return err
		}
	}
	v, err := f.pop()
	if err != nil {
		return err
	}
	if o.code < opStoreFirst {
		f.push(value{})
	}
	top := uint64(v.more) + o.top()
	if o.top()+reach > math.MaxUint32 {
		return nil
	}
	switch {
	case v.kind == got && v.more > 0 && v.by >= 0:
		c.edits = append(c.edits, edit{v.at, replaced, uint32(v.by), 0}, edit{i, moved, 0, v.more})
		v.more = 0
	case v.kind == sum:
		n := int64(f.ops[v.by].n)
		c.edits = append(c.edits, edit{v.by, gone, 0, 0}, edit{v.at, gone, 0, 0}, edit{i, moved, 0, n})
		v.more -= n
	}
	local, ok := f.home(v.root)
	switch {
	case v.more != 0 || !ok:
	case v.root == frame && top <= uint64(f.size):
		if !c.framed {
			c.framed = true
			c.edits = append(c.edits, edit{i, checked, local, f.size})
		}
	case v.root > 0:
		for k := range c.stretch {
			if a := &c.stretch[k]; a.root == v.root {
				a.top = max(a.top, top)
				return nil
			}
		}
		c.stretch = append(c.stretch, access{root: v.root, first: i, local: local, lowest: top, top: top})
	}
	return nil
}

// blockType returns what a block takes and leaves.
func (f *flow) blockType(n int32) (signature, error) {
	switch {
	case n == -0x40:
		return signature{}, nil
	case n < 0:
		return signature{results: 1}, nil
	case int(n) < len(f.m.types):
		return f.m.types[n], nil
	}
	return signature{}, fmt.Errorf("a block of the type %d, of %d", n, len(f.m.types))
}

// write appends the body with its edits.
func (f *flow) write(code []byte, start int, edits []edit, out []byte) []byte {
	out = append(out, code[:start]...)
	at := uint32(start)
	for i := 0; i < len(edits); {
		k := edits[i].at
		o := &f.ops[k]
		out = append(out, code[at:o.start]...)
		at = o.start
		for ; i < len(edits) && edits[i].at == k; i++ {
			switch e := &edits[i]; e.kind {
			case checked: // what is loaded is dropped, so that nothing of it but the check is left
				out = append(appendGet(out, e.local), opLoad8U, 0)
				out = append(binary.AppendUvarint(out, uint64(e.n-1)), opDrop)
			case replaced:
				out = appendGet(out, e.local)
				at = o.end
			case gone:
				at = o.end
			case moved:
				out = append(out, o.code, o.align)
				out = binary.AppendUvarint(out, uint64(o.x)+uint64(e.n))
				at = o.end
			}
		}
	}
	return append(out, code[at:]...)
}

// appendGet appends a local.get.
func appendGet(out []byte, local uint32) []byte {
	return binary.AppendUvarint(append(out, opLocalGet), uint64(local))
}
