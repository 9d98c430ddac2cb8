package world

import (
	"math/bits"
	"slices"
)

// sortIDs sorts ids. Queries answer in id order, and sorting would be most of what they do; so more
// than a few ids are sorted digit by digit, with as many digits as their span has.
func sortIDs(ids []ID) {
	const few, many = 40, 512
	if len(ids) <= few {
		slices.Sort(ids)
		return
	}
	lo, hi := slices.Min(ids), slices.Max(ids)
	digits := (bits.Len64(uint64(hi-lo)) + 7) / 8
	if len(ids) > many {
		sortDigits(ids, make([]ID, len(ids)), lo, digits)
		return
	}
	var spare [many]ID
	sortDigits(ids, spare[:len(ids)], lo, digits)
}

// sortDigits sorts ids, all at least lo, by their differences from it, which have so many digits.
func sortDigits(ids, spare []ID, lo ID, digits int) {
	from, to := ids, spare
	for d := range digits {
		sortDigit(to, from, lo, d*8)
		from, to = to, from
	}
	if digits%2 == 1 {
		copy(ids, spare)
	}
}

// sortDigit copies from to to, in the order of the digit at shift and otherwise as they are.
func sortDigit(to, from []ID, lo ID, shift int) {
	var start [256]uint32
	for _, id := range from {
		start[byte((id-lo)>>shift)]++
	}
	sum := uint32(0)
	for d, n := range start {
		start[d] = sum
		sum += n
	}
	for _, id := range from {
		d := byte((id - lo) >> shift)
		to[start[d]] = id
		start[d]++
	}
}
