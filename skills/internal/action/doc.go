// Package action holds what is done in simulation steps on behalf of somebody: the actions of zones, listeners, stats
// and cutscenes. They carry one descriptor, [Action], that callers attach, and are done by one [Actions] of the
// world, so that a step does so many of them whatever they belong to.
//
// Who attaches an action asks [Action.Check], with what the caller may do; what the world keeps of it is [Kept].
// A function of [world.World.OnStep] has it done by [Actions.Do], for a [Cause]: what has happened, to whom and where, if
// to anybody and anywhere.
//
// # What is guaranteed
//
//   - An action may do what whoever attached it was allowed to when he did, and is held to the claims of others as his
//     calls are.
//   - One that cannot be done leaves the world as it was, but for the moment Kind.failed that says why.
//   - A step does [MaxStep] actions of one agent, twice as many of all, and of one no more than are left for all others. Those beyond it are not done, now or
//     later, and the first of each agent is told. One that changes much, as one that paints a group does, counts as one more for each four changes; what has
//     more than [MaxParts] below it is changed by none.
//   - What a spawn has made sets no spawn off, and there are [MaxSpawned] such entities at most, of which one author has a share, and what he has made for each other one too.
//   - Calls of skills are made at the end of the step, [MaxCalls] of them; fewer if they change much; those beyond it wait for the next.
//   - An emit reaches those who listen ([Actions.OnEmit]), with how many events have led to it: beyond [MaxChain] it fails.
//
// All of it belongs to the open transaction, and so to its goroutine.
package action
