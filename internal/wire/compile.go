package wire

import (
	"fmt"
	"reflect"
	"slices"
)

// compiler turns types into values.
type compiler struct {
	open []reflect.Type // being compiled, outermost first
	more Rules          // nil for none
}

// value compiles a type under the rules that the field's validate tag gives it.
// where is "Type.Field" for errors.
func (c *compiler) value(t reflect.Type, rules []rule, where string) (*value, error) {
	if slices.Contains(c.open, t) {
		return nil, fmt.Errorf("%s: %v contains itself, which is not supported", where, t)
	}
	c.open = append(c.open, t)
	defer func() { c.open = c.open[:len(c.open)-1] }()

	k, err := kindOf(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	v := &value{kind: k, bare: bareOf(t), typ: t, size: t.Size(), saysZero: saysZero(t)}
	if k == kindPointer { // what the tag says is about the thing itself
		v.elem, err = c.value(t.Elem(), rules, where)
		return v, err
	}
	v.limits = widest(k, t)

	own, items, dives := split(rules)
	switch k {
	case kindArray, kindSlice, kindMap:
		v.elem, err = c.value(t.Elem(), items, where)
		if k == kindArray {
			v.count = t.Len()
		}
	case kindStruct:
		v.object, err = c.object(t)
	case kindText:
		v.text = textsOf(t)
		v.check, _ = reflect.Zero(reflect.PointerTo(t)).Interface().(selfChecker)
	case kindCustom:
		v.check, _ = reflect.Zero(reflect.PointerTo(t)).Interface().(selfChecker)
	}
	if err != nil {
		return nil, err
	}
	if dives && v.elem == nil {
		return nil, fmt.Errorf("%s: dive: %v has no items", where, t)
	}
	for _, r := range own {
		if err := v.apply(r, c.more); err != nil {
			return nil, fmt.Errorf("%s: validate tag: %w", where, err)
		}
	}
	if err := v.limits.settle(k); err != nil {
		return nil, fmt.Errorf("%s: validate tag: %w", where, err)
	}
	v.floats = v.onlyFloats()
	return v, nil
}
