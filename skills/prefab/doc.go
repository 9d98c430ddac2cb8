// Package prefab holds the skills for things that are made many times: prefab.define, instantiate, list
// and remove.
//
// A prefab is a list of operations in the form of world.batch, with a name and parameters: "$width" in an
// operation's input stands for what the parameter width is, "$leg.entity" for what an earlier operation
// has answered, and "$(width / 2 - 0.1)" for a number that is worked out of both. An operation may be
// prefab.instantiate, so that prefabs hold prefabs. Or a prefab is a copy of entities that there were.
//
// An instance is one entity that carries all that the operations make. They run as if the instance stood
// at the world's origin, unturned and in its own size; then it is put in its place as one thing. So an
// instance looks the same wherever it stands, and what an operation is told of the world is true of the
// origin: scene.place on the ground finds the ground there.
//
// "$self.entity" in an operation is the instance itself, unless a parameter or an operation is called self: what it is given, stats or a behavior, the
// whole instance has.
//
// The operations of an instance are done by whoever makes it, with what he may do of what the one might who has defined the prefab: so nobody has others do what he may not, and nobody gets
// to do more by what others have defined.
//
// An action may make an instance too, in a simulation step for which everybody waits: a small one, of a prefab whose operations are not Slow, and
// as long as those that actions have made hold few entities.
//
// Prefabs are part of the world's state: they are in its hash, in checkpoints, and what defines or removes
// one can be undone. Instances do not change when their prefab does; each can be made anew, in its place, with the same parameters or others.
package prefab

import (
	"encoding/json"
	"iter"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// The bounds of prefabs.
const (
	MaxPrefabs    = 256       // in a world
	MaxBytes      = 256 << 10 // of one, as JSON
	MaxAll        = 16 << 20  // of all of them
	MaxNesting    = 5         // prefabs in one another
	MaxOperations = 2000      // that an instance runs, with those of the prefabs in it
	MaxEntities   = 2000      // that a prefab is a copy of
	MaxInStep     = 64        // operations and entities of an instance that an action has made
	MaxStanding   = 1000      // entities in instances that actions have made, at a time
)

// tableName is the name of the table of prefabs.
const tableName = "prefabs"

// Prefabs are the prefabs of a world.
type Prefabs struct {
	w         *world.World
	rows      shelf.Table[Definition]
	made      *world.Component[bool]   // instances that actions have made
	makers    *world.Component[string] // … and whose actions
	instances *world.Component[instance]
	turns     *registry.Turns // in which instances are made

	stand func(tx *world.Tx, id world.ID) error // nil: nobody knows what is below anything
}

// Stand says how an instance is put on what is below it, where the world is put together; without it they are not.
func (p *Prefabs) Stand(fn func(tx *world.Tx, id world.ID) error) { p.stand = fn }

// New declares the prefabs of a world; it is called once.
func New(w *world.World) *Prefabs {
	rows := world.NewTable[string, Definition](w, tableName, MaxPrefabs, world.Private)
	p := &Prefabs{
		w: w, turns: registry.NewTurns(1), // they would wait for the world anyway, and everybody else behind all of them
		rows:      shelf.Table[Definition]{Table: rows, What: "prefab", Maker: "prefab.define", Most: 20},
		made:      world.NewComponent[bool](w, "prefab.made", world.Private, world.Single),
		makers:    world.NewComponent[string](w, "prefab.makers", world.Private, world.Single),
		instances: world.NewComponent[instance](w, "prefab.instance", world.Private),
	}
	p.instances.Kin(instance.kin)
	return p
}

// All returns the skills of the package.
func All(p *Prefabs) []registry.Skill {
	return []registry.Skill{p.define(), p.instantiate(), p.list(), p.remove()}
}

// Definitions returns all prefabs of a world by their names, none where a world has no prefabs.
func Definitions(v *world.View) iter.Seq2[string, Definition] {
	if rows := world.TableOf[string, Definition](v, tableName); rows != nil {
		return rows.All(v)
	}
	return func(func(string, Definition) bool) {}
}

// Definition is what a prefab is.
type Definition struct {
	Description string                 `json:"description,omitempty"`
	Parameters  []Parameter            `json:"parameters,omitempty"`
	Operations  []operations.Operation `json:"operations,omitempty"`
	Entities    []world.Record         `json:"entities,omitempty"` // of a copy
	By          string                 `json:"by,omitempty"`       // who defined it
	Grants      []profiles.Permission  `json:"grants,omitempty"`   // … and what he might do, more than which its operations do not; of an earlier program's none
}

// size returns how many bytes a definition has as JSON, whatever whoever has defined it may do.
func (d *Definition) size() (int, error) {
	of := *d
	of.Grants = nil
	text, err := json.Marshal(&of)
	return len(text), err
}

// Tag is the tag of a prefab's instances.
func Tag(name string) string { return "prefab:" + name }
