package statesync

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/limina-mcp/limina/world"
)

// Forms of what is told of an entity.
const (
	formStep  = iota // the position changed by three bytes
	formHop          // … by three varints
	formAny          // a mask says what follows
	formTwist        // formStep, and the rotation
)

// What a mask says to follow.
const (
	maskEnter   = 1 << iota // the entity's number: it is new, or to be replaced
	maskPlace               // position in quanta: the difference, or all of it if the client has no quanta
	maskFar                 // position as three floats of 8 bytes
	maskTurn                // rotation
	maskScale               // scale as three floats of 4 bytes
	maskUniform             // … as one, which is all three
	maskParts
)

// appendEntities writes what is to be told of the marked slots, in the order of the slots.
func (v *View) appendEntities(dst []byte) []byte {
	next := uint32(0) // one more than the slot before
	for w, word := range v.marks {
		if word == 0 {
			continue
		}
		v.marks[w] = 0
		for ; word != 0; word &= word - 1 {
			n := uint32(w<<6 + bits.TrailingZeros64(word))
			sl := &v.all[n]
			r := sl.rec
			if r == nil {
				continue
			}
			was := &sl.sent
			if sl.state&whole == 0 && r.odd <= v.seen && r.pose.place != far && was.place != far {
				// All but the rarest: it has moved, or turned, or both.
				x, y, z := r.pose.place[0]-was.place[0], r.pose.place[1]-was.place[1], r.pose.place[2]-was.place[2]
				turned := r.pose.turn != was.turn
				if x|y|z == 0 && !turned {
					continue // less than a quantum
				}
				gap := uint64(n+1-next) << 2
				*was = r.pose
				next = n + 1
				if x == int32(int8(x)) && y == int32(int8(y)) && z == int32(int8(z)) {
					if !turned {
						dst = append(binary.AppendUvarint(dst, gap+formStep), byte(x), byte(y), byte(z))
						continue
					}
					dst = append(binary.AppendUvarint(dst, gap+formTwist), byte(x), byte(y), byte(z))
					dst = binary.LittleEndian.AppendUint32(dst, r.pose.turn)
					continue
				}
				if !turned {
					dst = appendHop(binary.AppendUvarint(dst, gap+formHop), x, y, z)
					continue
				}
				dst = append(binary.AppendUvarint(dst, gap+formAny), maskPlace|maskTurn)
				dst = binary.LittleEndian.AppendUint32(appendHop(dst, x, y, z), r.pose.turn)
				continue
			}
			dst = binary.AppendUvarint(dst, uint64(n+1-next)<<2|formAny)
			dst = v.appendAny(dst, sl)
			next = n + 1
		}
	}
	return dst
}

func appendHop(dst []byte, x, y, z int32) []byte {
	dst = binary.AppendUvarint(dst, zigzag(x))
	dst = binary.AppendUvarint(dst, zigzag(y))
	return binary.AppendUvarint(dst, zigzag(z))
}

func zigzag(x int32) uint64 { return uint64(uint32(x<<1) ^ uint32(x>>31)) }

// appendAny writes what has changed of an entity, or all of it, behind a mask.
func (v *View) appendAny(dst []byte, sl *slot) []byte {
	r, was, all := sl.rec, &sl.sent, sl.state&whole != 0
	at := len(dst)
	dst = append(dst, 0)
	var mask byte
	if all {
		mask = maskEnter
		*was = pose{far, noTurn}
		dst = binary.AppendUvarint(dst, r.id.Number())
	}
	switch {
	case r.pose.place == far:
		mask |= maskFar
		for _, x := range r.at.Position {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
		}
	case was.place == far:
		mask |= maskPlace
		dst = appendHop(dst, r.pose.place[0], r.pose.place[1], r.pose.place[2])
	case r.pose.place != was.place:
		mask |= maskPlace
		dst = appendHop(dst, r.pose.place[0]-was.place[0], r.pose.place[1]-was.place[1], r.pose.place[2]-was.place[2])
	}
	if r.pose.turn != was.turn {
		mask |= maskTurn
		dst = binary.LittleEndian.AppendUint32(dst, r.pose.turn)
	}
	if all && r.at.Scale != (world.Vec3{1, 1, 1}) || !all && r.scaled > v.seen {
		m := byte(maskScale)
		s := r.at.Scale[:]
		if s[0] == s[1] && s[1] == s[2] {
			m, s = maskUniform, s[:1]
		}
		mask |= m
		for _, x := range s {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)))
		}
	}
	if all && len(r.parts) > 0 || !all && r.parted > v.seen {
		mask |= maskParts
		dst = v.appendParts(dst, r, all)
	}
	*was = r.pose
	sl.state = held
	dst[at] = mask
	return dst
}

// appendParts writes the parts that have changed, or all.
func (v *View) appendParts(dst []byte, r *record, all bool) []byte {
	for i := range r.parts {
		p := &r.parts[i]
		switch {
		case all && p.gone || !all && p.tick <= v.seen:
		case p.gone:
			dst = binary.AppendUvarint(dst, uint64(p.name+1)<<1|1)
		default:
			dst = appendBytes(binary.AppendUvarint(dst, uint64(p.name+1)<<1), r.part(p))
		}
	}
	return append(dst, 0)
}
