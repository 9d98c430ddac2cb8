package around_test

import (
	"errors"
	"io"
	"net"
	"testing"

	"github.com/limina-mcp/limina/internal/around"
)

// A socket two deep can do what a socket can, and what is none says that it cannot.
func TestConn(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	here, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	there, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	deep := around.Conn{Conn: around.Conn{Conn: here}}
	if _, err := deep.SyscallConn(); err != nil {
		t.Errorf("SyscallConn of a socket: %v", err)
	}
	if err := deep.CloseWrite(); err != nil {
		t.Errorf("CloseWrite of a socket: %v", err)
	}
	if _, err := there.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("after CloseWrite the other side reads %v", err)
	}

	if inner, ok := deep.NetConn().(around.Conn); !ok || inner.NetConn() != here {
		t.Errorf("inside is %v", deep.NetConn())
	}

	pipe, other := net.Pipe()
	defer pipe.Close()
	defer other.Close()
	if _, err := (around.Conn{Conn: pipe}).SyscallConn(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("SyscallConn of a pipe: %v", err)
	}
	if err := (around.Conn{Conn: pipe}).CloseWrite(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("CloseWrite of a pipe: %v", err)
	}
}
