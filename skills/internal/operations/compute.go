package operations

import (
	"math"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// The bounds of an expression.
const (
	maxExpression = 256 // bytes
	maxParens     = 16  // parentheses and signs inside one another
)

// Compute works out an expression, "$(" and ")" included: numbers and names with + - * / and
// parentheses, * and / before + and -, from left to right, and floor, ceil and round of them. value says what a name stands for. Every
// step is rounded to float64 by itself, so that the result is the same on every machine. It fails, and
// the error shows the expression, if it is none, or if a result is not finite.
func Compute(text string, value func(name string) (float64, error)) (float64, error) {
	x, err := read(text, value)
	if err == nil && (math.IsInf(x, 0) || math.IsNaN(x)) {
		err = registry.Invalidf("%q: divides by zero, or is too large", text)
	}
	return x, err
}

// read is Compute, whatever comes out.
func read(text string, value func(name string) (float64, error)) (float64, error) {
	if len(text) > maxExpression {
		return 0, registry.Invalidf("%q: an expression may have %d bytes, this has %d", quote.Clip(text), maxExpression, len(text))
	}
	e := expression{text: text, rest: strings.TrimPrefix(text, "$"), value: value}
	x, err := e.factor()
	if err == nil && e.next() != 0 {
		err = e.wrong("the end after the last )")
	}
	return x, err
}

// Names returns the names in an expression, in order. It fails as [Compute] does where the form is wrong.
func Names(text string) (names []string, err error) {
	_, err = read(text, func(name string) (float64, error) {
		names = append(names, name)
		return 0, nil
	})
	return names, err
}

// expression is one that is being read.
type expression struct {
	text, rest string
	depth      int
	value      func(name string) (float64, error)
}

// next returns the first byte of what is left that is no space, 0 at the end.
func (e *expression) next() byte {
	e.rest = strings.TrimLeft(e.rest, " ")
	if e.rest == "" {
		return 0
	}
	return e.rest[0]
}

func (e *expression) wrong(want string) error {
	got := "the end"
	if e.rest != "" {
		got = strconv.Quote(quote.Clip(e.rest))
	}
	return registry.Invalidf("%q: want %s, got %s; an expression has numbers, names, + - * / and ( ), floor( ), ceil( ) and round( )", e.text, want, got)
}

func (e *expression) sum() (float64, error) {
	x, err := e.product()
	for err == nil {
		op := e.next()
		if op != '+' && op != '-' {
			break
		}
		e.rest = e.rest[1:]
		var y float64
		if y, err = e.product(); op == '-' {
			y = -y
		}
		x += y
	}
	return x, err
}

func (e *expression) product() (float64, error) {
	x, err := e.factor()
	for err == nil {
		op := e.next()
		if op != '*' && op != '/' {
			break
		}
		e.rest = e.rest[1:]
		var y float64
		if y, err = e.factor(); op == '*' {
			x = float64(x * y)
		} else {
			x = float64(x / y)
		}
	}
	return x, err
}

// factor reads a number, a name, what stands in parentheses, or one of them with a sign.
func (e *expression) factor() (float64, error) {
	if e.depth++; e.depth > maxParens {
		return 0, registry.Invalidf("%q: at most %d parentheses inside one another", e.text, maxParens)
	}
	defer func() { e.depth-- }()
	c := e.next()
	switch {
	case c == '(':
		e.rest = e.rest[1:]
		x, err := e.sum()
		if err != nil {
			return 0, err
		}
		if e.next() != ')' {
			return 0, e.wrong("an operator or )")
		}
		e.rest = e.rest[1:]
		return x, nil
	case c == '-':
		e.rest = e.rest[1:]
		x, err := e.factor()
		return -x, err
	case c >= '0' && c <= '9':
		digits := e.take(func(c byte) bool { return c >= '0' && c <= '9' || c == '.' })
		x, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return 0, registry.Invalidf("%q: %s is no number", e.text, quote.Clip(digits))
		}
		return x, nil
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		name := e.take(func(c byte) bool {
			return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.'
		})
		if whole := wholes[name]; whole != nil && e.next() == '(' {
			x, err := e.factor()
			if near := math.RoundToEven(x); math.Abs(x-near) <= nearWhole {
				x = near
			}
			return whole(x), err
		}
		return e.value(name)
	}
	return 0, e.wrong("a number, a name or (")
}

// wholes are what an expression makes whole numbers by. What is as near to one as nearWhole is that one: 1.2/0.4 is a little less than 3.
var wholes = map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "round": math.Round}

const nearWhole = 1e-9

// take returns the bytes at the beginning of which is holds, and goes behind them.
func (e *expression) take(is func(c byte) bool) string {
	n := 0
	for n < len(e.rest) && is(e.rest[n]) {
		n++
	}
	taken := e.rest[:n]
	e.rest = e.rest[n:]
	return taken
}
