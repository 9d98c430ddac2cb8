// Package environment holds the skills of the category world that change what the whole world has:
// the time of day, the weather, the time scale, the place where newcomers stand.
//
// [New] adds to a world what its steps need to bring a transition of the time to its end, [All] gives
// the skills.
package environment

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package.
func All(c *Clock) []registry.Skill {
	return []registry.Skill{SetTime(c), SetWeather(c.w), SetSky(c.w), SetTimeScale(c.w), GetSpawn(c.w), SetSpawn(c.w)}
}

// Types of the events that the skills append to the trace.
const (
	EventTime      = "world.timeSet"      // {time, transitionMs, hoursPerMinute?, meta?}
	EventWeather   = "world.weatherSet"   // {weather, intensity, meta?}
	EventSky       = "world.skySet"       // {sky, ground, meta?}
	EventTimeScale = "world.timeScaleSet" // {scale, meta?}
	EventSpawn     = "world.spawnSet"     // {position, meta?}
)

// Done is the output of the skills that change something.
type Done struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// set changes a global, unless it has the value already: what changes nothing is no commit.
func set[T comparable](tx *world.Tx, g *world.Global[T], value T) error {
	if g.Get(&tx.View) == value {
		return nil
	}
	return g.Set(tx, value)
}
