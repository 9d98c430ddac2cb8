package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// TestWorldInUse starts a program with a world that another has, and ends the other: then it may.
func TestWorldInUse(t *testing.T) {
	world := t.TempDir()
	ctx, signal := context.WithCancel(t.Context())
	lines, out := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"--mcp-ws", "--port", "0", "--world", world, "--log-level", "off"}, streams{strings.NewReader(""), out, io.Discard, func() {}})
	}()
	if line, err := bufio.NewReader(lines).ReadString('\n'); err != nil {
		t.Fatalf("got %q, %v", line, err)
	}
	call := func() (int, string) {
		var complaints bytes.Buffer
		got := run(t.Context(), []string{"--world", world, "call", "scene.inspect", "{}"}, streams{strings.NewReader(""), io.Discard, &complaints, func() {}})
		return got, complaints.String()
	}
	if got, text := call(); got != exitFailed || !strings.Contains(text, "another process keeps its world there") {
		t.Errorf("while the world is in use it ended with %d: %s", got, text)
	}
	signal()
	if got := <-code; got != exitOK {
		t.Errorf("the server ended with %d", got)
	}
	if got, text := call(); got != exitOK || text != "" {
		t.Errorf("with the world as the server has left it, it ended with %d: %s", got, text)
	}
}
