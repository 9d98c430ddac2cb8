package wire

import (
	"math/bits"
	"reflect"
	"slices"
	"strings"
)

func (d *decoder) object(v *value, p pointer, i int) int {
	if d.text[i] != '{' {
		return d.mismatch(v, i)
	}
	i, seen := d.members(v.object, p, i)
	if i >= 0 {
		d.complete(v.object, p, seen)
	}
	return i
}

// members reads what stands between the braces, of which the first is at open, and the closing one. It returns a bit
// for each field whose key was there.
func (d *decoder) members(o *object, p pointer, open int) (end int, seen uint64) {
	text := d.text
	i := space(text, open+1)
	if i < len(text) && text[i] == '}' {
		return i + 1, 0
	}
	for {
		k, at := o.match(text, i)
		if k < 0 {
			if k, at = d.key(o, open, i); at < 0 {
				return at, 0
			}
		}
		if k < 0 { // a problem already
			i = skip(text, at)
		} else {
			i = d.member(o, k, p, at, seen)
			seen |= 1 << k
		}
		if i < 0 {
			return i, 0
		}

		if i = space(text, i); i >= len(text) {
			return ^i, 0
		}
		if text[i] == '}' {
			return i + 1, seen
		}
		if text[i] != ',' {
			return ^i, 0
		}
		i = space(text, i+1)
	}
}

// member reads the value of field k at i, behind those of the fields that were seen.
func (d *decoder) member(o *object, k int, p pointer, i int, seen uint64) int {
	f := &o.fields[k]
	n := len(d.list)
	if seen>>k&1 == 1 {
		end := skip(d.text, i)
		d.add("is given twice")
		d.under(n, f.name)
		return end
	}
	end := d.value(f.value, p.at(f.offset), i)
	if len(d.list) == n || end < 0 {
		return end
	}
	if d.text[i] == 'n' && o.required>>k&1 == 0 {
		d.list[n].Message += " (leave the key out instead)"
	} else if other := o.instead(k, d.text[i:end], seen); other != "" {
		d.list[n].Message += ": " + other + " takes that"
	}
	d.foreign(f.value, i, n)
	d.under(n, f.name)
	return end
}

// foreign puts one problem in the place of the problems from the n-th on, which are those of the object at i, if that is an object of
// another kind: what is wrong with each of its keys, and which are missing, would tell nobody what to write.
func (d *decoder) foreign(v *value, i, n int) {
	for v.kind == kindPointer {
		v = v.elem
	}
	if v.kind != kindStruct || len(d.list) < n+2 {
		return
	}
	keys := v.object.foreign(d.text, i)
	if keys == nil {
		return
	}
	d.list = d.list[:n]
	d.add("must be " + v.want() + ", got one with " + strings.Join(keys, ", ") + v.object.flat(d.text, i))
}

// complete does what is to be done about the fields that were not seen.
func (d *decoder) complete(o *object, p pointer, seen uint64) {
	for missing := o.required &^ seen; missing != 0; missing &= missing - 1 {
		f := &o.fields[bits.TrailingZeros64(missing)]
		n := len(d.list)
		d.addTopic(f.value.faultMissing())
		d.under(n, f.name)
	}
	for absent := o.defaulted &^ seen; absent != 0; absent &= absent - 1 {
		f := &o.fields[bits.TrailingZeros64(absent)]
		f.value.set(f.preset, p.at(f.offset))
	}
}

// match returns the field whose key stands at i in the spelling that nearly every
// writer uses, and the index behind the colon; -1 if it is none.
func (o *object) match(text []byte, i int) (field, value int) {
	if len(text)-i < 2 {
		return -1, i
	}
	for k := o.begins[text[i+1]%letters]; k != 0; k = o.fields[k-1].like {
		q := o.fields[k-1].quoted
		end := i + len(q)
		if end <= len(text) && text[end-1] == ':' && string(text[i:end]) == q {
			return int(k) - 1, space(text, end)
		}
	}
	return -1, i
}

// key reads the key at i of the object at open. It returns the field, -1 if there is none, and the index of
// the value.
func (d *decoder) key(o *object, open, i int) (field, value int) {
	name, value := readKey(d.text, i)
	if value < 0 {
		return -1, value
	}
	field = o.find(name)
	if field >= 0 || d.full() { // to find out what was meant takes a thousand times as long as to read the key
		return field, value
	}
	n := len(d.list)
	message, about := o.faultUnknown(string(name), d.text, open, value)
	d.addTopic(message, about)
	if about.meant != "" {
		k := o.find([]byte(about.meant))
		d.tryOut(o.fields[k].value, value, o.required>>k&1 != 0)
	}
	d.under(n, keyStep(string(name)))
	return field, value
}

// tryOut adds what is wrong with the value at i for v, so that whoever gives it the right name need not be told in a call of
// its own. Of a value of another type, that says nothing but what v has to be, which is said where v is required and not there.
func (d *decoder) tryOut(v *value, i int, required bool) {
	if i >= len(d.text) {
		return
	}
	n := len(d.list)
	end := d.value(v, address(reflect.New(v.typ).Elem()), i)
	if required && end > i && len(d.list) == n+1 && d.list[n].Message == "must be "+v.want()+", got "+got(d.text[i:end]) {
		d.list = d.list[:n]
	}
}

// within returns the names of fields that stand one level too deep: in the object that
// is the value at i. Those that are given where they belong are left out: there cannot be two.
func (o *object) within(text []byte, i int, given uint64) (names []string) {
	for name := range members(text, i) {
		if k := o.find(name); k >= 0 && given>>k&1 == 0 && !slices.Contains(names, o.names[k]) {
			names = append(names, o.names[k])
		}
	}
	return names
}
