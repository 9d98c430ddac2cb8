package replica

import (
	"encoding/json"
	"math"
)

// Entity is the copy of an entity. Entity number 7 has the id "ent_7".
type Entity struct {
	Number uint64
	Pos    [3]float64
	Rot    [4]float64 // x, y, z, w; in packed and binary views perhaps the negative of the server's, which is the same rotation
	Scale  [3]float64
	Parts  map[string]json.RawMessage // parent and components

	place [3]int32 // Pos in quanta, in packed and binary views
	far   bool     // Pos has too many quanta, place means nothing
}

func (e *Entity) put(quantum float64) {
	e.far = false
	for i, n := range e.place {
		e.Pos[i] = float64(n) / quantum
	}
}

// quantize finds the place that the server takes Pos for: the copy may have been a JSON view so far.
func (e *Entity) quantize(quantum float64) {
	e.far = false
	for i, x := range e.Pos {
		if x *= quantum; !(math.Abs(x) <= 1<<30-1) {
			e.far = true
			return
		}
		e.place[i] = int32(math.Floor(x + 0.5))
	}
}

// turn unpacks a rotation: the two highest bits say which component is the largest; the other three
// have ten bits each, and it follows from them.
func (e *Entity) turn(packed uint32) {
	largest := int(packed >> 30)
	rest, shift := 1.0, 20
	for i := range e.Rot {
		if i == largest {
			continue
		}
		x := (float64(packed>>shift&1023) - 511) / (511 * math.Sqrt2)
		e.Rot[i] = x
		rest -= float64(x * x)
		shift -= 10
	}
	e.Rot[largest] = math.Sqrt(max(rest, 0))
}

func (e *Entity) set(part string, value json.RawMessage) {
	if e.Parts == nil {
		e.Parts = map[string]json.RawMessage{}
	}
	e.Parts[part] = value
}
