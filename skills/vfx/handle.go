package vfx

import "github.com/limina-mcp/limina/skills/internal/handle"

// Handle names an emitter or a burst. The n-th of a world, counted from 0, is "vfx_<n>". No handle names two of them.
type Handle = handle.Of[kind]

type kind struct{}

func (kind) Prefix() string { return "vfx_" }
func (kind) Noun() string   { return "emitter" }
