package wire

import "iter"

// Member returns the raw value of a key of a valid JSON object, nil if it is not
// there or data is no object: for a union, to see which of its branches it was given.
func Member(data []byte, name string) []byte {
	for key, value := range members(data, 0) {
		if string(key) == name {
			return value
		}
	}
	return nil
}

// members yields the keys of the object at i with their raw values, as far as it is one.
func members(text []byte, i int) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		at := space(text, i)
		if at >= len(text) || text[at] != '{' {
			return
		}
		for {
			key, from := readKey(text, space(text, at+1))
			if from < 0 {
				return
			}
			to := skip(text, from)
			if to < 0 || !yield(key, text[from:to]) {
				return
			}
			if at = space(text, to); at >= len(text) || text[at] != ',' {
				return
			}
		}
	}
}
