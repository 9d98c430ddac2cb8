package wire

import (
	"reflect"
	"strconv"
	"strings"
)

// preset is the default of a field.
type preset struct {
	text []byte  // as JSON
	zero bool    // it is the zero value: nothing needs to be done
	from pointer // where to copy it from, if a copy shares nothing with it
}

// preset compiles a default as it stands in a jsonschema tag: a string as it is, the
// items of an array separated by spaces, anything else as JSON.
func (v *value) preset(def string) (*preset, error) {
	text := v.presetText(def)
	made := reflect.New(v.typ).Elem()
	if err := v.decode(text, address(made)); err != nil {
		return nil, err
	}
	p := &preset{text: text, zero: made.IsZero()}
	if v.kind == kindString || v.isFlat() {
		p.from = address(made)
	}
	return p, nil
}

// isFlat reports whether there are only bits in the value, no pointers.
func (v *value) isFlat() bool {
	switch v.kind {
	case kindBool, kindInt, kindUint, kindFloat64, kindFloat32:
		return true
	case kindArray:
		return v.elem.isFlat()
	}
	return false
}

func (v *value) presetText(def string) []byte {
	switch v.kind {
	case kindString, kindText:
		return AppendString(nil, def)
	case kindPointer:
		return v.elem.presetText(def)
	case kindArray, kindSlice:
		if strings.HasPrefix(def, "[") {
			return []byte(def)
		}
		text := []byte{'['}
		for i, item := range strings.Fields(def) {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, v.elem.presetText(item)...)
		}
		return append(text, ']')
	}
	return []byte(def)
}

// set stores the default at p, which holds a zero value.
func (v *value) set(d *preset, p pointer) {
	if !d.from.nowhere() {
		if v.kind == kindString {
			*as[string](p) = *as[string](d.from)
		} else {
			copyBits(p, d.from, v.size)
		}
		return
	}
	// Decoded anew each time, so that no two values share a slice or a map.
	if err := v.decode(d.text, p); err != nil {
		panic("wire: a default that was valid no longer is: " + strconv.Quote(string(d.text)) + ": " + err.Error())
	}
}

// isPreset reports whether the value at p is the default, as far as that is to be seen at a glance.
func (v *value) isPreset(d *preset, p pointer) bool {
	switch {
	case d.from.nowhere():
		return false
	case v.kind == kindString:
		return *as[string](p) == *as[string](d.from)
	}
	return sameBits(p, d.from, v.size)
}

// Default sets the defaults of the plan into v, a *T, wherever a field is zero: for
// values that Go code made, as Decode does it for keys that are absent.
func (p *Plan) Default(v any) { p.root.fill(p.pointer(v)) }

// fill sets defaults inside the value at p.
func (v *value) fill(p pointer) {
	switch v.kind {
	case kindPointer:
		if to := p.target(); !to.nowhere() {
			v.elem.fill(to)
		}
	case kindArray:
		v.fillItems(p, v.count)
	case kindSlice:
		v.fillItems(p.slice())
	case kindStruct:
		for i := range v.object.fields {
			f := &v.object.fields[i]
			at := p.at(f.offset)
			zero := isPlainZero(f.value, at)
			if zero && f.preset != nil {
				f.value.set(f.preset, at)
			}
			if !zero || f.omit == never {
				f.value.fill(at)
			}
		}
	}
}

func (v *value) fillItems(first pointer, n int) {
	if !v.elem.holdsPresets() {
		return
	}
	for i := range n {
		v.elem.fill(first.at(uintptr(i) * v.elem.size))
	}
}

// holdsPresets reports whether there is anything to fill inside the value.
func (v *value) holdsPresets() bool {
	switch v.kind {
	case kindPointer, kindArray, kindSlice:
		return v.elem.holdsPresets()
	case kindStruct:
		for _, f := range v.object.fields {
			if f.preset != nil || f.value.holdsPresets() {
				return true
			}
		}
	}
	return false
}
