package validation

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world/physics"
)

// bottomless finds what has a dynamic body and nothing with a body under it. In a trial it lies on the level
// ground and on what was let go with it; in the world neither holds it.
func (c *check) bottomless() {
	if c.full() {
		return
	}
	held := c.held()
	var units []*unit
	var bare *unit // what is under the first of them, without a body
	for _, u := range c.stage.units {
		if !u.dynamic || u.fixed || u.hangs || held[u] || !c.concerns(u) {
			continue
		}
		if units = append(units, u); len(units) > 1 {
			continue
		}
		for _, o := range c.stage.grid.near(u.bounds, tolerance) {
			if o != u && !o.gone && !o.walks && o.bounds.Hi[1] <= u.bounds.Lo[1]+tolerance {
				bare = o
			}
		}
	}
	if len(units) == 0 {
		return
	}
	what := fmt.Sprintf("%v has a dynamic body and nothing with a body is under it", units[0])
	if n := len(units) - 1; n > 0 {
		what = fmt.Sprintf("%v and %d more have dynamic bodies and nothing with a body is under them", units[0], n)
	}
	what += ": with time going on it falls for ever. "
	if bare != nil {
		what += fmt.Sprintf("%v below it has no body and holds nothing: make that anew with static true, or ", bare)
	} else {
		what += "The level ground is only to be seen: "
	}
	what += `make a ground with scene.createEntity {"size":50,"static":true} and three.setTransform with position [0,-0.5,0] and scale [2,0.02,2]`
	c.report(Unsupported, physics.Reach, nil, units, "%s", what)
	for _, u := range units {
		u.exempt = true // it is said
	}
}

// held returns the dynamic units that have ground, a static body or what hangs on a place under them, hang on such, or have under them, or
// hang on, one that has or does.
func (c *check) held() map[*unit]bool {
	var below []solid.Bounds
	for i := range c.stage.grounds {
		below = append(below, c.stage.grounds[i].room)
	}
	var open []*unit
	for _, u := range c.stage.units {
		switch {
		case u.gone || u.walks:
		case u.fixed || u.hangs:
			below = append(below, u.bounds)
		case u.dynamic:
			open = append(open, u)
		}
	}
	held := map[*unit]bool{}
	for len(below) > 0 && c.ctx.Err() == nil {
		var found []solid.Bounds
		open = slices.DeleteFunc(open, func(u *unit) bool {
			held[u] = u.borne(held) ||
				slices.ContainsFunc(below, func(b solid.Bounds) bool { return b.Lo[1] < u.bounds.Hi[1] && !aside(b, u.bounds) })
			if held[u] {
				found = append(found, u.bounds)
			}
			return held[u]
		})
		below = found
	}
	return held
}
