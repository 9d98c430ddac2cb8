package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// TestWorldInUse starts a program with a world that another has, and ends the other: it waits for that.
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
	second := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		second <- run(t.Context(), []string{"--world", world, "call", "scene.inspect", "{}"}, streams{strings.NewReader(""), io.Discard, &complaints, func() {}})
	}()
	signal()
	if got := <-code; got != exitOK {
		t.Errorf("the server ended with %d", got)
	}
	got, said := <-second, complaints.String()
	if waits := fmt.Sprintf("another process (pid %d) has the world that is kept there", os.Getpid()); got != exitOK || said != "" && (strings.Count(said, "\n") != 1 || !strings.Contains(said, waits)) {
		t.Errorf("with the world as the server has left it, it ended with %d: %s", got, &complaints)
	}
}
