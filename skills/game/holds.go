package game

import "github.com/limina-mcp/limina/world"

// Expression reports what is wrong with an expression such as game.condition takes, for the caller.
func Expression(src string) error {
	_, err := parse(src)
	return err
}

// Holds reports whether an expression is true now, of the flags, counters and variables of the game. It fails where [Expression] does, and may be
// called in any view.
func (g *Game) Holds(v *world.View, src string) (bool, error) {
	e, err := parse(src)
	if err != nil {
		return false, err
	}
	return e.holds(func(r ref) value { return g.value(v, r) }), nil
}
