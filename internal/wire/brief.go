package wire

import (
	"bytes"
	"slices"
)

// implicit are the limits of numbers that have none of their own, as schemas write them, before the comma or brace that follows.
var implicit = [...]string{
	`,"maximum":3.4e+38`, `,"maximum":3.4e38`, `,"minimum":-3.4e+38`, `,"maximum":9007199254740991`, `,"minimum":-9007199254740991`,
}

// Brief returns the text of a schema as a model reads it, who pays for each byte: without the limits that all numbers have. Nothing in a text is
// taken for a limit, because quotes are escaped there.
func Brief(schema []byte) []byte {
	short := slices.Clone(schema)
	for _, limit := range implicit {
		for _, next := range [...]string{",", "}"} {
			short = bytes.ReplaceAll(short, []byte(limit+next), []byte(next))
		}
	}
	return short
}
