package watch

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// server is a state sync server that was started as a child. It prints READY, and then lines about its
// ticks: «T number µs» for one that began at that time, «N ticks µs» for how many there have been by then.
type server struct {
	cmd   *exec.Cmd
	ready chan struct{}
	said  bytes.Buffer // to standard error

	mu    sync.Mutex
	begun map[uint64]int64 // when the changes of a tick began, by its number
	count []count
}

// count is how many ticks there have been at some time.
type count struct {
	ticks int
	at    int64
}

func start(ctx context.Context, env []string, command []string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, command[0], command[1:]...), ready: make(chan struct{}), begun: map[uint64]int64{}}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = &s.said
	s.cmd.WaitDelay = time.Second
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command[0], err)
	}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			s.line(lines.Text())
		}
	}()
	select {
	case <-s.ready:
		return s, nil
	case <-ctx.Done():
		return nil, s.fail(ctx.Err())
	case <-time.After(20 * time.Second):
		return nil, s.fail(fmt.Errorf("%s is not ready", command[0]))
	}
}

func (s *server) line(text string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return
	}
	var numbers []int64
	for _, w := range words[1:] {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return
		}
		numbers = append(numbers, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case words[0] == "READY":
		close(s.ready)
	case words[0] == "T" && len(numbers) == 2:
		s.begun[uint64(numbers[0])] = numbers[1]
		s.count = append(s.count, count{len(s.begun), numbers[1]})
	case words[0] == "N" && len(numbers) == 2:
		s.count = append(s.count, count{int(numbers[0]), numbers[1]})
	}
}

// rate returns the ticks a second between two times, 0 if there were none.
func (s *server) rate(from, to int64) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first, last count
	for _, c := range s.count {
		switch {
		case c.at < from || c.at > to:
		case first.at == 0:
			first = c
		default:
			last = c
		}
	}
	if last.at <= first.at {
		return 0
	}
	return float64(last.ticks-first.ticks) / (float64(last.at-first.at) / 1e6)
}

// at returns when the changes of a tick began.
func (s *server) at(tick uint64) (int64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.begun[tick]
	return at, ok
}

// stop ends the server. How it ends is of no interest.
func (s *server) stop() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// fail stops the server and adds to an error what it has said.
func (s *server) fail(err error) error {
	s.stop()
	text := s.said.String()
	return fmt.Errorf("%w\n%s", err, text[max(0, len(text)-1000):])
}

// cpu returns the processor time that the server has used so far.
func (s *server) cpu() time.Duration {
	const schedulerClock = 2 // CPUCLOCK_SCHED of the kernel's posix-timers
	var ts unix.Timespec
	_ = unix.ClockGettime(int32(^s.cmd.Process.Pid<<3|schedulerClock), &ts)
	return time.Duration(ts.Nano())
}

// rss returns the server's resident memory in bytes, 0 if it cannot be read.
func (s *server) rss() int64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	_, rest, _ := bytes.Cut(data, []byte("VmRSS:"))
	if field := bytes.Fields(rest); len(field) > 0 {
		kb, _ := strconv.ParseInt(string(field[0]), 10, 64)
		return kb << 10
	}
	return 0
}

// now is the monotonic clock that all processes of the machine share, in microseconds.
func now() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano() / 1000
}
