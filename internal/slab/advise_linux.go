package slab

import "syscall"

// advise asks the kernel for large pages: for all that begin or end in a range, because those that lie across its ends are shared with the next slab more
// often than with anything else. It is good where /sys/kernel/mm/transparent_hugepage/enabled is madvise, as most distributions have it; elsewhere the
// kernel does as it does, and if it refuses the memory is as good as before.
//
// It is told by number: the range is no object of Go's.
func advise(begin, length uintptr) {
	const page = 2 << 20
	end := (begin + length + page - 1) &^ (page - 1)
	begin &^= page - 1
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, begin, end-begin, syscall.MADV_HUGEPAGE)
}
