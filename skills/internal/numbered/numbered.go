// Package numbered completes ids that are a prefix and a number: entities, events.
package numbered

import (
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// mostTried bounds how many numbers one completion looks at.
const mostTried = 20_000

// IDs are the ids with a prefix of the numbers from First up to End, End excluded, that there are.
type IDs struct {
	Prefix     string // "ent_"
	First, End uint64
	Has        func(n uint64) bool
}

// Complete suggests ids that begin with what is written, or whose number does. Where no number is
// written yet, the newest come first, else the smallest.
func (ids IDs) Complete(written string) registry.Suggestions {
	s := registry.Suggestions{Values: []string{}}
	digits, ok := strings.CutPrefix(written, ids.Prefix)
	if !ok && strings.HasPrefix(ids.Prefix, written) {
		digits = ""
	}
	if digits == "" {
		ids.newest(&s)
		return s
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || strconv.FormatUint(n, 10) != digits {
		return s
	}
	ids.beginning(n, &s)
	return s
}

// add appends one id, and reports whether there may be more.
func (ids IDs) add(n uint64, s *registry.Suggestions) bool {
	if !ids.Has(n) {
		return true
	}
	if len(s.Values) == registry.MaxSuggestions {
		s.More = true
		return false
	}
	s.Values = append(s.Values, ids.Prefix+strconv.FormatUint(n, 10))
	return true
}

func (ids IDs) newest(s *registry.Suggestions) {
	for n, tried := ids.End, 0; n > ids.First; tried++ {
		if tried == mostTried {
			s.More = true
			return
		}
		if n--; !ids.add(n, s) {
			return
		}
	}
}

// beginning adds the ids whose number begins with the digits of n: n, then n0 to n9, then n00 to n99.
func (ids IDs) beginning(n uint64, s *registry.Suggestions) {
	tried := 0
	for from, width := n, uint64(1); from < ids.End; from, width = from*10, width*10 {
		for at := max(from, ids.First); at < min(from+width, ids.End); at++ {
			if tried++; tried > mostTried {
				s.More = true
				return
			}
			if !ids.add(at, s) {
				return
			}
		}
		if from == 0 || from > ids.End/10 {
			return
		}
	}
}
