package agents

import (
	"encoding/json"

	"github.com/limina-mcp/limina/world"
)

// Speed is how fast bodies walk, in metres a second.
const Speed = 4.5

// Target is where a body is to go: to an entity, also while that moves, or if Entity is 0 to a point.
type Target struct {
	Entity world.ID
	Point  world.Vec3 // in world space
}

// Walking is where a body is on its way to.
type Walking struct {
	Entity   world.ID   `json:"entity,omitempty" jsonschema_description:"The entity it walks to, if it is one."`
	Point    world.Vec3 `json:"point" jsonschema_description:"Where that is now, in metres in world space."`
	Distance float64    `json:"distance" jsonschema_description:"How far from there it will stop, in metres."`
}

// walk is the component of a body that is on its way.
type walk struct {
	Entity   world.ID   `json:"entity"`
	Point    world.Vec3 `json:"point"`
	Distance float64    `json:"distance"`
}

// UnmarshalJSON reads what a walk is written as: one to a point has the entity "", which is no ID.
func (w *walk) UnmarshalJSON(text []byte) error {
	type plain walk
	var written struct {
		plain
		Entity string `json:"entity"` // in place of plain's
	}
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	*w = walk(written.plain)
	if written.Entity == "" {
		return nil
	}
	var err error
	w.Entity, err = world.ParseID(written.Entity)
	return err
}

// Approach sends an agent's body to a target, in place of where it was going: straight on, over
// everything, at [Speed], without leaving its height, until it is within distance metres as seen
// from above. A body that is there already stays. It fails if the agent has no body, the target is
// unknown or the body itself, or a number is not one the world takes.
func (a *Agents) Approach(tx *world.Tx, agent string, to Target, distance float64) error {
	body, err := a.bodyOf(&tx.View, agent)
	if err != nil {
		return err
	}
	switch {
	case !(distance >= 0 && distance <= world.MaxNumber):
		return refuse("invalid_input", "distance: must be a number of metres, 0 or more, got %v", distance)
	case to.Entity == body:
		return refuse("handler_error", "%s is the agent's own body", body)
	case to.Entity != 0 && !tx.Exists(to.Entity):
		return tx.Unknown(to.Entity)
	case to.Entity != 0:
		to.Point = world.Vec3{}
	}
	return a.walks.Set(tx, body, walk{to.Entity, to.Point, distance})
}

// Stop ends an agent's walk and reports whether there was one.
func (a *Agents) Stop(tx *world.Tx, agent string) bool {
	body, ok := a.bodies.Get(&tx.View, agent)
	return ok && a.walks.Remove(tx, body)
}

// Bar has the bodies of agents stop for whom nothing is done any more.
func (a *Agents) Bar(tx *world.Tx, barred func(agent string) bool) error {
	var ends []string
	for agent := range a.bodies.All(&tx.View) {
		if barred(agent) {
			ends = append(ends, agent)
		}
	}
	for _, agent := range ends {
		a.Stop(tx, agent)
	}
	return nil
}

// Walks reports whether an entity is on its way somewhere.
func (a *Agents) Walks(v *world.View, body world.ID) bool { return a.walks.Has(v, body) }

// Pace returns how fast a body walks that is on its way somewhere, in m/s; 0 if it is not, or is held.
func (a *Agents) Pace(v *world.View, body world.ID) float64 {
	switch {
	case !a.walks.Has(v, body):
		return 0
	case a.pace == nil:
		return Speed
	}
	return Speed * max(a.pace(v, body), 0)
}

// walking returns where a body is on its way to, nil if nowhere.
func (a *Agents) walking(v *world.View, body world.ID) *Walking {
	w, ok := a.walks.Get(v, body)
	if !ok {
		return nil
	}
	point, ok := w.aim(v)
	if !ok {
		return nil
	}
	return &Walking{w.Entity, point, w.Distance}
}

// aim returns where the target is, false if it is no more.
func (w walk) aim(v *world.View) (world.Vec3, bool) {
	if w.Entity == 0 {
		return w.Point, true
	}
	return v.Position(w.Entity)
}

// step moves every body that is on its way by one stride.
func (a *Agents) step(tx *world.Tx) error {
	for body, w := range a.walks.All(&tx.View) {
		if a.advance(tx, body, w) {
			a.walks.Remove(tx, body)
		}
	}
	return nil
}

// advance moves a body by one stride, or less if it is there then, and reports whether it is. A
// target that is no more, or that the world has no room for, is as good as reached.
func (a *Agents) advance(tx *world.Tx, body world.ID, w walk) (there bool) {
	aim, ok := w.aim(&tx.View)
	if !ok {
		return true
	}
	at, _ := tx.WorldTransform(body)
	way := aim.Sub(at.Position)
	way[1] = 0
	left := way.Len() - w.Distance
	if left <= 0 {
		return true
	}
	stride := a.stride
	if a.pace != nil {
		if stride = float64(stride * a.pace(&tx.View, body)); stride <= 0 {
			return false
		}
	}
	at.Position = at.Position.Add(way.Scale(min(stride, left) / way.Len()))
	if facing, ok := world.Yaw(way[0], way[2]); ok {
		at.Rotation = facing
	}
	return tx.PutAt(body, at.Position, at.Rotation) != nil || left <= stride
}
