package wire

import (
	"strconv"
	"strings"
)

// What is said about a value of the right JSON type that breaks a limit; got is the
// value as the message shows it. Decoding and Check share these.

func (v *value) faultBounds(got string) string {
	if b := v.bounds(); b != "" {
		return "must be " + b + ", got " + got + v.turnHint(got)
	}
	switch v.kind { // nothing was declared, so it is what the wire carries
	case kindInt:
		return "must be from " + strconv.FormatInt(v.limits.int.lo, 10) + " to " + strconv.FormatInt(v.limits.int.hi, 10) + ", got " + got
	case kindUint:
		return "must be from 0 to " + strconv.FormatUint(v.limits.uint.hi, 10) + ", got " + got
	}
	return "must be from " + floatText(v.limits.float.lo) + " to " + floatText(v.limits.float.hi) + ", got " + got
}

func (v *value) faultLength(got int) string {
	return "must have " + v.bounds() + ", got " + strconv.Itoa(got)
}

func (v *value) faultEnum(s string) string {
	shown := show(AppendString(nil, s))
	message := "must be " + v.bounds() + ", got " + shown
	if near := word(s, v.limits.oneof); near != "" {
		message += ` (did you mean "` + near + `"?)`
	}
	return message
}

// faultMissing is said about a key that is not there.
func (v *value) faultMissing() (string, topic) {
	return join("is required", ": ", v.want()), topic{missing: true}
}

// unknownField is how it begins what is said about a key that an object does not have.
const unknownField = "unknown field"

// allowedFields is what stands before the fields that an object has.
const allowedFields = "allowed: "

// faultUnknown is said about a key that the object at open does not have, and whose value is at i: which fields stand inside
// that value, in which field's value it belongs, or which field was meant.
func (o *object) faultUnknown(key string, text []byte, open, i int) (string, topic) {
	if len(o.names) == 0 {
		return unknownField + ": nothing is allowed here", topic{}
	}
	t := topic{allowed: allowedFields + strings.Join(o.names, ", ")}
	if i >= len(text) {
		return unknownField + ", " + t.unknown(), t
	}
	given, others := o.given(text, open)
	if sides := o.sides(key, text, i, given); sides != "" {
		return unknownField + ", write " + sides + " in its place: " + t.allowed, topic{}
	}
	meant := o.meant(key, text[i], given)
	vague := meant < 0 || !o.fields[meant].value.mayBe(text[i]) && Nearest(key, o.names) == ""
	inside := o.within(text, i, given)
	if homes := o.named(key, text[i]); len(homes) > 0 && vague && !o.needsOneOf(inside, given) {
		return unknownField + ", put it into " + strings.Join(homes, " or ") + ": " + t.allowed, topic{}
	}
	if len(inside) > 0 && (meant < 0 || !o.fields[meant].value.mayBe('{')) {
		return unknownField + ", write " + strings.Join(inside, ", ") + " in its place, not in it: " + t.allowed, topic{}
	}
	if homes := o.homes(key, text[i]); len(homes) > 0 && (meant < 0 || Nearest(key, o.names) == "") {
		return unknownField + ", put it into " + strings.Join(homes, " or ") + ": " + t.allowed, topic{}
	}
	if home := o.told(key); home != "" && vague {
		return unknownField + ", put it into " + home + ": " + t.allowed, topic{}
	}
	if meant < 0 && others == 1 {
		meant = o.left(text, i, given)
	}
	if meant >= 0 {
		t.meant, t.fits = o.names[meant], o.fields[meant].value.mayBe(text[i])
	} else if t.meant = Nearest(key, o.names); t.meant == "" { // it may be given already
		if k := o.find([]byte("input")); k >= 0 && o.fields[k].value.kind == kindCustom { // of another skill, whose fields nobody knows here
			return unknownField + ", put it into input: " + t.allowed, topic{}
		}
	}
	return unknownField + ", " + t.unknown(), t
}
