//go:build unix

package server

import "syscall"

// private has a socket's file be for our user only from the beginning, where the system takes the mode of the socket for that, as Linux does. Who
// else may have it is for the file's mode to say.
func private(_, _ string, c syscall.RawConn) error {
	return c.Control(func(fd uintptr) { _ = syscall.Fchmod(int(fd), 0o600) })
}

// openFiles returns how many files the process may have open, 0 if that is not known. Go has raised it to the most that it may be.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur) //nolint:unconvert // FreeBSD has it signed
}
