package wire

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// maxFields is how many keys an object may have, so that one word can hold a bit for
// each.
const maxFields = 64

// object is how a struct is read and written.
type object struct {
	fields    []field
	usual     []usual  // of each field
	checked   []uint8  // the fields of which Check may have something to say
	names     []string // of the fields, for messages
	required  uint64   // bits of the fields whose keys must be there
	defaulted uint64   // bits of the fields that have a default other than zero

	begins [letters]uint8 // by the first letter of its name, the first such field, + 1; 0: there is none
}

// letters is how many first letters of names are told apart.
const letters = 32

// field is one key of an object.
type field struct {
	name   string
	also   string // another name that it may be given by; "" if there is none
	lead   string // `,"name":`, as it is written
	quoted string // `"name":`, as it most often stands in the text
	offset uintptr
	value  *value
	about  string // its description, for messages
	omit   absence
	preset *preset // nil if there is no default
	free   bool    // nothing that a Go value of it can be is wrong: Check passes it by
	like   uint8   // the next field of the same first letter, + 1; 0: there is none
}

// find returns the index of the field with that name, or else of that which may be given by it, too; -1 if there is none.
func (o *object) find(name []byte) int {
	other := -1
	for i := range o.fields {
		f := &o.fields[i]
		if string(name) == f.name { // in a switch it would be copied for each field, however long it is
			return i
		}
		if string(name) == f.also {
			other = i
		}
	}
	if len(name) == 0 {
		return -1
	}
	return other
}

// object compiles a struct type.
func (c *compiler) object(t reflect.Type) (*object, error) {
	o := &object{fields: make([]field, 0, t.NumField())}
	if err := c.fields(o, t, 0, t.String()); err != nil {
		return nil, err
	}
	o.names, o.usual = make([]string, len(o.fields)), make([]usual, len(o.fields))
	for i := len(o.fields) - 1; i >= 0; i-- {
		f := &o.fields[i]
		o.names[i] = f.name
		if o.usual[i] = f.usual(t.Size()); !f.free {
			o.checked = append(o.checked, uint8(i))
		}
		letter := &o.begins[f.quoted[1]%letters]
		f.like, *letter = *letter, uint8(i+1)
		if f.preset == nil && f.omit == never {
			o.required |= 1 << i
		}
		if f.preset != nil && !f.preset.zero {
			o.defaulted |= 1 << i
		}
	}
	slices.Reverse(o.checked)
	return o, nil
}

// fields adds the fields of t, which begins at an offset of the object's type.
// Embedded structs are flattened, as encoding/json does.
func (c *compiler) fields(o *object, t reflect.Type, offset uintptr, where string) error {
	for i := range t.NumField() {
		f := t.Field(i)
		where := where + "." + f.Name
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			if err := c.embed(o, f, offset, where); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		if err := c.field(o, f, offset, where); err != nil {
			return err
		}
	}
	return nil
}

// embed adds the fields of an embedded struct.
func (c *compiler) embed(o *object, f reflect.StructField, offset uintptr, where string) error {
	switch {
	case f.Type.Kind() == reflect.Struct:
	case f.Type.Kind() == reflect.Pointer:
		return fmt.Errorf("%s: an embedded pointer is not supported", where)
	case f.IsExported():
		return c.field(o, f, offset, where)
	default:
		return nil
	}
	if k, err := kindOf(f.Type); err != nil || k != kindStruct {
		return fmt.Errorf("%s: %v reads and writes itself, so it needs a json name here", where, f.Type)
	}
	if slices.Contains(c.open, f.Type) {
		return fmt.Errorf("%s: %v contains itself, which is not supported", where, f.Type)
	}
	c.open = append(c.open, f.Type)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	return c.fields(o, f.Type, offset+f.Offset, where)
}

// field adds one field.
func (c *compiler) field(o *object, f reflect.StructField, offset uintptr, where string) error {
	name, omit, skip, err := parseName(f)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if skip {
		return nil
	}
	if slices.ContainsFunc(o.fields, func(other field) bool { return other.name == name }) {
		return fmt.Errorf("%s: a second field is called %q", where, name)
	}
	if len(o.fields) == maxFields {
		return fmt.Errorf("%s: more than %d fields", where, maxFields)
	}
	notes, err := parseNotes(f)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	rules := parseRules(f.Tag.Get("validate"))
	if (omit != never || notes.hasDefault) && demanded(rules) {
		return fmt.Errorf("%s: validate says required, but the key may be absent", where)
	}
	v, err := c.value(f.Type, rules, where)
	if err != nil {
		return err
	}
	v.nullable = notes.nullable
	lead := `,"` + name + `":`
	entry := field{
		name:   name,
		also:   notes.also,
		lead:   lead,
		quoted: lead[len(","):],
		offset: offset + f.Offset,
		value:  v,
		about:  f.Tag.Get("jsonschema_description"),
		omit:   omit,
		free:   v.isFree(),
	}
	if notes.hasDefault {
		if entry.preset, err = v.preset(notes.def); err != nil {
			return fmt.Errorf("%s: default=%s: %w", where, notes.def, err)
		}
		if v.kind <= kindStruct {
			entry.omit = never // a zero that were left out would be read as the default
		}
	}
	o.fields = append(o.fields, entry)
	return nil
}

func demanded(rules []rule) bool {
	own, _, _ := split(rules)
	return slices.ContainsFunc(own, func(r rule) bool { return r.name == "required" })
}
