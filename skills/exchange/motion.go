package exchange

import (
	"fmt"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// motions are what of clips is in a file, and what is not.
type motions struct {
	clips   []string       // that are
	of      map[string]int // animations, by the clip
	mixed   int            // entities that play several clips at once
	others  bool           // clips change colours, or lamps
	playing int            // entities that play clips in a file that has none of them
}

// move adds to the document how an entity moves by a clip. All that play one clip are in one animation.
func (x *writer) move(id world.ID) error {
	m, several := x.clips.Motion(x.v, id)
	switch {
	case several:
		x.motions.mixed++
		return nil
	case m == nil:
		return nil
	case !x.binary:
		x.motions.playing++
		return nil
	}
	node := x.at[id]
	if x.doc.Nodes[node].Parent == gltf.None { // it is where it is in the world
		if above := x.v.Parent(id); above != 0 {
			space, _ := x.v.WorldTransform(above)
			for i := range m.At {
				m.At[i] = space.Apply(m.At[i])
			}
		}
	}
	x.motions.others = x.motions.others || m.Others
	number, ok := x.motions.of[m.Clip]
	if !ok {
		if x.motions.of == nil {
			x.motions.of = map[string]int{}
		}
		number = len(x.doc.Animations)
		x.motions.of[m.Clip] = number
		x.motions.clips = append(x.motions.clips, m.Clip)
		x.doc.Animations = append(x.doc.Animations, gltf.Animation{Name: m.Clip})
	}
	list := channels(m, node)
	x.doc.Animations[number].Channels = append(x.doc.Animations[number].Channels, list...)
	n := 4 * len(m.Times)
	for i := range list {
		n += 12*len(list[i].Vectors) + 16*len(list[i].Turns)
	}
	return x.need(n)
}

// channels returns how a node goes that an entity is that moves so.
func channels(m *animation.Motion, node int) (list []gltf.Channel) {
	times := make([]float32, 0, len(m.Times))
	at := make([]world.Transform, 0, len(m.Times))
	for i, t := range m.Times {
		if n := len(times); n > 0 && float32(t) <= times[n-1] { // a float32 does not tell them apart
			at[n-1] = m.At[i]
			continue
		}
		times, at = append(times, float32(t)), append(at, m.At[i])
	}
	vectors := func(of gltf.Property, get func(*world.Transform) world.Vec3) {
		c := gltf.Channel{Node: node, Of: of, Step: m.Step, Times: times}
		for i := range at {
			c.Vectors = append(c.Vectors, narrow(get(&at[i])))
		}
		list = append(list, c)
	}
	if m.Moves {
		vectors(gltf.Translation, func(t *world.Transform) world.Vec3 { return t.Position })
	}
	if m.Turns {
		c := gltf.Channel{Node: node, Of: gltf.Rotation, Step: m.Step, Times: times}
		last := world.NoRotation()
		for i := range at {
			q := at[i].Rotation
			dot := 0.0
			for k := range q {
				dot += float64(q[k] * last[k])
			}
			if dot < 0 { // the same rotation, on the shorter way
				q = world.Quat{-q[0], -q[1], -q[2], -q[3]}
			}
			last = q
			c.Turns = append(c.Turns, [4]float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])})
		}
		list = append(list, c)
	}
	if m.Grows {
		vectors(gltf.Scale, func(t *world.Transform) world.Vec3 { return t.Scale })
	}
	return list
}

// still says what of clips that play is not in the file, and what of those that are is not brought back; "" if nothing plays.
func (x *writer) still() string {
	m := &x.motions
	var texts []string
	if m.playing > 0 {
		texts = append(texts, fmt.Sprintf("%d of the entities play clips, of which the file has nothing: the form glb has them as animations", m.playing))
	}
	if m.mixed > 0 {
		texts = append(texts, fmt.Sprintf("%d of the entities play several clips at once, or one by a part of its weight, and stand still in the file", m.mixed))
	}
	if n := len(m.clips); n > 0 {
		what := fmt.Sprintf("the clip %.40q is in the file as an animation", m.clips[0])
		if n > 1 {
			what = fmt.Sprintf("%d clips are in the file as animations", n)
		}
		if m.others {
			what += ", without colours and lamps"
		}
		texts = append(texts, what+"; scene.import brings none back")
	}
	return shown.Notes(texts...)
}
