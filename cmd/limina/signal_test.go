package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestSignal ends the process in order while its client still listens.
func TestSignal(t *testing.T) {
	ctx, signal := context.WithCancel(t.Context())
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	var complaints strings.Builder
	heeded := make(chan struct{})
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"--mcp-stdio"}, streams{in, out, &complaints, sync.OnceFunc(func() { close(heeded) })})
	}()
	if _, err := io.WriteString(requests, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := bufio.NewReader(answers).ReadString('\n'); err != nil || !strings.Contains(answer, `"id":1`) {
		t.Fatalf("got %q, %v", answer, err)
	}
	<-heeded
	signal()
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d: %s", got, complaints.String())
	}
}

// TestHangup has a process whose terminal is gone end in order, and one that was started to go on then go on.
func TestHangup(t *testing.T) {
	for _, ignored := range []bool{false, true} {
		if got := slices.Contains(endings(func(s os.Signal) bool { return ignored && s == syscall.SIGHUP }), os.Signal(syscall.SIGHUP)); got == ignored {
			t.Errorf("with SIGHUP ignored: %v, it ends by it: %v", ignored, got)
		}
	}
}

// TestPortTaken starts a program on a port, or a socket, that another has.
func TestPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	socket := filepath.Join(t.TempDir(), "limina.sock")
	takenToo, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer takenToo.Close()
	for _, tt := range []struct{ flag, value, want string }{
		{"--port", port, "take another --port, or 0 for any that is free"},
		{"--listen", "unix:" + socket, "take another path in --listen"},
	} {
		var complaints bytes.Buffer
		code := run(t.Context(), []string{"--mcp-ws", tt.flag, tt.value}, streams{strings.NewReader(""), io.Discard, &complaints, func() {}})
		if code != exitFailed || !strings.Contains(complaints.String(), tt.want) {
			t.Errorf("with %s %s it ended with %d: %s", tt.flag, tt.value, code, &complaints)
		}
	}
}

// TestNotify has systemd, or who does as it does, told that the port is open, and that it is about to be closed.
func TestNotify(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify.sock")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Skip("no such sockets here: ", err)
	}
	defer l.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	ctx, signal := context.WithCancel(t.Context())
	var said, complaints bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"--mcp-ws", "--port", "0"}, streams{strings.NewReader(""), &said, &complaints, func() {}})
	}()
	told := func(want string) {
		t.Helper()
		text := make([]byte, 100)
		n, err := l.Read(text)
		if got := string(text[:n]); got != want || err != nil {
			t.Errorf("told %q, %v, want %q", got, err, want)
		}
	}
	told("READY=1")
	signal()
	told("STOPPING=1")
	if got := <-code; got != exitOK || !strings.Contains(said.String(), "listening on") {
		t.Errorf("exit code %d, having said %q: %s", got, said.String(), complaints.String())
	}
}
