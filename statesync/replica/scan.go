package replica

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// The functions of this file take apart JSON that is known to be valid, without copying it: what they
// hand on is part of what they are given, without space around it.

// first returns the first byte that is not space, 0 if there is none.
func first(text []byte) byte {
	if i := space(text, 0); i < len(text) {
		return text[i]
	}
	return 0
}

// members calls f with the name and the value of each member of an object. No text is no object, and has
// no members.
func members(object []byte, f func(name, value []byte) error) error {
	if object == nil {
		return nil
	}
	i := space(object, 0)
	if object[i] != '{' {
		return malformed("%.100s: must be an object", object)
	}
	for i = space(object, i+1); object[i] != '}'; i = space(object, i) {
		if object[i] == ',' {
			i = space(object, i+1)
		}
		end := skip(object, i)
		name, err := bare(object[i:end])
		if err != nil {
			return err
		}
		i = space(object, end) // the colon
		i = space(object, i+1) // the value
		end = skip(object, i)  // what follows it
		if err := f(name, object[i:end]); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// elements calls f with each element of an array. No text is no array, and has none.
func elements(array []byte, f func(value []byte) error) error {
	if array == nil {
		return nil
	}
	i := space(array, 0)
	if array[i] != '[' {
		return malformed("%.100s: must be an array", array)
	}
	for i = space(array, i+1); array[i] != ']'; i = space(array, i) {
		if array[i] == ',' {
			i = space(array, i+1)
		}
		end := skip(array, i)
		if err := f(array[i:end]); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// space returns where, from i on, something else begins.
func space(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// skip returns where the value ends that begins at i.
func skip(text []byte, i int) int {
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		for depth := 0; ; {
			switch text[i] {
			case '"':
				i = skipString(text, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(text) {
		switch text[i] {
		case ',', '}', ']', ':', ' ', '\t', '\n', '\r':
			return i
		}
		i++
	}
	return i
}

func skipString(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// bare returns the content of a string.
func bare(text []byte) ([]byte, error) {
	if bytes.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1], nil
	}
	s, err := unquote(text)
	return []byte(s), err
}

// unquote returns what a string says, "" for no text.
func unquote(text []byte) (s string, err error) {
	if text == nil {
		return "", nil
	}
	err = json.Unmarshal(text, &s)
	return s, err
}

// number reads a number without a sign, fraction or exponent.
func number(text []byte) (uint64, error) {
	n := uint64(0)
	for _, c := range text {
		if c < '0' || c > '9' || n > (1<<64-10)/10 {
			return 0, malformed("%.100s: must be an integer that is not negative", text)
		}
		n = 10*n + uint64(c-'0')
	}
	if len(text) == 0 {
		return 0, malformed("a number is missing")
	}
	return n, nil
}

// integers calls f with each element of an array of integers that fit in 64 bits.
func integers(array []byte, dst []int64) ([]int64, error) {
	err := elements(array, func(value []byte) error {
		negative := value[0] == '-'
		if negative {
			value = value[1:]
		}
		n, err := number(value)
		if err != nil || n > 1<<62 {
			return malformed("%.100s: must be an integer", value)
		}
		if negative {
			dst = append(dst, -int64(n))
		} else {
			dst = append(dst, int64(n))
		}
		return nil
	})
	return dst, err
}

// floats reads an array of exactly as many numbers as there is room for.
func floats(array []byte, into []float64) error {
	n := 0
	if array == nil {
		return malformed("a list of numbers is missing")
	}
	err := elements(array, func(value []byte) (err error) {
		if n == len(into) {
			return malformed("there are more than %d numbers", n)
		}
		into[n], err = strconv.ParseFloat(string(value), 64)
		n++
		return err
	})
	if err == nil && n < len(into) {
		err = malformed("there are %d numbers, not %d", n, len(into))
	}
	return err
}
