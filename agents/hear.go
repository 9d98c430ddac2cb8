package agents

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// What is remembered of what is said, and what of that somebody hears.
const (
	MaxSpoken  = 256 // utterances of a world
	MaxHeard   = 16  // in one perception, the newest
	HeardAfter = 30  // simulated seconds, after which an utterance is forgotten
	SaidFor    = 8   // simulated seconds for which it stands over who says it, as on the page of package viewer
)

// Spoken is something that was said.
type Spoken struct {
	Entity  world.ID   `json:"entity"`
	At      world.Vec3 `json:"at"`
	Speaker string     `json:"speaker"` // the agent, or the id of an entity that is nobody's body
	Name    string     `json:"name,omitempty"`
	Text    string     `json:"text"`
	Step    uint64     `json:"step"` // after which it was said; Speak sets it
}

// Heard is something that was said, as it is heard.
type Heard struct {
	Speaker    string  `json:"speaker" jsonschema_description:"Who has said it: an agent, or the id of an entity."`
	Name       string  `json:"name,omitempty" jsonschema_description:"What the speaker is called."`
	Text       string  `json:"text" jsonschema_description:"What was said."`
	SecondsAgo float64 `json:"secondsAgo" jsonschema_description:"How long ago, in simulated seconds."`
}

// Speak has it remembered for a while that something was said, for those who are near ([Perception.Heard]). It outlasts undo and checkpoints: what was said is said. Beyond
// MaxSpoken the oldest is forgotten.
func (a *Agents) Speak(tx *world.Tx, s Spoken) error {
	s.Step = tx.Step()
	a.spoken.Take(tx, func(old Spoken) bool { return old.before(&tx.View, HeardAfter) })
	if over := a.spoken.Len(&tx.View) - MaxSpoken; over >= 0 {
		a.spoken.Take(tx, func(Spoken) bool { over--; return over >= -1 })
	}
	return a.spoken.Set(tx, a.spoken.Next(tx), s)
}

// before reports whether something was said longer ago than so many simulated seconds, or in another time than the world's.
func (s *Spoken) before(v *world.View, seconds float64) bool {
	return s.Step > v.Step() || v.Step()-s.Step > v.World().StepsIn(seconds)
}

// Saying returns what is being said: of each entity the newest that is at most [SaidFor] old, in the order in which it was said.
func (a *Agents) Saying(v *world.View) (all []Spoken) {
	for _, s := range a.spoken.All(v) {
		if s.before(v, SaidFor) {
			continue
		}
		all = slices.DeleteFunc(all, func(old Spoken) bool { return old.Entity == s.Entity })
		all = append(all, s)
	}
	return all
}

// hear returns what was said within radius metres of where a body is, by others, the newest last.
func (a *Agents) hear(v *world.View, body world.ID, at world.Vec3, radius float64) (all []Heard) {
	for _, s := range a.spoken.All(v) {
		if s.Entity == body || s.before(v, HeardAfter) || s.At.Dist(at) > radius {
			continue
		}
		all = append(all, Heard{s.Speaker, s.Name, s.Text, v.World().Seconds(v.Step() - s.Step)})
	}
	return slices.Clip(all[max(0, len(all)-MaxHeard):])
}
