package schemagen

import (
	"regexp/syntax"
	"strings"
)

// match makes a string that a regular expression matches.
func (m maker) match(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	m.expand(&b, re)
	return b.String()
}

func (m maker) expand(b *strings.Builder, re *syntax.Regexp) {
	const most = 5 // repetitions beyond the least number
	repeat := func(lo, hi int) {
		if hi < 0 || hi > lo+most {
			hi = lo + most
		}
		for range lo + m.IntN(hi-lo+1) {
			m.expand(b, re.Sub[0])
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		i := m.IntN(len(re.Rune)/2) * 2
		lo, hi := re.Rune[i], re.Rune[i+1]
		b.WriteRune(lo + m.Int32N(hi-lo+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abc019 _"[m.IntN(8)])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			m.expand(b, sub)
		}
	case syntax.OpAlternate:
		m.expand(b, re.Sub[m.IntN(len(re.Sub))])
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	}
}
