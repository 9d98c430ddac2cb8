// Package cutscene holds the skills of cutscenes: cutscene.define writes what happens at which simulation step from the start,
// cutscene.play begins it, cutscene.stop ends it, cutscene.status says how far it is.
//
// # What is guaranteed
//
//   - The server does what a keyframe says in the step of the keyframe, 60 in a second of the world's time, whoever calls meanwhile: with
//     atTick 0 in the first. Keyframes of one step are done in the order in which they were defined.
//   - A keyframe's action is done as whoever defined the cutscene, see package trigger for what each does; it is about no entity, so what changes one
//     names a target. What fails is told by the moment "cutscene.failed", and the next keyframe is done all the same.
//   - One cutscene plays at a time. Viewers see which, in the global "cutscene".
//   - When one has ended, or was stopped, the event "cutscene.ended" is announced, which listeners of package event hear. Nobody else can
//     announce it.
//   - One that loops begins anew in the step after its last keyframe, until it is stopped. While nobody attends it waits.
package cutscene

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(s *Stage) []registry.Skill {
	return []registry.Skill{Define(s), Remove(s), Play(s), Stop(s), Status(s)}
}
