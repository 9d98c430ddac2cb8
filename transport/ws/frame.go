package ws

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// The first bytes of the frames that we send: FIN and the opcode.
const (
	headText   = 0x81
	headBinary = 0x82
	headClose  = 0x88
	headPing   = 0x89
	headPong   = 0x8a
)

// maxControl is the longest payload of a control frame.
const maxControl = 125

// seal makes a frame of the payload at dst[start:], by putting a header before it.
func seal(dst []byte, start int, head byte) []byte {
	n := len(dst) - start
	var room [10]byte
	header := append(room[:0], head)
	switch {
	case n <= maxControl:
		header = append(header, byte(n))
	case n <= 0xffff:
		header = binary.BigEndian.AppendUint16(append(header, 126), uint16(n))
	default:
		header = binary.BigEndian.AppendUint64(append(header, 127), uint64(n))
	}
	dst = append(dst, header...)
	copy(dst[start+len(header):], dst[start:start+n])
	copy(dst[start:], header)
	return dst
}

// closeFrame returns a close frame; a reason that is too long is cut.
func closeFrame(code int, reason string) []byte {
	frame := binary.BigEndian.AppendUint16(nil, uint16(code))
	for len(reason) > maxControl-2 {
		_, last := utf8.DecodeLastRuneInString(reason)
		reason = reason[:len(reason)-last]
	}
	return seal(append(frame, strings.ToValidUTF8(reason, "?")...), 0, headClose)
}
