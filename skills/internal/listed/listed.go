// Package listed bounds the lists in answers: a model that has made five hundred things does not want to read five hundred ids.
package listed

import "github.com/limina-mcp/limina/registry"

// Usual is how many entries of a list an answer has where its caller does not say.
const Usual = 50

// Most returns how many entries of a list the answer of a call has: as many as its caller has asked for, else [Usual]. An answer that goes to a list of
// operations, which may take any of it apart, has all.
func Most(c *registry.Call, asked *int) int {
	switch {
	case asked != nil:
		return *asked
	case c.Whole():
		return 1 << 30
	}
	return Usual
}

// Cut returns the first most entries of a list, and how many there are beside these.
func Cut[T any](all []T, most int) (first []T, more int) {
	if len(all) <= most {
		return all, 0
	}
	return all[:most:most], len(all) - most
}
