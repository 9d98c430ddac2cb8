package wire

import (
	"math"
	"math/bits"
	"strconv"
)

// number is a JSON number taken apart: ±mant × 10^exp. Four fields, because the
// compiler keeps no struct of more in registers.
type number struct {
	mant  uint64
	exp   int
	end   int // index behind it; negative as the scanner's results
	flags numberFlags
}

type numberFlags uint8

const (
	negative numberFlags = 1 << iota // also -0
	long                             // more digits than mant holds: mant and exp mean nothing
)

// maxDigits decimal digits always fit 64 bits.
const maxDigits = 19

// readNumber reads the number at i. What it accepts is what skipNumber does.
func readNumber(b []byte, i int) number {
	var (
		mant  uint64
		exp   int
		flags numberFlags
	)
	if i < len(b) && b[i] == '-' {
		flags = negative
		i++
	}
	start := i
	for ; i < len(b) && isDigit(b[i]); i++ {
		mant = mant*10 + uint64(b[i]-'0')
	}
	count := i - start
	if count == 0 {
		return number{end: ^i}
	}
	if b[start] == '0' && count > 1 { // no digit may follow a zero: the number ends here
		i, count, mant = start+1, 1, 0
	}
	if i < len(b) && b[i] == '.' {
		i++
		start = i
		for ; i < len(b) && isDigit(b[i]); i++ {
			mant = mant*10 + uint64(b[i]-'0')
		}
		if i == start {
			return number{end: ^i}
		}
		count += i - start
		exp = start - i
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = readExponent(b, i+1); i < 0 {
			return number{end: i}
		}
		exp += e
	}
	if count > maxDigits {
		flags |= long
	}
	return number{mant, exp, i, flags}
}

// readExponent reads what follows the e at i-1.
func readExponent(b []byte, i int) (exp, end int) {
	minus := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		minus = b[i] == '-'
		i++
	}
	start := i
	for ; i < len(b) && isDigit(b[i]); i++ {
		exp = min(exp*10+int(b[i]-'0'), hugeExp)
	}
	if i == start {
		return 0, ^i
	}
	if minus {
		exp = -exp
	}
	return exp, i
}

// hugeExp is an exponent that no text can make up for with its digits, and that can have another digit without overflow.
const hugeExp = math.MaxInt >> 4

// float returns the nearest float64 to the number whose text is given; ±Inf if it
// is beyond all of them.
func (n number) float(text []byte) float64 {
	// Both operands are exact, so one rounding is all there is (Clinger 1990).
	if n.flags&long == 0 && n.mant < 1<<53 && n.exp >= -22 && n.exp <= 22 {
		f := float64(n.mant)
		switch {
		case n.exp < 0:
			f /= powers[-n.exp]
		case n.exp > 0:
			f *= powers[n.exp]
		}
		if n.flags&negative != 0 {
			f = -f
		}
		return f
	}
	f, _ := strconv.ParseFloat(string(text), 64) // the one possible error is the range: ±Inf
	return f
}

// powers are those powers of ten that a float64 holds exactly.
var powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// integer returns the magnitude of the number whose text is given, and whether it
// is whole: 1.0 and 1e3 are. A whole number beyond 64 bits has the magnitude
// MaxUint64 and over set.
func (n number) integer(text []byte) (mag uint64, whole, over bool) {
	if n.flags&long != 0 {
		n = shorten(text)
		if n.flags&long != 0 { // the last digit counts and there are too many: a fraction, or huge
			return math.MaxUint64, n.exp >= 0, true
		}
	}
	if n.mant == 0 {
		return 0, true, false
	}
	for ; n.exp < 0; n.exp++ {
		if n.mant%10 != 0 {
			return 0, false, false
		}
		n.mant /= 10
	}
	for ; n.exp > 0; n.exp-- {
		hi, lo := bits.Mul64(n.mant, 10)
		if hi != 0 {
			return math.MaxUint64, true, true
		}
		n.mant = lo
	}
	return n.mant, true, false
}

// shorten reads a valid number of many digits without its leading and trailing
// zeros. If the rest still does not fit, it is long and exp is the exponent of the
// last digit that is not zero.
func shorten(text []byte) (n number) {
	exp := 0   // of the digit read last
	zeros := 0 // read since the last digit that counted
	point := false
	i := 0
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' {
			point = true
			continue
		}
		if c == '-' {
			continue
		}
		if !isDigit(c) {
			break
		}
		if point {
			exp--
		}
		if c == '0' {
			zeros++
			continue
		}
		for ; zeros > 0 && n.mant != 0 && n.flags&long == 0; zeros-- {
			n.push(0)
		}
		zeros = 0
		n.push(uint64(c - '0'))
	}
	if i < len(text) { // at the e
		e, _ := readExponent(text, i+1)
		exp += e
	}
	n.exp = exp + zeros
	return n
}

// push appends a digit to mant, and makes the number long if it does not fit.
func (n *number) push(digit uint64) {
	hi, lo := bits.Mul64(n.mant, 10)
	lo, carry := bits.Add64(lo, digit, 0)
	if hi != 0 || carry != 0 {
		n.flags |= long
	}
	n.mant = lo
}
