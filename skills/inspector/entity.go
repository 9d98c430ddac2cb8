package inspector

import "github.com/limina-mcp/limina/world"

// Entity is an entity in a snapshot.
type Entity struct {
	Entity     world.ID  `json:"entity" jsonschema_description:"Its id."`
	EID        uint64    `json:"eid" jsonschema_description:"The number in its id."`
	Generation int       `json:"generation" jsonschema_description:"Always 0: an id is never used twice."`
	Name       string    `json:"name,omitempty" jsonschema_description:"Its name, if it has one."`
	Parent     *world.ID `json:"parent,omitempty" jsonschema_description:"The entity that carries it, if one does."`
	Transform  Transform `json:"transform" jsonschema_description:"Where it is, in world space."`
	Shape      *Shape    `json:"shape,omitempty" jsonschema_description:"What it looks like, if it is visible."`
	Tags       []string  `json:"tags" jsonschema_description:"Its tags, sorted."`
	Stuck      string    `json:"stuck,omitempty" jsonschema_description:"Why it does not get on, if it is on its way and does not."`
	Path       string    `json:"path,omitempty" jsonschema_description:"The path that it follows by animation.follow, if it follows one."`
	Physics    Physics   `json:"physics" jsonschema_description:"Its rigid body, if it has one."`
}

// Transform is where an entity is, in world space.
type Transform struct {
	Position world.Vec3 `json:"position" jsonschema_description:"In metres."`
	Rotation world.Quat `json:"rotation" jsonschema_description:"As a quaternion x, y, z, w."`
	Scale    world.Vec3 `json:"scale" jsonschema_description:"By axis."`
}

// Shape is what an entity looks like.
type Shape struct {
	Kind  string     `json:"kind" jsonschema_description:"box, sphere, capsule, cylinder, cone, wedge, figure, mesh or terrain."`
	Size  world.Vec3 `json:"size" jsonschema_description:"Full extents before the scale, in metres."`
	Color int        `json:"color" jsonschema_description:"As 0xRRGGBB in decimal: its material's, else its own."`
}

// Physics names the rigid body of an entity.
type Physics struct {
	BodyID *uint64 `json:"bodyId,omitempty" jsonschema_description:"The body's number, if the entity has one."`
}

func entityOf(v *world.View, id world.ID) Entity {
	t, _ := v.WorldTransform(id)
	e := Entity{
		Entity: id, EID: id.Number(), Name: v.Name(id), Tags: v.Tags(id),
		Transform: Transform{Position: t.Position, Rotation: t.Rotation, Scale: t.Scale},
	}
	if parent := v.Parent(id); parent != 0 {
		e.Parent = &parent
	}
	e.Shape = shapeOf(v, id)
	if v.World().Bodies.Has(v, id) {
		body := id.Number() // an entity has one body at most, so its number will do
		e.Physics.BodyID = &body
	}
	return e
}

// Agent is an agent with a body.
type Agent struct {
	AgentID  string     `json:"agentId" jsonschema_description:"The agent."`
	Entity   world.ID   `json:"entity" jsonschema_description:"Its body."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where the body is, in world space."`
}

func agentOf(v *world.View, agent string, body world.ID) Agent {
	at, _ := v.Position(body)
	return Agent{AgentID: agent, Entity: body, Position: at}
}

func shapeOf(v *world.View, id world.ID) *Shape {
	s, visible := v.World().Shapes.Get(v, id)
	if !visible {
		return nil
	}
	m, _ := v.World().Materials.Get(v, id)
	return &Shape{Kind: s.Kind, Size: s.Size, Color: int(m.Over(s.Color))}
}
