package behavior

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Places yields where profiles send those who have them, as [behind.Places].
func (m *Minds) Places(v *world.View) iter.Seq2[string, world.Vec3] {
	return func(yield func(string, world.Vec3) bool) {
		for id, p := range m.profiles.All(v) {
			for _, at := range p.places() {
				if !yield("behavior "+id, at) {
					return
				}
			}
		}
	}
}

// places are where a profile sends somebody.
func (p *profile) places() (all []world.Vec3) {
	goals := slices.Clone(p.Goals)
	for i := range p.Routines {
		for j := range p.Routines[i].Slots {
			if errand := p.Routines[i].Slots[j].Errand; errand != nil {
				goals = append(goals, *errand)
			}
		}
	}
	for i := range goals {
		if goals[i].Position != nil {
			all = append(all, *goals[i].Position)
		}
		all = append(all, goals[i].Points...)
	}
	return all
}
