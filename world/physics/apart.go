package physics

import (
	"context"
	"errors"
)

// ErrStill is what [Physics.Apart] answers in a world whose bodies do not move.
var ErrStill = errors.New("physics: bodies do not move in this world")

// Apart opens an engine without bodies that has nothing to do with the world but its time step, and its gravity
// if it is given [Physics.Gravity]: for trying out what would happen. Who opens it closes it. The first engine of a process may take
// seconds.
func (p *Physics) Apart(ctx context.Context, gravity float64) (Engine, error) {
	if !p.Moves() {
		return nil, ErrStill
	}
	return p.config.Open(ctx, p.settings(gravity))
}
