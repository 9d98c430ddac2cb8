// Package inproc measures calls that never leave the process: the peers' own in-memory ways and
// Limina's, the same call for all of them, one at a time.
package inproc

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/limina-mcp/limina/bench/load"
)

// Subject is a way to make the measured call. Open builds a fresh server, world and session, and
// returns the function that makes one call and one that ends what was opened.
type Subject struct {
	Name string
	Open func() (call func() error, stop func(), err error)
}

// Subjects returns all of them, peers first.
func Subjects() []Subject {
	return []Subject{
		{"go-sdk", openGoSDK},
		{"mcp-go client", openMCPGoClient},
		{"mcp-go HandleMessage, validating", func() (func() error, func(), error) { return openMCPGo(true) }},
		{"mcp-go HandleMessage", func() (func() error, func(), error) { return openMCPGo(false) }},
	}
}

// Find returns the subject of that name.
func Find(name string) (Subject, error) {
	var names []string
	for _, s := range Subjects() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Subject{}, fmt.Errorf("no subject %q; there are %q", name, names)
}

// Result is what one measurement found, per call.
type Result struct {
	Calls         int
	P50, P95, P99 time.Duration
	Mean          time.Duration
	Allocs, Bytes float64
}

// Measure makes n calls, after a tenth of that to warm up, and times each of them. The two readings
// of the clock are part of the time: some 40 to 80 ns, which weighs on the fastest only.
func (s Subject) Measure(n int) (Result, error) {
	call, stop, err := s.Open()
	if err != nil {
		return Result{}, err
	}
	defer stop()
	if _, err := repeat(call, n/10); err != nil {
		return Result{}, err
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begun := time.Now()
	took, err := repeat(call, n)
	if err != nil {
		return Result{}, err
	}
	wall := time.Since(begun)
	runtime.ReadMemStats(&after)
	slices.Sort(took)
	return Result{
		Calls: n, P50: load.Quantile(took, .5), P95: load.Quantile(took, .95), P99: load.Quantile(took, .99),
		Mean:   wall / time.Duration(n),
		Allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
		Bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
	}, nil
}

func repeat(call func() error, n int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, n)
	for range n {
		begun := time.Now()
		if err := call(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begun))
	}
	return took, nil
}
