package skills

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/dev"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Deps is what the catalogue acts on.
type Deps struct {
	World    *world.World       // required; [All] declares in it what skills keep there
	Agents   *agents.Agents     // required: the agents of World
	Ways     *navigation.Mesh   // the ways in World; nil for new ones, whose steps come after those of Physics, if that is given
	Clips    *animation.Clips   // what moves entities of World by keyframes; nil for new ones, whose steps come after those of Physics, if that is given
	Physics  *physics.Physics   // the physics of World; nil for one in which bodies never move
	Presence *agent.Presence    // by which World is told who has come and gone; nil: it is not
	Registry *registry.Registry // whose skills actions of type call make; nil for none, then they fail
	Approval *approval.Gate     // the gate of Registry; nil for one that holds nothing
	Profiles *profiles.Set      // shown by inspector.snapshot; nil for [profiles.Builtin]
	TraceDir string             // where trace.export writes its files; "" for nowhere
	Files    string             // where scene.export writes files and scene.import reads them; "" for nowhere
	Reload   *dev.Sources       // what dev.reload can rebuild; nil for nothing
	Save     save.Options       // how what save.export keeps is sealed
	State    *statesync.Hub     // what state.poll tells of; nil for nothing, then there is no such skill
	App      string             // URI of the resource that is shown beside pictures, see [registry.Spec.App]; "" for none
}
