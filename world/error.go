package world

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Error is a refusal whose text is meant for whoever asked: it names the thing and what is allowed.
// Its code is one of "handler_error", "invalid_input", "capacity_exceeded", "conflict" where others have changed the same since and, of what somebody else has claimed, "forbidden".
type Error struct {
	Code    string
	Message string
}

const (
	codeUnknown   = "handler_error"
	codeInvalid   = "invalid_input"
	codeCapacity  = "capacity_exceeded"
	codeForbidden = "forbidden"
	codeConflict  = "conflict"
)

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Refusal returns code and message; package registry finds it by assertion and lets the text
// through to the peer.
func (e *Error) Refusal() (code, message string) { return e.Code, e.Message }

func invalid(format string, args ...any) error {
	return &Error{Code: codeInvalid, Message: fmt.Sprintf(format, args...)}
}

func capacity(format string, args ...any) error {
	return &Error{Code: codeCapacity, Message: fmt.Sprintf(format, args...)}
}

// MaxNumber is the largest magnitude of a number in the world: viewers compute in float32, and what
// is beyond that would reach them as infinity.
const MaxNumber = 3.4e38

// Bounded returns the number nearest to x within ±[MaxNumber]: for what was worked out from numbers of the world, whose
// distances and corners may be beyond it, before it goes out. NaN stays NaN.
func Bounded(x float64) float64 { return min(max(x, -MaxNumber), MaxNumber) }

// Bounded returns a with every coordinate within ±[MaxNumber], see the function.
func (a Vec3) Bounded() Vec3 { return Vec3{Bounded(a[0]), Bounded(a[1]), Bounded(a[2])} }

// fits reports whether x is a number that the world takes. NaN is not.
func fits(x float64) bool { return math.Abs(x) <= MaxNumber }

func (a Vec3) fits() bool { return fits(a[0]) && fits(a[1]) && fits(a[2]) }

// checkNumbers refuses the first of xs that does not fit.
func checkNumbers(what string, xs []float64) error {
	for i, x := range xs {
		if !fits(x) {
			return badNumber(fmt.Sprintf("%s[%d]", what, i), x)
		}
	}
	return nil
}

func badNumber(path string, x float64) error {
	return invalid("%s: must be a finite number within ±3.4e38, got %v", path, x)
}

// Unknown is the refusal of an id that no entity has: it names the existing ids that are nearest.
func (v *View) Unknown(id ID) *Error {
	if id == 0 {
		return &Error{Code: codeUnknown, Message: "no entity is named; ids look like \"ent_0\""}
	}
	why := "unknown entity " + id.String()
	if uint64(id) <= v.w.entities.next {
		why += ", which was destroyed"
	}
	near := v.nearestIDs(id, 3)
	if len(near) == 0 {
		return &Error{Code: codeUnknown, Message: why + "; the world has none"}
	}
	text := make([]string, len(near))
	for i, n := range near {
		text[i] = n.String()
	}
	return &Error{Code: codeUnknown, Message: why + "; the nearest are " + strings.Join(text, ", ")}
}

// nearestIDs returns up to n existing ids, those with the numbers nearest to id, in order.
func (v *View) nearestIDs(id ID, n int) []ID {
	var near []ID
	below, okB := v.w.entities.before(id)
	above, okA := v.w.entities.after(id)
	for len(near) < n && (okA || okB) {
		if okB && (!okA || id-below <= above-id) {
			near = append(near, below)
			below, okB = v.w.entities.before(below)
			continue
		}
		near = append(near, above)
		above, okA = v.w.entities.after(above)
	}
	slices.Sort(near)
	return near
}
