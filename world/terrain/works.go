package terrain

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/invopop/jsonschema"
)

// Form is what a [Work] makes of the ground.
type Form string

// The forms.
const (
	Level Form = "level" // even: a plot to build on, a road, a quay
	Basin Form = "basin" // a bowl with a rim all around: a lake's bed, a crater
	Mound Form = "mound" // a round hill on what is there
	River Form = "river" // a bed between banks that are as high as its line, which falls
)

// Piece is a straight piece of a line that winds: x, y, z where it begins, then where it ends.
type Piece [6]float64

// Work is a change that somebody has made to generated ground around a place, or along a line. All of it is in metres, in the land's coordinates.
type Work struct {
	Form   Form       `json:"form"`
	At     [2]float64 `json:"at"`              // x, z
	To     [2]float64 `json:"to"`              // the other end of the line; At for none
	Radius float64    `json:"radius"`          // how far from the line it is as it is to be
	Edge   float64    `json:"edge"`            // how wide the slope is from there to the ground around it
	Y      float64    `json:"y"`               // Level, River: how high it, or its banks, are at At; Basin: its rim
	ToY    float64    `json:"toY"`             // Level, River: how high at To
	Rise   float64    `json:"rise,omitempty"`  // Mound: how high; Basin, River: how deep
	Line   []Piece    `json:"line,omitempty"`  // the pieces of a line that winds, in place of the one from At to To; of Level and River with its heights
	Color  *uint32    `json:"color,omitempty"` // how it looks within Radius, 0xRRGGBB; nil: as what grows there
}

// MaxPieces is how many pieces the line of a work has at most.
const MaxPieces = 256

// MaxFlow is how fast a river flows at most, in m/s.
const MaxFlow = 20.0

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
	if len(w.Line) > MaxPieces {
		return fmt.Errorf("line: must have at most %d pieces, got %d", MaxPieces, len(w.Line))
	}
	for i := range w.Line {
		for k, x := range w.Line[i] {
			far := Far
			if k%3 == 1 {
				far = 1000
			}
			if !(math.Abs(x) <= far) {
				return fmt.Errorf("line[%d][%d]: must be from %v to %v, got %v", i, k, -far, far, x)
			}
		}
	}
	if w.Color != nil && *w.Color > 0xffffff {
		return fmt.Errorf("color: must be at most 16777215, got %d", *w.Color)
	}
	if w.Form != Level && w.Form != Basin && w.Form != Mound && w.Form != River {
		return fmt.Errorf("form: must be one of level, basin, mound, river, got %q", w.Form)
	}
	return nil
}

// Long reports whether a work is along a line, not around a place.
func (w *Work) Long() bool { return len(w.Line) > 0 || w.At != w.To }

// pieces returns the line of a work: one piece that begins and ends in its middle if it is round.
func (w *Work) pieces() []Piece {
	if len(w.Line) > 0 {
		return w.Line
	}
	return []Piece{{w.At[0], w.Y, w.At[1], w.To[0], w.ToY, w.To[1]}}
}

// reach returns the smallest upright rectangle outside of which a piece changes nothing that is r wide to either side.
func (p *Piece) reach(r float64) (minX, minZ, maxX, maxZ float64) {
	return min(p[0], p[3]) - r, min(p[2], p[5]) - r, max(p[0], p[3]) + r, max(p[2], p[5]) + r
}

// Reach returns the smallest upright rectangle outside of which a work changes nothing.
func (w *Work) Reach() (minX, minZ, maxX, maxZ float64) {
	minX, minZ, maxX, maxZ = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range w.pieces() {
		x, z, toX, toZ := p.reach(w.Radius + w.Edge)
		minX, minZ, maxX, maxZ = min(minX, x), min(minZ, z), max(maxX, toX), max(maxZ, toZ)
	}
	return minX, minZ, maxX, maxZ
}

// change returns how high the ground is at a place that is y high without the work.
func (w *Work) change(x, z, y float64) float64 {
	away, line := w.from(x, z)
	if away >= w.Radius+w.Edge {
		return y
	}
	to := y
	switch w.Form {
	case Level, River:
		to = line
		if away > w.Radius && len(w.Line) > 1 {
			to = w.between(x, z)
		}
		if w.Form == River && away < w.Radius {
			to -= float64(w.Rise * (1 - smooth(0, 1, away/w.Radius)))
		}
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

// between returns to which height the slope beside a line that winds leads at a place: of all pieces that are near, the nearer the more, so that there is no step
// between the legs of a hairpin bend.
func (w *Work) between(x, z float64) float64 {
	sum, all := 0.0, 0.0
	for i := range w.Line {
		away, y := w.Line[i].from(x, z)
		if away >= w.Radius+w.Edge {
			continue
		}
		far := max(smooth(0, 1, (away-w.Radius)/w.Edge), 1e-6)
		weight := (1 - far) / far
		sum, all = sum+float64(weight*y), all+weight
	}
	if all == 0 {
		_, y := w.from(x, z)
		return y
	}
	return sum / all
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

// from returns how far a place is from the line of a work, and how high the nearest place of that is.
func (w *Work) from(x, z float64) (away, y float64) {
	if len(w.Line) == 0 {
		p := Piece{w.At[0], w.Y, w.At[1], w.To[0], w.ToY, w.To[1]}
		return p.from(x, z)
	}
	away = math.Inf(1)
	for i := range w.Line {
		if d, at := w.Line[i].from(x, z); d < away {
			away, y = d, at
		}
	}
	return away, y
}

// from returns how far a place is from a piece, and how high the nearest place of that is.
func (p *Piece) from(x, z float64) (away, y float64) {
	dx, dz := p[3]-p[0], p[5]-p[2]
	px, pz := x-p[0], z-p[2]
	along := 0.0
	if long := float64(dx*dx) + float64(dz*dz); long > 0 {
		along = min(max((float64(px*dx)+float64(pz*dz))/long, 0), 1)
	}
	px, pz = px-float64(along*dx), pz-float64(along*dz)
	return math.Sqrt(float64(px*px) + float64(pz*pz)), p[1] + float64(along*(p[4]-p[1]))
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

// beside is how far beside a tile there may be samples that it has to know: the widest cell.
const beside = Size / (Cells >> MaxLOD)

// Near reports whether a work changes something in a tile, or beside it, where its samples have neighbours.
func (w *Work) Near(tx, tz int) bool {
	return slices.ContainsFunc(w.pieces(), func(p Piece) bool { return w.near(&p, tx, tz) })
}

func (w *Work) near(p *Piece, tx, tz int) bool {
	x, z := float64(Size*float64(tx)), float64(Size*float64(tz))
	minX, minZ, maxX, maxZ := p.reach(w.Radius + w.Edge)
	return maxX > x-beside && minX < x+Size+beside && maxZ > z-beside && minZ < z+Size+beside
}

// In returns a work as a tile, and what is beside it, has to know it: without the pieces of its line that change nothing there.
func (w Work) In(tx, tz int) Work {
	if len(w.Line) == 0 {
		return w
	}
	var line []Piece
	for i := range w.Line {
		if w.near(&w.Line[i], tx, tz) {
			line = append(line, w.Line[i])
		}
	}
	w.Line = line
	return w
}
