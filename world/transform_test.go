package world_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// matrix is a 4×4 matrix, row by row.
type matrix [4][4]float64

func (m matrix) mul(n matrix) (out matrix) {
	for i := range 4 {
		for j := range 4 {
			for k := range 4 {
				out[i][j] += m[i][k] * n[k][j]
			}
		}
	}
	return out
}

// matrixOf is the textbook's: translation · rotation · scale.
func matrixOf(t world.Transform) matrix {
	x, y, z, w := t.Rotation[0], t.Rotation[1], t.Rotation[2], t.Rotation[3]
	p, s := t.Position, t.Scale
	return matrix{
		{(1 - 2*(y*y+z*z)) * s[0], 2 * (x*y - z*w) * s[1], 2 * (x*z + y*w) * s[2], p[0]},
		{2 * (x*y + z*w) * s[0], (1 - 2*(x*x+z*z)) * s[1], 2 * (y*z - x*w) * s[2], p[1]},
		{2 * (x*z - y*w) * s[0], 2 * (y*z + x*w) * s[1], (1 - 2*(x*x+y*y)) * s[2], p[2]},
		{0, 0, 0, 1},
	}
}

func (m matrix) place() world.Vec3 { return world.Vec3{m[0][3], m[1][3], m[2][3]} }

func (m matrix) distance(n matrix) (worst float64) {
	for i := range 4 {
		for j := range 4 {
			worst = max(worst, math.Abs(m[i][j]-n[i][j]))
		}
	}
	return worst
}

func anyTransform(t *rapid.T, uniform bool) world.Transform {
	at := transform(t)
	size := rapid.Float64Range(0.25, 3)
	at.Scale = world.Vec3{size.Draw(t, "sx"), size.Draw(t, "sy"), size.Draw(t, "sz")}
	if uniform {
		at.Scale = world.Vec3{at.Scale[0], at.Scale[0], at.Scale[0]}
	}
	return at
}

// TestWorldTransform compares chains of parents with products of matrices: positions always, all of
// it where scales are even, because only then is the product no shear.
func TestWorldTransform(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		uniform := rapid.Bool().Draw(rt, "uniform")
		w := world.New(world.Config{})
		want := matrixOf(world.Identity())
		var last world.ID
		chain := rapid.IntRange(1, 6).Draw(rt, "chain")
		must(t, w, func(tx *world.Tx) error {
			for range chain {
				at := anyTransform(rt, uniform)
				id, err := tx.Create(world.Spec{Position: at.Position, Rotation: at.Rotation, Scale: at.Scale, Parent: last})
				if err != nil {
					return err
				}
				want, last = want.mul(matrixOf(at)), id
			}
			return nil
		})
		w.View(func(v *world.View) {
			got, _ := v.WorldTransform(last)
			if p, _ := v.Position(last); p != got.Position {
				rt.Fatalf("Position = %v, WorldTransform's is %v", p, got.Position)
			}
			limit := 1e-9 * math.Pow(3, float64(chain)) * 100
			if d := got.Position.Dist(want.place()); d > limit {
				rt.Errorf("position is %v, by matrices %v", got.Position, want.place())
			}
			if d := matrixOf(got).distance(want); uniform && d > limit {
				rt.Errorf("transform is off by %v:\n%v\n%v", d, matrixOf(got), want)
			}
		})
	})
}

// TestRelative reparents an entity so that it stays where it is.
func TestRelative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parent, child := anyTransform(t, false), anyTransform(t, false)
		back := parent.Apply(parent.Relative(child))
		if d := matrixOf(back).distance(matrixOf(child)); d > 1e-9 {
			t.Errorf("Apply(Relative(child)) is off by %v: %v, want %v", d, back, child)
		}
	})
	flat := world.Transform{Rotation: world.NoRotation(), Scale: world.Vec3{1, 0, 1}}
	if got := flat.Relative(world.Identity()).Scale; got != (world.Vec3{1, 0, 1}) {
		t.Errorf("Relative to a flat parent has scale %v, want a finite one", got)
	}
}

