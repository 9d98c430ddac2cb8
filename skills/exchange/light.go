package exchange

import (
	"fmt"
	"math"
	"strings"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/world"
)

// How bright a lamp of intensity 1 is in a file, where light has units. Both are powers of two, so that
// what comes back is the same number.
//
// An intensity of 1 is as bright as day, and day is what a white wall in sunlight looks white by: with the exposure
// of 1 that viewers of glTF begin with about π lux, since a matt surface gives back the π-th part of what falls on it.
// By the extension the light of a point grows less with the square of the distance: it is candela/distance² lux. One
// of Limina without a range has half its power at 4 m, half a day: 2 lux there are 32 candela. One with
// the usual range of 12 m has a little more there, and each has less close by, where candela have no end.
const (
	candela = 32 // of a point or spot
	lux     = 4  // of a directional light
)

// What three.setLight allows.
const (
	mostIntense = 100
	mostRange   = 1000
)

// soft is which part of a cone, from its middle, is as bright as that, as package render draws it.
const soft = 0.8

// about is half a turn about y. It has the -z of a file, to where its lights shine, point to where an entity's front is.
var about = [4]float64{0, 1, 0, 0}

// lightOf returns the light of glTF that an entity's is, and false if it is of a kind that others do not have.
func lightOf(l *world.Light) (gltf.Light, bool) {
	out := gltf.Light{Kind: l.Kind, Color: light(l.Color & 0xffffff), Intensity: bounded(l.Intensity)}
	switch l.Kind {
	case gltf.Directional:
		out.Intensity *= lux
		return out, true
	case gltf.Spot:
		angle := l.Angle
		if !(angle > 1e-300) { // so narrow that its halves would not differ is not said either
			angle = world.SpotAngle
		}
		out.Outer = min(angle/2, math.Pi/2)
		out.Inner = out.Outer * soft
	case gltf.Point:
	default:
		return out, false
	}
	out.Intensity *= candela
	out.Range = bounded(l.Range)
	return out, true
}

// bounded returns a number that a file may have.
func bounded(x float64) float64 { return min(max(x, 0), world.MaxNumber) }

// light adds the node of an entity's lamp below that of the entity: others read one thing of a node, a mesh or a
// light, and shine along its -z. See turn.
func (x *writer) light(parent int, rec *record) error {
	l, ok := lightOf(rec.Light)
	if !ok {
		return nil
	}
	number, ok := x.lights[l]
	if !ok {
		number = len(x.doc.Lights)
		x.lights[l] = number
		x.doc.Lights = append(x.doc.Lights, l)
	}
	n := gltf.Identity()
	n.Parent, n.Light = parent, number
	x.lamps = append(x.lamps, len(x.doc.Nodes))
	return x.below(n, &record{LightOf: rec.Entity})
}

// turn returns how the light is turned in the space of a node that is to shine to its front. Where the nodes above
// mirror, the -z of the light is the front already.
func turn(doc *gltf.Document, node int) [4]float64 {
	mirrored := false
	for ; node != gltf.None; node = doc.Nodes[node].Parent {
		mirrored = mirrored != (doc.Nodes[node].Scale[2] < 0)
	}
	if mirrored {
		return gltf.Identity().Rotation
	}
	return about
}

// lampAt is where the light of a node goes.
type lampAt int

const (
	noLamp  lampAt = iota
	onIt           // the node's entity
	onFront        // the node's entity, which is turned to shine to its front
	onAbove        // the entity above: the node is no entity of its own, but the lamp of that
	below          // an entity of its own below the node's
)

// lamp says where the light of a node goes. The light in a record is that of a node that has both.
func (in *inserter) lamp(i int, rec *record) lampAt {
	n := &in.doc.Nodes[i]
	bare := n.Mesh == gltf.None && !in.above[i]
	switch {
	case n.Light == gltf.None || rec.Light != nil:
		return noLamp
	case bare && in.isLampOf(n):
		return onAbove
	case n.Mesh == gltf.None && in.doc.Lights[n.Light].Kind == gltf.Point:
		return onIt
	case bare && rec.Entity == "":
		return onFront
	}
	return below // turning the entity would turn what it shows, or carries
}

// isLampOf reports whether a node, below which there is nothing, is what the writer makes of the lamp of the entity above
// and others have left of it: nothing but a light.
func (in *inserter) isLampOf(n *gltf.Node) bool {
	if n.Parent == gltf.None || n.Name != "" || n.Extras != nil {
		return false
	}
	plain := gltf.Identity()
	if n.Translation != plain.Translation || n.Scale != plain.Scale || n.Rotation != turn(in.doc, n.Parent) {
		return false
	}
	_, lit := in.tx.World().Lights.Get(&in.tx.View, in.made[n.Parent])
	return !lit
}

// shine gives an entity, or one that it makes below it, the light of a node.
func (in *inserter) shine(i int, id world.ID, at lampAt) error {
	if at == noLamp {
		return nil
	}
	n := &in.doc.Nodes[i]
	if at == below {
		name := "light"
		if of := in.tx.Name(id); of != "" {
			name = shorten("light of "+of, world.MaxName)
		}
		lamp, err := in.tx.Create(world.Spec{Parent: id, Name: name})
		if err != nil {
			return err
		}
		if err := in.tx.SetTransform(lamp, world.Transform{Position: world.Vec3{}.Sub(in.shifts[i]), Rotation: turn(in.doc, i), Scale: world.Vec3{1, 1, 1}}); err != nil {
			return err
		}
		in.out.Entities = append(in.out.Entities, lamp)
		id = lamp
	}
	l, lost := lightFrom(&in.doc.Lights[n.Light])
	for _, what := range lost {
		in.out.Lost = append(in.out.Lost, in.where(i)+": "+what)
	}
	return in.tx.World().Lights.Set(in.tx, id, l)
}

// lightFrom returns what a light of glTF is here, within what three.setLight allows, and says what of it that does not keep.
func lightFrom(l *gltf.Light) (out world.Light, lost []string) {
	out = world.Light{Kind: l.Kind, Color: fromLight(l.Color)}
	unit, name := float64(candela), "cd"
	if l.Kind == gltf.Directional {
		unit, name = lux, "lux"
		lost = append(lost, "its light is directional: it is kept, but pictures do not show it, and three.setLighting makes a sun")
	}
	if out.Intensity = l.Intensity / unit; out.Intensity > mostIntense {
		out.Intensity = mostIntense
		lost = append(lost, fmt.Sprintf("its intensity of %.6g %s is %.4g here and became %d", l.Intensity, name, l.Intensity/unit, mostIntense))
	}
	if l.Kind == gltf.Directional {
		return out, lost
	}
	if out.Range = l.Range; out.Range > mostRange {
		out.Range = mostRange
		lost = append(lost, fmt.Sprintf("its range of %.6g m became %d", l.Range, mostRange))
	}
	if l.Kind == gltf.Spot {
		out.Angle = float64(l.Outer * 2)
		if math.Abs(l.Inner-float64(l.Outer*soft)) > l.Outer/4 {
			lost = append(lost, fmt.Sprintf("the soft edge of its cone, from %.3g to %.3g, became one from %.3g", l.Inner, l.Outer, float64(l.Outer*soft)))
		}
	}
	return out, lost
}

// mostLost is how many things that were not kept an answer lists.
const mostLost = 5

// note says what was not kept, nothing if all was.
func note(lost []string) string {
	text := strings.Join(lost[:min(len(lost), mostLost)], "; ")
	if more := len(lost) - mostLost; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
