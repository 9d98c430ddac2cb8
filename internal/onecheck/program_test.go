package onecheck_test

import "pgregory.net/rapid"

// program makes random functions. Numbers stay below 2^18, so that no sum is past 32 bits, and a
// quarter of the addresses is out of bounds or nearly so.
type program struct {
	*rapid.T
	depth  int
	loops  byte
	placed bool // local 7 is set, which happens once
}

func (p *program) upTo(n int, what string) int { return rapid.IntRange(0, n).Draw(p.T, what) }

// body returns a function: with a frame or without, and all locals mixed as its result.
func (p *program) body() code {
	var b code
	if rapid.Bool().Draw(p.T, "frame") {
		b = code{globalGet, 0, constant, 48, sub, tee, 4, globalSet, 0}
	}
	b = append(b, p.statements()...)
	b = append(b, get, 0)
	for i := byte(1); i < locals; i++ {
		b = append(b, get, i, xor)
	}
	return b
}

func (p *program) statements() (b code) {
	for range 1 + p.upTo(5, "statements") {
		b = append(b, p.statement()...)
	}
	return b
}

// statement returns code that leaves nothing.
func (p *program) statement() code {
	kind := p.upTo(9, "statement")
	if p.depth > 3 && kind > 5 {
		kind = 5
	}
	p.depth++
	defer func() { p.depth-- }()
	switch kind {
	case 0:
		return join(p.number(), code{set, byte(p.upTo(3, "local"))})
	case 1:
		from, to := byte(p.upTo(4, "local")), byte(p.upTo(3, "local"))
		if !p.placed && p.upTo(2, "place") == 0 {
			p.placed = true
			from, to = 4, 7
		}
		return join(code{get, from, constant}, sv(int64(p.upTo(40, "more"))), code{add, set, to})
	case 2, 3, 4:
		return join(p.address(), p.number(), code{store, 2}, p.offset())
	case 5:
		return join(p.address(), code{load, 2}, p.offset(), code{drop})
	case 6:
		return join(p.number(), code{ifThen, empty}, p.statements(), code{otherwise}, p.statements(), code{end})
	case 7:
		return join(code{block, empty}, p.statements(), p.number(), code{brIf, 0}, p.statements(), code{end})
	case 8:
		return join(code{block, empty}, p.statements(), code{end})
	default:
		if p.loops == 2 {
			return join(p.number(), code{drop})
		}
		turns := 5 + p.loops
		p.loops++
		defer func() { p.loops-- }()
		return join(code{constant, 2, set, turns, loop, empty}, p.statements(),
			code{get, turns, constant, 1, sub, tee, turns, brIf, 0, end})
	}
}

func (p *program) offset() code { return uv(uint64(p.upTo(200, "offset"))) }

// address returns code that leaves an address: most often one of few, so that some are the same.
func (p *program) address() code {
	switch p.upTo(5, "address") {
	case 0:
		return p.number()
	case 1:
		return code{get, 4 + 3*byte(p.upTo(1, "frame"))}
	case 2:
		return join(code{get, byte(p.upTo(4, "local")), constant}, sv(int64(p.upTo(60, "more"))), code{add})
	default:
		return code{get, byte(p.upTo(3, "local"))}
	}
}

// number returns code that leaves a number.
func (p *program) number() code {
	kind := p.upTo(9, "number")
	if p.depth > 4 && kind > 3 {
		kind = 2
	}
	p.depth++
	defer func() { p.depth-- }()
	mask := join(code{constant}, sv(1<<16|0xfff), code{and})
	switch kind {
	case 0, 1:
		return join(code{constant}, sv(int64(p.upTo(1<<16+100, "constant"))))
	case 2:
		return code{get, byte(p.upTo(4, "local"))}
	case 3:
		return join(code{constant}, sv(int64(p.upTo(3000, "constant"))))
	case 4:
		return join(p.number(), mask, code{tee, byte(p.upTo(3, "local"))})
	case 5:
		return join(p.number(), mask, code{constant}, sv(int64(p.upTo(300, "more"))), code{add})
	case 6:
		return join(code{constant}, sv(int64(p.upTo(300, "more"))), code{get, byte(p.upTo(4, "local")), add, constant}, sv(1<<17-1), code{and})
	case 7:
		return join(p.number(), p.number(), code{add}, mask)
	case 8: // an address, or what is there
		return join(code{block, i32}, p.address(), p.number(), code{brIf, 0, load, 2}, p.offset(), code{end}, mask)
	default:
		return join(p.address(), code{load, 2}, p.offset(), mask)
	}
}
