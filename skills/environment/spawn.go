package environment

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// GetSpawnIn is the input of world.getSpawn.
type GetSpawnIn struct {
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// GetSpawnOut is the output of world.getSpawn.
type GetSpawnOut struct {
	Position world.Vec3 `json:"position" jsonschema_description:"Where newcomers stand, in metres."`
	Only     bool       `json:"only,omitempty" jsonschema_description:"Whether who only plays comes in nowhere else."`
}

// GetSpawn is world.getSpawn.
func GetSpawn(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[GetSpawnIn, GetSpawnOut]{
		Name:        "world.getSpawn",
		Title:       "Where newcomers stand",
		Description: "Tell where those who come into the world stand at first, such as bodies made by agent.embody. world.setSpawn changes it.",
		Keywords:    "players start position begin",
		Permissions: []profiles.Permission{"world.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, _ GetSpawnIn) (GetSpawnOut, error) {
			return world.Read(w, c, func(v *world.View) (GetSpawnOut, error) {
				return GetSpawnOut{Position: w.Environment.Spawn.Get(v), Only: w.Environment.SpawnOnly.Get(v)}, nil
			})
		},
	})
}

// SetSpawnIn is the input of world.setSpawn.
type SetSpawnIn struct {
	Position world.Vec3      `json:"position" jsonschema_description:"Where newcomers are to stand, x, y, z in metres, y up."`
	Only     *bool           `json:"only,omitempty" jsonschema_description:"Whether who only plays (without scene.write) comes in nowhere else: a maze, a race or a locked room is not to be entered in its middle. Left out: as it was, false at first."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event world.spawnSet."`
}

// SetSpawn is world.setSpawn.
func SetSpawn(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetSpawnIn, Done]{
		Name:  "world.setSpawn",
		Title: "Move the place of newcomers",
		Description: "Set where those who come into the world from now on stand at first. Whoever is there already stays where he is." +
			` Example: {"position":[0,1,5]}`,
		Keywords:    "start position begin",
		Permissions: []profiles.Permission{"world.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetSpawnIn) (Done, error) {
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				if err := set(tx, w.Environment.Spawn, in.Position); err != nil {
					return Done{}, err
				}
				if in.Only != nil {
					if err := set(tx, w.Environment.SpawnOnly, *in.Only); err != nil {
						return Done{}, err
					}
				}
				return Done{OK: true}, c.Emit(EventSpawn, in)
			})
		},
	})
}
