package dev

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// ReloadIn is the input of dev.reload.
type ReloadIn struct {
	Target Target `json:"target" validate:"oneof=skill scene data" jsonschema_description:"What sort of thing to rebuild: a skill, a scene, or a data set."`
	Name   string `json:"name,omitempty" validate:"omitempty,min=1" jsonschema_description:"Which one. May be left out where there is only one."`
	Reason string `json:"reason,omitempty" validate:"omitempty,max=200" jsonschema_description:"Why, for the record."`
}

// ReloadOut is the output of dev.reload.
type ReloadOut struct {
	OK          bool     `json:"ok" jsonschema_description:"It was rebuilt."`
	Target      Target   `json:"target" validate:"oneof=skill scene data" jsonschema_description:"What was asked for."`
	Invalidated []string `json:"invalidated" jsonschema_description:"The names of what is no longer as it was."`
	Reason      string   `json:"reason,omitempty" jsonschema_description:"The reason that was given."`
}

// Reload is dev.reload.
func Reload(s *Sources) registry.Skill {
	return registry.Define(registry.Spec[ReloadIn, ReloadOut]{
		Name:    "dev.reload",
		Title:   "Reload a part",
		Version: "2.0.0",
		Description: "Rebuild a part of the running server from its source: a skill, a scene, or a data set that the operator has registered for it. " +
			"If there is no such source, the error lists those that there are." +
			` Example: {"target":"data","name":"biomes"}`,
		Category:    "system",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Anything,
		Outward:     true,
		Handle: func(c *registry.Call, in ReloadIn) (ReloadOut, error) {
			e, err := s.find(in.Target, in.Name)
			if err != nil {
				return ReloadOut{}, err
			}
			invalidated, err := e.source.Reload(c)
			return ReloadOut{OK: err == nil, Target: in.Target, Invalidated: invalidated, Reason: in.Reason}, err
		},
	})
}
