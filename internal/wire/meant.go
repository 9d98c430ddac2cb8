package wire

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// aliases are names that those who write JSON by heart give to a field: the field first, then what it goes by elsewhere,
// all folded.
var aliases = [...]string{
	"name skill tool function method command title label key id prefab checkpoint",
	"skill tool function method command name action operation op type",
	"input arguments args params parameters inputs payload data options",
	"operations ops calls steps actions commands batch items tasks",
	"as id name ref alias label var bind result saveas",
	"steps count n times number amount",
	"count n times number amount copies instances quantity repeat",
	"limit max count n top maxresults pagesize first",
	"entity id object node target item handle entities",
	"entities entity ids objects targets nodes items children parts",
	"toentity to target end other second b",
	"topoint to target end destination",
	"fromentity from start source first a",
	"frompoint from start source origin",
	"target lookat to destination goal reference relativeto other entity position point",
	"position eye pos location loc at translation translate xyz coordinates coords place point center centre origin move",
	"rotationeuler rot orientation angles angle yaw heading turn rotate degrees quaternion",
	"rotation yaw angle heading rot turn orientation degrees",
	"scale size dimensions dims extents factor resize width height depth",
	"size dimensions dims extent extents scale edge edges length radius diameter",
	"point position pos at location center",
	"center position pos at point location middle origin",
	"origin pivot hinge anchor center axis at position",
	"near position pos at point location center around origin",
	"color rgb hex tint fill paint",
	"material texture surface",
	"metalness metallic metal",
	"parameters params args arguments values input inputs",
	"text content message caption label value words say",
	"lines items rows entries content text",
	"radius range r distance maxdistance within reach",
	"maxdistance radius range distance length far",
	"min from lower start minimum low",
	"max to upper end maximum high",
	"from start source begin origin camera eye position entities",
	"to end goal target destination lookat direction",
	"bounds area region box extents rect",
	"area bounds region box",
	"seconds duration secs time ttl lifetime",
	"secs duration seconds length time",
	"freq frequency hz pitch hertz note",
	"volume gain loudness level",
	"trackid track song music name id url",
	"triggerid trigger id zone entity zoneid",
	"regionid region id terrain entity",
	"eventid event id",
	"handle id panel panelid sound soundid label labelid",
	"component tag tags name type property field",
	"tag label name tags component",
	"value values vector data v val",
	"impulse force velocity push vector",
	"step offset delta spacing stride",
	"spacing distance gap step offset",
	"offset delta by translation",
	"counts count dimensions size",
	"shape type kind form geometry primitive mesh",
	"kind type form",
	"type kind biome event",
	"pattern mode type layout kind form",
	"relation relationship where preposition mode side",
	"time hour timeofday hours clock",
	"weather type condition kind name",
	"query q search text keywords words term",
	"category group domain type",
	"dynamic physics movable moving",
	"restitution bounce bounciness elasticity",
	"speed velocity pace rate",
	"at x offset along pos",
	"sill y bottom",
	"toward direction lookat target aim dir",
	"prompt label text title message hint",
	"withroof roof",
	"roofstyle roof rooftype",
	"storeys floors levels stories floor storey",
	"since revision after",
	"file path filename name",
	"anchor position pos at point location entity",
	"action effect do then run",
	"except ignore exclude without",
	"ignore exclude except without",
	"dryrun preview simulate",
	"partitions rooms walls interiorwalls innerwalls dividers",
	"depth length height thickness amount",
	"outline points polygon vertices contour shape path footprint",
	"profile points outline curve shape path vertices",
	"points vertices corners positions",
	"path points waypoints route curve line spline",
	"pathid path track route id",
	"wall thickness wallthickness shell",
	"taper topscale scale top",
	"segments sides radialsegments detail resolution",
	"replaces entity target id",
	"smooth curved spline rounded",
	"closed loop ring",
	"tracks channels curves keyframes keys animations",
	"keys keyframes frames points samples values",
	"t time at seconds sec",
	"duration length seconds secs time",
	"property target path channel attribute prop name",
	"interp interpolation easing ease mode curve",
	"rise height climb up pitch stepheight risepercopy",
	"rounds turns revolutions loops windings rotations",
}

