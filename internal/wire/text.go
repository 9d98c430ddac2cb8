package wire

import (
	"bytes"
	"encoding/json"
)

// AppendString writes s after dst as a JSON string, as encoding/json does without
// HTML escapes: invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return b.Bytes()[:b.Len()-1]
}
