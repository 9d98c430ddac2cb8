package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/limina-mcp/limina/internal/decimal"
)

// An event's line is
//
//	{"id":"evt_5","type":"…","actorId":"…","threadId":"…","parentEventId":"evt_4","causedBy":["evt_1"],"timestamp":1,"tick":1,
//	"payload":{…},"prev":"<64 hex digits>","hash":"<64 hex digits>"}
//
// in one line and ended by a line feed; parentEventId is there only if the event has one. The hash is that of all bytes before
// `,"hash":`. What stands before prev is the line's body; from there on it is of fixed length.
const (
	keyID      = `{"id":"`
	keyType    = `","type":"`
	keyActor   = `","actorId":"`
	keySession = `","threadId":"`
	keyParent  = `","parentEventId":"`
	keyCauses  = `","causedBy":[`
	keyTime    = `],"timestamp":`
	keyTick    = `,"tick":`
	keyPayload = `,"payload":`
	keyPrev    = `,"prev":"`
	keyHash    = `","hash":"`
	lineEnd    = `"}`

	hexLen    = 64                                                           // of a hash in text
	hashedEnd = 1                                                            // of keyHash: the quote that ends prev is hashed
	hashedLen = len(keyPrev) + hexLen + hashedEnd                            // of what is hashed behind the body
	tailLen   = len(keyPrev) + hexLen + len(keyHash) + hexLen + len(lineEnd) // from keyPrev on
	fixedLen  = 192 + tailLen                                                // at most, all but texts, causes and payload
	causeLen  = len(`"evt_18446744073709551614",`)
)

// origin is the parts of a line that say who did what, and when, as they were written last: most events are like the one
// before them.
type origin struct {
	typ, actor, session string
	text                []byte
	millis              int64
	time                []byte
}

// append appends the part for a draft.
func (o *origin) append(dst []byte, d *Draft) []byte {
	if d.Type != o.typ || d.Actor != o.actor || d.Session != o.session {
		o.typ, o.actor, o.session = d.Type, d.Actor, d.Session
		o.text = appendText(append(o.text[:0], keyType...), d.Type)
		o.text = appendText(append(o.text, keyActor...), d.Actor)
		o.text = appendText(append(o.text, keySession...), d.Session)
	}
	return append(dst, o.text...)
}

// appendTime appends the part from behind the causes to the tick.
func (o *origin) appendTime(dst []byte, millis int64) []byte {
	if millis != o.millis || o.time == nil {
		o.millis = millis
		o.time = decimal.AppendInt(append(o.time[:0], keyTime...), millis)
		o.time = append(o.time, keyTick...)
	}
	return append(dst, o.time...)
}

// appendHead appends the body of an event's line up to its payload.
func appendHead(dst []byte, d *Draft, o *origin, id, parent ID, millis int64) []byte {
	dst = append(dst, keyID...)
	dst = id.append(dst)
	dst = o.append(dst, d)
	if parent != 0 {
		dst = append(dst, keyParent...)
		dst = parent.append(dst)
	}
	dst = append(dst, keyCauses...)
	dst = appendCauses(dst, d.CausedBy)
	dst = o.appendTime(dst, millis)
	dst = decimal.Append(dst, d.Tick)
	return append(dst, keyPayload...)
}

// hash is a sha256.
type hash [sha256.Size]byte

// link is an event's place in the chain: the hash of the event before it and its own.
type link struct{ prev, hash hash }

// appendHashed appends what is hashed of a line behind its body.
func appendHashed(dst []byte, prev *hash) []byte {
	dst = append(dst, keyPrev...)
	dst = hex.AppendEncode(dst, prev[:])
	return append(dst, keyHash[:hashedEnd]...)
}

// appendTail appends what a line has behind its body, its line feed too.
func appendTail(dst []byte, l *link) []byte {
	dst = appendHashed(dst, &l.prev)
	dst = append(dst, keyHash[hashedEnd:]...)
	dst = hex.AppendEncode(dst, l.hash[:])
	return append(dst, lineEnd+"\n"...)
}

func appendCauses(dst []byte, causes []ID) []byte {
	first := true
	for _, id := range causes {
		if id == 0 {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, '"')
		dst = id.append(dst)
		dst = append(dst, '"')
	}
	return dst
}

// appendPayload appends a JSON object without the space around it. Line feeds, which in JSON can stand between tokens only,
// become spaces.
func appendPayload(dst, payload []byte) []byte {
	if payload == nil {
		return append(dst, "{}"...)
	}
	if !hasBraces(payload) {
		payload = bytes.Trim(payload, jsonSpace)
	}
	start := len(dst)
	dst = append(dst, payload...)
	for {
		n := bytes.IndexByte(dst[start:], '\n')
		if n < 0 {
			return dst
		}
		start += n
		dst[start] = ' '
	}
}