// synonyms are words that those who write JSON by heart give for one of several that are allowed: the allowed one first, then what
// it is called elsewhere, all folded.
var synonyms = [...]string{
	"circle spiral helix ring round radial arc coil spiralstaircase",
	"grid matrix lattice rectangle",
	"line row linear stack",
	"path curve spline road",
	"scatter random",
	"box cube block cuboid plane quad",
	"sphere ball orb",
	"cylinder column pillar pole tube disc disk barrel",
	"cone pyramid spike",
	"wedge ramp slope prism",
	"figure person human humanoid character statue mannequin figurine man woman",
	"smooth ease easeinout easein easeout eased cubic cubicspline spline bezier hermite smoothstep sine",
	"linear lerp",
	"countup up stopwatch increase elapsed forward",
	"countdown down remaining decrease",
	"step hold constant discrete",
	"on above over atop ontop",
	"under below beneath",
	"physical arrow sword blunt melee slash pierce bullet",
	"magic arcane spell holy dark",
	"behind back",
	"rightof nextto beside adjacent right",
	"leftof left",
	"iso perspective isometric overview",
	"infrontof before ahead",
	"inside within",
	"facing lookat",
	"onground ground floor",
	"gable pitched saddle",
	"hip hipped pyramid tented",
	"point bulb omni",
	"open door gate lid chest hatch drawer window",
	"goto go move moveto walk walkto travel",
	"toggle lever switch button lamp",
	"talk npc speak speech",
	"pickup item collect take loot",
	"spot spotlight cone",
}

// word returns which of the allowed words a writer of got most likely meant, "" if there is no telling: one that is nearly
// the same, or one that goes by that word elsewhere.
func word(got string, allowed []string) string {
	if near := Nearest(got, allowed); near != "" {
		return near
	}
	got = fold(got)
	for _, list := range synonyms {
		all := strings.Fields(list)
		if !slices.Contains(all[1:], got) {
			continue
		}
		for _, a := range allowed {
			if fold(a) == all[0] {
				return a
			}
		}
	}
	return ""
}

// meant returns the field that whoever wrote a key most likely meant by its name, -1 if there is no telling: one of a name
// that is nearly the same, or one that goes by that name elsewhere. What is given already was not meant; what may be the value,
// of which c is the first byte, comes before what cannot, and what has to be there before what may be left out: hour is the time that is missing rather than
// hoursPerMinute.
func (o *object) meant(key string, c byte, given uint64) int {
	var must, may []string
	for k, name := range o.names {
		switch {
		case given>>k&1 != 0:
		case o.required>>k&1 != 0:
			must = append(must, name)
		default:
			may = append(may, name)
		}
	}
	free := slices.Concat(must, may)
	near := Near(key, free, len(free))
	other := called(key, free)
	slip := func(name string) bool { return edits(fold(key), fold(name)) <= maxSlips }
	lacks := func(name string) bool { return slices.Contains(must, name) }
	ranked := slices.Concat(only(near, slip), only(near, lacks), only(other, lacks), near, other)
	for _, name := range ranked {
		if k := o.find([]byte(name)); o.fields[k].value.mayBe(c) {
			return k
		}
	}
	if both := slices.Concat(other, near); len(both) > 0 {
		return o.find([]byte(both[0]))
	}
	return -1
}

// maxSlips is by how many letters a name may be misspelt that is not one that goes on otherwise.
const maxSlips = 2

// only returns those of names that are so.
func only(names []string, are func(name string) bool) (those []string) {
	for _, name := range names {
		if are(name) {
			those = append(those, name)
		}
	}
	return those
}

// instead returns the field that takes a value of another kind than field k has, and that goes by the name of k elsewhere: the
// three edges of a box are its size to many, and its scale here. It is "" if there is none, or it was seen.
func (o *object) instead(k int, text []byte, seen uint64) string {
	if o.fields[k].value.mayBe(text[0]) {
		return ""
	}
	for _, name := range called(o.fields[k].name, o.names) {
		other := o.find([]byte(name))
		if seen>>other&1 == 0 && o.fields[other].value.mayBe(text[0]) && o.fields[other].value.takes(text) {
			return name
		}
	}
	return ""
}

