package agents

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// DefaultLimit is how many entities a perception holds if the caller names no limit.
const DefaultLimit = 32

// Perception is what an agent perceives through its body.
type Perception struct {
	Agent    string     `json:"agent" jsonschema_description:"The agent that perceives."`
	Body     world.ID   `json:"body" jsonschema_description:"The entity that is its body, or the character of its own through which it perceives without one."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where the body is, in metres in world space."`
	Step     uint64     `json:"step" jsonschema_description:"Simulation steps taken so far; 60 are a second."`
	Swimming bool       `json:"swimming,omitempty" jsonschema_description:"Whether the body swims: the water is too deep to stand in. It goes at half its speed, and gets out where the bank is not too high or too steep, or by a jump."`
	Walking  *Walking   `json:"walking,omitempty" jsonschema_description:"Where the body is on its way to, if it is."`
	Seen     []Seen     `json:"seen" jsonschema_description:"What is within the radius, nearest first; the body itself is left out."`
	Heard    []Heard    `json:"heard,omitempty" jsonschema_description:"What others have said within the radius in the last 30 simulated seconds, the newest last; at most 16."`
	More     int        `json:"more,omitempty" jsonschema_description:"How many further entities are within the radius but were left out because of the limit."`
}

// Seen is an entity as it is perceived.
type Seen struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Its id."`
	Name     string     `json:"name,omitempty" jsonschema_description:"Its name, if it has one."`
	Tags     []string   `json:"tags,omitempty" jsonschema_description:"Its tags, sorted."`
	Agent    string     `json:"agent,omitempty" jsonschema_description:"The agent whose body it is, if it is one."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where it is, in metres in world space."`
	Distance float64    `json:"distance" jsonschema_description:"How far it is from the body, in metres."`
}

// Cast has a function say which characters an agent has beside its body, in an order of their own. It is given once, where the world is put together, and goes by the
// world alone.
func (a *Agents) Cast(cast func(v *world.View, agent string) []world.ID) { a.cast = cast }

// Swims has a function say whether an entity swims. It is given once, where the world is put together, and goes by the world alone.
func (a *Agents) Swims(swims func(v *world.View, id world.ID) bool) { a.swims = swims }

// Eyes returns through what an agent perceives: its body, or else the first of its characters; false if it has neither.
func (a *Agents) Eyes(v *world.View, agent string) (world.ID, bool) {
	if body, ok := a.Body(v, agent); ok {
		return body, true
	}
	if a.cast != nil {
		if own := a.cast(v, agent); len(own) > 0 {
			return own[0], true
		}
	}
	return 0, false
}

// Perceive returns what is within radius metres of an agent's body: at most limit entities, or
// DefaultLimit if that is 0, those that are nearest; equally near ones in id order. One without a body perceives through the first of the
// characters that it has, see [Agents.Cast]; without either it fails. Tags are shared and must not be changed.
func (a *Agents) Perceive(v *world.View, agent string, radius float64, limit int) (Perception, error) {
	body, ok := a.Eyes(v, agent)
	if !ok {
		_, err := a.bodyOf(v, agent)
		return Perception{}, err
	}
	if !(radius >= 0) || math.IsInf(radius, 0) {
		return Perception{}, refuse("invalid_input", "radius: must be a number of metres, 0 or more, got %v", radius)
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, v.Len())
	p := Perception{Agent: agent, Body: body, Step: v.Step(), Walking: a.walking(v, body)}
	p.Position, _ = v.Position(body)
	p.Swimming = a.swims != nil && a.swims(v, body)
	p.Heard = a.hear(v, body, p.Position, radius)
	var usual [DefaultLimit + 1]world.Hit
	hits, more := v.AppendNearest(usual[:0], p.Position, radius, limit+1) // the body itself is one of them
	if i := slices.IndexFunc(hits, func(h world.Hit) bool { return h.ID == body }); i >= 0 {
		hits = slices.Delete(hits, i, i+1)
	}
	hits, p.More = hits[:min(limit, len(hits))], more
	p.Seen = make([]Seen, len(hits))
	for i := range hits {
		h := &hits[i]
		owner, _ := a.owners.Get(v, h.ID)
		p.Seen[i] = Seen{
			Entity: h.ID, Name: v.Name(h.ID), Tags: v.Tags(h.ID), Agent: owner,
			Position: h.Position, Distance: math.Sqrt(h.Dist2),
		}
	}
	return p, nil
}
