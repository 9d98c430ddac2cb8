package stdio

import (
	"bytes"
	"errors"
	"io"
)

const (
	firstBuffer = 64 << 10 // what a pipe holds on Linux: one read empties it
	idleBuffer  = 1 << 20  // a larger buffer is given back once its line is done
	emptyReads  = 100      // reads of nothing, without an error, before giving up
)

// lines splits a stream into lines, each of at most limit bytes. The bytes read and not yet
// returned are buf[from:to].
type lines struct {
	src   io.Reader
	limit int

	buf      []byte
	from, to int
	seen     int   // no line ends in buf[from:seen]
	err      error // what the source ended with; nothing more is read
}

// next is [Conn.Next].
func (l *lines) next() ([]byte, error) {
	if l.from == l.to && len(l.buf) > idleBuffer {
		l.buf, l.from, l.to, l.seen = nil, 0, 0, 0
	}
	for {
		if end := l.end(); end >= 0 {
			line := l.buf[l.from:end]
			l.from, l.seen = end+1, end+1
			return l.trim(line)
		}
		if l.err != nil {
			return l.last()
		}
		// One more byte than the limit may be the "\r" of "\r\n".
		if l.to-l.from > l.limit+1 {
			return nil, l.skip()
		}
		l.fill()
	}
}

// end returns where the first buffered line ends, -1 if no end of a line is buffered.
func (l *lines) end() int {
	i := bytes.IndexByte(l.buf[l.seen:l.to], '\n')
	if i < 0 {
		l.seen = l.to
		return -1
	}
	l.seen += i
	return l.seen
}

// buffered is [Conn.Buffered].
func (l *lines) buffered() bool { return l.end() >= 0 || l.err != nil }

// trim takes the "\r" off and holds the line to the limit.
func (l *lines) trim(line []byte) ([]byte, error) {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if len(line) > l.limit {
		return nil, &TooLongError{Limit: l.limit}
	}
	return line, nil
}

// last returns what stands after the last end of a line, then why there is no more.
func (l *lines) last() ([]byte, error) {
	line := l.buf[l.from:l.to]
	l.from, l.seen = l.to, l.to
	if len(line) == 0 || !errors.Is(l.err, io.EOF) {
		return nil, l.err
	}
	return l.trim(line)
}

// skip drops the line that is too long, up to and with its end.
func (l *lines) skip() error {
	for {
		l.from, l.to, l.seen = 0, 0, 0
		l.fill()
		if end := l.end(); end >= 0 {
			l.from, l.seen = end+1, end+1
			break
		}
		if l.err != nil {
			l.from = l.to
			break
		}
	}
	return &TooLongError{Limit: l.limit}
}

// fill reads once into the room behind what is buffered, making room first.
func (l *lines) fill() {
	switch {
	case l.from == l.to:
		l.from, l.to, l.seen = 0, 0, 0
	case l.to == len(l.buf) && l.from > 0:
		l.to, l.seen = copy(l.buf, l.buf[l.from:l.to]), l.seen-l.from
		l.from = 0
	}
	if l.to == len(l.buf) {
		grown := make([]byte, max(firstBuffer, 2*len(l.buf)))
		copy(grown, l.buf)
		l.buf = grown
	}
	for range emptyReads {
		n, err := l.src.Read(l.buf[l.to:])
		l.to += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
