package gltf

import (
	"fmt"
	"math"
)

// decompose takes a matrix, column by column, apart into translation, rotation and scale. One that
// shears cannot be, and is refused.
func (n *Node) decompose(m *[16]float64) error {
	column := func(i int) [3]float64 { return [3]float64{m[4*i], m[4*i+1], m[4*i+2]} }
	if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
		return fmt.Errorf("its matrix projects")
	}
	var axes [3][3]float64
	for i := range axes {
		c := column(i)
		n.Scale[i] = math.Sqrt(dot(c, c))
		if !(n.Scale[i] > 1e-12) || math.IsInf(n.Scale[i], 0) {
			return fmt.Errorf("its matrix makes things flat, or endless")
		}
		axes[i] = [3]float64{c[0] / n.Scale[i], c[1] / n.Scale[i], c[2] / n.Scale[i]}
	}
	if math.Abs(dot(axes[0], axes[1])) > 1e-4 || math.Abs(dot(axes[1], axes[2])) > 1e-4 || math.Abs(dot(axes[2], axes[0])) > 1e-4 {
		return fmt.Errorf("its matrix shears")
	}
	if dot(cross(axes[0], axes[1]), axes[2]) < 0 { // mirrored: along x, say
		n.Scale[0] = -n.Scale[0]
		axes[0] = [3]float64{-axes[0][0], -axes[0][1], -axes[0][2]}
	}
	n.Translation = column(3)
	n.Rotation = quaternion(axes)
	return nil
}

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// quaternion returns the rotation whose axes are given (Shepperd's method: by its largest part).
func quaternion(axes [3][3]float64) [4]float64 {
	x, y, z := axes[0], axes[1], axes[2]
	squares := [4]float64{1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]}
	largest := 0
	for i, s := range squares {
		if s > squares[largest] {
			largest = i
		}
	}
	d := float64(2 * math.Sqrt(squares[largest]))
	var q [4]float64
	switch largest {
	case 0:
		q = [4]float64{0, (x[1] + y[0]) / d, (z[0] + x[2]) / d, (y[2] - z[1]) / d}
	case 1:
		q = [4]float64{(x[1] + y[0]) / d, 0, (y[2] + z[1]) / d, (z[0] - x[2]) / d}
	case 2:
		q = [4]float64{(z[0] + x[2]) / d, (y[2] + z[1]) / d, 0, (x[1] - y[0]) / d}
	case 3:
		q = [4]float64{(y[2] - z[1]) / d, (z[0] - x[2]) / d, (x[1] - y[0]) / d, 0}
	}
	q[largest] = d / 4
	length := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3]))
	for i := range q {
		q[i] /= length
	}
	return q
}
