// Package vfx has the skills of particles: fire, smoke, sparks, magic. The server moves none of them: it keeps emitters, and where each of
// their particles is at a time follows from that by a formula. So whoever looks sees the same fire, also who comes later, and
// pictures of scene.render show it.
//
// # Emitters and bursts
//
// vfx.create makes an emitter, which emits from vfx.play on until vfx.stop; vfx.attach has it stay at an entity, with which it goes. A burst of
// vfx.atPosition emits all of its particles at once, and is gone in the simulation step in which the last of them is. Both are rows of the
// table "vfx.emitters": state of the world, undone, kept and replayed with the rest. Time is counted in simulation steps.
//
// # Where a particle is
//
// Particle k of an emitter is emitted k/rate seconds after it began to play; rate is emissionRate, or so much less that no more than
// maxParticles live at a time. Of a burst all are emitted at once. Seven numbers from 0 to 1 are drawn for it by a hash of the emitter's number, k, and
// which number it is. They say where it begins, by the shape, and in which direction it goes, within half of spread from the emitter's y axis. At age a it is
//
//	at + turn·(offset + begin + direction·startSpeed·a) + (0, gravity·a²/2, 0)
//
// where at and turn are those of the entity that the emitter is attached to, now: particles move along with it. Size and
// colour go evenly from those at the start to those at the end of lifetime. The browser's page has the same formula in viewer/web/src/flow.js.
package vfx

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// All returns the skills of the package.
func All(e *Effects) []registry.Skill {
	return []registry.Skill{e.create(), e.play(), e.stop(), e.burst(), e.attach(), e.destroy()}
}

var mayWrite = []profiles.Permission{"vfx.write"}

// event is the payload of the events of this package.
type event struct {
	ID   Handle          `json:"vfxId"`
	Meta registry.Object `json:"meta,omitempty"`
}

// Done is the output of the skills that change an emitter.
type Done struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}
