//go:build unix

package server

import "syscall"

// openFiles returns how many files the process may have open, 0 if that is not known. Go has raised it to the most that it may be.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur) //nolint:unconvert // FreeBSD has it signed
}
