package main

import (
	"slices"
	"time"

	"github.com/limina-mcp/limina/bench/inproc"
	"github.com/limina-mcp/limina/bench/load"
	"github.com/limina-mcp/limina/bench/watch"
)

// sample is what one round measured of one contender; what does not apply is zero.
type sample struct {
	P50    float64 `json:"p50us"`
	P95    float64 `json:"p95us"`
	P99    float64 `json:"p99us"`
	Rate   float64 `json:"callsPerSecond,omitempty"`
	CPU    float64 `json:"cpuUsPerCall,omitempty"` // of the server
	RSS    float64 `json:"rssMB,omitempty"`        // of the server, after the calls
	Allocs float64 `json:"allocsPerCall,omitempty"`
	Bytes  float64 `json:"bytesPerCall,omitempty"` // of a state sync server: per client and tick, as CPU

	// Of state sync, see watch.Result:
	CallP50 float64 `json:"callP50us,omitempty"`
	Ticks   float64 `json:"ticksPerSecond,omitempty"`
	Updates float64 `json:"updatesPerClientTick,omitempty"`
	Even    float64 `json:"even,omitempty"`
	Clients float64 `json:"clients,omitempty"`
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func fromLoad(r load.Result) sample {
	return sample{
		P50: micros(r.P50), P95: micros(r.P95), P99: micros(r.P99),
		Rate: r.Rate, CPU: micros(r.CPU), RSS: float64(r.RSS) / (1 << 20),
	}
}

func fromInproc(r inproc.Result) sample {
	s := sample{P50: micros(r.P50), P95: micros(r.P95), P99: micros(r.P99), Allocs: r.Allocs, Bytes: r.Bytes}
	if r.Mean > 0 {
		s.Rate = 1e6 / micros(r.Mean)
	}
	return s
}

func fromWatch(r watch.Result) sample {
	return sample{
		P50: micros(r.P50), P95: micros(r.P95), P99: micros(r.P99), CPU: micros(r.CPU), RSS: float64(r.RSS) / (1 << 20),
		Bytes: r.Bytes, Ticks: r.Ticks, Updates: r.Updates, Even: r.Even,
	}
}

// key names a contender within its group.
type key struct{ group, name string }

// samples holds every round's samples by contender, in the order of the rounds.
type samples map[key][]sample

// metric reads one number off a sample.
type metric func(sample) float64

func p50(s sample) float64    { return s.P50 }
func p95(s sample) float64    { return s.P95 }
func rate(s sample) float64   { return s.Rate }
func cpu(s sample) float64    { return s.CPU }
func rss(s sample) float64    { return s.RSS }
func rssKB(s sample) float64  { return s.RSS * 1024 }
func ticks(s sample) float64  { return s.Ticks }
func even(s sample) float64   { return s.Even }
func allocs(s sample) float64 { return s.Allocs }

func callP50(s sample) float64 { return s.CallP50 }
func clients(s sample) float64 { return s.Clients }

func bytesPerCall(s sample) float64 { return s.Bytes }

// perUpdate is bytes for each entity that is told to have changed.
func perUpdate(s sample) float64 {
	if s.Updates == 0 {
		return 0
	}
	return s.Bytes / s.Updates
}

// of returns a metric of a contender in each round.
func (ss samples) of(k key, m metric) []float64 {
	var vs []float64
	for _, s := range ss[k] {
		vs = append(vs, m(s))
	}
	return vs
}

// ratio returns a's metric over b's, round by round. A contender that is measured once only counts
// in every round.
func (ss samples) ratio(a, b key, m metric) []float64 {
	over, under := ss.of(a, m), ss.of(b, m)
	if len(over) == 0 || len(under) == 0 {
		return nil
	}
	var vs []float64
	for i := range max(len(over), len(under)) {
		vs = append(vs, over[min(i, len(over)-1)]/under[min(i, len(under)-1)])
	}
	return vs
}

// median returns the middle value, the mean of the middle two for an even number, 0 for none.
func median(vs []float64) float64 {
	if len(vs) == 0 {
		return 0
	}
	vs = slices.Sorted(slices.Values(vs))
	mid := len(vs) / 2
	if len(vs)%2 == 1 {
		return vs[mid]
	}
	return (vs[mid-1] + vs[mid]) / 2
}
