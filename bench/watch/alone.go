package watch

import (
	"context"
	"time"
)

// Alone returns the processor time that a server of Limina's takes each second while its one subscriber
// sees an area in which there is nothing.
func Alone(ctx context.Context, o Options, command ...string) (time.Duration, error) {
	r, err := begin(ctx, o, command)
	if err != nil {
		return 0, err
	}
	defer r.end()
	s, err := r.subscribe(0, []sphere{{[3]float64{1e5, 0, 0}, 50}})
	if err != nil {
		return 0, r.server.fail(err)
	}
	defer s.Close()
	if err := pause(ctx, r.Warm); err != nil {
		return 0, err
	}
	before, begun := r.server.cpu(), time.Now()
	if err := pause(ctx, r.Count); err != nil {
		return 0, err
	}
	return time.Duration(float64(r.server.cpu()-before) / time.Since(begun).Seconds()), nil
}
