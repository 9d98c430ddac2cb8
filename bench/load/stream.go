package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/bench/call"
)

// stream carries one JSON message at a time. What receive returns is valid until the next receive.
// One goroutine may send while another receives.
type stream interface {
	send(message []byte) error
	receive() ([]byte, error)
}

// lines is newline-delimited JSON over a pair of pipes.
type lines struct {
	w io.Writer
	r *bufio.Reader
}

func newLines(w io.Writer, r io.Reader) *lines {
	return &lines{w: w, r: bufio.NewReaderSize(r, 64<<10)}
}

func (s *lines) send(message []byte) error {
	_, err := s.w.Write(append(message, '\n'))
	return err
}

func (s *lines) receive() ([]byte, error) { return s.r.ReadSlice('\n') }

// frames is one text frame per message.
type frames struct {
	conn *websocket.Conn
	buf  bytes.Buffer
}

func dialFrames(addr, path string) (*frames, error) {
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+path, nil)
	if err != nil {
		return nil, err
	}
	return &frames{conn: conn}, nil
}

func (s *frames) send(message []byte) error {
	return s.conn.WriteMessage(websocket.TextMessage, message)
}

func (s *frames) receive() ([]byte, error) {
	_, r, err := s.conn.NextReader()
	if err != nil {
		return nil, err
	}
	s.buf.Reset()
	_, err = s.buf.ReadFrom(r)
	return s.buf.Bytes(), err
}

// handshake opens an MCP session on the stream.
func handshake(s stream) error {
	if err := s.send([]byte(call.Initialize)); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	for {
		answer, err := s.receive()
		if err != nil {
			return fmt.Errorf("initialize: %w", err)
		}
		if bytes.Contains(answer, []byte(`"error"`)) {
			return fmt.Errorf("initialize was refused: %s", answer)
		}
		if bytes.Contains(answer, []byte(`"result"`)) {
			return s.send([]byte(call.Initialized))
		}
	}
}

// freeAddress returns a loopback address that nobody listens on at the moment.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// await returns when something listens on addr.
func await(ctx context.Context, addr string) error {
	for ctx.Err() == nil {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			return conn.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("the server did not listen on " + addr)
}
