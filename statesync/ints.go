package statesync

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/limina-mcp/limina/internal/decimal"
)

// appendMove writes a slot, as the difference to the one before, and by how much its entity moved.
func appendMove(dst []byte, gap, x, y, z int32) []byte {
	dst = slices.Grow(dst, 4*12)
	return appendInt(appendInt(appendInt(appendInt(dst, gap), x), y), z)
}

// appendInt writes a number and a comma. Most numbers of a delta have one to three digits; how many
// cannot be predicted, so those are looked up, once somebody has made the table.
func appendInt(dst []byte, n int32) []byte {
	if i := uint32(n + maxShort); i <= 2*maxShort {
		if text := shortInts[i]; text != 0 {
			dst = binary.LittleEndian.AppendUint64(dst, text)
			return dst[:len(dst)-8+int(text>>56)]
		}
	}
	return append(decimal.AppendInt(dst, int64(n)), ',')
}

const maxShort = 999

// shortInts has the texts of the numbers from -maxShort to maxShort, with a comma behind: the lowest byte
// is the first, the highest is the length.
var shortInts [2*maxShort + 1]uint64

// makeShortInts makes the table, for the first view that is packed: it is 16 KB, which most processes never need.
var makeShortInts = sync.OnceFunc(func() {
	for n := range maxShort + 1 {
		text, length := uint64(','), uint64(1)
		for rest := n; length == 1 || rest > 0; rest /= 10 {
			text, length = text<<8|uint64('0'+rest%10), length+1
		}
		shortInts[maxShort-n] = (text<<8 | '-') | (length+1)<<56
		shortInts[maxShort+n] = text | length<<56
	}
})
