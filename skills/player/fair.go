package player

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// MaxOwn is how many characters somebody has at most who may not change the scene.
const MaxOwn = 4

// fair reports why a caller may not spawn such a character: who may change the scene spawns whatever physics takes; who plays a few, that are
// no faster and jump no higher than the usual one.
func (s *Stage) fair(v *world.View, caller *profiles.Principal, in *SpawnIn) error {
	if caller.Grants.Has("scene.write") {
		return nil
	}
	if in.Position != nil && s.w.Environment.SpawnOnly.Get(v) {
		return registry.Errorf(registry.CodeForbidden, "position: who plays here comes in at the world's spawn, by world.setSpawn; leave it out")
	}
	if in.Stay {
		return registry.Errorf(registry.CodeForbidden, "missing permission: scene.write, for a character that stays without you; leave stay out")
	}
	for _, m := range [...]struct {
		field         string
		got, lo, most float64
	}{
		{"halfHeight", in.HalfHeight, 0.2, 1},
		{"radius", in.Radius, 0.2, 0.5},
		{"walkSpeed", in.WalkSpeed, 0, 8},
		{"runSpeed", in.RunSpeed, 0, 8},
		{"gravity", in.Gravity, 22, 1000},
		{"jumpSpeed", in.JumpSpeed, 0, 8},
	} {
		if m.got < m.lo || m.got > m.most {
			return registry.Invalidf("%s: must be from %v to %v without the permission scene.write, got %v; leave it out for the usual", m.field, m.lo, m.most, m.got)
		}
	}
	if own := s.Spawned(v, caller.ID); len(own) >= MaxOwn {
		return registry.Errorf(registry.CodeCapacityExceeded, "you have %d characters, which is the most without the permission scene.write: player.despawn {\"entity\":%q} removes one", len(own), own[0])
	}
	return nil
}
