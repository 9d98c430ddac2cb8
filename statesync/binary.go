package statesync

import (
	"encoding/binary"
)

// The binary format; docs/state-sync.md describes it, and package replica reads it.

// Flags of a message.
const (
	flagSnapshot = 1 << iota // else a delta
	flagResumed              // a delta after a resume: the client numbers what it holds anew
	flagNamed                // not of the default subscription: its number follows
	flagStep                 // the step has changed
	flagCauses
	flagNames // names of parts
	flagGone
	flagRest // world and events
)

// appendBinary writes the message in the binary format.
func (v *View) appendBinary(h *Hub, dst []byte) []byte {
	start := len(dst)
	quiet, knew := v.quiet(h), v.knows
	dst = v.appendBinaryHead(h, dst)
	n := len(dst)
	dst = v.appendEntities(dst)
	if len(dst) == n && quiet {
		v.knows = knew
		return dst[:start]
	}
	dst = append(dst, 0)
	if dst[start]&flagRest == 0 {
		return dst
	}
	s := h.borrow()
	defer h.scratches.Put(s)
	s.moved = append(v.appendRest(h, s.moved[:0], '{'), '}')
	return appendBytes(dst, s.moved)
}

func (v *View) appendBinaryHead(h *Hub, dst []byte) []byte {
	at := len(dst)
	dst = append(dst, 0)
	var flags byte
	first := !v.begun || v.resumed
	switch {
	case v.resumed:
		flags = flagResumed
	case first:
		flags = flagSnapshot
	}
	if v.number != 0 || v.name != "" {
		flags |= flagNamed
		dst = binary.AppendUvarint(dst, uint64(v.number))
		if first {
			dst = appendBytes(dst, []byte(v.name))
		}
	}
	tick, step := h.tick, h.step
	if first {
		dst = append(dst, byte(h.quantum.bits))
	} else {
		tick, step = tick-v.tick, step-v.step
	}
	dst = binary.AppendUvarint(dst, tick)
	if step != 0 {
		flags |= flagStep
		dst = binary.AppendUvarint(dst, step)
	}
	if v.follows() && len(v.causes) > 0 {
		flags |= flagCauses
		dst = appendAscending(dst, v.causes)
	}
	if int(v.knows) < len(h.names.list) {
		flags |= flagNames
		dst = binary.AppendUvarint(dst, uint64(len(h.names.list)-int(v.knows)))
		for _, name := range h.names.list[v.knows:] {
			dst = appendBytes(dst, []byte(name))
		}
		v.knows = uint32(len(h.names.list))
	}
	if len(v.gone) > 0 {
		flags |= flagGone
		dst = binary.AppendUvarint(dst, uint64(len(v.gone)))
		for i := range v.gone {
			dst = binary.AppendUvarint(dst, uint64(v.gone[i].slot))
		}
		v.tellGone()
	}
	if v.moved || len(v.events) > 0 || h.shared.news(v) {
		flags |= flagRest
	}
	dst[at] = flags
	return dst
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// appendAscending writes a list as differences. Intents come in ascending order almost always; where
// they do not, the difference wraps around.
func appendAscending(dst []byte, list []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	last := uint64(0)
	for _, n := range list {
		dst = binary.AppendUvarint(dst, n-last)
		last = n
	}
	return dst
}
