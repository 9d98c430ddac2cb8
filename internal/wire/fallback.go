package wire

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"
)

// Rules that the plan does not know are left to validator/v10, one value at a time.
// That costs reflection for each such value, and the schema does not tell them, so
// the catalogue should do without.

// oracle is made when the first such rule is compiled.
var oracle = sync.OnceValue(func() *validator.Validate { return validator.New() })

// addFallback adds a rule for validator/v10, after trying that it knows it.
func (l *limits) addFallback(r rule, t reflect.Type) (err error) {
	if across(r.name) {
		return fmt.Errorf("%s looks at other fields, which is not supported: check it in the handler", r)
	}
	defer func() { // validator panics on a rule that it does not know
		if recover() != nil {
			err = fmt.Errorf("%s is not a rule for %v", r, t)
		}
	}()
	param := strings.ReplaceAll(r.String(), ",", "0x2C")
	_ = oracle().Var(reflect.Zero(t).Interface(), param)
	rest := l.ensureRest()
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

// failedRule names the rule that the value breaks, "" if none.
func failedRule(v reflect.Value, rules string) string {
	err := oracle().Var(v.Interface(), rules)
	var failures validator.ValidationErrors
	if errors.As(err, &failures) && len(failures) > 0 {
		return rule{failures[0].Tag(), failures[0].Param()}.String()
	}
	if err != nil {
		return rules
	}
	return ""
}
