package animation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// clip is a clip as the world keeps it. One that was only loaded has no tracks: viewers know it.
type clip struct {
	Name      string  `json:"name,omitempty"`
	Duration  float64 `json:"duration"` // seconds
	Loop      bool    `json:"loop,omitempty"`
	FrameRate float64 `json:"frameRate,omitempty"`
	Asset     string  `json:"assetId,omitempty"`
	Tracks    []Track `json:"tracks,omitempty"`
}

// Track is how one property goes.
type Track struct {
	Property string `json:"property" validate:"min=1,max=128" jsonschema_description:"position, rotation (radians about x, y, z) or scale, each as [x,y,z] from how the entity stood when it was played; one axis of them, such as rotation.y; color (0xRRGGBB as a number, or [r,g,b] from 0 to 1); intensity of a lamp. Others are kept for animation.sampleClip."`
	Interp   string `json:"interp" validate:"oneof=step linear smooth" jsonschema:"default=linear" jsonschema_description:"linear goes evenly from key to key, smooth sets off and arrives gently at each, step jumps."`
	Keys     []Key  `json:"keys" validate:"min=1,max=4096" jsonschema_description:"What it has when, at least one: {\"t\":0,\"value\":0}."`
}

// Key is what a property has at a time.
type Key struct {
	T     float64 `json:"t" validate:"gte=0" jsonschema_description:"Seconds from the clip's begin, at most its duration."`
	Value Value   `json:"value" jsonschema_description:"The value then: a number for one axis or an intensity, else an array."`
}

// JSONWords says what a track is.
func (Track) JSONWords() string {
	return `an object with property, keys (optional: interp), as {"property":"rotation.y","keys":[{"t":0,"value":0},{"t":2,"value":1.5708}]}`
}

// JSONWords says what a key is.
func (Key) JSONWords() string { return `an object with t, value, as {"t":0,"value":0}` }

// keys returns how many keys a clip has.
func (c *clip) keys() (n int) {
	for i := range c.Tracks {
		n += len(c.Tracks[i].Keys)
	}
	return n
}

// moves reports whether a clip moves what plays it, so that this cannot stay a static body.
func (c *clip) moves() bool {
	return slices.ContainsFunc(c.Tracks, func(t Track) bool {
		p := t.part()
		return p != other && p < color
	})
}

// upright is the cosine of the tilt from which on what goes up along its own axes is said to go aside: 2 degrees.
const upright = 0.9994

// slants says that a clip which moves an entity up or down moves it aside, too, because it stands tilted under what it is in; "" if it does not.
func (c *clip) slants(v *world.View, id world.ID) string {
	own, _ := v.Transform(id)
	up := own.Rotation.Rotate(world.Vec3{0, 1, 0})
	if up[1] >= upright {
		return ""
	}
	most := 0.0
	for i := range c.Tracks {
		t := &c.Tracks[i]
		for _, k := range t.Keys {
			switch t.part() {
			case positionY:
				most = max(most, math.Abs(k.Value[0]))
			case position:
				most = max(most, math.Abs(k.Value[1]))
			}
		}
	}
	if most < 0.01 {
		return ""
	}
	return fmt.Sprintf("%v is tilted, and goes along its own axes: its y leads along %v; to go straight up put it in a scene.group, which stands upright, and have that play the clip", id, shown.Point(up))
}

// part is what of an entity a track is about.
type part uint8

const (
	other part = iota
	position
	positionX
	positionY
	positionZ
	rotation
	rotationX
	rotationY
	rotationZ
	scale
	scaleX
	scaleY
	scaleZ
	color
	intensity
)

// parts are the names of the parts.
var parts = [...]string{
	position: "position", positionX: "position.x", positionY: "position.y", positionZ: "position.z",
	rotation: "rotation", rotationX: "rotation.x", rotationY: "rotation.y", rotationZ: "rotation.z",
	scale: "scale", scaleX: "scale.x", scaleY: "scale.y", scaleZ: "scale.z",
	color: "color", intensity: "intensity",
}

// part returns what a track is about. Names as three.js and its relatives have them are understood.
func (t *Track) part() part {
	name := strings.TrimPrefix(t.Property, ".")
	switch name {
	case "":
		return other
	case "translation":
		return position
	case "quaternion", "rotationEuler":
		return rotation
	case "material.color":
		return color
	case "light.intensity":
		return intensity
	}
	return part(max(0, slices.Index(parts[:], name)))
}

// widths returns how many numbers a value of a part may have.
func (p part) widths() []int {
	switch p {
	case other:
		return nil
	case position:
		return []int{3}
	case rotation:
		return []int{3, 4}
	case scale, color:
		return []int{1, 3}
	default:
		return []int{1}
	}
}

