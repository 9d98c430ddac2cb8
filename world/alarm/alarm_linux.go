package alarm

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// monotonic is CLOCK_MONOTONIC, which package syscall lacks.
const monotonic = 1

// Alarm is a timer of the kernel's, which Go's network poller waits for. Each world needs one of its own. It is
// closed when nobody refers to it any more.
type Alarm struct {
	timer syscall.RawConn
	rung  atomic.Bool
}

// New makes an Alarm. It fails where the process may open no more descriptors, and on other systems than Linux, with
// [errors.ErrUnsupported].
func New() (*Alarm, error) {
	fd, _, e := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, monotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if e != 0 {
		return nil, fmt.Errorf("alarm: make a timer: %w", e)
	}
	timer, err := os.NewFile(fd, "timer").SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("alarm: wait for a timer: %w", err)
	}
	return &Alarm{timer: timer}, nil
}

// Wait implements [world.Alarm].
func (a *Alarm) Wait(d time.Duration) {
	if d == 0 {
		return
	}
	a.set(d)
	if !a.rung.Swap(false) {
		_ = a.timer.Read(expired) // fails only if it is closed
		a.rung.Swap(false)
	}
}

// Ring implements [world.Alarm].
func (a *Alarm) Ring() {
	if !a.rung.Swap(true) {
		a.set(1)
	}
}

// set has the timer expire once, after d, or never if d is below 0; what it was set to before is forgotten.
func (a *Alarm) set(d time.Duration) {
	var at struct{ every, first syscall.Timespec }
	if d > 0 {
		at.first = syscall.NsecToTimespec(int64(d))
	}
	_ = a.timer.Control(func(fd uintptr) { // raw, as below: the scheduler would wake its monitor thread
		_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&at)), 0, 0, 0)
	})
}

// expired reports whether the timer has expired since it was set.
func expired(fd uintptr) bool {
	var times uint64
	_, _, e := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(&times)), unsafe.Sizeof(times))
	return e == 0
}
