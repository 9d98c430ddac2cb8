package ecs

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// TagIn is the input of ecs.addComponent and ecs.removeComponent.
type TagIn struct {
	Entity    world.ID `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Component string   `json:"component" validate:"min=1" jsonschema_description:"The tag: any text of at most 128 bytes, such as tree or wall."`
}

// TagOut is the output of ecs.addComponent and ecs.removeComponent.
type TagOut struct {
	OK bool `json:"ok" jsonschema_description:"Adding: always true. Removing: whether the entity had the tag."`
}

// AddComponent is ecs.addComponent.
func AddComponent(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[TagIn, TagOut]{
		Name:  "ecs.addComponent",
		Title: "Tag an entity",
		Description: "Put a tag on an entity, so that scene.queryEntities and scene.inspect can find it by that tag. An entity may have many. ok is always true: a tag that is there already stays. " +
			`Tag what you build, so that you and others find it again. Example: {"entity":"ent_3","component":"tree"}`,
		Keywords:    "tag mark name rename",
		Sets:        "tag component",
		Permissions: []profiles.Permission{"ecs.modify"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in TagIn) (TagOut, error) {
			if len(in.Component) > world.MaxTag {
				return TagOut{}, registry.Invalidf("component: must have at most %d bytes, got %d", world.MaxTag, len(in.Component))
			}
			return world.Do(w, c, func(tx *world.Tx) (TagOut, error) {
				_, err := tx.AddTag(in.Entity, in.Component)
				return TagOut{OK: true}, err
			})
		},
	})
}

// RemoveComponent is ecs.removeComponent.
func RemoveComponent(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[TagIn, TagOut]{
		Name:  "ecs.removeComponent",
		Title: "Untag an entity",
		Description: "Take a tag off an entity. ok is false if the entity did not have it. To remove the entity itself, use scene.destroyEntity." +
			` Example: {"entity":"ent_3","component":"roof"}`,
		Permissions: []profiles.Permission{"ecs.modify"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Handle: func(c *registry.Call, in TagIn) (TagOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (TagOut, error) {
				removed, err := tx.RemoveTag(in.Entity, in.Component)
				return TagOut{OK: removed}, err
			})
		},
	})
}
