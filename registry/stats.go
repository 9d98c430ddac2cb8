package registry

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"time"
)

// Stats are figures of the calls of one skill since it was defined, those made inside other calls
// among them.
type Stats struct {
	Succeeded uint64
	Failed    map[Code]uint64 // only codes that have come
	Elapsed   time.Duration   // of all calls together
	// Latency[i] counts the calls that took at most LatencyBound(i) and more than the bound before.
	// The last one counts those that took longer than all bounds.
	Latency [LatencyBounds + 1]uint64
}

// LatencyBounds is how many bounds the distribution of latencies has.
const LatencyBounds = 24

// LatencyBound returns the i-th bound: a microsecond doubled i times, from 1 µs to 8.4 s.
func LatencyBound(i int) time.Duration { return time.Microsecond << i }

// Calls returns the number of calls, whatever their outcome.
func (s *Stats) Calls() uint64 {
	n := s.Succeeded
	for _, failed := range s.Failed {
		n += failed
	}
	return n
}

// codes are what a call may fail with.
var codes = [...]Code{
	CodeNotFound, CodeInvalidInput, CodeForbidden, CodeCapacityExceeded, CodePendingApproval, CodeInputRequired, CodeHandlerError,
}

// counters are a skill's figures. Counting costs three additions.
type counters struct {
	outcomes [len(codes) + 1]atomic.Uint64 // the first for success
	elapsed  atomic.Int64
	latency  [LatencyBounds + 1]atomic.Uint64
}

// count notes the outcome of a call of k.
func (k *skill) count(e *Error, elapsed time.Duration) {
	n := k.counters
	if n == nil { // nobody registered it
		return
	}
	outcome := 0
	if e != nil {
		outcome = 1 + slices.Index(codes[:], e.Code)
		if outcome == 0 { // a code of the skill's own
			outcome = len(codes)
		}
	}
	elapsed = max(elapsed, 0)
	n.outcomes[outcome].Add(1)
	n.elapsed.Add(int64(elapsed))
	n.latency[latencyIndex(elapsed)].Add(1)
}

// latencyIndex returns the index of the first bound that is not below d.
func latencyIndex(d time.Duration) int {
	us := uint64((d + time.Microsecond - 1) / time.Microsecond)
	if us <= 1 {
		return 0
	}
	return min(bits.Len64(us-1), LatencyBounds)
}

// Stats returns the figures of the skill's calls. They are read one by one while calls go on.
func (s Skill) Stats() Stats {
	n := s.s.counters
	out := Stats{Succeeded: n.outcomes[0].Load(), Elapsed: time.Duration(n.elapsed.Load())}
	for i, code := range codes {
		if failed := n.outcomes[i+1].Load(); failed > 0 {
			if out.Failed == nil {
				out.Failed = map[Code]uint64{}
			}
			out.Failed[code] = failed
		}
	}
	for i := range n.latency {
		out.Latency[i] = n.latency[i].Load()
	}
	return out
}
