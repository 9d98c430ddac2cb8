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

// Subject is a way to make the measured call. Open builds a fresh server, world and session.
type Subject struct {
	Name string
	Open func() (Runner, error)
}

// Runner makes calls, one at a time.
type Runner interface {
	// Repeat makes n calls and says how long each took.
	Repeat(n int) ([]time.Duration, error)
	Close()
}

// Subjects returns all of them, peers first.
func Subjects() []Subject {
	return []Subject{
		{"go-sdk", openGoSDK},
		{"mcp-go client", openMCPGoClient},
		{"mcp-go HandleMessage, validating", func() (Runner, error) { return openMCPGo(true) }},
		{"mcp-go HandleMessage", func() (Runner, error) { return openMCPGo(false) }},
		{"Limina, message", openMessage},
		{"Limina, JSON", openBytes},
		{"Limina, typed", openTyped},
		{"Limina, tools/list of 200", openList},
		{"Limina, round of 200 agents", openAgents},
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
	r, err := s.Open()
	if err != nil {
		return Result{}, err
	}
	defer r.Close()
	if _, err := r.Repeat(n / 10); err != nil {
		return Result{}, err
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begun := time.Now()
	took, err := r.Repeat(n)
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

// caller is the Runner of a function that makes one call.
type caller struct {
	call  func() error
	close func()
}

func (c caller) Repeat(n int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, n)
	for range n {
		begun := time.Now()
		if err := c.call(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begun))
	}
	return took, nil
}

func (c caller) Close() { c.close() }
