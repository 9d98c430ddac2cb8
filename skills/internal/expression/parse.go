package expression

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// parser reads an expression, token by token.
type parser struct {
	src   string
	at    int // where the token begins
	token string
	kind  tokenKind
	next  int  // where the rest begins
	about bool // somebody in the game
	draws bool // random( )
	deep  int
	refs  []Ref
}

type tokenKind uint8

const (
	end tokenKind = iota
	word
	numeral
	quoted // token is what is between the quotes
	symbol
)

// Parse reads a condition, which may ask about somebody, and timers, or only about what of the game stays as it is until somebody changes it. The error says
// what is wrong and where, for the caller.
func Parse(src string, about bool) (*Expression, error) {
	e, err := parse(&parser{src: src, about: about})
	if err != nil {
		return nil, err
	}
	p := parser{src: src}
	return e, p.must(e.root, boolean, "a condition")
}

// ParseValue is Parse of what comes to any value: a number, a text, or true or false. It may ask about somebody, and timers, and draw.
func ParseValue(src string) (*Expression, error) {
	return parse(&parser{src: src, about: true, draws: true})
}

func parse(p *parser) (*Expression, error) {
	if err := config.Fits("expression", len(p.src), Max); err != nil {
		return nil, err
	}
	root, err := p.whole()
	if err != nil {
		return nil, err
	}
	return &Expression{root, p.refs}, nil
}

func (p *parser) whole() (*node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	root, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.kind != end {
		if p.token == "=" {
			return nil, p.wrong(p.at, "write == to compare")
		}
		return nil, p.wrong(p.at, "want and, or, a comparison or the end here, got %s", p.got())
	}
	return root, nil
}

// wrong is an error at a place.
func (p *parser) wrong(at int, format string, args ...any) error {
	const around = 16
	from, to := at, min(len(p.src), at+around)
	for n := 1; n < utf8.UTFMax && to < len(p.src) && !utf8.RuneStart(p.src[to]); n++ {
		to++
	}
	where := "at the end"
	if at < len(p.src) {
		where = fmt.Sprintf("at character %d, %q", utf8.RuneCountInString(p.src[:at])+1, p.src[from:to])
	}
	return registry.Invalidf("expression: %s: %s", where, fmt.Sprintf(format, args...))
}

func (p *parser) got() string {
	if p.kind == end {
		return "the end"
	}
	return strconv.Quote(quote.Clip(p.token))
}

// must holds a node to a sort, as far as that is known.
func (p *parser) must(n *node, want sort, as string) error {
	if n.sort == unknown || n.sort == want {
		return nil
	}
	return p.wrong(n.at, "%s is %s, this is %s", as, want, n.sort)
}

func (p *parser) is(words ...string) bool {
	if p.kind != word && p.kind != symbol {
		return false
	}
	for _, w := range words {
		if p.token == w {
			return true
		}
	}
	return false
}

func (p *parser) or() (*node, error) { return p.row("or", boolean, p.and, "or", "||") }

func (p *parser) and() (*node, error) { return p.row("and", boolean, p.not, "and", "&&") }

// row reads operands of one sort from left to right, with one of the signs between each two. What is done with them is called op, or if that is "" as the sign is.
func (p *parser) row(op string, of sort, operand func() (*node, error), signs ...string) (*node, error) {
	left, err := operand()
	for err == nil && p.is(signs...) {
		name := cmp.Or(op, p.token)
		if err = p.advance(); err != nil {
			break
		}
		var right *node
		if right, err = operand(); err != nil {
			break
		}
		for _, n := range []*node{left, right} {
			if err := p.must(n, of, "what stands beside "+name); err != nil {
				return nil, err
			}
		}
		left = &node{op: name, at: left.at, sort: of, args: []*node{left, right}}
	}
	return left, err
}

// not reads what follows a "not", which takes in the comparison behind it.
func (p *parser) not() (*node, error) {
	if !p.is("not") {
		return p.comparison()
	}
	return p.negated(p.not)
}

// negated reads what is negated.
func (p *parser) negated(operand func() (*node, error)) (*node, error) {
	at, sign := p.at, p.token
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.deep-- }()
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := operand()
	if err != nil {
		return nil, err
	}
	if err := p.must(n, boolean, "what stands behind "+sign); err != nil {
		return nil, err
	}
	return &node{op: "not", at: at, sort: boolean, args: []*node{n}}, nil
}

