// Package exchange holds the skills that take scenes out of a world and put them into one:
// scene.export and scene.import, as GLB files that modelling programs and game engines read and
// write; those that place models which lie on the server, asset.place and three.loadGLTF; and material.import,
// which makes a material of images that lie there.
//
// # What is in a file
//
// Each entity is a node with its name, its parent and its transform, exactly. What glTF has no place for is
// in the node's extras under "limina": the entity's id, tags, shape, material, body, light and joint, and of a house what it was built from. What
// an entity looks like is a node below it, scaled to the size of its shape; all shapes of one kind
// share their geometry. Its lamp is a node below it, too, with a light of the extension KHR_lights_punctual.
//
// What comes back from such a file is as it was, but for the ids: an id is never used twice, so the
// answer says which is now which. From files that others made come nodes, their names and transforms,
// and their meshes in one colour or one material of images each, and their lights. What is of glass is seen through in a file (alpha 0.35), and what is
// in a file of others (alpha below 0.9) is of glass.
//
// # Images
//
// What is of a material that was imported has its images in a file: the albedo as base colour, the normal map, and the roughness map, whose green
// is roughness here and there. Where something is of metal the blue of that map, which is metalness there, is made white. Coordinates are laid on meshes as package
// render lays images, in metres and so for each size anew, but for each triangle as a whole: where two that share a corner have the images from different sides, the
// corner is there twice, and the node's extras say of which it is a copy, so that the mesh comes back as it was. Where a file would be too large with
// images, it is made without them, in their mean colour. The extras of such a material say what it is made of, so that it comes back, too.
//
// Where the albedo cuts holes the material has the alphaMode MASK, and its image of light is the emissiveTexture, both ways.
//
// The images of files that others made become materials ([material.Set]) that are mapped, made smaller where they have to be: meshes keep the coordinates in images that they have in a file, and
// where they have such a material images lie by those, here and in files that are exported. Where a material moves its images (KHR_texture_transform), or has them lie by
// other than the first coordinates, those of the mesh are where it says; all its images lie as its colours do, and one that does not is not taken. Metalness, which an image of theirs may have for each place, is the mean of it. A file
// of which an image is not taken, or for which there is no room, comes without that, and the answer says so.
//
// # Lamps
//
// A lamp ([world.Light]) is a light of glTF in these terms, from which the same numbers come back:
//
//   - intensity 1 is 32 candela, and of a directional light 4 lux: half a day's light at 4 m, where a lamp without a range
//     has half its power in pictures. A file's light grows less with the square of the distance, ours as its range wants it.
//   - color is linear in a file, 0xRRGGBB in sRGB here.
//   - range 0 is no range in a file: both mean that there is no end.
//   - angle is the whole cone; outerConeAngle is half of it. innerConeAngle is 0.8 of that, where pictures begin to darken.
//   - An entity shines to its front, +z, a light of glTF to its node's -z. So the node below the entity is turned about, and
//     whoever reads the file again has the lamp on the entity, even if all extras are gone.
//
// Of files that others made, a node that is only a light becomes an entity that is turned about. Where turning it would turn
// a mesh or children, and where a mesh would glow as a lamp does, the light becomes an entity below it. Its values are brought
// within what three.setLight allows, and the answer says what that changed. The extension:
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_lights_punctual
//
// There is one difference between a world and such a file: a world does not shear (see [world.Transform]), programs
// that read glTF do. It shows where a turned child has an unevenly scaled parent.
//
// The second form, a log, is two texts: a manifest, and a line for each entity and mesh; docs/scene-log.md
// describes it. It keeps what a GLB file keeps, and of materials that were imported all, so that they are there where it is imported.
//
// The third form, events, is that of the original engine as far as it is documented: a line for each call
// that makes something, in a chain of hashes. To import it is to make these calls again.
package exchange

import (
	"cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Deps is what the skills of this package act on.
type Deps struct {
	World   *world.World
	Meshes  *mesh.Meshes
	Things  *solid.Index        // [solid.NewLooks] of World; nil for one of its own
	Physics *physics.Physics    // by which things of World hang on one another; nil if nothing does
	Agents  *agents.Agents      // whose bodies are people; nil if none are
	Houses  *architecture.Plans // of World; nil if there are none
	Clips   *animation.Clips    // of World, which GLB files have as animations; nil if there are none
	Dir     string              // the only folder in which files are read and written; "" for none

	Materials *material.Library // the imported materials of World; required by [Materials]

	// Turns is what files are written and read in; nil for turns of their own.
	Turns *registry.Turns

	seen *recall
}

// All returns the skills of this package but those of [Materials].
func All(d Deps) []registry.Skill {
	d.Turns = cmp.Or(d.Turns, registry.NewTurns(0))
	if d.Things == nil {
		d.Things = solid.NewLooks(d.World)
	}
	d.seen = &recall{}
	return []registry.Skill{Export(d), Import(d), d.placeAsset(), d.loadGLTF()}
}

// Materials returns the skills that import materials. They are apart because they come after those that give an entity one: of both who looks for
// a material is to find the latter first.
func Materials(d Deps) []registry.Skill {
	d.Turns = cmp.Or(d.Turns, registry.NewTurns(0))
	return []registry.Skill{d.importMaterial(), d.removeMaterial()}
}
