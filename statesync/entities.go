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
	maskAnew // the position is all of it, although the client has quanta
)

// appendEntities writes what is to be told of the marked slots, in the order of the slots.
// It is tellMarked written out: to call a function for each of them takes a fifth to a half more of the time.
func (v *View) appendEntities(dst []byte) []byte {
	next := uint32(0) // one more than the slot before
	for w := range v.words {
		marked, whole := v.words[w].tell()
		for ; marked != 0; marked &= marked - 1 {
			bit := bits.TrailingZeros64(marked)
			n := uint32(w<<6 + bit)
			r := v.records[n]
			if r == nil {
				continue
			}
			all := whole>>bit&1 != 0
			var was *pose
			if !all {
				was = r.told(v.seen)
			}
			if was == nil || r.odd > v.seen || r.pose.place == far || was.place == far {
				dst = binary.AppendUvarint(dst, uint64(n+1-next)<<2|formAny)
				dst = v.appendAny(dst, r, was, all)
				next = n + 1
				continue
			}
			// All but the rarest: it has moved, or turned, or both.
			x, y, z := r.pose.place[0]-was.place[0], r.pose.place[1]-was.place[1], r.pose.place[2]-was.place[2]
			turned := r.pose.turn != was.turn
			if x|y|z == 0 && !turned {
				continue // less than a quantum
			}
			gap := uint64(n+1-next) << 2
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
				dst = appendHop(binary.AppendUvarint(dst, gap+formHop), &place{x, y, z})
				continue
			}
			dst = append(binary.AppendUvarint(dst, gap+formAny), maskPlace|maskTurn)
			dst = binary.LittleEndian.AppendUint32(appendHop(dst, &place{x, y, z}), r.pose.turn)
		}
	}
	return dst
}

func appendHop(dst []byte, p *place) []byte {
	for _, x := range p {
		dst = binary.AppendUvarint(dst, zigzag(x))
	}
	return dst
}

func zigzag(x int32) uint64 { return uint64(uint32(x<<1) ^ uint32(x>>31)) }

// appendAny writes what has changed of an entity, or all of it, behind a mask. The client holds was; nil says that
// this is not known, or that he holds nothing.
func (v *View) appendAny(dst []byte, r *record, was *pose, all bool) []byte {
	at := len(dst)
	dst = append(dst, 0)
	var mask byte
	if all {
		mask = maskEnter
		was = &nowhere
		dst = binary.AppendUvarint(dst, r.id.Number())
	}
	switch {
	case r.pose.place == far:
		mask |= maskFar
		for _, x := range r.at.Position {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
		}
	case was == nil:
		mask |= maskPlace | maskAnew
		dst = appendHop(dst, &r.pose.place)
	case was.place == far:
		mask |= maskPlace
		dst = appendHop(dst, &r.pose.place)
	case r.pose.place != was.place:
		mask |= maskPlace
		dst = appendHop(dst, r.pose.place.minus(&was.place))
	}
	if was == nil || r.pose.turn != was.turn {
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
