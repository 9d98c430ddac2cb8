package agent

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// EventEmbodied is the event of a body that changed: {entity, created}.
const EventEmbodied = "agent.embodied"

// A new body is a capsule of these measures, in metres, and this colour.
const (
	bodyWidth  = 0.7
	bodyHeight = 1.7
	bodyColor  = 0x4a90d9
)

// bodyTag is what every body made here is tagged with.
const bodyTag = "agent"

// EmbodyIn is the input of agent.embody.
type EmbodyIn struct {
	Entity   world.ID    `json:"entity,omitempty" jsonschema_description:"An existing entity to take as your body, such as ent_3; needs the permission scene.write. Leave it out to get a new body."`
	Position *world.Vec3 `json:"position,omitempty" jsonschema_description:"Where a new body stands: the point between its feet, in metres. Left out it is the world's spawn."`
}

// EmbodyOut is the output of agent.embody.
type EmbodyOut struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"The entity that is your body."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is, in metres."`
	Created  bool       `json:"created" jsonschema_description:"Whether it was made by this call; false if you had it already or took an existing entity."`
	Returned []string   `json:"returned,omitempty" jsonschema_description:"What a new body has of the one, or the character, that went while you were away: inventory, stats, progression, cooldowns, quests."`
}

// Embody is agent.embody.
func Embody(w *world.World, a *agents.Agents) registry.Skill {
	return registry.Define(registry.Spec[EmbodyIn, EmbodyOut]{
		Name:  "agent.embody",
		Title: "Get a body",
		Description: "Give yourself a body in the world, so that you can be seen, perceive what is near (agent.getPerception) and walk (navmesh.moveTo); who has the permission social.act also speaks (social.say) and walks up to others (social.approach). " +
			"You have one body at most: if you have one and name no entity, it stays as it is and where it is; if you name another entity, your old body stays behind as a thing. A body that was made for you goes some time after your last session has ended; what it had is kept for your next one. " +
			`Example: {"position":[2,0,5]}`,
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in EmbodyIn) (EmbodyOut, error) {
			if err := in.check(c.Principal()); err != nil {
				return EmbodyOut{}, err
			}
			return world.Do(w, c, func(tx *world.Tx) (EmbodyOut, error) {
				out, err := in.embody(w, a, tx, c.Principal())
				if err != nil {
					return EmbodyOut{}, err
				}
				if out.Created && c.Principal().Leaves() {
					if err := a.Bind(tx, c.Principal().ID, c.Principal().Holder, out.Entity, true); err != nil {
						return EmbodyOut{}, err
					}
				}
				if out.Created && c.Principal().Session != "" {
					if out.Returned, _, err = a.GiveBack(tx, c.Principal().ID, out.Entity); err != nil {
						return EmbodyOut{}, err
					}
				}
				out.Position, _ = tx.Position(out.Entity)
				return out, c.Emit(EventEmbodied, embodied{out.Entity, out.Created})
			})
		},
	})
}

type embodied struct {
	Entity  world.ID `json:"entity"`
	Created bool     `json:"created"`
}

// check refuses what needs no look at the world.
func (in *EmbodyIn) check(p *profiles.Principal) error {
	if in.Entity == 0 {
		return nil
	}
	if in.Position != nil {
		return registry.Invalidf("position: is for a new body; leave it out, or leave entity out")
	}
	if !p.Grants.Has("scene.write") {
		return registry.Errorf(registry.CodeForbidden, "missing permission: scene.write, to take %s as a body; leave entity out to get a new one", in.Entity)
	}
	return nil
}

func (in *EmbodyIn) embody(w *world.World, a *agents.Agents, tx *world.Tx, caller *profiles.Principal) (EmbodyOut, error) {
	agent := caller.ID
	if in.Entity != 0 {
		return EmbodyOut{Entity: in.Entity}, a.Embody(tx, agent, in.Entity)
	}
	if body, ok := a.Body(&tx.View, agent); ok {
		return EmbodyOut{Entity: body}, nil
	}
	if w.Environment.SpawnOnly.Get(&tx.View) && !caller.Grants.Has("scene.write") {
		return EmbodyOut{}, registry.Errorf(registry.CodeForbidden, "who plays here comes in as a character at the world's spawn, by world.setSpawn: player.spawn makes yours")
	}
	feet := w.Environment.Spawn.Get(&tx.View)
	if in.Position != nil {
		feet = *in.Position
	}
	body, err := create(w, tx, agent, feet)
	if err != nil {
		return EmbodyOut{}, err
	}
	return EmbodyOut{Entity: body, Created: true}, a.Embody(tx, agent, body)
}

// create makes a new body that stands at feet.
func create(w *world.World, tx *world.Tx, agent string, feet world.Vec3) (world.ID, error) {
	id, err := tx.Create(world.Spec{
		Position: feet.Add(world.Vec3{0, bodyHeight / 2, 0}),
		Tags:     []string{bodyTag},
	})
	if err != nil {
		return 0, err
	}
	if len(agent) <= world.MaxName {
		if err := tx.SetName(id, agent); err != nil {
			return 0, err
		}
	}
	size := world.Vec3{bodyWidth, bodyHeight, bodyWidth}
	return id, w.Shapes.Set(tx, id, world.Shape{Kind: "capsule", Size: size, Color: bodyColor})
}
