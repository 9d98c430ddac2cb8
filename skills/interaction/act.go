package interaction

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// step is a [caller] in a simulation step: nobody waits for an answer, and the trace has no event of it.
type step struct{ principal profiles.Principal }

func (s *step) Principal() *profiles.Principal { return &s.principal }
func (s *step) Emit(string, any) error         { return nil }

// Act has an entity do with a thing what that is there for, as interaction.interact does, in a simulation step on somebody's behalf. why says why it
// was not done, which has changed nothing. It fails if there is no such thing.
func (t *Things) Act(tx *world.Tx, by string, actor, thing world.ID) (why string, err error) {
	th, s, err := t.find(&tx.View, thing)
	if err != nil {
		return "", err
	}
	if actor == thing {
		return "", registry.Failf("%s is the thing itself", actor)
	}
	_, why, err = t.deal(&step{profiles.Principal{ID: by}}, tx, &deed{actor: actor, id: thing, thing: th, setup: s})
	return why, err
}

// Reaches reports whether an entity is near enough to a thing for doing something with it, and nothing is in between. It fails if there is no such thing.
func (t *Things) Reaches(v *world.View, actor, thing world.ID) (bool, error) {
	th, _, err := t.find(v, thing)
	if err != nil {
		return false, err
	}
	from, to := t.bounds(v, actor), t.goal(v, thing, th.Range)
	return apart(from, to.box) <= to.most && t.wall(v, actor, from, &to) == 0, nil
}
