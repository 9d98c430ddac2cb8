package durable

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/limina-mcp/limina/world"
)

// format and version are what the first line says.
const (
	format  = "limina world"
	version = 1
)

// line is what a line of the file holds, one of these.
type line struct {
	Format  string       `json:"format,omitempty"`
	Version int          `json:"version,omitempty"`
	Image   *world.Image `json:"image,omitempty"`
	Whole   bool         `json:"whole,omitempty"` // with it, and all before it, the file holds a whole world
	Ended   bool         `json:"ended,omitempty"` // whoever wrote the file has said that this is all
	Mark    uint64       `json:"mark,omitempty"`  // of what is ahead of the world, and was on the disk before this line was
}

// errForeign says that a file does not begin as worlds do.
var errForeign = errors.New("this is no world that Limina has written, or its beginning is damaged: put a copy of the file in its place, or take it away to begin with an empty world")

const sumLength = 2*crc32.Size + 1 // with the space behind it

// checksum is of a line. Its table is made with the first one: that takes a thirtieth of a start that needs none.
func checksum(text []byte) uint32 {
	return crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))
}

// seal makes what was appended to dst from mark on, behind room for the sum, a line.
func seal(dst []byte, mark int) []byte {
	var sum [crc32.Size]byte
	binary.BigEndian.PutUint32(sum[:], checksum(dst[mark+sumLength:]))
	hex.Encode(dst[mark:], sum[:])
	dst[mark+sumLength-1] = ' '
	return append(dst, '\n')
}

// appendLine appends a line of JSON that contents appends.
func appendLine(dst []byte, contents func([]byte) []byte) []byte {
	mark := len(dst)
	return seal(contents(append(dst, make([]byte, sumLength)...)), mark)
}

// unseal returns the JSON of a line, and false if it is not whole.
func unseal(text []byte) ([]byte, bool) {
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	if !whole || len(text) < sumLength || text[sumLength-1] != ' ' {
		return nil, false
	}
	var sum [crc32.Size]byte
	if _, err := hex.Decode(sum[:], text[:sumLength-1]); err != nil {
		return nil, false
	}
	return text[sumLength:], checksum(text[sumLength:]) == binary.BigEndian.Uint32(sum[:])
}

// contents is what a file says.
type contents struct {
	image world.Image
	whole bool // it holds a whole world
	ended bool // it says that this is all
	ends  bool // a line says that all was written, up to the tick end
	end   uint64
	mark  uint64
	size  int64 // bytes that are whole
	torn  int64 // bytes behind them, of a line that was not written to its end
}

// read reads a file. A line at its end that is not whole is left out, as each was on the disk before the next was written: before others it is an error.
func read(r io.Reader) (*contents, error) {
	c := &contents{}
	in := bufio.NewReaderSize(r, 1<<20)
	broken := 0   // the number of the first line that is not whole
	last := false // there is no more: what is written behind it meanwhile is not looked at
	for number := 1; !last; number++ {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		last = err != nil
		if last && len(text) == 0 {
			break
		}
		body, whole := unseal(text)
		switch {
		case !whole && number == 1:
			return nil, fmt.Errorf("line 1: %w", errForeign)
		case broken > 0:
			return nil, c.damage(broken)
		case !whole:
			c.torn, broken = int64(len(text)), number
			continue
		}
		if err := c.take(number, body); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		c.size += int64(len(text))
	}
	switch {
	case c.size == 0:
		return nil, fmt.Errorf("the file is empty: %w", errForeign)
	case !c.whole:
		return nil, fmt.Errorf("the file ends in the middle of the world, with byte %d: put a copy of it in its place, or take it away to begin with an empty world", c.size)
	}
	return c, nil
}

// damage is the error of a file in which a line is not what was written, and others come after it. What those say has happened in a world that has what the line
// says, so that they are good for nothing without it; what is before it is a world as it was.
func (c *contents) damage(number int) error {
	if !c.whole {
		return fmt.Errorf("line %d is damaged, and others come after it: put a copy of the file in its place, or take it away to begin with an empty world", number)
	}
	return fmt.Errorf("line %d is damaged, and others come after it: put a copy of the file in its place, or, to go on with the world as it was before that line, at tick %d, cut it off behind byte %d (truncate -s %d), and keep a copy of it as it is", number, c.image.Tick, c.size, c.size)
}

func (c *contents) take(number int, body []byte) error {
	var l line
	if err := json.Unmarshal(body, &l); err != nil {
		return err
	}
	switch {
	case number == 1 && l.Format != format:
		return errForeign
	case number > 1 && l.Format != "":
		return errors.New("another file begins here: two were put together, and are no one world: put a copy of one of them in the place of the file")
	case number == 1 && l.Version != version:
		return fmt.Errorf("the file has version %d, and this program reads %d", l.Version, version)
	case l.Image != nil:
		c.image.Merge(l.Image)
		c.mark = l.Mark // a program that writes none has what is ahead go its own way
	}
	c.whole = c.whole || l.Whole
	if c.ended = l.Ended; c.ended {
		c.ends, c.end = true, c.image.Tick
	}
	return nil
}

// need is about how many bytes a file of the world has that was written anew.
func (c *contents) need() (n int64) {
	for _, text := range c.image.Entities {
		n += int64(len(text)) + 12 // with its id
	}
	for name, text := range c.image.Globals {
		n += int64(len(name) + len(text))
	}
	for name, t := range c.image.Tables {
		n += int64(len(name))
		for key, text := range t.Rows {
			n += int64(len(key) + len(text))
		}
	}
	return n
}
