package client

import "time"

// pauses are those between attempts to connect.
type pauses struct {
	Backoff
	since time.Time // of the first
	last  time.Duration
}

// reset starts anew.
func (p *pauses) reset() { p.since, p.last = time.Time{}, 0 }

// next returns how long to wait now, or that it is time to give up.
func (p *pauses) next() (d time.Duration, more bool) {
	now := time.Now()
	if p.since.IsZero() {
		p.since = now
	}
	p.last = min(max(2*p.last, p.Min), p.Max)
	d = time.Duration(float64(p.last) * (0.5 + p.Jitter()/2))
	return d, p.GiveUp < 0 || now.Add(d).Sub(p.since) <= p.GiveUp
}