// left returns the field that has to be the one, because all else is given: the only one that is missing, or the only one
// that there is. It is -1 if there are others, or the value at i is none of that field.
func (o *object) left(text []byte, i int, given uint64) int {
	open := o.required &^ given
	if len(o.fields) == 1 {
		open = 1 &^ given
	}
	end := skip(text, i)
	if bits.OnesCount64(open) != 1 || end < 0 {
		return -1
	}
	k := bits.TrailingZeros64(open)
	if !o.fields[k].value.takes(text[i:end]) {
		return -1
	}
	return k
}

// homes returns the names of the fields in whose objects, or lists of objects, there is a field of that name. Where there is none, it
// is the one object that may be left out and that has a field that goes by that name elsewhere and may be a value that begins with c, with the
// name of that and what else the object needs: "camera as target, an object with position, target (optional: fov)".
func (o *object) homes(key string, c byte) (names []string) {
	var other []string
	for i := range o.fields {
		v := o.fields[i].value.inner()
		if v.kind != kindStruct {
			continue
		}
		if v.object.find([]byte(key)) >= 0 {
			names = append(names, o.names[i])
		}
		for _, name := range called(key, v.object.names) {
			if v.object.fields[v.object.find([]byte(name))].value.mayBe(c) && o.required>>i&1 == 0 {
				other = append(other, o.names[i]+" as "+name+", "+v.object.want())
				break
			}
		}
	}
	if names == nil && len(other) == 1 {
		return other
	}
	return names
}

// named returns the names of the fields in whose objects, or lists of objects, there is a field of that name, whose value may begin with c.
func (o *object) named(key string, c byte) (names []string) {
	for i := range o.fields {
		v := o.fields[i].value.inner()
		if v.kind != kindStruct {
			continue
		}
		if k := v.object.find([]byte(key)); k >= 0 && v.object.fields[k].value.mayBe(c) {
			names = append(names, o.names[i])
		}
	}
	return names
}

// inner is what a value holds: what it points to, or each of its items.
func (v *value) inner() *value {
	for v.kind == kindPointer || v.kind == kindSlice {
		v = v.elem
	}
	return v
}

// told returns the name of the field that takes an object of any members, or of some that only it knows, and whose description names the key: "patrol: waypoints
// and wait". It is "" if there is none. What is kept of a call takes everything, and names nothing.
func (o *object) told(key string) string {
	for i := range o.fields {
		f := &o.fields[i]
		v := f.value.inner()
		if f.name == "meta" || v.kind == kindStruct || !v.isObject() {
			continue
		}
		for about := f.about; ; {
			before, behind, found := strings.Cut(about, key)
			if !found || key == "" {
				break
			}
			if !goesOn(before, behind) {
				return f.name
			}
			about = behind
		}
	}
	return ""
}

