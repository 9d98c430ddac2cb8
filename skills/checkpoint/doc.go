// Package checkpoint holds the skills that keep the world as it is under a name, to go back to it:
// checkpoint.create, load, list and delete.
//
// Checkpoints are part of the world's state: they survive with it. Neither world.undo nor another
// checkpoint takes one back. A load is a commit as any other: views are told what is different, and it
// can be undone.
package checkpoint

import (
	"encoding/json"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// The bounds of checkpoints.
const (
	MaxCheckpoints = 32       // in a world
	MaxBytes       = 64 << 20 // of all of them together
	maxActing      = 256      // authors whose actions have made one lately, or have gone back to one
)

// Checkpoints are the checkpoints of a world.
type Checkpoints struct {
	w     *world.World
	rows  shelf.Table[saved]
	acted paced           // actions that make one
	went  paced           // … that go back to one
	turns *registry.Turns // for what takes long in a large world
}

// saved is one checkpoint.
type saved struct {
	Tick      uint64          `json:"tick"`
	Entities  int             `json:"entities"`
	World     json.RawMessage `json:"world,omitempty"` // nil: it holds the game state only
	GameState json.RawMessage `json:"gameState,omitempty"`
}

func (s *saved) size() int { return len(s.World) + len(s.GameState) }

// New declares in w what checkpoints need. It is called once for a world, where it is put together.
func New(w *world.World) *Checkpoints {
	return &Checkpoints{
		w: w, rows: shelf.Table[saved]{
			Table: world.NewTable[string, saved](w, "checkpoints", MaxCheckpoints, world.Private, world.Lasting),
			What:  "checkpoint", Maker: "checkpoint.create", Bytes: MaxBytes, Size: (*saved).size, Cure: "checkpoint.delete",
		},
		acted: paced{world.NewTable[string, uint64](w, "checkpoints.acted", maxActing, world.Private, world.Lasting), "make a checkpoint", 1000},
		went:  paced{world.NewTable[string, uint64](w, "checkpoints.went", maxActing, world.Private, world.Lasting), "go back to a checkpoint", 10_000},
		turns: registry.NewTurns(1),
	}
}

// Again returns the step from which on actions of an author may go back to a checkpoint again; it may have passed. Until then they wait: a game whose player has fallen twice in a second goes on.
func (s *Checkpoints) Again(v *world.View, author string) uint64 {
	from, _ := s.went.from.Get(v, author)
	return from
}

// All returns the skills of the package.
func All(c *Checkpoints) []registry.Skill {
	return []registry.Skill{c.create(), c.load(), c.list(), c.remove()}
}
