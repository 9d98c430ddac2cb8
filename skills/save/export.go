package save

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ExportIn is the input of save.export.
type ExportIn struct {
	Name      string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The slot to save in; what it holds is replaced."`
	GameState registry.Object `json:"gameState,omitempty" jsonschema_description:"Anything of your own; save.import gives it back."`
	Metadata  registry.Object `json:"metadata,omitempty" jsonschema_description:"Anything that the list of slots shall show, such as the chapter."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the call."`
}

// ExportOut is the output of save.export.
type ExportOut struct {
	OK    bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Name  string `json:"name" jsonschema_description:"The slot."`
	Bytes int    `json:"bytes" jsonschema_description:"How many bytes the slot holds; as a text they are some ten times fewer."`
	Mode  string `json:"mode" jsonschema_description:"Always snapshot: the world as it is, not how it came to be so."`
}

func (s *Saves) export() registry.Skill {
	return registry.Define(registry.Spec[ExportIn, ExportOut]{
		Name:  "save.export",
		Title: "Save the world",
		Description: "Save the whole world as it is now, all that is in it and runs in it, in a slot of the server. save.slot with action load then gives it as a text to keep anywhere, or writes it to a file, and save.import takes that in, here or on another day. " +
			`Only to come back within this world use checkpoint.create. Example: {"name":"evening"}`,
		Keywords:    "save game store write progress keep backup download",
		Permissions: []profiles.Permission{"save.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ExportIn) (ExportOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (ExportOut, error) {
				bytes, err := s.slots.Put(tx, in.Name, s.now(tx, in.GameState, in.Metadata))
				return ExportOut{OK: true, Name: in.Name, Bytes: bytes, Mode: "snapshot"}, err
			})
		},
	})
}

// now is the world as it is.
func (s *Saves) now(tx *world.Tx, gameState, metadata registry.Object) slot {
	return slot{
		Tick: tx.View.Tick(), Entities: tx.Len(), Own: true, World: tx.AppendSave(nil),
		GameState: json.RawMessage(gameState), Metadata: json.RawMessage(metadata),
	}
}
