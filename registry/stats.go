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
	CodeNotFound, CodeInvalidInput, CodeForbidden, CodeCapacityExceeded, CodePendingApproval, CodeConflict, CodeInputRequired, CodeHandlerError,
}

// counters are a skill's figures. Counting a success costs two additions. They are made at the first call: of hundreds of
// skills a process mostly calls a few, and those of all were a fifth of the memory that a start with 200 asks for.
type counters struct {
	failed  [len(codes)]atomic.Uint64
	elapsed atomic.Int64
	latency [LatencyBounds + 1]atomic.Uint64
}

// count notes the outcome of a call of k.
func (k *skill) count(e *Error, elapsed time.Duration) {
	n := k.counters.Load()
	if n == nil {
		k.counters.CompareAndSwap(nil, new(counters))
		n = k.counters.Load()
	}
	elapsed = max(elapsed, 0)
	n.elapsed.Add(int64(elapsed))
	n.latency[latencyIndex(elapsed)].Add(1)
	if e == nil {
		return
	}
	code := slices.Index(codes[:], e.Code)
	if code < 0 { // one of the skill's own
		code = len(codes) - 1
	}
	n.failed[code].Add(1)
}

// latencyIndex returns the index of the first bound that is not below d.
func latencyIndex(d time.Duration) int {
	us := uint64((d + time.Microsecond - 1) / time.Microsecond)
	if us <= 1 {
		return 0
	}
	return min(bits.Len64(us-1), LatencyBounds)
}

// Stats returns the figures of the skill's calls, none of the zero Skill's. They are read one by one while
// calls go on.
func (s Skill) Stats() Stats {
	if s.s == nil {
		return Stats{}
	}
	n := s.s.counters.Load()
	if n == nil {
		return Stats{}
	}
	out := Stats{Elapsed: time.Duration(n.elapsed.Load())}
	var failed uint64
	for i, code := range codes {
		if times := n.failed[i].Load(); times > 0 {
			if out.Failed == nil {
				out.Failed = map[Code]uint64{}
			}
			out.Failed[code] = times
			failed += times
		}
	}
	var all uint64 // read last: a failure is counted among all before it is counted as one
	for i := range n.latency {
		out.Latency[i] = n.latency[i].Load()
		all += out.Latency[i]
	}
	out.Succeeded = all - failed
	return out
}
