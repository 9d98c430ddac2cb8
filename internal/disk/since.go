package disk

import (
	"sync/atomic"
	"time"
)

// Since remembers since when something waits to be written. It holds no lock, so that whoever watches a disk that hangs is not held up by it. All
// methods may be called concurrently; the zero Since is of nothing.
type Since struct{ at atomic.Pointer[time.Time] }

// Begin says that something waits, from now on unless it does already.
func (s *Since) Begin() {
	if s.at.Load() == nil {
		now := time.Now()
		s.at.CompareAndSwap(nil, &now)
	}
}

// Done says that nothing does.
func (s *Since) Done() { s.at.Store(nil) }

// For returns for how long something has waited; 0 if nothing does.
func (s *Since) For() time.Duration {
	at := s.at.Load()
	if at == nil {
		return 0
	}
	return time.Since(*at)
}