// check holds a track to what its property needs, and puts its keys in order.
func (t *Track) check(path string, duration float64) error {
	p := t.part()
	wide := len(t.Keys[0].Value)
	if widths := p.widths(); widths != nil && !slices.Contains(widths, wide) {
		return registry.Invalidf("%s.keys[0].value: %s has %s, got %d", path, t.Property, p.wants(), wide)
	}
	for i := range t.Keys {
		k := &t.Keys[i]
		at := fmt.Sprintf("%s.keys[%d]", path, i)
		switch {
		case k.T > duration:
			return registry.Invalidf("%s.t: must be at most the duration, %v, got %v", at, duration, k.T)
		case len(k.Value) != wide:
			return registry.Invalidf("%s.value: has %d numbers, and the first key %d: all keys of a track have as many", at, len(k.Value), wide)
		}
		if err := p.check(k.Value); err != "" {
			return registry.Invalidf("%s.value: %s", at, err)
		}
	}
	slices.SortStableFunc(t.Keys, func(a, b Key) int { return cmp.Compare(a.T, b.T) })
	return nil
}

// wants says what the values of a part are.
func (p part) wants() string {
	switch p {
	case position:
		return "3 numbers, metres along x, y, z"
	case rotation:
		return "3 numbers, radians about x, y, z, or the 4 of a quaternion"
	case scale:
		return "3 numbers, factors along x, y, z, or one for all"
	case color:
		return "one number, 0xRRGGBB, or 3 from 0 to 1"
	default:
		return "one number"
	}
}

// check says what is wrong with a value, "" if nothing.
func (p part) check(v Value) string {
	switch {
	case p == color && len(v) == 1 && !(v[0] >= 0 && v[0] <= 0xFFFFFF && v[0] == math.Trunc(v[0])):
		return fmt.Sprintf("must be an integer from 0 to 16777215, got %v", v[0])
	case p == color && len(v) == 3 && slices.ContainsFunc(v, func(x float64) bool { return !(x >= 0 && x <= 1) }):
		return fmt.Sprintf("must be three numbers from 0 to 1, got %v", []float64(v))
	case p == rotation && len(v) == 4:
		if _, ok := (world.Quat{v[0], v[1], v[2], v[3]}).Unit(); !ok {
			return "is no rotation: a quaternion is four numbers x, y, z, w that are not all 0"
		}
	case p == intensity && v[0] < 0:
		return fmt.Sprintf("must be 0 or more, got %v", v[0])
	}
	return ""
}

// at appends the value that a track has at a time to dst: that of the last key by then and, if it is linear, on from it
// evenly to the next, or, if it is smooth, slowly at both; before the first key the first.
func (t *Track) at(dst []float64, time float64) []float64 {
	after, _ := slices.BinarySearchFunc(t.Keys, time, func(k Key, time float64) int {
		if k.T <= time {
			return -1
		}
		return 1
	})
	if after == 0 {
		return append(dst, t.Keys[0].Value...)
	}
	from := &t.Keys[after-1]
	if after == len(t.Keys) || t.Interp == "step" {
		return append(dst, from.Value...)
	}
	to := &t.Keys[after]
	part := (time - from.T) / (to.T - from.T)
	if t.Interp == "smooth" {
		part = eased(part)
	}
	switch p := t.part(); {
	case p == color && len(from.Value) == 1:
		return append(dst, mixColors(from.Value[0], to.Value[0], part))
	case p == rotation && len(from.Value) == 4:
		q := mixTurns(quat(from.Value), quat(to.Value), part)
		return append(dst, q[:]...)
	}
	for i, a := range from.Value {
		dst = append(dst, mix(a, to.Value[i], part))
	}
	return dst
}

// eased is how far something is that sets off and arrives gently, at a part of its time: the cubic of Hermite that is level at 0 and at 1.
func eased(part float64) float64 { return float64(float64(part*part) * (3 - float64(2*part))) }

func quat(v []float64) world.Quat { return world.Quat{v[0], v[1], v[2], v[3]} }

// mix is a at part 0 and b at part 1, exactly.
func mix(a, b, part float64) float64 {
	if part == 1 {
		return b
	}
	return a + float64((b-a)*part)
}

// mixVecs mixes vectors.
func mixVecs(a, b world.Vec3, part float64) world.Vec3 {
	for i := range a {
		a[i] = mix(a[i], b[i], part)
	}
	return a
}

// mixTurns goes the shorter way from one rotation to another. At equal parts it is not quite at equal angles: no more
// than 1.6 degrees from it for keys a right angle apart.
func mixTurns(a, b world.Quat, part float64) world.Quat {
	a, _ = a.Unit()
	b, _ = b.Unit()
	var dot float64
	for i := range a {
		dot += float64(a[i] * b[i])
	}
	for i := range a {
		if dot < 0 {
			b[i] = -b[i]
		}
		a[i] = mix(a[i], b[i], part)
	}
	q, ok := a.Unit()
	if !ok { // they are opposite, and there is no shorter way
		return b
	}
	return q
}

