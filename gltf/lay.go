package gltf

import (
	"encoding/json"
	"fmt"
	"math"
)

// lay is how images lie on geometry: by which set of its coordinates, and where in an image these are. What they say is at u and v is
// across[0]*u + across[1]*v + across[2] to the right, and as much down as down says likewise.
type lay struct {
	set          int
	across, down [3]float64
}

// straight is how images lie of which nothing is said.
var straight = lay{across: [3]float64{1, 0, 0}, down: [3]float64{0, 1, 0}}

// moved reports whether coordinates in images are others than those of the set.
func (l *lay) moved() bool { return l.across != straight.across || l.down != straight.down }

// at returns where in an image coordinates are. It is the same on every platform: no product is fused with a sum.
func (l *lay) at(coord [2]float32) [2]float32 {
	u, v := float64(coord[0]), float64(coord[1])
	on := func(m *[3]float64) float32 { return float32(float64(m[0]*u) + float64(m[1]*v) + m[2]) }
	return [2]float32{on(&l.across), on(&l.down)}
}

// laid returns how images lie on what has a material.
func (d *decoder) laid(material *int) lay {
	if material != nil {
		if l, ok := d.lays[*material]; ok {
			return l
		}
	}
	return straight
}

// lies returns how a texture lies on a material.
func (w *worn) lies() (lay, error) {
	l := straight
	l.set = w.Coord
	if w.Extensions != nil && len(w.Extensions.Transform) > 0 {
		if err := l.move(w.Extensions.Transform); err != nil {
			return l, fmt.Errorf("texture %d: extensions.%s%s", w.Index, transformName, clip(err.Error()))
		}
	}
	if l.set < 0 {
		return l, fmt.Errorf("texture %d: texCoord: must be 0 or more, got %d", w.Index, l.set)
	}
	return l, nil
}

// move moves images as the extension says: coordinates are scaled, then turned, then moved. To turn is from the right upward, as one sees an image.
// The matrix that the specification has goes the other way, to where v grows; its words, its example and all programs go this way.
func (l *lay) move(how json.RawMessage) error {
	var t transform
	if err := json.Unmarshal(how, &t); err != nil {
		return fmt.Errorf(": %w", err)
	}
	offset, scale := [2]float64{}, [2]float64{1, 1}
	for _, x := range []struct {
		name string
		list []float64
		to   *[2]float64
	}{{"offset", t.Offset, &offset}, {"scale", t.Scale, &scale}} {
		if x.list == nil {
			continue
		}
		if len(x.list) != 2 {
			return fmt.Errorf(".%s: must be two numbers, got %d", x.name, len(x.list))
		}
		*x.to = [2]float64(x.list)
	}
	if t.Coord != nil {
		l.set = *t.Coord
	}
	sin, cos := sincos(t.Rotation)
	l.across = [3]float64{float64(cos * scale[0]), float64(sin * scale[1]), offset[0]}
	l.down = [3]float64{0 - float64(sin*scale[0]), float64(cos * scale[1]), offset[1]}
	return nil
}

// sincos returns the sine and cosine of x radians, near enough for coordinates. They are the same on every platform, which those of
// package math need not be.
func sincos(x float64) (sin, cos float64) {
	const quarter = math.Pi / 2
	x = math.Mod(x, 4*quarter) // exact
	k := math.RoundToEven(x / quarter)
	r := x - float64(k*quarter)
	z := float64(r * r)
	for n := 17.0; n >= 3; n -= 2 { // their series, from the last term on
		sin = float64(z*(1-sin)) / float64(n*(n-1))
	}
	for n := 18.0; n >= 2; n -= 2 {
		cos = float64(z*(1-cos)) / float64(n*(n-1))
	}
	sin, cos = r-float64(r*sin), 1-cos
	switch int(k) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}
