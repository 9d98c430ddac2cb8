// Package rules lets skills limit their inputs by the rules of go-playground/validator/v10 that
// Limina does not know itself, such as email or hexcolor:
//
//	registry.Define(registry.Spec[InviteIn, InviteOut]{
//		Rules: rules.Validator(), // type InviteIn struct{ Mail string `json:"mail" validate:"email"` }
//		...
//	})
//
// Such a rule is checked by reflection, and the schema does not tell it to the model: say it in the
// field's description. The package stands by itself because validator/v10, linked into a program, makes
// it 4 MB larger and its start half a millisecond longer; Limina's own skills do without.
package rules

import (
	"errors"
	"sync"

	"github.com/go-playground/validator/v10"

	"github.com/limina-mcp/limina/registry"
)

// Validator returns the rules of validator/v10. It is safe for concurrent use.
func Validator() registry.Rules { return shared() }

// shared makes what is needed once: a skill that nobody calls costs nothing.
var shared = sync.OnceValue(func() playground { return playground{validator.New()} })

type playground struct{ v *validator.Validate }

// Accept tries the rules on the example.
func (p playground) Accept(rules string, example any) (err error) {
	defer func() { // validator panics on a rule that it does not know
		if recover() != nil {
			err = errors.New("validator/v10 does not know it")
		}
	}()
	_ = p.v.Var(example, rules)
	return nil
}

// Broken returns the first rule that the value breaks.
func (p playground) Broken(rules string, value any) string {
	err := p.v.Var(value, rules)
	var failures validator.ValidationErrors
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &failures) || len(failures) == 0:
		return rules
	case failures[0].Param() == "":
		return failures[0].Tag()
	}
	return failures[0].Tag() + "=" + failures[0].Param()
}
