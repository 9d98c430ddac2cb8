package onecheck_test

import (
	"fmt"

	"github.com/limina-mcp/limina/internal/onecheck"
)

func ExampleModule() {
	// A function that reads two fields of a struct: f(p) = p[0] + p[4].
	fields := []byte{0x20, 0, 0x28, 2, 0, 0x20, 0, 0x28, 2, 4, 0x6a}
	out, err := onecheck.Module(module(fields))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% x\n", out[len(out)-18:])
	// Output:
	// 20 00 20 00 2d 00 07 1a 28 02 00 20 00 28 02 04 6a 0b
}
