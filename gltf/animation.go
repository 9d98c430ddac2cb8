package gltf

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// Animation is how nodes move in the course of time. Animations are written and not read.
type Animation struct {
	Name     string
	Channels []Channel
}

// Channel is how one property of a node goes.
type Channel struct {
	Node  int
	Of    Property
	Step  bool      // it jumps at each of the times; else it goes evenly from one to the next
	Times []float32 // in seconds, from 0 on, each more than the one before; channels that have the same slice share it in the file

	Vectors [][3]float32 // what it has then, of a translation or a scale
	Turns   [][4]float32 // of a rotation: x, y, z, w, of length 1
}

// Property is what of a node goes.
type Property string

// The properties of nodes that go.
const (
	Translation Property = "translation"
	Rotation    Property = "rotation"
	Scale       Property = "scale"
)

type animation struct {
	Name     string    `json:"name,omitempty"`
	Channels []channel `json:"channels"`
	Samplers []course  `json:"samplers"`
}

type channel struct {
	Sampler int    `json:"sampler"`
	Target  target `json:"target"`
}

type target struct {
	Node int      `json:"node"`
	Path Property `json:"path"`
}

type course struct {
	Input         int    `json:"input"`
	Interpolation string `json:"interpolation"`
	Output        int    `json:"output"`
}

// check says what is wrong with a channel, nil if nothing is.
func (c *Channel) check(nodes int) error {
	values := len(c.Vectors)
	if c.Of == Rotation {
		values = len(c.Turns)
	}
	switch {
	case c.Of != Translation && c.Of != Rotation && c.Of != Scale:
		return fmt.Errorf("it is of %q, and must be of %s, %s or %s", c.Of, Translation, Rotation, Scale)
	case c.Node < 0 || c.Node >= nodes:
		return fmt.Errorf("there is no node %d", c.Node)
	case len(c.Times) == 0 || values != len(c.Times):
		return fmt.Errorf("it has %d times and %d values", len(c.Times), values)
	}
	for i, t := range c.Times {
		if !(t >= 0 && !math.IsInf(float64(t), 0)) || i > 0 && t <= c.Times[i-1] {
			return fmt.Errorf("time %d is %g", i, t)
		}
	}
	for i, v := range c.Vectors {
		if !finite(v[:]) {
			return fmt.Errorf("value %d is %v", i, v)
		}
	}
	for i, q := range c.Turns {
		length := 0.0
		for _, x := range q {
			length += float64(float64(x) * float64(x))
		}
		if !(math.Abs(length-1) < 1e-3) {
			return fmt.Errorf("rotation %d, %v, has not the length 1", i, q)
		}
	}
	return nil
}

// animations writes those of a document.
func (e *encoder) animations(doc *Document) error {
	var list []animation
	times := map[*float32]int{}
	for i := range doc.Animations {
		a := &doc.Animations[i]
		if len(a.Channels) == 0 {
			return fmt.Errorf("animation %d: it has no channels", i)
		}
		out := animation{Name: a.Name}
		for k := range a.Channels {
			c := &a.Channels[k]
			if err := c.check(len(doc.Nodes)); err != nil {
				return fmt.Errorf("animation %d: channel %d: %w", i, k, err)
			}
			input, ok := times[&c.Times[0]]
			if !ok || e.file.Accessors[input].Count != len(c.Times) {
				input = e.moments(c.Times)
				times[&c.Times[0]] = input
			}
			how := course{Input: input, Interpolation: "LINEAR"}
			if c.Step {
				how.Interpolation = "STEP"
			}
			if c.Of == Rotation {
				how.Output = courseOf(e, c.Turns, "VEC4")
			} else {
				how.Output = courseOf(e, c.Vectors, "VEC3")
			}
			out.Channels = append(out.Channels, channel{len(out.Samplers), target{c.Node, c.Of}})
			out.Samplers = append(out.Samplers, how)
		}
		list = append(list, out)
	}
	if list == nil {
		return nil
	}
	text, err := json.Marshal(list)
	e.file.Animations = text
	return err
}

// moments writes times.
func (e *encoder) moments(times []float32) (number int) {
	start := len(e.bin)
	for _, t := range times {
		e.bin = binary.LittleEndian.AppendUint32(e.bin, math.Float32bits(t))
	}
	first, last := float64(times[0]), float64(times[len(times)-1])
	return e.accessor(accessor{ComponentType: typeFloat, Count: len(times), Type: "SCALAR", Min: []float64{first}, Max: []float64{last}}, start, 0)
}

// courseOf writes the values of a channel.
func courseOf[V [3]float32 | [4]float32](e *encoder, list []V, kind string) (number int) {
	number = vectors(e, list, kind)
	e.file.BufferViews[*e.file.Accessors[number].BufferView].Target = 0 // of no vertices
	return number
}
