package sculpt

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// Hull is all that lies between some points.
func Hull(points []world.Vec3) (*Form, error) {
	list := make([]convex.Vec, len(points))
	all := make([]uint32, len(points))
	for i, p := range points {
		list[i], all[i] = p, uint32(i)
	}
	m, err := convex.New(list, [][]uint32{all})
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	piece := m.Parts[0]
	f := &Form{Soft: round}
	index := map[convex.Vec]uint32{}
	var whole []uint32
	for i := range piece.Faces {
		var face []uint32
		for _, p := range rim(piece.Points, &piece.Faces[i]) {
			at, there := index[p]
			if !there {
				at = f.point(world.Vec3(p).Add(piece.At))
				index[p] = at
				whole = append(whole, at)
			}
			face = append(face, at)
		}
		f.Faces = append(f.Faces, face)
	}
	f.Pieces = [][]uint32{whole}
	return f, nil
}

// rim returns the corners of a face, counterclockwise as seen from outside: the convex hull of the points in it, by Andrew's monotone chain (1979).
func rim(points []convex.Vec, f *convex.Face) []convex.Vec {
	n := world.Vec3(f.Normal)
	u := n.Cross(world.Vec3{1, 0, 0})
	if u.Len() < 0.5 {
		u = n.Cross(world.Vec3{0, 1, 0})
	}
	u = u.Scale(1 / u.Len())
	v := n.Cross(u)
	type spot struct {
		at Point
		p  convex.Vec
	}
	var list []spot
	size := 0.0
	for _, p := range points {
		size = max(size, world.Vec3(p).Len())
	}
	slack := size * 1e-5
	for _, p := range points {
		if q := world.Vec3(p); n.Dot(q) >= f.Off-slack {
			list = append(list, spot{Point{u.Dot(q), v.Dot(q)}, p})
		}
	}
	slices.SortFunc(list, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.at[0], b.at[0]), cmp.Compare(a.at[1], b.at[1]))
	})
	chain := func(list []spot) (half []spot) {
		for _, s := range list {
			for len(half) > 1 && turn(half[len(half)-2].at, half[len(half)-1].at, s.at) <= float64(slack*slack) {
				half = half[:len(half)-1]
			}
			half = append(half, s)
		}
		return half[:len(half)-1]
	}
	lower := chain(list)
	slices.Reverse(list)
	var corners []convex.Vec
	for _, s := range append(lower, chain(list)...) {
		corners = append(corners, s.p)
	}
	return corners
}
