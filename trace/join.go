package trace

import (
	"encoding/json"
	"fmt"
	"slices"
)

// EventLost is in a trace that is kept in files where events are missing because they could not be written in time, or were taken away. Its payload is a [Span].
const EventLost = "trace.lost"

// Span is events that follow each other.
type Span struct {
	First ID `json:"first"`
	Last  ID `json:"last"`
}

func (s Span) String() string { return fmt.Sprintf("%v to %v", s.First, s.Last) }

// Len returns how many events it has.
func (s Span) Len() int64 { return int64(s.Last-s.First) + 1 }

// lost notes what an event says was never written.
func (s *Summary) lost(e *Event) {
	var gap Span
	if e.Type == EventLost && json.Unmarshal(e.Payload, &gap) == nil {
		s.Lost = append(s.Lost, gap)
	}
}

// Join adds what [Verify] has found in the file that comes next: s is of both together then. Events may be missing between
// them, see [Summary.Unsaid]. The error says why the file cannot be the one that comes next.
func (s *Summary) Join(next Summary) error {
	switch {
	case next.Events == 0:
		return nil
	case s.Events == 0:
		*s = next
		return nil
	}
	if err := s.joins(next.First, next.Prev); err != nil {
		return err
	}
	if next.First > s.Last+1 {
		s.Missing = append(s.Missing, Span{s.Last + 1, next.First - 1})
	}
	s.Events += next.Events
	s.Bytes += next.Bytes
	s.Last, s.Hash = next.Last, next.Hash
	s.Missing, s.Lost = append(s.Missing, next.Missing...), append(s.Lost, next.Lost...)
	return nil
}

// joins checks how a file begins that comes next.
func (s *Summary) joins(first ID, prev string) error {
	switch {
	case first <= s.Last:
		return fmt.Errorf("begins with %v, and the file before it ends with %v", first, s.Last)
	case first == s.Last+1 && prev != s.Hash:
		return fmt.Errorf("does not go on from the file before it: that ends with the hash %.8s…, it states %.8s…", s.Hash, prev)
	}
	return nil
}

// Unsaid returns what is missing without an event that says so: whoever wrote the files has not left that out.
func (s *Summary) Unsaid() (spans []Span) {
	for _, gap := range s.Missing {
		if !slices.Contains(s.Lost, gap) {
			spans = append(spans, gap)
		}
	}
	return spans
}
