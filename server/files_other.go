//go:build !unix

package server

import "syscall"

// private does nothing where files have no mode.
func private(_, _ string, _ syscall.RawConn) error { return nil }

// openFiles returns how many files the process may have open, 0 if that is not known.
func openFiles() uint64 { return 0 }
