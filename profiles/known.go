package profiles

import "slices"

// known lists, in byte order, every permission that a built-in profile grants. A permission's place here is its bit in
// Grants and Need; the ones that are not here are legal too and cost a little more to check.
var known = [...]Permission{
	"agent.read", "agent.write",
	"animation.read", "animation.write",
	"approval.review",
	"audio.play",
	"behavior.configure", "behavior.read", "behavior.write",
	"camera.write",
	"checkpoint.read", "checkpoint.write",
	"combat.write",
	"damage.write",
	"dialogue.configure", "dialogue.read", "dialogue.write",
	"ecs.modify", "ecs.read",
	"event.read", "event.write",
	"game.configure", "game.write",
	"interaction.configure", "interaction.read", "interaction.write",
	"inventory.configure", "inventory.read", "inventory.write",
	"item.configure",
	"nav.configure", "nav.read", "nav.write",
	"orchestrate",
	"physics.read", "physics.write",
	"player.configure", "player.read", "player.write",
	"progression.configure", "progression.read", "progression.write",
	"quest.configure", "quest.read", "quest.write",
	"save.write",
	"scene.read", "scene.write",
	"social.act",
	"stats.configure", "stats.read", "stats.write",
	"status.read", "status.write",
	"terrain.generate", "terrain.read",
	"trace.read",
	"trigger.configure",
	"ui.write",
	"vfx.write",
	"world.read", "world.undo", "world.write",
}

// bit returns the bit of a known permission, 0 for any other.
func bit(p Permission) uint64 {
	i, found := slices.BinarySearch(known[:], p)
	if !found {
		return 0
	}
	return 1 << i
}
