package raw

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
)

// problemOf takes apart what the validator says. It says where in the schema it was:
//
//	validating root: validating /properties/a: validating /properties/a/items: type: 4 has type …
//
// which becomes where in the value that is: "a[]". What stands behind the last of these is the
// message.
func problemOf(err error) wire.Problem {
	message := strings.ReplaceAll(err.Error(), "<invalid reflect.Value>", "null") // as the validator prints one
	path, last := "", ""
	for {
		at, ok := strings.CutPrefix(message, "validating ")
		at, rest, more := strings.Cut(at, ": ")
		if !ok || !more {
			return wire.Problem{Path: strings.TrimPrefix(path, "."), Message: plainNumbers(message)}
		}
		message = rest
		if at == "root" {
			at = ""
		}
		if step, deeper := strings.CutPrefix(at, last); deeper {
			path += valuePath(step)
		}
		last = at
	}
}

// plainNumbers has numbers as people write them in a message about a limit, where the validator has
// "maximum: 9/1 is greater than 7.000000".
func plainNumbers(message string) string {
	keyword, _, _ := strings.Cut(message, ":")
	switch keyword {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
	default:
		return message
	}
	words := strings.Split(message, " ")
	for i, w := range words {
		if r, ok := new(big.Rat).SetString(w); ok {
			f, _ := r.Float64()
			words[i] = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return strings.Join(words, " ")
}

// valuePath turns the part of a schema's place that is behind that of another schema into the way
// from the one's value to the other's.
func valuePath(step string) string {
	keyword, name, _ := strings.Cut(strings.TrimPrefix(step, "/"), "/")
	switch keyword {
	case "properties":
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		return "." + name
	case "items", "prefixItems", "contains", "unevaluatedItems", "additionalItems":
		return "[]"
	case "patternProperties", "additionalProperties", "unevaluatedProperties":
		return ".*"
	}
	return "" // about the value itself
}
