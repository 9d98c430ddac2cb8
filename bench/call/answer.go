package call

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// ID finds the integer id of an answer without parsing it, so that the client costs every server
// the same and little.
func ID(message []byte) (id int, ok bool) {
	_, rest, found := bytes.Cut(message, []byte(`"id":`))
	if !found {
		return 0, false
	}
	rest = bytes.TrimLeft(rest, " ")
	for ; len(rest) > 0 && rest[0]-'0' <= 9; rest = rest[1:] {
		id, ok = id*10+int(rest[0]-'0'), true
	}
	return id, ok
}

// Check reports what is wrong with an answer, parsed in full: it must be a success, that of a tool too.
func Check(message []byte) error {
	var v struct {
		Result *struct{ IsError bool }
		Error  json.RawMessage
	}
	if err := json.Unmarshal(message, &v); err != nil {
		return fmt.Errorf("answer %.200q: %w", message, err)
	}
	if v.Error != nil || v.Result == nil || v.Result.IsError {
		return fmt.Errorf("the call was refused: %.400s", message)
	}
	return nil
}
