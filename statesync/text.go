package statesync

import "encoding/json"

// appendText appends a JSON string.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			text, _ := json.Marshal(s) // a string can always be written
			return append(dst, text...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}
