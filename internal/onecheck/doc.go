// Package onecheck rewrites a WebAssembly module so that a compiler like wazero's has fewer addresses to check.
//
// In front of every access to memory wazero compares its address with the memory's size. It leaves that out
// where it has compared the same variable as far before. It does not look ahead, and a variable that is another one plus
// a constant is something new to it. So a struct of which the fields are read from the first to the last is checked at
// every field, and what LLVM computes with an addition of its own, because it cannot tell whether the sum fits,
// is checked at each. [Module] turns this around, with nothing but WebAssembly's own instructions:
//
//   - A constant that is added to an address becomes part of the access's offset.
//   - Before the first of several accesses by one variable, of which all run if the first does, a byte is loaded that lies
//     as far as the farthest of them reaches, and dropped: the load goes, its check stays and does for all.
//   - The part of the stack that a function has in memory is checked as a whole.
//
// # What stays as it was
//
// A module that does not fail does the same, to the last bit: nothing is computed in another way or order.
// Where it fails there are three differences. An access that is out of bounds fails earlier, before stores that come
// between it and the first by the same variable. An address that is less than 64 KiB after a sum began anew at 0, for it
// does not fit 32 bits, was valid and is out of bounds now; compilers make no such addresses, for what is
// at 0 is no object. And a function fails at its first use of its part of the stack, not in the end, if
// that does not fit. The stack's pointer is taken to be the first global, as LLVM's linker has it.
//
// Modules with vectors, exceptions or threads are not taken.
package onecheck
