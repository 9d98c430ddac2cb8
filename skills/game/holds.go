package game

import "github.com/limina-mcp/limina/world"

// Of answers what an expression asks about somebody in the game, and false where it does not know: of "item" how many he has of a name, of "stat" what
// it is, both a float64, and of "quest" how it stands with him, a text.
type Of func(what, name string) (any, bool)

// AboutSomebody reports what is wrong with an expression such as game.condition takes, which may also ask item("…"), stat("…") and quest("…"), for the
// caller.
func AboutSomebody(src string) error {
	_, err := parse(src, true)
	return err
}

// Holds reports whether an expression is true now, of the flags, counters and variables of the game and of whom of tells about, nil for nobody. It
// fails where [AboutSomebody] does, and may be called in any view. What of does not know equals nothing, and is neither less nor greater.
func (g *Game) Holds(v *world.View, src string, of Of) (bool, error) {
	e, err := parse(src, true)
	if err != nil {
		return false, err
	}
	return e.holds(func(r ref) value {
		switch r.kind {
		case "item", "stat", "quest":
			return known(of, r)
		}
		return g.value(v, r)
	}), nil
}

func known(of Of, r ref) value {
	if of == nil {
		return value{}
	}
	switch x, _ := of(r.kind, r.name); x := x.(type) {
	case float64:
		return value{sort: number, num: x}
	case string:
		return value{sort: text, text: x}
	}
	return value{}
}
