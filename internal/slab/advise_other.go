//go:build !linux

package slab

// advise does nothing where large pages cannot be asked for.
func advise(uintptr, uintptr) {}
