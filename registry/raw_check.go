package registry

import "github.com/limina-mcp/limina/internal/wire"

// checkRaw checks a text that has to be one JSON object, by its schema if there is one. A key that an object has twice is
// refused, because who reads the text next may take the other value, and so is a number beyond 64 bits.
func checkRaw(text []byte, check func(map[string]any) error) error {
	if err := wire.Valid(text); err != nil { // for its depth
		return err
	}
	var v map[string]any
	if err := wire.Unmarshal(text, &v); err != nil || check == nil {
		return err
	}
	return check(v)
}
