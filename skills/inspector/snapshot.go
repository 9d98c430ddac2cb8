package inspector

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SnapshotIn is the input of inspector.snapshot.
type SnapshotIn struct {
	AfterEntity world.ID `json:"afterEntity,omitempty" jsonschema_description:"Continue after this entity: the nextAfterEntity of the page before."`
	Limit       int      `json:"limit,omitempty" validate:"omitempty,gte=0,lte=500" jsonschema:"default=100" jsonschema_description:"At most so many entities."`
	Skills      bool     `json:"skills" jsonschema:"default=true" jsonschema_description:"Whether the skills are listed, which are most of a short page; false: none are."`
}

// SnapshotOut is the output of inspector.snapshot.
type SnapshotOut struct {
	Page        Page        `json:"page" jsonschema_description:"Which part of the entities this is."`
	World       World       `json:"world" jsonschema_description:"What belongs to no entity."`
	Entities    []Entity    `json:"entities" jsonschema_description:"The entities of this page, in order of creation."`
	Agents      []Agent     `json:"agents" jsonschema_description:"The agents whose bodies are on this page."`
	Skills      []Skill     `json:"skills" jsonschema_description:"Every skill of the server; none, if skills is false."`
	Permissions Permissions `json:"permissions" jsonschema_description:"Who may do what."`
	Resources   Resources   `json:"resources" jsonschema_description:"What is loaded."`
	Trace       *Trace      `json:"trace,omitempty" jsonschema_description:"The log of events, if you hold trace.read."`
}

// Snapshot is inspector.snapshot.
func Snapshot(d Deps) registry.Skill {
	return registry.Define(registry.Spec[SnapshotIn, SnapshotOut]{
		Name:  "inspector.snapshot",
		Title: "Inspect the server",
		Description: "Show everything that the server holds, entities page by page: transforms, tags, agents and their bodies, skills, permissions, " +
			"the world's environment, and with trace.read the newest events. It is long: to look for things to build with, use " +
			"scene.queryEntities or scene.inspect.",
		Category:    "system",
		Permissions: []profiles.Permission{"scene.read", "ecs.read", "physics.read", "agent.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in SnapshotIn) (SnapshotOut, error) {
			out, err := world.Read(d.World, c, func(v *world.View) (SnapshotOut, error) { return d.page(v, in), nil })
			out.Skills = []Skill{}
			if in.Skills {
				out.Skills = skills(c.Registry())
			}
			out.Permissions = permissions(d.Profiles, c.Principal())
			out.Trace = traceOf(c)
			return out, err
		},
	})
}

// page returns what a snapshot says of the world.
func (d Deps) page(v *world.View, in SnapshotIn) SnapshotOut {
	out := SnapshotOut{
		Page:      Page{Limit: in.Limit, TotalEntities: v.Len()},
		World:     worldOf(v),
		Resources: d.resources(v),
	}
	last := in.AfterEntity
	for id := min(last, v.NextID()) + 1; id < v.NextID(); id++ {
		if !v.Exists(id) {
			continue
		}
		if len(out.Entities) == in.Limit {
			if last != 0 {
				out.Page.NextAfterEntity = &last
			}
			break
		}
		last = id
		e := entityOf(v, id)
		if d.Stuck != nil {
			e.Stuck = d.Stuck(v, id)
		}
		if d.Path != nil {
			e.Path = d.Path(v, id)
		}
		out.Entities = append(out.Entities, e)
		if agent, ok := d.Agents.Agent(v, id); ok {
			out.Agents = append(out.Agents, agentOf(v, agent, id))
		}
	}
	return out
}

// Page says which part of the entities a snapshot shows.
type Page struct {
	Limit           int       `json:"limit" jsonschema_description:"The limit that was asked for."`
	TotalEntities   int       `json:"totalEntities" jsonschema_description:"How many entities there are in all."`
	NextAfterEntity *world.ID `json:"nextAfterEntity" jsonschema:"nullable" jsonschema_description:"There are more: the afterEntity that continues here. Null: that was the last."`
}
