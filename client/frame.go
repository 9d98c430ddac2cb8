package client

import (
	"encoding/binary"
	"math/rand/v2"
)

// The kinds of frames that a client writes, with the bit that says that they are whole.
const (
	frameText  = 0x81
	frameClose = 0x88
	framePing  = 0x89
	framePong  = 0x8a
)

// frame is one that waits to be written.
type frame struct {
	kind    byte
	request uint64 // the id of the request in it, 0 for none
	payload []byte
	end     int // in the bytes that are written together with it
}

// append appends the frame as it travels: masked, as those of all clients are.
func (f *frame) append(dst []byte) []byte {
	const masked = 0x80
	switch n := len(f.payload); {
	case n < 126:
		dst = append(dst, f.kind, masked|byte(n))
	case n < 1<<16:
		dst = binary.BigEndian.AppendUint16(append(dst, f.kind, masked|126), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, f.kind, masked|127), uint64(n))
	}
	key := rand.Uint32()
	dst = binary.LittleEndian.AppendUint32(dst, key)
	for i, b := range f.payload {
		dst = append(dst, b^byte(key>>(8*(i&3))))
	}
	return dst
}

// closeFrame says that the connection ends, and why.
func closeFrame(code uint16, reason string) frame {
	const longest = 123 // of a reason
	reason = reason[:min(len(reason), longest)]
	for len(reason) > 0 && !validEnd(reason) {
		reason = reason[:len(reason)-1]
	}
	return frame{kind: frameClose, payload: append(binary.BigEndian.AppendUint16(nil, code), reason...)}
}
