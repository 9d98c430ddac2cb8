package save

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/world"
)

// ImportIn is the input of save.import.
type ImportIn struct {
	Data string          `json:"data,omitempty" jsonschema_description:"The text of a save, as save.slot has given it."`
	File *files.Name     `json:"file,omitempty" jsonschema_description:"Name of a file on the server that save.slot has written, instead of data. Only where the operator has given a folder."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the call."`
}

// ImportOut is the output of save.import.
type ImportOut struct {
	OK        bool            `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Mode      string          `json:"mode" jsonschema_description:"Always snapshot."`
	Entities  int             `json:"entities" jsonschema_description:"How many entities there are now."`
	IDShift   uint64          `json:"idShift" jsonschema_description:"By how much the number of every id is higher than it was in the save: what was ent_3 is ent_13 if it is 10. 0 in a world that is new, or that made the save since its server has run."`
	GameState registry.Object `json:"gameState,omitempty" jsonschema_description:"What was saved with it."`
}

func (s *Saves) load() registry.Skill {
	return registry.Define(registry.Spec[ImportIn, ImportOut]{
		Name:  "save.import",
		Title: "Load a save",
		Description: "Make the whole world what a save holds, for everybody: what is here now is gone, all that ran when it was saved goes on where it was. The text must be one that this server has made, or one with the same key. world.undo takes it back. " +
			`To add a scene to the world use scene.import. Example: {"data":"limina-save-1.H4sIAAAA…"}`,
		Keywords:    "load game restore saved progress resume upload open",
		Permissions: []profiles.Permission{"save.write"},
		Effect:      registry.Destroys,
		Slow:        true,
		Handle: func(c *registry.Call, in ImportIn) (ImportOut, error) {
			switch {
			case (in.Data == "") == (in.File == nil):
				return ImportOut{}, registry.Invalidf("data: give the text of a save, or the name of one on the server as file, and not both")
			case in.File != nil:
				text, err := s.files.Read("file", string(*in.File), MaxText, func() string { return "; save.slot with action load and file writes one" })
				if err != nil {
					return ImportOut{}, err
				}
				in.Data = string(text)
			}
			done, err := s.turns.Take(c) // to the end: everybody waits while it changes the world
			if err != nil {
				return ImportOut{}, err
			}
			defer done()
			f, err := s.open(in.Data)
			if err != nil {
				return ImportOut{}, err
			}
			put, err := s.unpack(c, f)
			if err != nil {
				return ImportOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (ImportOut, error) {
				out := ImportOut{OK: true, Mode: "snapshot", Entities: f.Entities, GameState: registry.Object(f.GameState)}
				out.IDShift, err = put(tx)
				return out, err
			})
		},
	})
}

// unpack reads what a save holds, and returns what makes the world that.
func (s *Saves) unpack(c *registry.Call, f *file) (put func(tx *world.Tx) (shift uint64, err error), err error) {
	if f.Own {
		u, err := world.Unpack(f.World)
		return func(tx *world.Tx) (uint64, error) { return 0, tx.RestoreUnpacked(u) }, err
	}
	next, err := world.Read(s.w, c, func(v *world.View) (world.ID, error) { return v.NextID(), nil })
	if err != nil {
		return nil, err
	}
	u, err := world.UnpackSave(f.World, next)
	return func(tx *world.Tx) (uint64, error) { return tx.AdoptUnpacked(u) }, err
}

// read opens the text of a save, when it is its turn.
func (s *Saves) read(c *registry.Call, text string) (*file, error) {
	done, err := s.turns.Take(c)
	if err != nil {
		return nil, err
	}
	defer done()
	return s.open(text)
}
