package game

import (
	"sync"

	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/world"
)

// Fact answers what somebody in the game has or is by a name, a float64 or a string, and false where it does not know.
type Fact func(v *world.View, who world.ID, name string) (any, bool)

// Know has expressions that are about somebody ask for something, where the world is put together: "item", how many he has, "stat", both numbers, or
// "quest", how it stands with him, a text, or "input", what one of the buttons and axes is at that he is played with.
func (g *Game) Know(what string, fact Fact) { g.facts[what] = fact }

// AboutSomebody reports what is wrong with an expression such as game.condition takes, which may also ask item("…"), stat("…"), quest("…") and input("…"), for the
// caller.
func AboutSomebody(src string) error {
	_, err := expression.Parse(src, true)
	return err
}

// Holds reports whether an expression is true now, of the flags, counters and variables of the game, and of somebody, 0 for nobody. It fails where
// [AboutSomebody] does, and may be called in any view. What is not known of him equals nothing, and is neither less nor greater.
func (g *Game) Holds(v *world.View, src string, who world.ID) (bool, error) {
	e, err := g.parsed.parse(src, func(src string) (*expression.Expression, error) { return expression.Parse(src, true) })
	if err != nil {
		return false, err
	}
	return e.Holds(g.reader(v, who)), nil
}

// Compute returns what an expression comes to that [Holds] takes, or one of another sort: a float64, a string or a bool. It is about somebody, 0 for nobody, and
// false where it comes to nothing, as of a variable that was never set.
func (g *Game) Compute(tx *world.Tx, src string, who world.ID) (value any, ok bool) {
	e, err := g.values.parse(src, expression.ParseValue)
	if err != nil {
		return nil, false
	}
	read := g.reader(&tx.View, who)
	value = e.Value(func(r expression.Ref) expression.Value {
		if r.Kind == expression.Draw {
			return expression.Number(tx.Rand().Float64())
		}
		return read(r)
	}).Any()
	return value, value != nil
}

// reader answers what expressions read of the game, and of somebody.
func (g *Game) reader(v *world.View, who world.ID) func(r expression.Ref) expression.Value {
	return func(r expression.Ref) expression.Value {
		switch {
		case r.OfSomebody():
			return g.known(v, who, r)
		case r.Kind == "timer":
			t, there := g.timers.Get(v, r.Name)
			if !there {
				return expression.Value{}
			}
			return expression.Number(g.w.Seconds(t.shown(v.Step())))
		}
		return g.value(v, r)
	}
}

func (g *Game) known(v *world.View, who world.ID, r expression.Ref) expression.Value {
	fact := g.facts[r.Kind]
	if fact == nil || who == 0 {
		return expression.Value{}
	}
	switch x, _ := fact(v, who, r.Name); x := x.(type) {
	case float64:
		return expression.Number(x)
	case string:
		return expression.Text(x)
	}
	return expression.Value{}
}

// parsed are expressions that were read before: what they mean follows from their text. It is safe for concurrent use; its zero value is ready.
type parsed struct {
	mu sync.RWMutex
	of map[string]*expression.Expression
}

// maxParsed is how many expressions are remembered; when there are more all are read anew.
const maxParsed = 4096

func (p *parsed) parse(src string, read func(src string) (*expression.Expression, error)) (*expression.Expression, error) {
	p.mu.RLock()
	e := p.of[src]
	p.mu.RUnlock()
	if e != nil {
		return e, nil
	}
	e, err := read(src)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil || len(p.of) >= maxParsed {
		p.of = map[string]*expression.Expression{}
	}
	p.of[src] = e
	return e, nil
}