// goesOn reports whether a word between these is part of a longer one, or of the name of a skill.
func goesOn(before, behind string) bool {
	isWord := func(s string, i int) bool {
		return i >= 0 && i < len(s) && (isDigit(s[i]) || s[i] == '_' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
	}
	last := len(before) - 1
	return isWord(before, last) || isWord(behind, 0) ||
		last >= 0 && before[last] == '.' && isWord(before, last-1) || behind != "" && behind[0] == '.' && isWord(behind, 1)
}

// needsOneOf reports whether one of the named fields has to be there, and is not.
func (o *object) needsOneOf(names []string, given uint64) bool {
	for _, name := range names {
		if open := o.required &^ given; open>>o.find([]byte(name))&1 != 0 {
			return true
		}
	}
	return false
}

// foreign returns the keys of the object at i, as they are shown, if that cannot be meant for o: two fields or more are required, and no
// key is one, stands for one by its name and its value, holds fields or belongs into one.
func (o *object) foreign(text []byte, i int) (keys []string) {
	if bits.OnesCount64(o.required) < 2 {
		return nil
	}
	for key, value := range members(text, i) {
		name, c := string(key), value[0]
		if o.find(key) >= 0 || len(keys) == maxListed || len(o.within(value, 0, 0)) > 0 || len(o.homes(name, c)) > 0 {
			return nil
		}
		if k := o.meant(name, c, 0); k >= 0 && o.fields[k].value.mayBe(c) {
			return nil
		}
		keys = append(keys, keyStep(name))
	}
	return keys
}

// flat says how to write as o what has vectors for its numbers: {"min":[1,2,3]} as {"minX":1,"minZ":3}. It is empty where that is not all
// that o needs.
func (o *object) flat(text []byte, i int) string {
	var list []string
	for k := range o.fields {
		name := o.names[k]
		if o.required>>k&1 == 0 {
			continue
		}
		last := len(name) - 1
		axis := strings.IndexByte("XYZ", name[last])
		if axis < 0 {
			return ""
		}
		number := component(Member(text[i:], name[:last]), axis)
		if number == nil || len(number) > maxShown || !o.fields[k].value.takes(number) {
			return ""
		}
		list = append(list, `"`+name+`":`+string(number))
	}
	return ": as such an object that is {" + strings.Join(list, ",") + "}"
}

// sides says how to write as fields of o, which are not given, the size that the value at i is, if key says that it is one: [8,3,6] as
// "width":8,"height":3,"depth":6. It is empty where o has no such fields.
func (o *object) sides(key string, text []byte, i int, given uint64) string {
	switch fold(key) {
	case "size", "dimensions", "dims", "extents":
	default:
		return ""
	}
	end := skip(text, i)
	if end < 0 {
		return ""
	}
	var list []string
	for axis, name := range [...]string{"width", "height", "depth"} {
		k := o.find([]byte(name))
		if k < 0 || given>>k&1 == 1 {
			return ""
		}
		number := component(text[i:end], axis)
		if number == nil || len(number) > maxShown || !o.fields[k].value.takes(number) {
			return ""
		}
		list = append(list, `"`+name+`":`+string(number))
	}
	return strings.Join(list, ",")
}

// component returns a component of a vector, [1,2,3] or {"x":1,"y":2,"z":3}, nil if it is none.
func component(vector []byte, axis int) []byte {
	if number := Member(vector, "xyz"[axis:axis+1]); number != nil {
		return number
	}
	inner, ok := bytes.CutPrefix(vector, []byte("["))
	parts := bytes.Split(bytes.TrimSuffix(inner, []byte("]")), []byte(","))
	if !ok || len(parts) != 3 {
		return nil
	}
	return bytes.TrimSpace(parts[axis])
}

// given says which fields the object at i gives, and how many of its members are no field.
func (o *object) given(text []byte, i int) (fields uint64, others int) {
	for name := range members(text, i) {
		if k := o.find(name); k >= 0 {
			fields |= 1 << k
		} else {
			others++
		}
	}
	return fields, others
}

// called returns those of names that go by key elsewhere.
func called(key string, names []string) (found []string) {
	key = fold(key)
	for _, name := range names {
		if slices.Contains(elsewhere()[fold(name)], key) {
			found = append(found, name)
		}
	}
	return found
}

// elsewhere returns the aliases by field. They are taken apart when they are first asked for.
var elsewhere = sync.OnceValue(func() map[string][]string {
	by := make(map[string][]string, len(aliases))
	for _, list := range aliases {
		all := strings.Fields(list)
		by[all[0]] = append(by[all[0]], all[1:]...)
	}
	return by
})

// mayBe reports whether a JSON value that begins with c may be read as v, as far as that shows.
func (v *value) mayBe(c byte) bool {
	switch v.kind {
	case kindBool:
		return c == 't' || c == 'f'
	case kindInt, kindUint, kindFloat64, kindFloat32:
		return c == '-' || isDigit(c)
	case kindString, kindText:
		return c == '"'
	case kindArray, kindSlice:
		return c == '['
	case kindMap, kindStruct:
		return c == '{'
	case kindPointer:
		return v.elem.mayBe(c)
	}
	return true
}
