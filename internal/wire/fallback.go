package wire

import (
	"fmt"
	"reflect"
	"strings"
)

// Rules checks values by rules of validate tags that plans do not know themselves: one value at a
// time, which costs reflection, and the schema does not tell them. It is safe for concurrent use.
type Rules interface {
	// Accept returns an error if it does not know one of the rules, in the form of a validate tag, or
	// they are not for values of the example's type.
	Accept(rules string, example any) error

	// Broken names the rule that a value breaks, "" if none. It has accepted the rules.
	Broken(rules string, value any) string
}

// addFallback adds a rule that is left to more, after asking if it knows it.
func (l *limits) addFallback(r rule, t reflect.Type, more Rules) error {
	if across(r.name) {
		return fmt.Errorf("%s looks at other fields, which is not supported: check it in the handler", r)
	}
	if more == nil {
		return fmt.Errorf("%s is not a rule for %v, unless the skill's Rules say so", r, t)
	}
	param := r.name // of alternatives all of them, as they stand in the tag
	if r.param != "" {
		param += "=" + strings.ReplaceAll(strings.ReplaceAll(r.param, ",", "0x2C"), "|", "0x7C")
	}
	if err := more.Accept(param, reflect.Zero(t).Interface()); err != nil {
		return fmt.Errorf("%s is not a rule for %v: %w", r, t, err)
	}
	rest := l.ensureRest()
	rest.more = more
	if rest.fallback != "" {
		param = rest.fallback + "," + param
	}
	rest.fallback = param
	return nil
}

// across reports whether a rule looks at other fields.
func across(name string) bool {
	for _, prefix := range []string{"required_", "excluded_", "skip_unless", "struct", "keys", "endkeys"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasSuffix(name, "field") || name == "isdefault"
}

// unchecked lets every rule pass: for who wants nothing of a plan but its defaults.
type unchecked struct{}

func (unchecked) Accept(string, any) error  { return nil }
func (unchecked) Broken(string, any) string { return "" }
