package statesync

import (
	"cmp"
	"errors"
	"unicode/utf8"
)

// Encoding is a format of messages. docs/state-sync.md describes them.
type Encoding string

// The encodings.
const (
	JSON   Encoding = "json"   // the default: entities as the world writes them
	Packed Encoding = "packed" // JSON with flat arrays of integers
	Binary Encoding = "binary" // binary frames
)

// format is an Encoding as a View keeps it.
type format uint8

const (
	asJSON format = iota
	asPacked
	asBinary
)

func (f format) frame() Frame {
	if f == asBinary {
		return BinaryFrame
	}
	return TextFrame
}

func (e Encoding) format() (format, error) {
	switch e {
	case "", JSON:
		return asJSON, nil
	case Packed:
		makeShortInts()
		return asPacked, nil
	case Binary:
		return asBinary, nil
	}
	return 0, invalid(`encoding: must be one of "json", "packed", "binary", got %q`, string(e))
}

// Options say what a subscription is. The zero value is a JSON view of an area that holds nothing but
// the origin.
type Options struct {
	Name     string // "" is the connection's default subscription; UTF-8, at most 128 bytes
	Area     Area
	Encoding Encoding // "" is JSON

	// Since, if Resume is set, is the tick of the newest message that the client has applied. Then the
	// first message tells what changed since, if the hub remembers all of that, else it is a snapshot. It
	// has to be the same area that the client had: what it holds is worked out from it.
	Since  uint64
	Resume bool

	// Epoch, if it is set, is that of the snapshot that the client has: where it is another one, Since is of
	// another run of the world, and means nothing.
	Epoch string

	// Batch has the messages of the view share frames with those of the others that have it set.
	Batch bool
}

// ErrClosed is what Subscribe answers after [Feed.Close], Declare after the view's end, and both after [Hub.Close].
var ErrClosed = errors.New("statesync: the connection, its subscription or the hub has ended")

const maxName = 128

func (o *Options) check() error {
	if len(o.Name) > maxName {
		return invalid("subscription: must be at most %d bytes long, got %d", maxName, len(o.Name))
	}
	if !utf8.ValidString(o.Name) { // in JSON it would be another one
		return invalid("subscription: must be UTF-8, got %q", o.Name)
	}
	_, err := o.Encoding.format()
	return cmp.Or(err, o.Area.check())
}