// TestInSpaceOf puts a child where a transform in world space says, under a chain of parents of any
// shape: it must be there, and have that scale. Then it is put elsewhere, and keeps its own scale.
func TestInSpaceOf(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := world.New(world.Config{})
		want := anyTransform(rt, false)
		must(t, w, func(tx *world.Tx) error {
			var last world.ID
			for range rapid.IntRange(0, 6).Draw(rt, "chain") {
				at := anyTransform(rt, false)
				id, err := tx.Create(world.Spec{Position: at.Position, Rotation: at.Rotation, Scale: at.Scale, Parent: last})
				if err != nil {
					return err
				}
				last = id
			}
			at := tx.InSpaceOf(last, want)
			id, err := tx.Create(world.Spec{Position: at.Position, Rotation: at.Rotation, Scale: at.Scale, Parent: last})
			if err != nil {
				return err
			}
			if got, _ := tx.WorldTransform(id); matrixOf(got).distance(matrixOf(want)) > 1e-6 {
				rt.Errorf("is at %v, was to be at %v", got, want)
			}
			want.Position, want.Rotation = anyTransform(rt, false).Position, anyTransform(rt, false).Rotation
			if err := tx.PutAt(id, want.Position, want.Rotation); err != nil {
				return err
			}
			if got, _ := tx.WorldTransform(id); matrixOf(got).distance(matrixOf(want)) > 1e-6 {
				rt.Errorf("is at %v, was to be put at %v", got, want)
			}
			if own, _ := tx.Transform(id); own.Scale != at.Scale {
				rt.Errorf("its scale is %v, was %v", own.Scale, at.Scale)
			}
			return nil
		})
	})
}

// exact is a quaternion of numbers of 200 bits: in float64 it would be off by more than what it is to measure.
type exact [4]*big.Float

func wide(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }

// about turns by an angle about an axis: by the series of sine and cosine for a small part of it, and then doubled.
func about(axis int, angle float64) exact {
	const doublings = 30
	part := wide(math.Ldexp(angle/2, -doublings))
	sin, cos, term := wide(0), wide(0), wide(1)
	for n := range 16 {
		sum := cos
		if n%2 == 1 {
			sum = sin
		}
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Quo(term.Mul(term, part), wide(float64(n+1)))
	}
	for range doublings {
		twice := wide(2)
		twice.Mul(twice.Mul(twice, sin), cos)
		sin.Mul(sin, sin)
		cos.Sub(cos.Mul(cos, cos), sin)
		sin = twice
	}
	q := exact{wide(0), wide(0), wide(0), cos}
	q[axis] = sin
	return q
}

// times is Hamilton's product.
func (q exact) times(r exact) exact {
	sum := func(w, x, y, z float64, i, j, k, l int) *big.Float {
		s := wide(0)
		for n, sign := range [4]float64{w, x, y, z} {
			product := wide(sign)
			product.Mul(product.Mul(product, q[[4]int{3, 0, 1, 2}[n]]), r[[4]int{i, j, k, l}[n]])
			s.Add(s, product)
		}
		return s
	}
	return exact{
		sum(1, 1, 1, -1, 0, 3, 2, 1),
		sum(1, -1, 1, 1, 1, 2, 3, 0),
		sum(1, 1, -1, 1, 2, 1, 0, 3),
		sum(1, -1, -1, -1, 3, 0, 1, 2),
	}
}

// TestQuatFromEuler compares with turning about one axis after the other.
func TestQuatFromEuler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64Range(-1e6, 1e6), rapid.SampledFrom([]float64{0, math.Pi, -math.Pi / 2, math.Pi / 4}))
		x, y, z := angle.Draw(t, "x"), angle.Draw(t, "y"), angle.Draw(t, "z")
		got, want := world.QuatFromEuler(x, y, z), about(0, x).times(about(1, y)).times(about(2, z))
		for i := range got {
			off, _ := want[i].Sub(want[i], wide(got[i])).Float64()
			if math.Abs(off) > 4e-16 {
				t.Fatalf("QuatFromEuler(%v, %v, %v) = %v, which is off by %v", x, y, z, got, off)
			}
		}
	})
}

func TestYaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, z := rapid.Float64Range(-100, 100).Draw(t, "x"), rapid.Float64Range(-100, 100).Draw(t, "z")
		q, ok := world.Yaw(x, z)
		l := math.Hypot(x, z)
		if ok != (l > 1e-12) {
			t.Fatalf("Yaw(%v, %v) = _, %v", x, z, ok)
		}
		if ok && q.Rotate(world.Vec3{0, 0, 1}).Dist(world.Vec3{x / l, 0, z / l}) > 1e-7 {
			t.Errorf("Yaw(%v, %v) = %v, which turns z to %v", x, z, q, q.Rotate(world.Vec3{0, 0, 1}))
		}
	})
}

// The heading of a rotation is its turn, however what stands so leans forward or aside.
func TestHeading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		yaw := rapid.Float64Range(-3, 3).Draw(t, "yaw")
		lean, roll := rapid.Float64Range(-1.5, 1.5).Draw(t, "lean"), rapid.Float64Range(-3, 3).Draw(t, "roll")
		turn := world.QuatFromEuler(0, yaw, 0)
		got, ok := turn.Mul(world.QuatFromEuler(lean, 0, 0)).Mul(world.QuatFromEuler(0, 0, roll)).Heading()
		if z := (world.Vec3{0, 0, 1}); !ok || got.Rotate(z).Dist(turn.Rotate(z)) > 1e-6 {
			t.Errorf("the heading is %v, %v, want %v", got, ok, turn)
		}
	})
	if got, ok := world.QuatFromEuler(math.Pi/2, 0, 0).Heading(); ok {
		t.Errorf("the heading of what looks straight down is %v", got)
	}
}

// The rotation between two directions turns the one into the other, by no more than the angle between them; also between opposite ones, and nearly such.
func TestQuatBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		direction := func(name string) world.Vec3 {
			if rapid.Bool().Draw(t, name+" along an axis") {
				var v world.Vec3
				v[rapid.IntRange(0, 2).Draw(t, name)] = rapid.SampledFrom([]float64{-1, 1}).Draw(t, name)
				return v
			}
			x := rapid.Float64Range(-1, 1)
			v := world.Vec3{x.Draw(t, name), x.Draw(t, name), 0.1 + x.Draw(t, name)}
			if v.Len() < 0.1 {
				t.Skip("no direction")
			}
			return v.Scale(1 / v.Len())
		}
		from, to := direction("from"), direction("to")
		if k := rapid.SampledFrom([]float64{0, 1, -1}).Draw(t, "nearly"); k != 0 {
			off := rapid.SampledFrom([]float64{0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5}).Draw(t, "off")
			to = from.Scale(k).Add(to.Scale(off))
			to = to.Scale(1 / to.Len())
		}
		q := world.QuatBetween(from, to)
		if got := q.Rotate(from); got.Dist(to) > 3e-7 {
			t.Errorf("between %v and %v: %v turns the one into %v, %g off", from, to, q, got, got.Dist(to))
		}
		size := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
		half := math.Atan2(from.Cross(to).Len(), from.Dot(to)) / 2
		if w := math.Abs(q[3]); math.Abs(size-1) > 1e-12 || math.Abs(w-math.Cos(half)) > 3e-7 {
			t.Errorf("between %v and %v: %v of length %v turns by %v, want %v", from, to, q, size, 2*math.Acos(w), 2*half)
		}
	})
}

func TestVec(t *testing.T) {
	a, b := world.Vec3{1, -2, 3}, world.Vec3{4, 0.5, -1}
	tests := []struct {
		name      string
		got, want any
	}{
		{"Add", a.Add(b), world.Vec3{5, -1.5, 2}},
		{"Sub", a.Sub(b), world.Vec3{-3, -2.5, 4}},
		{"Scale", a.Scale(-2), world.Vec3{-2, 4, -6}},
		{"Mul", a.Mul(b), world.Vec3{4, -1, -3}},
		{"Dot", a.Dot(b), 0.0},
		{"Cross", a.Cross(b), world.Vec3{0.5, 13, 8.5}},
		{"Min", a.Min(b), world.Vec3{1, -2, -1}},
		{"Max", a.Max(b), world.Vec3{4, 0.5, 3}},
		{"Len", world.Vec3{2, 3, 6}.Len(), 7.0},
		{"Dist", a.Dist(world.Vec3{3, 1, 9}), 7.0},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s = %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}
