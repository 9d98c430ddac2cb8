package game

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// How the game stands.
const (
	running = "running"
	won     = "won"
	lost    = "lost"
)

// EndIn is the input of game.win, game.lose and game.restart.
type EndIn struct {
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// EndOut is their output.
type EndOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether the game stands so now. False if it has ended otherwise before."`
	State  string `json:"state" jsonschema_description:"How it stands: running, won or lost."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what to do."`
}

// Win is game.win.
func Win(g *Game) registry.Skill {
	return ending(g, won, registry.Spec[EndIn, EndOut]{
		Name:  "game.win",
		Title: "Win the game",
		Description: "End the game as won: viewers see it, and listeners to the event game.won (event.listen) do what they do, once. Whoever ends it first has ended it. " +
			`To have the server do it, attach {"type":"setState","data":{"game":{"outcome":"won"}}} to a zone, or to the event of a game.condition. Example: {}`,
		Keywords: "victory won finish end game over success winner first race declare",
	})
}

// Lose is game.lose.
func Lose(g *Game) registry.Skill {
	return ending(g, lost, registry.Spec[EndIn, EndOut]{
		Name:  "game.lose",
		Title: "Lose the game",
		Description: "End the game as lost: viewers see it, and listeners to the event game.lost (event.listen) do what they do, once. Whoever ends it first has ended it. " +
			`To have the server do it, as when a game.timer runs out, attach {"type":"setState","data":{"game":{"outcome":"lost"}}} to its event. Example: {}`,
		Keywords: "defeat lost fail end game over dead",
	})
}

func ending(g *Game, state string, spec registry.Spec[EndIn, EndOut]) registry.Skill {
	spec.Permissions = []profiles.Permission{"game.write"}
	spec.Effect = registry.Writes
	spec.Idempotent = true
	spec.Handle = func(c *registry.Call, _ EndIn) (EndOut, error) {
		return world.Do(g.w, c, func(tx *world.Tx) (EndOut, error) {
			err := g.end(tx, state, c.Principal().ID)
			out := EndOut{State: g.status.Get(&tx.View).State}
			if out.OK = out.State == state; !out.OK {
				out.Reason = over(out.State)
			}
			return out, err
		})
	}
	return registry.Define(spec)
}

func over(state string) string {
	return "the game is " + state + " already; game.restart begins it anew"
}

// end ends the game, unless it has ended.
func (g *Game) end(tx *world.Tx, state, by string) error {
	if g.status.Get(&tx.View).State != running {
		return nil
	}
	return g.enter(tx, state, by, "game."+state)
}

// enter has the game stand otherwise, and announces it.
func (g *Game) enter(tx *world.Tx, state, by, event string) error {
	if err := g.status.Set(tx, Status{State: state, Since: tx.Step(), By: by}); err != nil {
		return err
	}
	return g.announce(tx, event, by, nil)
}

// Restart is game.restart.
func Restart(g *Game) registry.Skill {
	return registry.Define(registry.Spec[EndIn, EndOut]{
		Name:  "game.restart",
		Title: "Begin the game anew",
		Description: "Begin the game anew: variables, flags, counters and timers are cleared, it is neither won nor lost, and listeners to the event game.restarted do what they do. Conditions, listeners and zones stay, and so does the scene: checkpoint.load brings that back. " +
			"Example: {}",
		Keywords:    "reset retry again start new game replay",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, _ EndIn) (EndOut, error) {
			return world.Do(g.w, c, func(tx *world.Tx) (EndOut, error) {
				return EndOut{OK: true, State: running}, g.restart(tx, c.Principal().ID)
			})
		},
	})
}

func (g *Game) restart(tx *world.Tx, by string) error {
	empty(tx, g.variables)
	empty(tx, g.flags)
	empty(tx, g.counters)
	empty(tx, g.makers)
	empty(tx, g.timers)
	empty(tx, g.due)
	empty(tx, g.seen)
	if err := g.lookAgain(tx); err != nil { // what is so at the beginning has not become so
		return err
	}
	return g.enter(tx, running, by, "game.restarted")
}

// empty deletes all rows of a table.
func empty[T any](tx *world.Tx, t *world.Table[string, T]) {
	names := make([]string, 0, t.Len(&tx.View))
	for name := range t.All(&tx.View) {
		names = append(names, name)
	}
	for _, name := range names {
		t.Delete(tx, name)
	}
}

// play does what a setState says of the game, on somebody's behalf.
func (g *Game) play(tx *world.Tx, by string, p *action.Play) error {
	if f := p.Flag; f != nil {
		if _, err := g.setFlag(tx, by, f.Name, f.Value); err != nil {
			return err
		}
	}
	if c := p.Counter; c != nil {
		if _, err := g.count(tx, by, c.Name, c.Action, c.Value); err != nil {
			return err
		}
	}
	if s := p.State; s != nil {
		if _, err := g.setVariable(tx, by, s.Name, s.Value); err != nil {
			return err
		}
	}
	if t := p.Timer; t != nil {
		in := TimerIn{Name: t.Name, Action: t.Action, Duration: t.Duration, Direction: "countdown", OnComplete: t.OnComplete}
		if t.Duration == nil {
			in.Direction = "countup"
		}
		if _, err := g.time(tx, by, &in); err != nil {
			return err
		}
	}
	if p.Outcome == "" {
		return nil
	}
	if err := g.end(tx, p.Outcome, by); err != nil {
		return err
	}
	if state := g.status.Get(&tx.View).State; state != p.Outcome {
		return registry.Failf("%s", over(state))
	}
	return nil
}
