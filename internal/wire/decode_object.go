package wire

import "math/bits"

func (d *decoder) object(v *value, p pointer, i int) int {
	text, o := d.text, v.object
	if text[i] != '{' {
		return d.mismatch(v, i)
	}
	var seen uint64
	next := 0 // the field behind the one read last: keys mostly come in order
	i = space(text, i+1)
	if i < len(text) && text[i] == '}' {
		i++
	} else {
		for {
			k, at := o.match(text, i, next)
			if k < 0 {
				if k, at = d.key(o, i); at < 0 {
					return at
				}
			}
			at = space(text, at)
			if k < 0 { // a problem already
				i = skip(text, at)
			} else if i = d.member(o, k, p, at, &seen); i >= 0 {
				next = k + 1
			}
			if i < 0 {
				return i
			}

			if i = space(text, i); i >= len(text) {
				return ^i
			}
			if text[i] == '}' {
				i++
				break
			}
			if text[i] != ',' {
				return ^i
			}
			i = space(text, i+1)
		}
	}

	for missing := o.required &^ seen; missing != 0; missing &= missing - 1 {
		f := &o.fields[bits.TrailingZeros64(missing)]
		n := len(d.list)
		d.add(f.value.faultMissing())
		d.under(n, f.name)
	}
	for absent := o.defaulted &^ seen; absent != 0; absent &= absent - 1 {
		f := &o.fields[bits.TrailingZeros64(absent)]
		f.value.set(f.preset, p.at(f.offset))
	}
	return i
}

// member reads the value of field k at i.
func (d *decoder) member(o *object, k int, p pointer, i int, seen *uint64) int {
	f := &o.fields[k]
	n := len(d.list)
	var end int
	if bit := uint64(1) << k; *seen&bit == 0 {
		*seen |= bit
		end = d.value(f.value, p.at(f.offset), i)
	} else {
		end = skip(d.text, i)
		d.add("is given twice")
	}
	if len(d.list) == n || end < 0 {
		return end
	}
	if d.text[i] == 'n' && o.required>>k&1 == 0 {
		d.list[n].Message += " (leave the key out instead)"
	}
	d.under(n, f.name)
	return end
}

// match reports whether the key at i is that of field k, in the spelling that nearly
// every writer uses: then the index behind the colon comes back with k, else -1.
func (o *object) match(text []byte, i, k int) (field, end int) {
	if k >= len(o.fields) {
		return -1, i
	}
	q := o.fields[k].quoted
	if len(text)-i < len(q) || string(text[i:i+len(q)]) != q {
		return -1, i
	}
	return k, i + len(q)
}

// key reads the key at i. It returns the field, -1 if there is none, and the index
// behind the colon.
func (d *decoder) key(o *object, i int) (field, end int) {
	text := d.text
	if i >= len(text) || text[i] != '"' {
		return -1, ^i
	}
	end, escaped := scanString(text, i+1)
	if end < 0 {
		return -1, end
	}
	name := text[i+1 : end]
	if escaped {
		name = unescape(nil, name)
	}
	if end = space(text, end+1); end >= len(text) || text[end] != ':' {
		return -1, ^end
	}
	field = o.find(name)
	if field < 0 {
		n := len(d.list)
		d.add(o.faultUnknown(string(name)))
		d.under(n, keyStep(string(name)))
	}
	return field, end + 1
}
