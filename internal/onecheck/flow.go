package onecheck

import "errors"

// value is what is known of something on the stack or in a local: it is a root and a number of bytes more.
type value struct {
	root int   // the same for two whose root is the same number; 0: not known
	more int64 // or the constant itself
	kind byte
	at   int // of a constant, of what a local held, of a sum: the instruction
	by   int // of a sum: the constant; of what a local held: a local that held the root then, -1: none
}

// The kinds of value, by how it came on the stack.
const (
	other    = iota
	constant // an i32.const
	got      // a local.get
	sum      // an i32.add of a constant
)

// control is a block, a loop, an if or the function.
type control struct {
	code    byte
	height  int
	sig     signature
	dead    bool // nothing gets to what is read
	settled int  // how many locals were settled outside
}

// flow follows the values of a function through its instructions, in the order that they are written.
type flow struct {
	m     *module
	ops   []op
	stack []value
	nest  []control

	locals []value  // what they hold
	epoch  []int    // of locals: the span in which it was noted
	span   int      // what is known of locals holds within one
	homes  []uint32 // by root: a local that holds it, or held it

	sets    []uint32 // how often each local is set
	framed  int      // the instruction that puts the address of the frame into a local; -1: none does
	base    uint32   // that local
	size    int64    // of the frame
	settled []settled
}

// settled is a local that is set once, to a place in the frame. It holds that wherever what sets it has run before,
// which is up to the end of the block that it is in.
type settled struct {
	local uint32
	more  int64
}

// frame is the root of all places in the frame.
const frame = -1

var errStack = errors.New("too little is on the stack")

func (f *flow) push(v value) { f.stack = append(f.stack, v) }

func (f *flow) pop() (v value, err error) {
	if len(f.stack) <= f.nest[len(f.nest)-1].height {
		return v, errStack
	}
	v = f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	return v, nil
}

// fresh returns a root that nothing else has; it is at home in a local.
func (f *flow) fresh(home uint32) int {
	f.homes = append(f.homes, home)
	return len(f.homes) - 1
}

// get returns what a local holds.
func (f *flow) get(local uint32) value {
	for _, s := range f.settled {
		if s.local == local {
			return value{root: frame, more: s.more}
		}
	}
	if f.epoch[local] != f.span {
		f.locals[local], f.epoch[local] = value{root: f.fresh(local)}, f.span
	}
	return f.locals[local]
}

// set notes what a local holds from now on.
func (f *flow) set(local uint32, v value) {
	if v.root == frame && f.sets[local] == 1 {
		f.settled = append(f.settled, settled{local, v.more})
		f.epoch[local] = 0 // what it held before, 0, it holds no more
		return
	}
	switch {
	case v.root == frame || v.root == 0:
		v = value{root: f.fresh(local)}
	case v.more == 0:
		if _, ok := f.home(v.root); !ok {
			f.homes[v.root] = local
		}
	}
	f.locals[local], f.epoch[local] = value{root: v.root, more: v.more}, f.span
}

// home returns a local that holds a root.
func (f *flow) home(root int) (uint32, bool) {
	if root == frame {
		return f.base, true
	}
	if root <= 0 {
		return 0, false
	}
	local := f.homes[root]
	v := &f.locals[local]
	return local, f.epoch[local] == f.span && v.root == root && v.more == 0
}
