package wire

import "slices"

// MaxReadDepth is how deeply what [Plan.Read] reads nests at most.
const MaxReadDepth = 16

// Read is [Plan.Decode] for a value that stands at text[at:], for who does not know where it
// ends: it returns the index behind it. It is negative, and v perhaps partly filled, if there is
// something wrong with the value, and always for a plan that does not know how deeply its values
// nest: Decode then has to look at it, and will say what is wrong.
func (p *Plan) Read(text []byte, at int, v any) (end int) {
	if !p.Reads() {
		return -1
	}
	d := decoder{text: text}
	if at = d.value(p.root, p.pointer(v), at); d.list != nil {
		return -1
	}
	return at
}

// Reads reports whether Read ever reads anything.
func (p *Plan) Reads() bool { return p.shallow }

// isShallow reports whether nothing that a value may be nests more than so many levels deep.
func (v *value) isShallow(levels int) bool {
	switch v.kind {
	case kindAny, kindRaw, kindCustom:
		return false
	case kindPointer:
		return v.elem.isShallow(levels)
	case kindArray, kindSlice, kindMap:
		return levels > 0 && v.elem.isShallow(levels-1)
	case kindStruct:
		return levels > 0 && !slices.ContainsFunc(v.object.fields, func(f field) bool { return !f.value.isShallow(levels - 1) })
	}
	return true
}
