package gltf

import (
	"fmt"
	"math"
	"slices"
)

// check says what is wrong with a geometry, nil if nothing is.
func (g *Geometry) check() error {
	if g == nil || len(g.Positions) == 0 || len(g.Triangles) == 0 {
		return fmt.Errorf("it has no triangles")
	}
	if len(g.Normals) != 0 && len(g.Normals) != len(g.Positions) {
		return fmt.Errorf("it has %d positions and %d normals", len(g.Positions), len(g.Normals))
	}
	if len(g.Coords) != 0 && len(g.Coords) != len(g.Positions) {
		return fmt.Errorf("it has %d positions and %d coordinates in images", len(g.Positions), len(g.Coords))
	}
	if len(g.Tangents) != 0 && len(g.Tangents) != len(g.Normals) {
		return fmt.Errorf("it has %d normals and %d tangents", len(g.Normals), len(g.Tangents))
	}
	for i, p := range g.Positions {
		if !finite(p[:]) {
			return fmt.Errorf("position %d is %v", i, p)
		}
	}
	for i, n := range g.Normals {
		if !finite(n[:]) {
			return fmt.Errorf("normal %d is %v", i, n)
		}
	}
	for i, c := range g.Coords {
		if !finite(c[:]) {
			return fmt.Errorf("coordinate %d is %v", i, c)
		}
	}
	for i, t := range g.Tangents {
		if !finite(t[:]) || t[3] != 1 && t[3] != -1 {
			return fmt.Errorf("tangent %d is %v", i, t)
		}
	}
	if len(g.Colors) != 0 && len(g.Colors) != len(g.Positions) {
		return fmt.Errorf("it has %d positions and %d colours", len(g.Positions), len(g.Colors))
	}
	for i, c := range g.Colors {
		if !(min(c[0], c[1], c[2]) >= 0 && max(c[0], c[1], c[2]) <= 1) {
			return fmt.Errorf("colour %d is %v", i, c)
		}
	}
	for i, t := range g.Triangles {
		if int(max(t[0], t[1], t[2])) >= len(g.Positions) {
			return fmt.Errorf("triangle %d is %v, and there are %d positions", i, t, len(g.Positions))
		}
	}
	return nil
}

func finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}

// same compares bit for bit: -0 is not 0.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// check says what is wrong with the i-th node.
func (n *Node) check(i int, doc *Document) error {
	switch {
	case n.Parent != None && (n.Parent < 0 || n.Parent >= len(doc.Nodes) || n.Parent == i):
		return fmt.Errorf("%d cannot be its parent", n.Parent)
	case n.Mesh != None && (n.Mesh < 0 || n.Mesh >= len(doc.Meshes)):
		return fmt.Errorf("there is no mesh %d", n.Mesh)
	case n.Light != None && (n.Light < 0 || n.Light >= len(doc.Lights)):
		return fmt.Errorf("there is no light %d", n.Light)
	case len(n.Extras) > 0 && !object(n.Extras):
		return fmt.Errorf("its extras are no JSON object")
	}
	return checkPlace(n)
}

func checkPlace(n *Node) error {
	length := 0.0
	for _, x := range n.Rotation {
		length += float64(x * x)
	}
	if !(math.Abs(length-1) < 1e-3) {
		return fmt.Errorf("its rotation %v has not the length 1", n.Rotation)
	}
	for _, x := range append(n.Translation[:], n.Scale[:]...) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("its translation %v or its scale %v is not finite", n.Translation, n.Scale)
		}
	}
	return nil
}

// acyclic fails if a node is above itself.
func acyclic(nodes []Node) error {
	known := make([]bool, len(nodes)) // to hang on a root
	for i := range nodes {
		steps := 0
		for at := i; at != None && !known[at]; at = nodes[at].Parent {
			if steps++; steps > len(nodes) {
				return fmt.Errorf("node %d is above itself", i)
			}
		}
		for at := i; at != None && !known[at]; at = nodes[at].Parent {
			known[at] = true
		}
	}
	return nil
}
