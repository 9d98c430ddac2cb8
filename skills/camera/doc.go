// Package camera has the skills of cameras. Each agent has one: it follows an entity (camera.follow, firstPerson, thirdPerson, topDown) or
// stands where camera.cut puts it. Viewers may look through anybody's, and scene.render with the view "camera" shows what one sees.
//
// # Where a camera is
//
// A rig is a row of the table "camera.rigs", by the id of its agent, which viewers see. Where the camera is follows from the rig and from where its
// target is now:
//
//   - follow stays behind its target, as that turns: it looks along the target's z axis, from pitch above the level.
//   - thirdPerson stays where it was put, as seen from its target, until camera.look moves it about; it begins behind it.
//   - topDown looks down on its target from the south, towards -z, at an angle.
//   - firstPerson is in its target, headHeight above its lowest point, and looks along its z axis. The target is not seen.
//   - free stands still and looks at a point.
//
// Between a camera that has collisionCheck and its target nothing is that has a shape, but glass. [Cameras.Shot] says where a camera is going to be; that it comes after gently (smoothness), and shakes, is for viewers to
// draw. Both follow from the rig, so that all who look through one camera see the same. Directions are counted from 0 along +z over 1.57 along +x, as those of player.move.
//
// A rig whose target was destroyed sees nothing until it is given another.
package camera

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package.
func All(c *Cameras) []registry.Skill {
	return []registry.Skill{c.follow(), c.firstPerson(), c.thirdPerson(), c.topDown(), c.look(), c.shake(), c.setFOV(), c.cut()}
}

var mayWrite = []profiles.Permission{"camera.write"}

// event is the payload of the events of this package.
type event struct {
	Kind   string          `json:"kind"`
	Target world.ID        `json:"target,omitempty"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// Done is the output of the skills that change how a camera sees.
type Done struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// Aimed is the output of the skills that say where a camera is.
type Aimed struct {
	OK       bool       `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where your camera is then, in metres."`
	LookAt   world.Vec3 `json:"lookAt" jsonschema_description:"A point in the middle of what it sees. scene.render {\"view\":\"camera\"} shows it."`
}
