package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// posts is a bare HTTP/1.1 keep-alive client for MCP's Streamable HTTP: net/http's own client
// would cost more than some of the servers under it.
type posts struct {
	conn      net.Conn
	r         *bufio.Reader
	head      string // of each request
	session   string
	out, body []byte
	answered  bool // body has an answer that nobody has received yet
}

// dialPosts connects. Each request says which version of MCP it is of, and has the other headers that are
// given, as they stand in a request.
func dialPosts(addr, path, version, headers string) (*posts, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &posts{conn: conn, r: bufio.NewReaderSize(conn, 16<<10), head: "POST " + path + " HTTP/1.1\r\nHost: " + addr +
		"\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"Mcp-Protocol-Version: " + version + "\r\n" + headers}, nil
}

// send posts a message and reads the whole answer, which receive then returns.
func (p *posts) send(message []byte) error {
	p.out = append(p.out[:0], p.head...)
	if p.session != "" {
		p.out = append(p.out, "Mcp-Session-Id: "+p.session+"\r\n"...)
	}
	p.out = append(p.out, "Content-Length: "...)
	p.out = strconv.AppendInt(p.out, int64(len(message)), 10)
	p.out = append(p.out, "\r\n\r\n"...)
	p.out = append(p.out, message...)
	if _, err := p.conn.Write(p.out); err != nil {
		return err
	}
	return p.answer()
}

// receive returns the answer to the last send: the body, or the first event's data if the server
// answered with an event stream.
func (p *posts) receive() ([]byte, error) {
	if !p.answered {
		return nil, errors.New("the server answered something else")
	}
	p.answered = false
	_, event, found := bytes.Cut(p.body, []byte("data: {"))
	if !found {
		return p.body, nil
	}
	data, _, _ := bytes.Cut(event, []byte("\n"))
	return p.body[len(p.body)-len(event)-1:][:len(data)+1], nil
}

func (p *posts) answer() error {
	status, err := p.r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 20")) {
		return fmt.Errorf("the server answered %s", bytes.TrimSpace(status))
	}
	length, chunked, err := p.header()
	if err != nil {
		return err
	}
	p.body, p.answered = p.body[:0], true
	if !chunked {
		return p.read(length)
	}
	return p.chunks()
}

func (p *posts) header() (length int, chunked bool, err error) {
	for {
		line, err := p.r.ReadSlice('\n')
		if err != nil {
			return 0, false, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return length, chunked, nil
		}
		key, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(key, []byte("Content-Length")):
			length, _ = strconv.Atoi(string(value))
		case bytes.EqualFold(key, []byte("Transfer-Encoding")):
			chunked = true
		case p.session == "" && bytes.EqualFold(key, []byte("Mcp-Session-Id")):
			p.session = string(value)
		}
	}
}

func (p *posts) chunks() error {
	for {
		line, err := p.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return fmt.Errorf("chunk size: %w", err)
		}
		if err := p.read(int(size)); err != nil {
			return err
		}
		if _, err := p.r.Discard(len("\r\n")); err != nil {
			return err
		}
		if size == 0 {
			return nil
		}
	}
}

// read appends n bytes to the body.
func (p *posts) read(n int) error {
	at := len(p.body)
	p.body = append(p.body, make([]byte, n)...)
	_, err := io.ReadFull(p.r, p.body[at:])
	return err
}
