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
	if near := Nearest(s, v.limits.oneof); near != "" {
		message += ` (did you mean "` + near + `"?)`
	}
	return message
}

// isRequired is how it begins what is said about a key that is not there.
const isRequired = "is required"

// faultMissing is said about a key that is not there.
func (v *value) faultMissing() string { return join(isRequired, ": ", v.want()) }

// faultUnknown is said about a key that the object at open does not have, and whose value is at i: which fields stand inside
// that value, or which field was meant. meant is its index, -1 if there is no telling.
func (o *object) faultUnknown(key string, text []byte, open, i int) (message string, meant int) {
	if len(o.names) == 0 {
		return unknownField + ": nothing is allowed here", -1
	}
	allowed := allowedAre + strings.Join(o.names, ", ")
	given, others := o.given(text, open)
	if i >= len(text) {
		return unknownField + ", " + allowed, -1
	}
	meant = o.meant(key, text[i], given)
	if inside := o.within(text, i); len(inside) > 0 && (meant < 0 || !o.fields[meant].value.mayBe('{')) {
		return unknownField + ", take " + strings.Join(inside, ", ") + " out of it: " + allowed, -1
	}
	if homes := o.homes(key, text[i]); len(homes) > 0 && (meant < 0 || Nearest(key, o.names) == "") {
		return unknownField + ", put it into " + strings.Join(homes, " or ") + ": " + allowed, -1
	}
	if meant < 0 && others == 1 {
		meant = o.left(text, i, given)
	}
	if meant < 0 {
		meant = o.find([]byte(Nearest(key, o.names))) // though it is given
	}
	if meant < 0 {
		if k := o.find([]byte("input")); k >= 0 && o.fields[k].value.kind == kindCustom { // of another skill, whose fields nobody knows here
			return unknownField + ", put it into input: " + allowed, -1
		}
		return unknownField + ", " + allowed, -1
	}
	return unknownField + ", " + didYouMean + o.names[meant] + `"? ` + allowed, meant
}
