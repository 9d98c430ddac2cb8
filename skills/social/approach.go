package social

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// talkDistance is how near a body comes if the caller does not say, in metres.
const talkDistance = 2

// ApproachIn is the input of social.approach.
type ApproachIn struct {
	Target       Target  `json:"target" jsonschema_description:"Where to walk to: the id of an entity or of an agent, which is followed while it moves, or a point."`
	TalkDistance float64 `json:"talkDistance,omitempty" validate:"omitempty,gt=0,lte=50" jsonschema_description:"How near to come, in metres as seen from above; 2 if left out."`
}

// ApproachOut is the output of social.approach.
type ApproachOut struct {
	Approaching bool   `json:"approaching" jsonschema_description:"True if you are on your way; false if you are near enough already."`
	Target      Target `json:"target" jsonschema_description:"Where you walk to, as you said it."`
}

// Approach is social.approach. Simulation steps do the walking.
func Approach(s *Social) registry.Skill {
	return registry.Define(registry.Spec[ApproachIn, ApproachOut]{
		Name:  "social.approach",
		Title: "Walk to somebody or something",
		Description: "Walk your body towards an entity, an agent or a point, until it is near enough to talk. The answer comes at once; the walk, straight at 4.5 metres a second, takes its time: agent.getPerception tells how far you are. A new target replaces the old one. You need a body, so call agent.embody first. " +
			`Example: {"target":"ent_12","talkDistance":1.5}`,
		Keywords:    "follow chase come meet go",
		Permissions: []profiles.Permission{"social.act"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ApproachIn) (ApproachOut, error) {
			if in.TalkDistance == 0 {
				in.TalkDistance = talkDistance
			}
			return world.Do(s.w, c, func(tx *world.Tx) (ApproachOut, error) {
				on, err := s.approach(tx, c.Principal().ID, &in)
				return ApproachOut{Approaching: on, Target: in.Target}, err
			})
		},
	})
}

// approach sends an agent's body on its way and reports whether it has one to go.
func (s *Social) approach(tx *world.Tx, agent string, in *ApproachIn) (bool, error) {
	body, from, err := s.body(&tx.View, agent)
	if err != nil {
		return false, err
	}
	at, to, err := in.Target.find(&tx.View, s.agents)
	if err != nil {
		return false, err
	}
	if to.Entity == body {
		return false, registry.Invalidf("target: %s is your own body", body)
	}
	way := at.Sub(from)
	way[1] = 0
	if way.Len() > in.TalkDistance {
		return true, s.agents.Approach(tx, agent, to, in.TalkDistance)
	}
	s.agents.Stop(tx, agent)
	return false, nil
}
