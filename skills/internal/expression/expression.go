// Package expression reads the conditions of games: what of flags, counters and variables, and of what somebody in the game has and is, has to be so; and
// values that are worked out of them.
package expression

import (
	"math"
)

// Limits of expressions.
const (
	Max        = 1024 // bytes
	MaxName    = 128  // bytes of a name in one
	maxNesting = 32   // parentheses and negations in one another
)

// sort is what is known of a value before it is there.
type sort uint8

const (
	unknown sort = iota
	boolean
	number
	text
)

func (s sort) String() string {
	return [...]string{"a value", "true or false", "a number", "a text"}[s]
}

// Value is what an operand comes to. The zero Value is that of a variable that was never set, or an object, which is like nothing else.
type Value struct {
	sort sort
	yes  bool
	num  float64
	text string
}

// Bool returns a truth value.
func Bool(b bool) Value { return Value{sort: boolean, yes: b} }

// Number returns a number.
func Number(x float64) Value { return Value{sort: number, num: x} }

// Text returns a text.
func Text(s string) Value { return Value{sort: text, text: s} }

// Any returns a bool, a float64 or a string, nil for what is known of none.
func (v Value) Any() any {
	switch v.sort {
	case boolean:
		return v.yes
	case number:
		return v.num
	case text:
		return v.text
	}
	return nil
}

// Ref is what an expression reads: kind is "flag", "counter", "variable" or "timer", of the game, or "item", "stat", "quest" or "input", of somebody in it; or [Draw].
type Ref struct{ Kind, Name string }

// Draw is the kind of what random( ) reads: a number from 0 to less than 1, another one each time.
const Draw = "random"

// maxDraw is the most that random( ) comes to.
const maxDraw = 1_000_000

// OfSomebody reports whether it is somebody's.
func (r Ref) OfSomebody() bool {
	return r.Kind == "item" || r.Kind == "stat" || r.Kind == "quest" || r.Kind == "input"
}

// node is a part of an expression. Nodes are immutable.
type node struct {
	op   string // "or", "and", "not", "==" and the like, "+" and the like, "floor" and the like, "random", "ref", or "is" for the value itself
	at   int    // where it begins, in bytes
	sort sort
	ref  Ref
	is   Value
	args []*node
}

// Expression is an expression that was read. It is immutable.
type Expression struct {
	root *node
	refs []Ref
}

// Refs returns what it reads. They are not to be changed.
func (e *Expression) Refs() []Ref { return e.refs }

// source answers what an expression reads.
type source func(r Ref) Value

// Holds reports whether the expression is true of what read answers: anything but true is not.
func (e *Expression) Holds(read func(r Ref) Value) bool { return e.root.eval(read).truth() }

// Value returns what the expression comes to. It is the zero Value where it cannot be worked out, as of what was never set, or by a division by 0.
func (e *Expression) Value(read func(r Ref) Value) Value { return e.root.eval(read) }

func (v Value) truth() bool { return v.sort == boolean && v.yes }

func (n *node) eval(read source) Value {
	switch n.op {
	case "ref":
		return read(n.ref)
	case "is":
		return n.is
	case "not":
		return Bool(!n.args[0].eval(read).truth())
	case "and":
		return Bool(n.args[0].eval(read).truth() && n.args[1].eval(read).truth())
	case "or":
		return Bool(n.args[0].eval(read).truth() || n.args[1].eval(read).truth())
	}
	a := n.args[0].eval(read)
	if round := rounds[n.op]; round != nil {
		return worked(round(a.num), a)
	}
	if n.op == Draw {
		return drawn(a, read)
	}
	b := n.args[1].eval(read)
	switch n.op {
	case "+":
		return worked(a.num+b.num, a, b)
	case "-":
		return worked(a.num-b.num, a, b)
	case "*":
		return worked(float64(a.num*b.num), a, b)
	case "/":
		return worked(a.num/b.num, a, b)
	}
	return Bool(compare(n.op, a, b))
}

// rounds are the functions of one number.
var rounds = map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "round": math.Round}

// drawn returns a whole number from 1 to a whole number, each with the same chance.
func drawn(most Value, read source) Value {
	if n := most.num; most.sort != number || n < 1 || n > maxDraw || n != math.Floor(n) {
		return Value{}
	}
	x := read(Ref{Kind: Draw})
	return worked(math.Floor(float64(x.num*most.num))+1, x)
}

// worked returns a number that was worked out of others, the zero Value if one of them is none, or it is too large.
func worked(x float64, of ...Value) Value {
	for _, v := range of {
		if v.sort != number {
			return Value{}
		}
	}
	if math.IsNaN(x) || math.Abs(x) > math.MaxFloat32 {
		return Value{}
	}
	return Number(x)
}

// compare compares two values. Those of different sorts are not equal, and neither less nor greater; what was never set equals nothing.
func compare(op string, a, b Value) bool {
	same := a.sort == b.sort && a.sort != unknown
	switch op {
	case "==":
		return same && a == b
	case "!=":
		return !same || a != b
	}
	if !same || a.sort != number {
		return false
	}
	switch op {
	case "<":
		return a.num < b.num
	case "<=":
		return a.num <= b.num
	case ">":
		return a.num > b.num
	default:
		return a.num >= b.num
	}
}
