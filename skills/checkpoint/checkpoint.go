package checkpoint

import (
	"bytes"
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// CreateIn is the input of checkpoint.create.
type CreateIn struct {
	Name                   string          `json:"name" validate:"min=1,max=128" jsonschema_description:"What to find it by; one of the same name is replaced."`
	IncludeGameState       bool            `json:"includeGameState" jsonschema:"default=true" jsonschema_description:"Keep gameState with it."`
	IncludeEntityPositions bool            `json:"includeEntityPositions" jsonschema:"default=true" jsonschema_description:"Keep the world with it: entities with all they have, settings, screens."`
	GameState              registry.Object `json:"gameState,omitempty" jsonschema_description:"Anything of your own; checkpoint.load gives it back."`
	Meta                   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the call."`
}

// CreateOut is the output of checkpoint.create.
type CreateOut struct {
	OK          bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Name        string `json:"name" jsonschema_description:"What to find it by."`
	EntityCount int    `json:"entityCount" jsonschema_description:"How many entities it holds."`
}

// author refuses who may change neither the scene nor the world: a checkpoint is what all have built, and to load one, or to end the only way back,
// throws away what others did. A player of a game goes back by an action of type call, which its author has attached.
func author(c *registry.Call) error {
	if g := c.Principal().Grants; g.Has("scene.write") || g.Has("world.write") {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "missing permission: scene.write or world.write, because a checkpoint is what everybody has built; "+
		`whoever has may let players go back by an action {"type":"call","target":"checkpoint.load","data":{"name":…}}, as of a zone or an interaction`)
}

func (s *Checkpoints) create() registry.Skill {
	return registry.Define(registry.Spec[CreateIn, CreateOut]{
		Name:  "checkpoint.create",
		Title: "Keep the world as it is",
		Description: "Keep the whole world as it is now under a name, to come back to by checkpoint.load: before something risky, for yourself and for others. To take back only your own last calls use world.undo. " +
			`It lasts as long as this world: to keep a scene elsewhere use scene.export. Example: {"name":"before the bridge"}`,
		Keywords:    "backup version",
		Permissions: []profiles.Permission{"checkpoint.write"},
		Effect:      registry.Writes,
		Slow:        true, // in a large world; it waits for its turn
		Short:       true, // see paced
		Handle: func(c *registry.Call, in CreateIn) (CreateOut, error) {
			if err := author(c); err != nil {
				return CreateOut{}, err
			}
			done, err := s.turns.Take(c)
			if err != nil {
				return CreateOut{}, err
			}
			defer done()
			return world.Do(s.w, c, func(tx *world.Tx) (CreateOut, error) {
				if c.Lent() && in.IncludeEntityPositions {
					if err := s.acted.take(tx, c.Principal().ID); err != nil {
						return CreateOut{}, err
					}
				}
				row := saved{Tick: tx.View.Tick()}
				if in.IncludeEntityPositions {
					row.World, row.Entities = tx.AppendSnapshot(nil), tx.Len()
				}
				if in.IncludeGameState {
					row.GameState = json.RawMessage(in.GameState)
				}
				_, err := s.rows.Put(tx, in.Name, row)
				return CreateOut{OK: true, Name: in.Name, EntityCount: row.Entities}, err
			})
		},
	})
}

// paced is what actions of one author do once in some time: it keeps everybody from the world, the longer the more there is.
type paced struct {
	from *world.Table[string, uint64] // by author: the step from which on his do it again
	what string                       // that they do
	many int                          // for each so many entities they wait a second more
}

// take notes that an action of an author's does it now, or fails if that is too early.
func (p *paced) take(tx *world.Tx, author string) error {
	seconds := 1 + tx.Len()/p.many
	var over []string
	for who, from := range p.from.All(&tx.View) {
		switch {
		case from <= tx.Step():
			over = append(over, who)
		case who == author:
			return registry.Errorf(registry.CodeCapacityExceeded, "actions of yours %s of %d entities once in %v simulated seconds: the next from step %d on, which is in %.1f s",
				p.what, tx.Len(), seconds, from, tx.World().Seconds(from-tx.Step()))
		}
	}
	for _, who := range over {
		p.from.Delete(tx, who)
	}
	return p.from.Set(tx, author, tx.Step()+tx.World().StepsIn(float64(seconds)))
}

// NameIn is the input of checkpoint.load and checkpoint.delete.
type NameIn struct {
	Name string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The checkpoint's name, as checkpoint.list gives it."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the call."`
}

// Checkpoint describes a checkpoint.
type Checkpoint struct {
	Name        string `json:"name" jsonschema_description:"What to find it by."`
	Tick        uint64 `json:"tick" jsonschema_description:"The revision that it holds."`
	EntityCount int    `json:"entityCount" jsonschema_description:"How many entities it holds."`
}

// LoadOut is the output of checkpoint.load.
type LoadOut struct {
	OK         bool            `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Checkpoint *Checkpoint     `json:"checkpoint,omitempty" jsonschema_description:"What the world was set to."`
	GameState  registry.Object `json:"gameState,omitempty" jsonschema_description:"What was kept with it."`
}

func (s *Checkpoints) load() registry.Skill {
	return registry.Define(registry.Spec[NameIn, LoadOut]{
		Name:  "checkpoint.load",
		Title: "Go back to a checkpoint",
		Description: "Make the whole world as it was when the checkpoint was made, for everybody: what was destroyed since is there again under its id, what was made since is gone. It changes what others did, too; world.undo can take it back. " +
			`Example: {"name":"before the bridge"}`,
		Keywords:    "backup version saved restore earlier state",
		Permissions: []profiles.Permission{"checkpoint.write"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Slow:        true, // in a large world; it waits for its turn
		Short:       true, // players of a game go back by an action; see paced
		Handle: func(c *registry.Call, in NameIn) (LoadOut, error) {
			if err := author(c); err != nil {
				return LoadOut{}, err
			}
			done, err := s.turns.Take(c)
			if err != nil {
				return LoadOut{}, err
			}
			defer done()
			ready, of, err := s.unpack(c, in.Name)
			if err != nil {
				return LoadOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (LoadOut, error) {
				row, err := s.rows.Find(&tx.View, in.Name)
				if err != nil {
					return LoadOut{}, err
				}
				if row.World != nil {
					if !bytes.Equal(of, row.World) { // it has become another one meanwhile
						if ready, err = world.Unpack(row.World); err != nil {
							return LoadOut{}, err
						}
					}
					if c.Lent() {
						if err := s.went.take(tx, c.Principal().ID); err != nil {
							return LoadOut{}, err
						}
					}
					if err := tx.RestoreUnpacked(ready); err != nil {
						return LoadOut{}, err
					}
				}
				return LoadOut{
					OK: true, GameState: registry.Object(row.GameState),
					Checkpoint: &Checkpoint{in.Name, row.Tick, row.Entities},
				}, nil
			})
		},
	})
}

// unpack reads the world that a checkpoint holds before everybody waits, and returns of what text; nil if it holds none.
func (s *Checkpoints) unpack(c *registry.Call, name string) (*world.Unpacked, []byte, error) {
	row, err := world.Read(s.w, c, func(v *world.View) (saved, error) { return s.rows.Find(v, name) })
	if err != nil || row.World == nil {
		return nil, nil, err
	}
	u, err := world.Unpack(row.World)
	return u, row.World, err
}

// ListIn is the input of checkpoint.list.
type ListIn struct {
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the call."`
}

// ListOut is the output of checkpoint.list.
type ListOut struct {
	Checkpoints []Checkpoint `json:"checkpoints" jsonschema_description:"All of them, by name."`
}

func (s *Checkpoints) list() registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:        "checkpoint.list",
		Title:       "List checkpoints",
		Description: `List the checkpoints that checkpoint.load can go back to, with the revision and the number of entities of each. Example: {}`,
		Permissions: []profiles.Permission{"checkpoint.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, _ ListIn) (ListOut, error) {
			return world.Read(s.w, c, func(v *world.View) (out ListOut, _ error) {
				for name, row := range s.rows.All(v) {
					out.Checkpoints = append(out.Checkpoints, Checkpoint{name, row.Tick, row.Entities})
				}
				return out, nil
			})
		},
	})
}

// DeleteOut is the output of checkpoint.delete.
type DeleteOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

func (s *Checkpoints) remove() registry.Skill {
	return registry.Define(registry.Spec[NameIn, DeleteOut]{
		Name:        "checkpoint.delete",
		Title:       "Delete a checkpoint",
		Description: `Delete a checkpoint for good; the world stays as it is. Example: {"name":"before the bridge"}`,
		Permissions: []profiles.Permission{"checkpoint.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in NameIn) (DeleteOut, error) {
			if err := author(c); err != nil {
				return DeleteOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (DeleteOut, error) {
				if _, err := s.rows.Find(&tx.View, in.Name); err != nil {
					return DeleteOut{}, err
				}
				return DeleteOut{OK: s.rows.Delete(tx, in.Name)}, nil
			})
		},
	})
}
