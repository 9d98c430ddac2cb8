// Package seldom keeps peers from filling the log: what they can cause as often as they like is told so many times a second.
package seldom

import (
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// MaxNoted is how many notes the log tells in a second.
const MaxNoted = 20

// Notes decides which of many things the log tells. The zero value tells the first ones of each second. It may be used concurrently.
type Notes struct {
	mu     sync.Mutex // guards what follows
	second int64
	noted  int  // in that second
	left   Left // that were not, since the last that was
}

// Left is how many things the log does not tell. A line that embeds it says so as "others", if there are any.
type Left int

// MarshalZerologObject implements [zerolog.LogObjectMarshaler].
func (l Left) MarshalZerologObject(e *zerolog.Event) {
	if l > 0 {
		e.Int("others", int(l))
	}
}

// Note reports whether the log tells one more, and how many before it were left out.
func (f *Notes) Note(now time.Time) (left Left, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := now.Unix(); s != f.second {
		f.second, f.noted = s, 0
	}
	if f.noted >= MaxNoted {
		f.left++
		return 0, false
	}
	f.noted++
	left, f.left = f.left, 0
	return left, true
}
