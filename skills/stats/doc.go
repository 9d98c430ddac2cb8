// Package stats holds the skills of what entities have in numbers, and of what lowers and raises it: stats.create, get, modify and
// onZero, damage.apply and heal, status.apply, remove and list.
//
// A stat block is a component that viewers get ("stats"), so that they draw bars; so are the effects that are on an entity ("status")
// and its stance ("stance", which combat.defend takes). All three are state: undone, hashed and replayed with the rest. Time is counted
// in simulation steps; while nobody attends it may stand still, for effects too.
//
// # Damage
//
// It is taken from the stat hp, or else health. What counts, in this order:
//
//   - of an attacker, the buffs that name no stat: the amount times 1 + their magnitudes;
//   - of the target, the stat defense: less half of it, but 1 at least, or the amount, if that is less;
//   - the stat named after the type, "fireResistance": the part of it that is kept off, 1 is all, below 0 is more;
//   - the stance: less its part, or thrown back at the attacker, who then takes it;
//   - shields, the oldest first: they take it for as long as they last.
//
// What is left comes off, down to the minimum of the stat. Poison and burn count neither defense nor stance, nor anybody's buffs. Who
// has no health left takes no damage, until he is healed.
//
// # Effects
//
//   - poison, burn: take magnitude of health every tickInterval, as damage of the types poison and fire.
//   - slow: characters, walks of navmesh.moveTo and of social.approach go at 1/(1+magnitude) of their speed; of several the strongest counts.
//   - stun, freeze: no walking, no jumping, and no combat or ability. Damage by fire ends a freeze. Who falls or was pushed goes on.
//   - buff: with "stat" in config that stat counts as magnitude higher, or lower, for as long as it lasts; else the damage that its
//     bearer does is 1 + magnitude times as much.
//   - shield: takes magnitude of damage before health does, and ends then.
//   - custom: nothing by itself.
//
// Effects are on an entity, not in it: a clone of it has none. They end after their time, the last tick included.
package stats

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(s *Stats) []registry.Skill {
	return []registry.Skill{s.create(), s.get(), s.modify(), s.onZero(), s.damage(), s.heal(), s.apply(), s.remove(), s.list()}
}
