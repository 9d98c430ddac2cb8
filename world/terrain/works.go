package terrain

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/invopop/jsonschema"
)

// Form is what a [Work] makes of the ground.
type Form string

// The forms.
const (
	Level Form = "level" // even: a plot to build on, a road, a quay
	Basin Form = "basin" // a bowl with a rim all around: a lake's bed, a crater
	Mound Form = "mound" // a round hill on what is there
)

// Work is a change that somebody has made to generated ground around a place, or along a line. All of it is in metres, in the land's coordinates.
type Work struct {
	Form   Form       `json:"form"`
	At     [2]float64 `json:"at"`             // x, z
	To     [2]float64 `json:"to"`             // the other end of the line; At for none
	Radius float64    `json:"radius"`         // how far from the line it is as it is to be
	Edge   float64    `json:"edge"`           // how wide the slope is from there to the ground around it
	Y      float64    `json:"y"`              // Level: how high it is at At; Basin: its rim
	ToY    float64    `json:"toY"`            // Level: how high at To
	Rise   float64    `json:"rise,omitempty"` // Mound: how high; Basin: how deep
}

// MaxWorks is how many works a land has at most, which is that of one tile: others need not know of it.
const MaxWorks = 64

// Check reports what a work has that no land takes. Its errors name the field and what is allowed.
func (w *Work) Check() error {
	for _, one := range []struct {
		name      string
		lo, hi, x float64
	}{
		{"at[0]", -Far, Far, w.At[0]},
		{"at[1]", -Far, Far, w.At[1]},
		{"to[0]", -Far, Far, w.To[0]},
		{"to[1]", -Far, Far, w.To[1]},
		{"radius", 0, 500, w.Radius},
		{"edge", 0, 500, w.Edge},
		{"y", -1000, 1000, w.Y},
		{"toY", -1000, 1000, w.ToY},
		{"rise", 0, 500, w.Rise},
	} {
		if !(one.x >= one.lo && one.x <= one.hi) {
			return fmt.Errorf("%s: must be from %v to %v, got %v", one.name, one.lo, one.hi, one.x)
		}
	}
	if w.Form != Level && w.Form != Basin && w.Form != Mound {
		return fmt.Errorf("form: must be one of level, basin, mound, got %q", w.Form)
	}
	return nil
}

// Reach returns the smallest upright rectangle outside of which a work changes nothing.
func (w *Work) Reach() (minX, minZ, maxX, maxZ float64) {
	r := w.Radius + w.Edge
	return min(w.At[0], w.To[0]) - r, min(w.At[1], w.To[1]) - r, max(w.At[0], w.To[0]) + r, max(w.At[1], w.To[1]) + r
}

// change returns how high the ground is at a place that is y high without the work.
func (w *Work) change(x, z, y float64) float64 {
	away, along := w.from(x, z)
	if away >= w.Radius+w.Edge {
		return y
	}
	to := y
	switch w.Form {
	case Level:
		to = w.Y + float64(along*(w.ToY-w.Y))
	case Basin:
		to = w.Y
		if away < w.Radius {
			to -= float64(w.Rise * (1 - smooth(0, 1, away/w.Radius)))
		}
	case Mound:
		return y + float64(w.Rise*(1-smooth(0, 1, away/(w.Radius+w.Edge))))
	}
	if away <= w.Radius {
		return to
	}
	return blend(to, y, smooth(0, 1, (away-w.Radius)/w.Edge))
}

// Touches reports whether a work changes the ground at a place.
func (w *Work) Touches(x, z float64) bool {
	away, _ := w.from(x, z)
	return away < w.Radius+w.Edge
}

// Away returns how far a place is from the line of a work, or from its middle.
func (w *Work) Away(x, z float64) float64 {
	away, _ := w.from(x, z)
	return away
}

// from returns how far a place is from the line of a work, and how far along it, from 0 to 1, the nearest place of that is.
func (w *Work) from(x, z float64) (away, along float64) {
	dx, dz := w.To[0]-w.At[0], w.To[1]-w.At[1]
	px, pz := x-w.At[0], z-w.At[1]
	if long := float64(dx*dx) + float64(dz*dz); long > 0 {
		along = min(max((float64(px*dx)+float64(pz*dz))/long, 0), 1)
	}
	px, pz = px-float64(along*dx), pz-float64(along*dz)
	return math.Sqrt(float64(px*px) + float64(pz*pz)), along
}

// Works are what has been done to a land, in order: each changes what those before it have left. They can be compared, as lands are; the zero Works are
// none.
type Works struct{ text string } // the JSON of []Work

// WorksOf returns works. Its errors name the field and what is allowed.
func WorksOf(list []Work) (Works, error) {
	if len(list) > MaxWorks {
		return Works{}, fmt.Errorf("there are %d works, %d are allowed", len(list), MaxWorks)
	}
	for i := range list {
		if err := list[i].Check(); err != nil {
			return Works{}, err
		}
	}
	if len(list) == 0 {
		return Works{}, nil
	}
	text, err := json.Marshal(list)
	return Works{string(text)}, err
}

// List returns the works, a list of the caller's own.
func (w Works) List() []Work {
	if w.text == "" {
		return nil
	}
	var list []Work
	if err := json.Unmarshal([]byte(w.text), &list); err != nil {
		return nil // there are none but those that WorksOf has made
	}
	return list
}

// IsZero reports whether there are none.
func (w Works) IsZero() bool { return w.text == "" }

// MarshalJSON returns the list.
func (w Works) MarshalJSON() ([]byte, error) {
	if w.text == "" {
		return []byte("[]"), nil
	}
	return []byte(w.text), nil
}

// JSONSchema is of the list.
func (Works) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "object"}, Description: "What somebody has made of the ground since, in order."}
}

// UnmarshalJSON reads a list, and refuses one that WorksOf does.
func (w *Works) UnmarshalJSON(text []byte) error {
	var list []Work
	err := json.Unmarshal(text, &list)
	if err == nil {
		*w, err = WorksOf(list)
	}
	return err
}

// Near reports whether a work changes something in a tile, or beside it, where its samples have neighbours.
func (w *Work) Near(tx, tz int) bool {
	const beside = Size / (Cells >> MaxLOD) // the widest cell
	x, z := float64(Size*float64(tx)), float64(Size*float64(tz))
	minX, minZ, maxX, maxZ := w.Reach()
	return maxX > x-beside && minX < x+Size+beside && maxZ > z-beside && minZ < z+Size+beside
}
