// Package combat holds the skills by which one entity fights another: combat.melee, ranged and defend; and those of what needs time to
// be ready again, or costs something: ability.define, remove, cast and status.
//
// What a blow does is said in package stats: the stats of its target decide. Here is decided whether it meets.
//
// # What is guaranteed
//
// Who strikes has to be the caller's: no other agent's body, and no character of somebody else's. One that is stunned or frozen, or has
// no health left, does nothing; the answer says so.
//
//   - melee meets what is within its range, measured from where the attacker is to the bounds of the target, unless a body without
//     health is between the middles of the two. Without a target it meets the nearest that has health, in front of it to
//     60 degrees to either side.
//   - ranged meets the first thing on a straight line that has a body or health, as far as its range goes. It does so at once: the
//     speed is for viewers, who are told when the shot arrives. So nobody gets out of its way.
//   - Knockback is a velocity away from the attacker: of dynamic bodies, whatever they weigh, and of characters.
//   - A critical hit is drawn from the world's random source, so a replay has the same.
//   - Cooldowns and stances count simulation steps.
//
// # Who chooses what a blow does
//
// The caller, as the catalogue has it, unless combat.rules were made. Then who has neither stats.configure nor damage.write fights with his own body or character
// only, with a weapon of the rules that it has: what the call says may be less than that, and more is refused, naming the field. A weapon rests after each use, whether it met
// or not. What the rules do not give cannot be done. Cooldowns of abilities and blows of behaviors are their authors', who are not held.
//
// What has its health on a group is met where any part of the group is.
package combat

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Deps is what the skills act on.
type Deps struct {
	World   *world.World
	Stats   *stats.Stats
	Physics *physics.Physics
	Things  *solid.Index // what entities look like

	// What combat.rules go by.
	Owned *inventory.Store                      // who holds what; nil: nobody holds anything
	Plays func(v *world.View, id world.ID) bool // who plays: agents' bodies, and their characters; nil: whoever fights, and nobody is spared
}

// Arena is where the fighting is. A world has one.
type Arena struct {
	w         *world.World
	stats     *stats.Stats
	physics   *physics.Physics
	things    *solid.Index
	abilities *world.Table[string, ability]
	cooldowns *world.Component[[]cooldown] // viewers see it as "cooldowns"
	rules     *world.Global[Rules]         // viewers see it as "combat.rules"
	owned     *inventory.Store
	plays     func(v *world.View, id world.ID) bool
	named     shelf.Namer // how many rules name an ability
}

// New adds abilities to a world, once, where it is put together.
func New(d Deps) *Arena {
	a := &Arena{
		w: d.World, stats: d.Stats, physics: d.Physics, things: d.Things, owned: d.Owned, plays: d.Plays,
		abilities: world.NewTable[string, ability](d.World, "abilities", MaxAbilities, world.Private),
		cooldowns: world.NewComponent[[]cooldown](d.World, "cooldowns", world.Single),
		rules:     world.NewGlobal(d.World, "combat.rules", Rules{}),
	}
	a.cooldowns.Resume(later)
	return a
}

// All returns the skills of the package.
func All(a *Arena) []registry.Skill {
	return []registry.Skill{a.melee(), a.ranged(), a.defend(), a.define(), a.remove(), a.cast(), a.status(), a.ruling()}
}

// fighter reports why a caller may not have an entity fight, and says why it cannot now, "" if it can.
func (a *Arena) fighter(v *world.View, caller *profiles.Principal, id world.ID) (unable string, err error) {
	if err := a.stats.Guard(v, caller, id); err != nil {
		return "", err
	}
	return a.stats.Unable(v, id), nil
}
