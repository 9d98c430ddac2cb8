//go:build amd64 || arm64

package goroutine

// id returns the address of what the runtime keeps of the goroutine.
//
//go:noescape
func id() uintptr
