// Package architecture holds the skills that put up whole structures: architecture.building, and
// architecture.rebuild, which changes one.
//
// A structure is made of ordinary entities, static boxes, wedges and hulls, in one commit: either all of it stands or
// nothing does. It can be taken apart and changed with the scene, three and ecs skills afterwards.
package architecture

import (
	"encoding/json"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// Plans are what the buildings of a world were built from, with their groups. A world has one Plans.
type Plans struct {
	w      *world.World
	meshes *mesh.Meshes
	of     *world.Component[BuildingIn]
}

// New declares them in a world, once, where it is put together. The meshes are those of the world, of which hipped roofs are.
func New(w *world.World, meshes *mesh.Meshes) *Plans {
	return &Plans{w, meshes, world.NewComponent[BuildingIn](w, "building", world.Private)}
}

// All returns the skills of this package on w, which has no meshes yet.
func All(w *world.World) []registry.Skill { return On(New(w, mesh.New(w))) }

// On is All where others have to do with the plans, too.
func On(p *Plans) []registry.Skill { return []registry.Skill{Building(p), Rebuild(p)} }

// Text returns what the building whose group an entity is was built from, for [Plans.SetText], and false if it is no such group.
func (p *Plans) Text(v *world.View, id world.ID) (json.RawMessage, bool) {
	plan, ok := p.of.Get(v, id)
	if !ok {
		return nil, false
	}
	text, err := json.Marshal(&plan)
	return text, err == nil
}

// SetText has an entity be the group of a building that was built from what a text says. It fails with what is wrong with that, as
// architecture.building does.
func (p *Plans) SetText(tx *world.Tx, id world.ID, text json.RawMessage) error {
	var plan BuildingIn
	if err := wire.PlanOf[BuildingIn]().Decode(text, &plan); err != nil {
		return registry.Invalidf("%s", err)
	}
	fits := plan
	if err := fits.fit(); err != nil {
		return err
	}
	if _, err := plan.looks(&tx.View); err != nil { // it is of a material that is not there
		plan.Material, plan.RoofMaterial = "", ""
	}
	return p.of.Set(tx, id, plan.lasting())
}
