// Package game holds the skills of a game's state: variables, flags and counters (game.state, game.flag, game.counter), timers,
// conditions over them, and how it ends (game.win, game.lose, game.restart).
//
// # What is guaranteed
//
//   - All state is in the world. Flags, counters, timers and how it ends are for viewers to see; variables and conditions are not.
//   - Timers are counted in simulation steps, 60 in a second of the world's time: they stand still with it. A step ends those
//     that have run out and announces their events; no call advances anything.
//   - A condition is looked at whenever something that it reads is changed, by whomever; where several actions are done about one event, when all are. Its event is announced when it becomes true, and again
//     only after it was false. What an undo, a redo or a checkpoint brings about announces nothing.
//   - What is announced reaches the listeners of package event in the step after, and viewers as the moment "event.emit".
//     Winning, losing and beginning anew announce "game.won", "game.lost" and "game.restarted", which nobody else can.
//   - Who ends a game first has ended it, until it begins anew.
//
// Actions of zones, listeners and all else change the state of the game too: setState with game in its data, see package action.
package game

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(g *Game) []registry.Skill {
	return []registry.Skill{State(g), Flag(g), Counter(g), Timer(g), Condition(g), Win(g), Lose(g), Restart(g)}
}