// mixColors mixes 0xRRGGBB by channel.
func mixColors(a, b, part float64) float64 {
	from, to := uint32(a), uint32(b)
	var out uint32
	for shift := 0; shift < 24; shift += 8 {
		x := math.Round(mix(float64(from>>shift&255), float64(to>>shift&255), part))
		out |= uint32(x) << shift
	}
	return float64(out)
}

// look is what a clip, or several, make of an entity.
type look struct {
	position  world.Vec3 // along its own axes
	rotation  world.Quat
	scale     world.Vec3
	color     [3]float64 // 0 to 255
	intensity float64

	has [intensity + 1]bool // by position, rotation, scale, color, intensity: whether there is anything of it
}

// restLook is the look of what nothing plays.
func restLook() look { return look{rotation: world.NoRotation(), scale: world.Vec3{1, 1, 1}} }

// at returns how a clip has an entity look at a time.
func (c *clip) at(time float64) look {
	out := restLook()
	var euler world.Vec3
	var room [maxWide]float64
	for i := range c.Tracks {
		t := &c.Tracks[i]
		v := t.at(room[:0], time)
		switch p := t.part(); p {
		case position:
			out.position, out.has[position] = out.position.Add(world.Vec3(v)), true
		case positionX, positionY, positionZ:
			out.position[p-positionX] += v[0]
			out.has[position] = true
		case rotation:
			out.has[rotation] = true
			if len(v) == 4 {
				out.rotation, _ = quat(v).Unit()
			} else {
				euler = euler.Add(world.Vec3(v))
			}
		case rotationX, rotationY, rotationZ:
			euler[p-rotationX] += v[0]
			out.has[rotation] = true
		case scale:
			out.has[scale] = true
			if len(v) == 1 {
				out.scale = out.scale.Scale(v[0])
			} else {
				out.scale = out.scale.Mul(world.Vec3(v))
			}
		case scaleX, scaleY, scaleZ:
			out.scale[p-scaleX] *= v[0]
			out.has[scale] = true
		case color:
			out.has[color] = true
			for i := range out.color {
				if len(v) == 1 {
					out.color[i] = float64(uint32(v[0]) >> (16 - 8*i) & 255)
				} else {
					out.color[i] = float64(v[i] * 255)
				}
			}
		case intensity:
			out.intensity, out.has[intensity] = v[0], true
		}
	}
	if euler != (world.Vec3{}) {
		out.rotation = out.rotation.Mul(world.QuatFromEuler(euler[0], euler[1], euler[2]))
	}
	return out
}

// over lays b over a by parts from 0 to 1, for each property.
func over(a, b look, part [intensity + 1]float64) look {
	if b.has[position] {
		a.position = mixVecs(a.position, b.position, part[position])
	}
	if b.has[rotation] {
		if part[rotation] == 1 {
			a.rotation = b.rotation // to the bit, and the long way round too
		} else {
			a.rotation = mixTurns(a.rotation, b.rotation, part[rotation])
		}
	}
	if b.has[scale] {
		a.scale = mixVecs(a.scale, b.scale, part[scale])
	}
	if b.has[color] {
		a.color = mixVecs(a.color, b.color, part[color])
	}
	if b.has[intensity] {
		a.intensity = mix(a.intensity, b.intensity, part[intensity])
	}
	for i := range a.has {
		a.has[i] = a.has[i] || b.has[i]
	}
	return a
}

// find returns the clip that a caller names. The error says which is nearest.
func (c *Clips) find(v *world.View, field, id string) (clip, error) {
	if found, ok := c.rows.Get(v, id); ok {
		return found, nil
	}
	if _, ok := c.paths.Get(v, id); ok {
		return clip{}, registry.Failf("%s: %q is a path, no clip: animation.follow with pathId has something go along it", field, quote.Clip(id))
	}
	names := make([]string, 0, c.rows.Len(v))
	for name := range c.rows.All(v) {
		names = append(names, name)
	}
	switch near := wire.Nearest(id, names); {
	case len(names) == 0:
		return clip{}, registry.Failf("%s: unknown clip %q; there is none: animation.authorClip makes one", field, quote.Clip(id))
	case near != "":
		return clip{}, registry.Failf("%s: unknown clip %q, did you mean %q?", field, quote.Clip(id), near)
	}
	const most = 8
	slices.Sort(names)
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return clip{}, registry.Failf("%s: unknown clip %q; there are %s%s. animation.authorClip makes another", field, quote.Clip(id), strings.Join(names, ", "), more)
}
