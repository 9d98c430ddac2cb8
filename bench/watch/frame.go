package watch

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// The opcodes that matter here.
const (
	opText   = 1
	opBinary = 2
	opPing   = 9
	opPong   = 10
)

// socket is a bare WebSocket client: thousands of them are to cost less than the server that they look
// at. One goroutine reads; any may write.
type socket struct {
	net.Conn
	r   *bufio.Reader
	buf []byte
	mu  sync.Mutex // guards writing
}

// dial connects and shakes hands.
func dial(addr, path string) (*socket, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &socket{Conn: c, r: bufio.NewReaderSize(c, 4096)}
	_, err = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", path, addr)
	if err != nil {
		return nil, err
	}
	status, err := s.r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if !bytes.Contains([]byte(status), []byte(" 101 ")) {
		return nil, fmt.Errorf("no WebSocket: %s", bytes.TrimSpace([]byte(status)))
	}
	for {
		line, err := s.r.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return s, nil
		}
	}
}

// receive returns the next message, valid until the one after, and how many bytes it was on the wire.
// Pings are answered. None of the measured servers fragments.
func (s *socket) receive() (op byte, message []byte, wire int, err error) {
	for {
		var head [10]byte
		if _, err := io.ReadFull(s.r, head[:2]); err != nil {
			return 0, nil, 0, err
		}
		n, more := int(head[1]&127), 0
		switch n {
		case 126:
			more = 2
		case 127:
			more = 8
		}
		if _, err := io.ReadFull(s.r, head[2:2+more]); err != nil {
			return 0, nil, 0, err
		}
		switch more {
		case 2:
			n = int(binary.BigEndian.Uint16(head[2:]))
		case 8:
			n = int(binary.BigEndian.Uint64(head[2:]))
		}
		if n > 64<<20 {
			return 0, nil, 0, errors.New("a frame of more than 64 MB")
		}
		if cap(s.buf) < n {
			s.buf = make([]byte, 2*n)
		}
		message = s.buf[:n]
		if _, err := io.ReadFull(s.r, message); err != nil {
			return 0, nil, 0, err
		}
		switch op = head[0] & 15; op {
		case opText, opBinary:
			return op, message, 2 + more + n, nil
		case opPing:
			if err := s.send(opPong, message); err != nil {
				return 0, nil, 0, err
			}
		}
	}
}

// send sends a message, masked with zeros.
func (s *socket) send(op byte, message []byte) error {
	frame := []byte{0x80 | op, 0x80 | 126, 0, 0, 0, 0, 0, 0}
	if n := len(message); n < 126 {
		frame[1] = 0x80 | byte(n)
		frame = append(frame[:2], 0, 0, 0, 0)
	} else {
		binary.BigEndian.PutUint16(frame[2:], uint16(n))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.Write(append(frame, message...))
	return err
}
