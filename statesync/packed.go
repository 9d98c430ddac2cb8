package statesync

import (
	"strconv"

	"github.com/limina-mcp/limina/internal/decimal"
	"github.com/limina-mcp/limina/world"
)

// The packed format is JSON with flat arrays of integers; docs/state-sync.md describes it, and package
// replica reads it.

// What is told in lists of its own, in the order in which it is to be applied.
const (
	listEntered = iota
	listPlaced
	listScaled
	listFar
	listParts
	lists
)

// appendPacked writes the message in the packed format.
func (v *View) appendPacked(h *Hub, dst []byte) []byte {
	s := h.borrow()
	defer h.scratches.Put(s)
	quiet := v.quiet(h)
	v.pack(h, s)
	if quiet && s.empty() {
		return dst
	}
	start := len(dst)
	dst, end := v.appendPackedStart(h, dst)
	dst = append(v.appendRest(h, s.append(dst), ','), end...)
	dst[start] = '{' // in a bare delta it was a comma
	return dst
}

// appendPackedStart writes what goes before the lists of entities, and returns what ends the message.
func (v *View) appendPackedStart(h *Hub, dst []byte) (_ []byte, end string) {
	switch {
	case v.resumed:
		dst, end = v.appendHead(h, append(dst, deltaHead...)), `}}`
		dst = decimal.AppendInt(append(dst, `,"resumed":true,"precision":`...), int64(h.quantum.bits))
	case !v.begun:
		dst, end = v.appendHead(h, append(dst, snapshotHead...)), `}}`
		dst = decimal.AppendInt(append(dst, `,"precision":`...), int64(h.quantum.bits))
	default:
		dst, end = v.appendPackedHead(h, dst), `}`
	}
	if v.follows() && len(v.causes) > 0 {
		dst = v.appendCauses(dst)
	}
	return v.appendGone(dst), end
}

// appendPackedHead begins a delta that is no JSON-RPC message, which would be half of it: without the tick
// if that is the next one, and without the step if that is as it was.
func (v *View) appendPackedHead(h *Hub, dst []byte) []byte {
	if h.tick != v.tick+1 {
		dst = decimal.Append(append(dst, `,"tick":`...), h.tick)
	}
	if h.step != v.step {
		dst = decimal.Append(append(dst, `,"step":`...), h.step)
	}
	if v.name != "" {
		dst = appendText(append(dst, `,"subscription":`...), v.name)
	}
	return dst
}

// appendGone writes the slots of those that are gone and frees them.
func (v *View) appendGone(dst []byte) []byte {
	if len(v.gone) == 0 {
		return dst
	}
	dst = append(dst, `,"gone":[`...)
	for i := range v.gone {
		dst = append(decimal.Append(dst, uint64(v.gone[i].slot)), ',')
	}
	dst[len(dst)-1] = ']'
	v.tellGone()
	return dst
}

// append writes the lists that there are.
func (s *scratch) append(dst []byte) []byte {
	dst = appendList(dst, `,"entered":[`, s.other[listEntered])
	dst = appendList(dst, `,"placed":[`, s.other[listPlaced])
	dst = appendList(dst, `,"moved":[`, s.moved)
	dst = appendList(dst, `,"turned":[`, s.turned)
	dst = appendList(dst, `,"scaled":[`, s.other[listScaled])
	dst = appendList(dst, `,"far":[`, s.other[listFar])
	return appendList(dst, `,"parts":[`, s.other[listParts])
}

// appendList writes a list of which every element ends with a comma, if there is anything in it.
func appendList(dst []byte, name string, list []byte) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(append(dst, name...), list...)
	dst[len(dst)-1] = ']'
	return dst
}

