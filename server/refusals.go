package server

import (
	"strings"
	"sync"
	"time"
)

const (
	maxNoted = 20  // refusals that the log tells in a second
	maxShown = 256 // bytes of what a peer has sent that it shows of each
	maxCause = 2048
)

// refusals decides which refusals the log tells: whoever is refused may come again as often as he likes, and must not fill it.
type refusals struct {
	mu     sync.Mutex // guards what follows
	second int64
	noted  int // in that second
	left   int // that were not, since the last that was
}

// note reports whether the log tells one more refusal, and how many before it were left out.
func (f *refusals) note(now time.Time) (left int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := now.Unix(); s != f.second {
		f.second, f.noted = s, 0
	}
	if f.noted >= maxNoted {
		f.left++
		return 0, false
	}
	f.noted++
	left, f.left = f.left, 0
	return left, true
}

// clip is what the log shows of a text that may be long.
func clip(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
