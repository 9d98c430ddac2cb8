// Package save holds the skills that keep the whole world as a text, for another day or another server: save.export,
// save.import and save.slot.
//
// A save holds what a checkpoint does, and what a world needs that did not make it. It is sealed: a world says who may do
// what in it, such as what a zone calls with whose rights, and who could write that by hand would have the rights of
// anybody. So a server takes in only what was sealed with its own key; servers that share a key take in each other's.
//
// Slots are part of the world's state, as checkpoints are: neither world.undo nor a save or a checkpoint takes one back.
package save

import (
	"crypto/rand"
	"encoding/json"
	"sync"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// The bounds of saves.
const (
	MaxSlots = 32       // in a world
	MaxBytes = 64 << 20 // of all slots together, and of what one save holds
	MaxText  = 4 << 20  // of the text of a save, which is compressed: as a text a world of some 50,000 entities is one
)

// KeySize is how many bytes a key has.
const KeySize = 32

// NewKey returns a random key.
func NewKey() []byte {
	key := make([]byte, KeySize)
	_, _ = rand.Read(key) // never fails
	return key
}

// Options are the options of Saves.
type Options struct {
	// Key returns the key that saves are sealed with, KeySize bytes. It is asked when the first save is sealed or opened,
	// and again if it failed. Nil: a random one, by which saves are good as long as the process lives.
	Key func() ([]byte, error)

	// Dir is the only folder in which saves are read and written as files; "" for none.
	Dir string
}

// Saves are the saves of a world.
type Saves struct {
	w     *world.World
	slots shelf.Table[slot]
	key   func() ([]byte, error)
	here  func() string // which world this is, as saves say it
	turns *registry.Turns
	files files.Folder
}

// slot is a save that is kept.
type slot struct {
	Tick      uint64          `json:"tick"`
	Entities  int             `json:"entities"`
	Own       bool            `json:"own,omitempty"` // it was made by this world, whose ids it has
	Of        string          `json:"of,omitempty"`  // else by that one
	World     json.RawMessage `json:"world"`
	GameState json.RawMessage `json:"gameState,omitempty"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
}

func (s *slot) size() int { return len(s.World) + len(s.GameState) + len(s.Metadata) }

// New declares in w what saves need. It is called once for a world, where it is put together.
func New(w *world.World, o Options) *Saves {
	if o.Key == nil {
		o.Key = sync.OnceValues(func() ([]byte, error) { return NewKey(), nil })
	}
	return &Saves{
		w: w, slots: shelf.Table[slot]{
			Table: world.NewTable[string, slot](w, "saves", MaxSlots, world.Private, world.Lasting),
			What:  "slot", Maker: "save.export", Bytes: MaxBytes, Size: (*slot).size, Cure: "save.slot with action delete",
		},
		key: o.Key, here: sync.OnceValue(rand.Text), turns: registry.NewTurns(1), files: files.Folder(o.Dir),
	}
}

// All returns the skills of the package.
func All(s *Saves) []registry.Skill {
	return []registry.Skill{s.export(), s.load(), s.manage()}
}