// pack writes what is to be told of the marked slots into the lists of the scratch.
func (v *View) pack(h *Hub, s *scratch) {
	s.moved, s.turned = s.moved[:0], s.turned[:0]
	for i := range s.other {
		s.other[i] = s.other[i][:0]
	}
	moved, turned := s.moved, s.turned
	lastMoved, lastTurned := int64(-1), int64(-1)
	v.tellMarked(func(n uint32, r *record, whole bool) {
		if whole {
			s.other[listEntered] = h.appendEntered(s.other[listEntered], n, r)
			if r.pose.place == far {
				s.other[listFar] = appendSlotVec(s.other[listFar], n, &r.at.Position)
			}
			return
		}
		was := r.told(v.seen)
		switch {
		case r.pose.place == far:
			s.other[listFar] = appendSlotVec(s.other[listFar], n, &r.at.Position)
		case was == nil || was.place == far:
			s.other[listPlaced] = appendInts(s.other[listPlaced], int64(n), int64(r.pose.place[0]), int64(r.pose.place[1]), int64(r.pose.place[2]))
		case r.pose.place != was.place:
			to, from := &r.pose.place, &was.place
			moved = appendMove(moved, int32(int64(n)-lastMoved), to[0]-from[0], to[1]-from[1], to[2]-from[2])
			lastMoved = int64(n)
		}
		if was == nil || r.pose.turn != was.turn {
			turned = appendInts(turned, int64(n)-lastTurned, int64(r.pose.turn))
			lastTurned = int64(n)
		}
		if r.scaled > v.seen {
			s.other[listScaled] = appendSlotVec(s.other[listScaled], n, &r.at.Scale)
		}
		if r.parted > v.seen {
			s.other[listParts] = v.appendChanged(h, s.other[listParts], n, r)
		}
	})
	s.moved, s.turned = moved, turned
}

func appendInts(dst []byte, list ...int64) []byte {
	for _, n := range list {
		dst = append(decimal.AppendInt(dst, n), ',')
	}
	return dst
}

// appendSlotVec writes [slot,x,y,z], with as many digits as it takes.
func appendSlotVec(dst []byte, n uint32, p *world.Vec3) []byte {
	dst = decimal.Append(append(dst, '['), uint64(n))
	return append(appendVec(append(dst, ','), p), `],`...)
}

func appendVec(dst []byte, p *world.Vec3) []byte {
	for i, x := range p {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, x, 'g', -1, 64)
	}
	return dst
}

// appendEntered writes [slot,n,x,y,z,rotation,scale,{parts}], from the back without what is as it
// usually is: no rotation, a scale of 1, no parts.
func (h *Hub) appendEntered(dst []byte, n uint32, r *record) []byte {
	p := r.pose.place
	if p == far {
		p = place{}
	}
	dst = appendInts(append(dst, '['), int64(n), int64(r.id.Number()), int64(p[0]), int64(p[1]), int64(p[2]))
	parts := false
	for i := range r.parts {
		parts = parts || !r.parts[i].gone
	}
	scaled := r.at.Scale != world.Vec3{1, 1, 1}
	if parts || scaled || r.pose.turn != noTurn {
		dst = appendInts(dst, int64(r.pose.turn))
	}
	if parts || scaled {
		dst = append(appendScale(dst, &r.at.Scale), ',')
	}
	if parts {
		dst = append(dst, '{')
		for i := range r.parts {
			if p := &r.parts[i]; !p.gone {
				dst = append(append(append(dst, h.names.keys[p.name][1:]...), r.part(p)...), ',')
			}
		}
		dst[len(dst)-1] = '}'
		dst = append(dst, ',')
	}
	dst[len(dst)-1] = ']'
	return append(dst, ',')
}

// appendScale writes a number if that is the scale along each axis, else an array.
func appendScale(dst []byte, s *world.Vec3) []byte {
	if s[0] == s[1] && s[1] == s[2] {
		return strconv.AppendFloat(dst, s[0], 'g', -1, 64)
	}
	return append(appendVec(append(dst, '['), s), ']')
}

// appendChanged writes [slot,"name",value] for every part that has changed, without a value if it is
// gone.
func (v *View) appendChanged(h *Hub, dst []byte, n uint32, r *record) []byte {
	for i := range r.parts {
		p := &r.parts[i]
		if p.tick <= v.seen {
			continue
		}
		dst = decimal.Append(append(dst, '['), uint64(n))
		key := h.names.keys[p.name]
		dst = append(dst, key[:len(key)-1]...)
		if !p.gone {
			dst = append(append(dst, ','), r.part(p)...)
		}
		dst = append(dst, `],`...)
	}
	return dst
}