// enter goes one level deeper.
func (p *parser) enter() error {
	if p.deep++; p.deep > maxNesting {
		return p.wrong(p.at, "at most %d parentheses and negations may be in one another", maxNesting)
	}
	return nil
}

func (p *parser) comparison() (*node, error) {
	left, err := p.sum()
	if err != nil || !p.is("==", "!=", "<", "<=", ">", ">=", "=") {
		return left, err
	}
	op, at := p.token, p.at
	if op == "=" {
		return nil, p.wrong(at, "write == to compare")
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	right, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.is("==", "!=", "<", "<=", ">", ">=") {
		return nil, p.wrong(p.at, "one comparison at a time: join two by and")
	}
	if op == "==" || op == "!=" {
		if left.sort != unknown && right.sort != unknown && left.sort != right.sort {
			return nil, p.wrong(left.at, "%s never equals %s", left.sort, right.sort)
		}
	} else {
		for _, n := range []*node{left, right} {
			if err := p.must(n, number, "what "+op+" compares"); err != nil {
				return nil, err
			}
		}
	}
	return &node{op: op, at: left.at, sort: boolean, args: []*node{left, right}}, nil
}

func (p *parser) sum() (*node, error) { return p.row("", number, p.product, "+", "-") }

func (p *parser) product() (*node, error) { return p.row("", number, p.operand, "*", "/") }

// rounded reads floor( ) and its like.
func (p *parser) rounded(at int, op string) (*node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.is("(") {
		return nil, p.wrong(at, "write %s( ) with a number in it", op)
	}
	n, err := p.nested()
	if err != nil {
		return nil, err
	}
	return &node{op: op, at: at, sort: number, args: []*node{n}}, p.must(n, number, "what is in "+op+"( )")
}

// minus reads what has a minus before it.
func (p *parser) minus(at int) (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.deep-- }()
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := p.operand()
	if err != nil {
		return nil, err
	}
	return &node{op: "-", at: at, sort: number, args: []*node{{op: "is", at: at, sort: number, is: Number(0)}, n}}, p.must(n, number, "what stands behind -")
}

// operand reads a value, what is read of the game, or what is in parentheses.
func (p *parser) operand() (*node, error) {
	at, token := p.at, p.token
	switch {
	case p.is("!"):
		return p.negated(p.operand)
	case p.is("("):
		return p.nested()
	case p.is("-"):
		return p.minus(at)
	case p.kind == word && rounds[token] != nil:
		return p.rounded(at, token)
	case p.is("random") && p.draws:
		return p.rounded(at, token)
	case p.is("random", "rand", "dice"):
		return nil, p.wrong(at, `%s means nothing here, where it would be another at each look: have an action keep what "$(random(6))" comes to, in a variable or a counter, and ask for that`, quote.Clip(token))
	case p.is("true", "false"):
		return p.constant(at, Value{sort: boolean, yes: token == "true"})
	case p.kind == quoted:
		return p.constant(at, Value{sort: text, text: token})
	case p.kind == numeral:
		return p.numeral(at, token)
	case p.is("flag", "counter", "variable"), p.about && p.is("item", "stat", "quest", "input", "timer"):
		return p.reference(at, token)
	case p.about && p.kind == word && slices.Contains(elsewhere, strings.ToLower(token)):
		return nil, p.wrong(at, `%s means nothing: write item("…"), how many somebody has, stat("…") or quest("…"), which is "available", "active", "completed" or "failed"`, quote.Clip(token))
	case p.is("timer"):
		return nil, p.wrong(at, "a timer means nothing here, as it goes on all the time: its onComplete is an event; the if of actions, and what they work out, know it")
	case p.kind == word && slices.Contains(elsewhere, strings.ToLower(token)):
		return nil, p.wrong(at, `%s means nothing here: only flag("…"), counter("…") and variable("…") do; the if of actions and conditions of dialogues know item("…"), stat("…") and quest("…") of somebody. What somebody owns, has or has done can set one: setState with game, as an action at quest.completed or stats.onZero`, quote.Clip(token))
	case p.kind == word:
		return nil, p.wrong(at, `%s means nothing: write flag(%[1]q), counter(%[1]q) or variable(%[1]q), and texts in quotes`, quote.Clip(token))
	}
	return nil, p.wrong(at, `want flag("…"), counter("…"), variable("…"), a number, a text in quotes, true, false, not or ( here, got %s`, p.got())
}

