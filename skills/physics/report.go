package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

const (
	most  = 100   // entities in one list
	moved = 0.005 // metres: who went less has only sunk into place
	// Degrees: the same, and what counts as fallen.
	turned = 1
	tilted = 45
	// The most that the axes of a ball differ by, as a factor. It has no upright: it rolls.
	round = 1.05
)

// report says what has come of everything.
func (s *settling) report() (out SettleOut) {
	out = SettleOut{Settled: true, Moved: []Displaced{}, Restless: []world.ID{}, Gone: []world.ID{}}
	s.w.View(func(v *world.View) {
		out.Seconds = shown.Number(s.w.Seconds(v.Step() - s.start))
		for _, b := range s.before {
			now, ok := v.WorldTransform(b.id)
			if !ok {
				out.Gone = append(out.Gone, b.id)
				continue
			}
			if s.p.Fell(v, b.id) > s.start && len(out.PutBack) < most {
				out.PutBack = append(out.PutBack, b.id)
			}
			endless, resting := s.endless(v, b.id), s.resting(v, b.id)
			if !endless && !resting && s.stuck(v, b.id) {
				out.Settled = false
				out.Stuck = append(out.Stuck, Stuck{b.id, s.why(v, b.id)})
				resting = true
			}
			if endless {
				out.Endless++
			}
			if endless || !resting && !s.trembles(v, b.id) {
				out.Settled = false
				out.Restless = append(out.Restless, b.id)
			}
			if d := displaced(v, b, now); d.Distance > moved || d.Tilted > turned || math.Abs(d.Turned) > turned {
				out.Moved = append(out.Moved, d)
			}
		}
	})
	for i := range out.Moved {
		if out.Moved[i].Fell {
			out.Fell++
		}
	}
	slices.SortStableFunc(out.Moved, func(a, b Displaced) int { return cmp.Compare(b.Distance, a.Distance) })
	out.More = max(0, len(out.Moved)-most)
	out.Moved = out.Moved[:len(out.Moved)-out.More]
	out.Restless = out.Restless[:min(len(out.Restless), most)]
	out.Gone = out.Gone[:min(len(out.Gone), most)]
	out.Stuck = out.Stuck[:min(len(out.Stuck), most)]
	return out
}

// why says why a character does not get on, "" if nobody knows.
func (s *settling) why(v *world.View, id world.ID) string {
	if s.others.Stuck == nil {
		return ""
	}
	return s.others.Stuck(v, id)
}

// displaced compares where an entity is with where it was.
func displaced(v *world.View, b placed, now world.Transform) Displaced {
	up := world.Vec3{0, 1, 0}
	cos := b.at.Rotation.Rotate(up).Dot(now.Rotation.Rotate(up))
	d := Displaced{
		Entity: b.id, From: b.at.Position, To: now.Position,
		Distance: min(now.Position.Dist(b.at.Position), world.MaxNumber),
		Tilted:   math.Round(math.Acos(min(max(cos, -1), 1))*180/math.Pi*10) / 10,
	}
	if d.Tilted <= turned {
		d.Turned = swung(b.at.Rotation, now.Rotation)
	}
	height := math.Abs(b.at.Scale[1])
	if shape, ok := v.World().Shapes.Get(v, b.id); ok {
		size := shape.Size
		for i := range size {
			size[i] = math.Abs(float64(size[i] * b.at.Scale[i]))
		}
		height = size[1]
		if shape.Kind == "sphere" && max(size[0], size[1], size[2]) < round*min(size[0], size[1], size[2]) {
			d.Tilted, d.Turned = 0, 0
		}
	}
	d.Fell = d.Tilted > tilted || d.From[1]-d.To[1] > height/2
	d.From, d.To, d.Distance = shown.Point(d.From), shown.Point(d.To), shown.Number(d.Distance)
	return d
}

// swung returns by how many degrees what has not tilted has turned about the vertical, from -180 to 180.
func swung(from, to world.Quat) float64 {
	q := to.Mul(from.Conj())
	return math.Round(math.Remainder(2*math.Atan2(q[1], q[3]), 2*math.Pi)*180/math.Pi*10)/10 + 0
}
