package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/trace/folder"
)

// size is a flag of so many bytes.
type size int64

var units = [...]struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}

// Set reads a size such as 500MiB, 1GB or 1048576.
func (s *size) Set(text string) error {
	digits, unit := text, int64(1)
	for _, u := range units {
		if cut, ok := strings.CutSuffix(text, u.name); ok {
			digits, unit = cut, u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	switch {
	case err != nil || n > uint64(math.MaxInt64/unit):
		return &wordError{text, "a size such as 500MiB or 1GiB, or 0"}
	case n > 0 && int64(n)*unit < folder.MinKeep:
		return &wordError{text, "at least 1MiB, or 0 for none"}
	}
	*s = size(int64(n) * unit)
	return nil
}

func (s *size) String() string {
	for _, u := range units {
		if n := int64(*s); n >= u.bytes && n%u.bytes == 0 {
			return fmt.Sprint(n/u.bytes, u.name)
		}
	}
	return "0"
}

// keep is what the engine is told: 0 is its default.
func (s *size) keep() int64 {
	if *s == 0 {
		return -1
	}
	return int64(*s)
}