// elsewhere are words, in small letters, by which one asks for what an expression does not know: it is about the game, not about somebody in it.
var elsewhere = []string{"item", "items", "hasitem", "inventory", "stat", "stats", "quest", "input"}

func (p *parser) constant(at int, v Value) (*node, error) {
	return &node{op: "is", at: at, sort: v.sort, is: v}, p.advance()
}

func (p *parser) numeral(at int, token string) (*node, error) {
	x, err := strconv.ParseFloat(token, 64)
	if err != nil || math.IsInf(x, 0) {
		return nil, p.wrong(at, "%q is no number", quote.Clip(token))
	}
	return p.constant(at, Value{sort: number, num: x})
}

func (p *parser) nested() (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.deep-- }()
	open := p.at
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := p.or()
	if err != nil {
		return nil, err
	}
	if !p.is(")") {
		return nil, p.wrong(p.at, "want the ) of the ( at character %d here, got %s", utf8.RuneCountInString(p.src[:open])+1, p.got())
	}
	return n, p.advance()
}

// reference reads flag("name") and its like.
func (p *parser) reference(at int, kind string) (*node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.is("(") {
		return nil, p.wrong(at, `write %s("name")`, kind)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.kind != quoted || p.token == "" || len(p.token) > MaxName {
		return nil, p.wrong(p.at, `want a name in quotes, of at most %d bytes: %s("name")`, MaxName, kind)
	}
	r := Ref{kind, p.token}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.is(")") {
		return nil, p.wrong(p.at, `want ) here, as in %s("name"), got %s`, kind, p.got())
	}
	p.refs = append(p.refs, r)
	sorts := map[string]sort{"flag": boolean, "counter": number, "variable": unknown, "item": number, "stat": number, "quest": text, "input": number, "timer": number}
	return &node{op: "ref", at: at, sort: sorts[kind], ref: r}, p.advance()
}

// advance goes on to the next token.
func (p *parser) advance() error {
	rest := strings.TrimLeft(p.src[p.next:], " \t\r\n")
	p.at = len(p.src) - len(rest)
	if rest == "" {
		p.token, p.kind, p.next = "", end, p.at
		return nil
	}
	value := p.kind == numeral || p.kind == quoted || p.kind == word || p.kind == symbol && p.token == ")" // behind which - takes away
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		return p.quotation(rest)
	case isLetter(c):
		p.take(word, rest, func(c byte) bool { return isLetter(c) || isDigit(c) })
	case isDigit(c) || (c == '-' && !value || c == '.') && len(rest) > 1 && (isDigit(rest[1]) || rest[1] == '.'):
		p.take(numeral, rest, func(c byte) bool { return isDigit(c) || c == '.' || isLetter(c) })
	default:
		p.sign(rest)
	}
	return nil
}

func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// take makes a token of the first byte and those behind it that belong to it.
func (p *parser) take(kind tokenKind, rest string, belongs func(c byte) bool) {
	n := 1
	for n < len(rest) && belongs(rest[n]) {
		n++
	}
	p.token, p.kind, p.next = rest[:n], kind, p.at+n
}

// sign makes a token of a sign, of two characters if there is one.
func (p *parser) sign(rest string) {
	for _, s := range [...]string{"==", "!=", "<=", ">=", "&&", "||"} {
		if strings.HasPrefix(rest, s) {
			p.token, p.kind, p.next = s, symbol, p.at+len(s)
			return
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	p.token, p.kind, p.next = rest[:n], symbol, p.at+n
}

// quotation makes a token of a text in quotes. A backslash takes the character behind it for itself.
func (p *parser) quotation(rest string) error {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == rest[0]:
			p.token, p.kind, p.next = b.String(), quoted, p.at+i+1
			return nil
		case c == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return p.wrong(p.at, "the text has no closing %c", rest[0])
}
