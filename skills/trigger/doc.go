// Package trigger holds the skills of zones that do something when something enters, leaves or stays in
// them: trigger.create, onEnter, onExit, onStay and remove. Simulation steps set them off, whatever
// moved an entity: its body, a walk, or a call.
//
// An entity is in a zone while its position, its middle as a rule, is in it. What moves through a zone within one step, by its body, a walk
// or a clip, has entered and left it, both in that order, if it is no faster than 240 m/s. What a call or an action puts elsewhere has been
// nowhere in between. That is noticed in the step after, and is not kept: of a world that ends between the two, or goes back to a checkpoint there, nothing
// has passed. Where things are is kept, and who has come to a stop in a zone has entered it. What has a static body, or is a group of nothing
// but such, sets nothing off. What is in a zone when that is made has not entered it; what is made in it has. What is
// destroyed in a zone has left it: actions that do something to it are not done then, others are, about nothing. An undo that brings it back has it enter. Of what is destroyed between two steps
// that is so for 4,096 times that something is in a zone.
//
// A zone may go with an entity: it is where that is in the step after, notices neither that nor what is below it, and ends with it. What it comes
// upon has entered it, and what it leaves behind has left it. There are [MaxCarried] of these, none more than 512 m wide, a sphere 128 m.
//
// # What actions do
//
// The actions of a zone run in the order in which they were attached. Their effects are changes of the
// world like any other, in the step that they run in:
//
//   - emit: the moment "trigger.emit", for those who see the place where the entity is; target is a name
//     for it, data goes with it. Those who listen to that name (package event) hear it in the same step.
//   - custom, animation: the moments "trigger.custom" and "trigger.animation" with target and data, for
//     viewers to make something of.
//   - audio: the moment "audio.playSFX" where the entity is, or where target is. data: name, volume, config.
//   - setState: changes target, or else the entity. data: position, rotationEuler, scale, name, color, light, addTags,
//     removeTags. The color of a group is that of all below it; light makes a lamp as three.setLight does, {"kind":"off"} none.
//     game changes the game, see package game.
//   - spawn: makes an entity. data: the input of scene.createEntity; at the middle of the zone if it has no
//     position.
//   - destroy: removes target, or else the entity.
//   - call: calls the skill that target names with data, at the end of the step, as whoever attached it; "$entity" in data is the entity.
//
// An action may do what whoever attached it was allowed to when he did, and is held to the claims of
// others as his calls are. One that cannot be done leaves the world as it was, but for the moment
// "trigger.failed".
//
// # What is bounded
//
// What an action changes is looked at in the next step, so no action sets another one off in its own.
// What an action has spawned sets off no spawn action, and there are [MaxSpawned] such entities at most, shared by who has them made. A step does [MaxStep]
// actions of one agent, with those of listeners and all else, and fewer where others have many; those beyond it are not done, now or later, and the first of each
// agent is told as "trigger.failed".
// A step costs what has changed since the last one, by the zones near it, and what stays in zones where
// something is done about that; nothing if there is nothing of either.
package trigger

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(t *Triggers) []registry.Skill {
	return []registry.Skill{Create(t), OnEnter(t), OnExit(t), OnStay(t), Remove(t)}
}
