package stdio

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// DefaultLimit is the longest line that is taken, in bytes, without its end.
const DefaultLimit = 10 << 20

// Options configure a [Conn]; the zero value is right for a pipe to another program.
type Options struct {
	Limit int // longest line in bytes; default [DefaultLimit]
}

// Conn carries lines. One goroutine may read ([Conn.Next], [Conn.Buffered]) while another one
// writes, and any may close.
type Conn struct {
	lines lines
	r     io.Reader
	w     io.Writer
}

// New returns a Conn that reads lines from r and writes to w.
func New(r io.Reader, w io.Writer, o Options) *Conn {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	return &Conn{lines: lines{src: r, limit: o.Limit}, r: r, w: w}
}

// TooLongError says that a line was longer than the limit. It was skipped; the next one can be read.
type TooLongError struct{ Limit int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("line longer than the limit of %d bytes", e.Limit)
}

// TooLong returns the limit; by this method other packages know the error.
func (e *TooLongError) TooLong() (limit int) { return e.Limit }

// Next returns the next line without its end; the last one needs none. The bytes are valid until
// the next call. The error is a [*TooLongError], after which Next may be called again, or final:
// io.EOF after the last line, or what the reader said.
func (c *Conn) Next() ([]byte, error) { return c.lines.next() }

// Buffered reports whether Next would return without reading from the stream.
func (c *Conn) Buffered() bool { return c.lines.buffered() }

// Seal makes a line of the message at dst[start:].
func (c *Conn) Seal(dst []byte, start int) []byte { return append(dst, '\n') }

// Write writes sealed messages, all of them or it fails.
func (c *Conn) Write(p []byte) error {
	n, err := c.w.Write(p)
	if err == nil && n < len(p) {
		return io.ErrShortWrite
	}
	return err
}

// Close makes a waiting Next return, where that is possible: a reader with deadlines gets one that
// is over, another one is closed. Standard input of a terminal can be neither, and then Close
// returns an error and Next goes on waiting. The writer is left open: its owner closes it.
func (c *Conn) Close() error {
	if d, ok := c.r.(interface{ SetReadDeadline(time.Time) error }); ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
		return nil
	}
	// Closing a file whose reads block the thread does not wake them.
	if _, blocking := c.r.(*os.File); blocking {
		return errUninterruptible
	}
	if r, ok := c.r.(io.Closer); ok {
		return r.Close()
	}
	return errUninterruptible
}

var errUninterruptible = errors.New("stdio: a read from this stream cannot be interrupted")
