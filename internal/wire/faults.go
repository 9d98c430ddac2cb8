package wire

import (
	"strconv"
	"strings"
)

// What is said about a value of the right JSON type that breaks a limit; got is the
// value as the message shows it. Decoding and Check share these.

func (v *value) faultBounds(got string) string {
	if b := v.bounds(); b != "" {
		return "must be " + b + ", got " + got
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

// faultMissing is said about a key that is not there.
func (v *value) faultMissing() string { return join("is required", ": ", v.want()) }

// faultUnknown is said about a key that the object does not have, and inside whose value
// stand fields that it has.
func (o *object) faultUnknown(key string, inside []string) string {
	if len(o.names) == 0 {
		return "unknown field: nothing is allowed here"
	}
	message := "unknown field"
	if len(inside) > 0 {
		message += ", take " + strings.Join(inside, ", ") + " out of it:"
	} else if near := Nearest(key, o.names); near != "" {
		message += `, did you mean "` + near + `"?`
	} else {
		message += ","
	}
	return message + " allowed: " + strings.Join(o.names, ", ")
}
