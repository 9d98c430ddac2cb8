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

// object writes members with commas between them.
type object struct {
	dst  []byte
	some bool
}

func (o *object) member(key string, value []byte) {
	if o.some {
		o.dst = append(o.dst, ',')
	}
	o.some = true
	o.dst = append(append(append(o.dst, key...), ':'), value...)
}
