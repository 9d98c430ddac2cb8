package profiles

// Builtin returns the profiles that every server has. The comment of each says whom it is for.
func Builtin() *Set {
	return newSet(map[string]Grants{
		// An author of whole games: everything but speech, the trace, review and orchestration.
		"builder.readWrite": Grant(
			"scene.read", "scene.write", "ecs.read", "ecs.modify", "physics.read", "physics.write", "agent.read",
			"agent.write", "ui.write", "audio.play", "terrain.read", "terrain.generate", "player.read", "player.write",
			"player.configure", "camera.write", "animation.read", "animation.write", "interaction.read",
			"interaction.write", "interaction.configure", "inventory.read", "inventory.write", "inventory.configure",
			"item.configure", "game.write", "game.configure", "trigger.configure", "event.read", "event.write",
			"quest.read", "quest.write", "quest.configure", "stats.read", "stats.write", "stats.configure",
			"damage.write", "status.read", "status.write", "combat.write", "behavior.read", "behavior.write",
			"behavior.configure", "dialogue.read", "dialogue.write", "dialogue.configure", "nav.read", "nav.write",
			"nav.configure", "vfx.write", "checkpoint.read", "checkpoint.write", "save.write", "progression.read",
			"progression.write", "progression.configure", "world.read", "world.undo", "world.write",
		),
		// A person whom the game trusts: all that player.limited may, and to fight, to drive, and to speak aloud. That of the original engine, which
		// it is named after, lacks most of player.limited, so that nobody could play with it.
		"player.full": Grant(
			"scene.read", "ecs.read", "physics.read", "physics.write", "agent.read", "agent.write", "terrain.read",
			"player.read", "player.write", "player.configure", "camera.write", "animation.read", "interaction.read",
			"interaction.write", "inventory.read", "inventory.write", "game.write", "quest.read", "stats.read", "status.read",
			"behavior.read", "dialogue.read", "dialogue.write", "nav.read", "nav.write", "checkpoint.read",
			"checkpoint.write", "progression.read", "world.read", "combat.write", "social.act",
		),
		// A visitor who plays a game with the avatar it gives.
		"player.limited": Grant(
			"scene.read", "ecs.read", "physics.read", "physics.write", "agent.read", "agent.write", "terrain.read",
			"player.read", "player.write", "camera.write", "interaction.read", "interaction.write", "inventory.read",
			"inventory.write", "game.write", "quest.read", "stats.read", "status.read", "behavior.read", "dialogue.read",
			"dialogue.write", "nav.read", "nav.write", "checkpoint.read", "checkpoint.write", "progression.read",
			"world.read",
		),
		// A character: it perceives, moves, speaks, fights.
		"npc.agent": Grant(
			"scene.read", "ecs.read", "physics.read", "agent.read", "agent.write", "social.act", "audio.play",
			"behavior.read", "behavior.write", "dialogue.read", "dialogue.write", "dialogue.configure", "nav.read",
			"nav.write", "stats.read", "stats.write", "stats.configure", "damage.write", "status.read", "status.write",
			"combat.write", "animation.read", "animation.write", "inventory.read", "interaction.read",
		),
		// Rules, quests and triggers, no geometry.
		"game.author": Grant(
			"game.write", "game.configure", "quest.read", "quest.write", "quest.configure", "trigger.configure",
			"event.read", "event.write", "stats.configure", "scene.read", "ecs.read", "physics.read", "agent.read", "world.undo",
		),
		// Damage, stats and status effects.
		"combat.writer": Grant(
			"combat.write", "damage.write", "status.read", "status.write", "stats.read", "stats.write", "scene.read",
			"ecs.read", "physics.read",
		),
		// Particles and animation.
		"vfx.writer": Grant(
			"vfx.write", "animation.write", "scene.read", "ecs.read",
		),
		// Time, weather, checkpoints and saves.
		"world.author": Grant(
			"world.undo", "world.write", "checkpoint.read", "checkpoint.write", "save.write", "scene.read", "ecs.read", "physics.read",
		),
		// Ground and what stands on it.
		"terrain.author": Grant(
			"scene.read", "scene.write", "ecs.read", "ecs.modify", "physics.read", "physics.write", "terrain.read",
			"terrain.generate", "world.undo",
		),
		// Somebody who walks about and talks, and changes nothing else.
		"social.actor": Grant(
			"scene.read", "ecs.read", "physics.read", "agent.read", "agent.write", "social.act", "audio.play",
		),
		// An observer, the trace included.
		"system.readonly": Grant(
			"scene.read", "ecs.read", "physics.read", "agent.read", "trace.read",
		),
		// A builder whose changes wait for a reviewer (see package approval).
		"builder.review": Grant(
			"scene.read", "scene.write", "ecs.read", "ecs.modify", "physics.read", "physics.write", "agent.read",
			"agent.write", "ui.write", "audio.play", "world.undo",
		),
		// Somebody who decides on held calls.
		"reviewer": Grant(
			"scene.read", "ecs.read", "physics.read", "agent.read", "approval.review", "trace.read",
		),
		// A reviewer who also directs other agents.
		"reviewer.coordinator": Grant(
			"orchestrate", "approval.review", "scene.read", "ecs.read", "physics.read", "agent.read", "trace.read",
		),
	})
}
