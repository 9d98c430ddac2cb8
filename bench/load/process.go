package load

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// server is a child process under load. Its stop ends that process and no other.
type server struct {
	cmd     *exec.Cmd
	in, out *os.File // the server's standard input and output
	stderr  bytes.Buffer
}

func start(ctx context.Context, env []string, command []string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = &s.stderr
	s.cmd.WaitDelay = time.Second
	var err error
	if s.in, s.out, err = startOnPipes(s.cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", command[0], err)
	}
	return s, nil
}

// startOnPipes starts cmd with a pipe as its standard input and one as its output, and returns our
// ends. They block in the kernel: to a client that waits for one answer at a time, Go's poller would
// add a microsecond and a half to some calls and not to others, as much as a whole call takes.
func startOnPipes(cmd *exec.Cmd) (in, out *os.File, err error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	defer stdout.Close()
	cmd.Stdin, cmd.Stdout = stdin, stdout
	if err := cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, nil, err
	}
	in.Fd() // makes it blocking
	out.Fd()
	return in, out, nil
}

// stop closes the server's input, as a client that leaves does, and kills it. How it ended is of
// no interest: what was measured has been measured.
func (s *server) stop() {
	s.in.Close()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.out.Close()
}

// cpu returns the processor time, user and system, that the server has used so far. The clock
// counts nanoseconds, where /proc/PID/stat counts hundredths of a second.
func (s *server) cpu() (time.Duration, error) {
	const schedulerClock = 2 // CPUCLOCK_SCHED of the kernel's posix-timers
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^s.cmd.Process.Pid<<3|schedulerClock), &ts); err != nil {
		return 0, fmt.Errorf("processor time of the server: %w", err)
	}
	return time.Duration(ts.Nano()), nil
}

// rss returns the server's resident memory in bytes.
func (s *server) rss() (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(data, []byte("VmRSS:"))
	field := bytes.Fields(rest)
	if len(field) == 0 {
		return 0, fmt.Errorf("no VmRSS in /proc/%d/status", s.cmd.Process.Pid)
	}
	kb, err := strconv.ParseInt(string(field[0]), 10, 64)
	return kb << 10, err
}
