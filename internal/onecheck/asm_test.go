package onecheck_test

import (
	"bytes"
	"encoding/binary"

	"github.com/limina-mcp/limina/internal/onecheck"
)

// code is instructions; the numbers in it are all below 64, but where uv and sv say otherwise.
type code = []byte

const (
	block, loop, ifThen, otherwise, end, brIf, call = 0x02, 0x03, 0x04, 0x05, 0x0b, 0x0d, 0x10
	drop, get, set, tee, globalGet, globalSet       = 0x1a, 0x20, 0x21, 0x22, 0x23, 0x24
	load, load8, store, store8, constant            = 0x28, 0x2d, 0x36, 0x3a, 0x41
	add, sub, and, xor, empty, i32, grow            = 0x6a, 0x6b, 0x71, 0x73, 0x40, 0x7f, 0x40
	locals, stackTop                                = 8, 4096
)

func uv(x uint64) code { return binary.AppendUvarint(nil, x) }

func sv(x int64) code {
	var b code
	for {
		c := byte(x & 0x7f)
		if x >>= 7; x == 0 && c&0x40 == 0 || x == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

func join(parts ...code) (all code) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func section(id byte, body code) code { return join(code{id}, uv(uint64(len(body))), body) }

func sized(b code) code { return join(uv(uint64(len(b))), b) }

// module returns a module of one page of memory, "m", one global, and a function, "f", that has 8 locals, all
// i32, and returns what its code leaves.
func module(body code) code {
	return join(
		code("\x00asm\x01\x00\x00\x00"),
		section(1, code{1, 0x60, 0, 1, 0x7f}),
		section(3, code{1, 0}),
		section(5, code{1, 1, 1, 1}),
		section(6, join(code{1, 0x7f, 1, constant}, sv(stackTop), code{end})),
		section(7, join(code{2}, sized(code("f")), code{0, 0}, sized(code("m")), code{2, 0})),
		section(10, join(code{1}, sized(join(code{1, locals, 0x7f}, body, code{end})))),
	)
}

// rewritten returns what becomes of the code of a function.
func rewritten(body code) (code, error) {
	out, err := onecheck.Module(module(body))
	if err != nil {
		return nil, err
	}
	at := bytes.Index(out, code{1, locals, 0x7f}) + 3
	return out[at : len(out)-1], nil
}
