package world

// Transform places an entity: scaled first, then turned, then moved. Without a parent it is in world
// space, else in that of the parent.
type Transform struct {
	Position Vec3
	Rotation Quat
	Scale    Vec3
}

// Identity returns the transform that changes nothing.
func Identity() Transform { return Transform{Rotation: NoRotation(), Scale: Vec3{1, 1, 1}} }

// Point returns where p, a point in the space of t, is in the space that t is in.
func (t Transform) Point(p Vec3) Vec3 {
	return t.Position.Add(t.Rotation.Rotate(p.Mul(t.Scale)))
}

// Apply returns child, which is in the space of t, in the space that t is in. Positions are exact;
// rotation and scale are products, so that a turned child of an unevenly scaled parent is stretched
// along its own axes and never sheared.
func (t Transform) Apply(child Transform) Transform {
	return Transform{
		Position: t.Point(child.Position),
		Rotation: t.Rotation.Mul(child.Rotation),
		Scale:    t.Scale.Mul(child.Scale),
	}
}

// Relative is the opposite of Apply: it returns the transform that child must have in the space of t
// in order to be where it is now. Coordinates along which t has scale 0 become 0.
func (t Transform) Relative(child Transform) Transform {
	back := t.Rotation.Conj()
	return Transform{
		Position: back.Rotate(child.Position.Sub(t.Position)).div(t.Scale),
		Rotation: back.Mul(child.Rotation),
		Scale:    child.Scale.div(t.Scale),
	}
}

func (a Vec3) div(b Vec3) Vec3 {
	var out Vec3
	for i := range out {
		if b[i] != 0 {
			out[i] = a[i] / b[i]
		}
	}
	return out
}
