package wire

// Member returns the raw value of a key of a valid JSON object, nil if it is not
// there or data is no object: for a union, to see which of its branches it was given.
func Member(data []byte, name string) []byte {
	i := space(data, 0)
	if i >= len(data) || data[i] != '{' {
		return nil
	}
	for {
		key, at := readKey(data, space(data, i+1))
		if at < 0 {
			return nil
		}
		end := skip(data, at)
		if end < 0 {
			return nil
		}
		if string(key) == name {
			return data[at:end]
		}
		if i = space(data, end); i >= len(data) || data[i] != ',' {
			return nil
		}
	}
}
