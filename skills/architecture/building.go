package architecture

import (
	"cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/listed"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// BuildingIn is the input of architecture.building. Lengths are in metres.
type BuildingIn struct {
	Name          string          `json:"name,omitempty" jsonschema_description:"What the whole is called, at most 256 bytes; else house."`
	Position      world.Vec3      `json:"position" jsonschema:"default=0 0 0" jsonschema_description:"Where the house stands: the middle of its ground plan, at floor level."`
	OnGround      bool            `json:"onGround" jsonschema:"default=false" jsonschema_description:"Stand on the ground as it is there, generated ground too: the floor just above the highest ground under the house, a foundation down to the lowest, steps down from the door. y of position counts from there."`
	Foundation    float64         `json:"foundation" validate:"gte=0,lte=40" jsonschema:"default=0" jsonschema_description:"How far a foundation, whose top is the floor, reaches down below position, as a plinth under the walls. With onGround it is as deep as the ground needs, or this if that is more."`
	Floor         bool            `json:"floor" jsonschema:"default=false" jsonschema_description:"Whether the lowest storey has a floor of its own, 1 cm thick."`
	Width         float64         `json:"width" validate:"gt=0,lte=200" jsonschema:"default=8" jsonschema_description:"Outer width in metres, along x before rotation. The door is in this side."`
	Depth         float64         `json:"depth" validate:"gt=0,lte=200" jsonschema:"default=6" jsonschema_description:"Outer depth in metres, along z before rotation."`
	Height        float64         `json:"height" validate:"gt=0,lte=80" jsonschema:"default=3.2" jsonschema_description:"Height of the walls of one storey in metres, without the roof."`
	Storeys       int             `json:"storeys" validate:"gte=1,lte=20" jsonschema:"default=1" jsonschema_description:"How many storeys there are, one above the other. The lowest stands on the ground, the others have floors."`
	Stairs        bool            `json:"stairs" jsonschema:"default=true" jsonschema_description:"Whether stairs lead from storey to storey, along the back or the left wall, through openings in the floors."`
	Rotation      float64         `json:"rotation" jsonschema:"default=0" jsonschema_description:"Turn about the vertical axis through position, in radians, counter-clockwise seen from above. At 0 the door faces +z; at 1.5708 it faces +x."`
	WallThickness float64         `json:"wallThickness" validate:"gt=0,lte=5" jsonschema:"default=0.25" jsonschema_description:"Thickness of the walls in metres, less than half of width and depth."`
	DoorWidth     float64         `json:"doorWidth" validate:"gt=0,lte=50" jsonschema:"default=1.4" jsonschema_description:"Clear width of the door in the middle of the front wall. It must fit between the side walls; only the default is made smaller where it does not fit."`
	DoorSteps     *int            `json:"doorSteps,omitempty" validate:"omitempty,gte=0,lte=40" jsonschema_description:"How many steps of 20 cm lead down from the door; left out, as many as the ground there needs if there is a foundation."`
	DoorHeight    float64         `json:"doorHeight" validate:"gt=0,lte=70" jsonschema:"default=2.2" jsonschema_description:"Clear height of the door from the floor, at most height; only the default is made smaller where it does not fit. At exactly height a house of one storey has no lintel."`
	WithRoof      bool            `json:"withRoof" jsonschema:"default=true" jsonschema_description:"Whether the house has a roof."`
	RoofStyle     string          `json:"roofStyle" validate:"oneof=gable hip flat" jsonschema:"default=gable" jsonschema_description:"gable: two slabs that meet in a ridge from front to back; gableEnds closes their triangular ends. hip: slopes on all four sides, level below. flat: one slab on all walls."`
	RoofPitch     float64         `json:"roofPitch" validate:"gt=0,lte=40" jsonschema:"default=2.4" jsonschema_description:"Height of the ridge of a gable or hip roof above the walls, in metres."`
	RoofOverhang  float64         `json:"roofOverhang" validate:"gte=0,lte=5" jsonschema:"default=0.5" jsonschema_description:"How far the roof reaches beyond the walls, in metres; at the eaves of a gable roof along its slope, and never into the ground."`
	GableEnds     bool            `json:"gableEnds" jsonschema:"default=false" jsonschema_description:"Close the two triangles under a gable roof, at the front and the back."`
	Windows       []Window        `json:"windows,omitempty" validate:"max=64" jsonschema_description:"Windows, with panes of glass."`
	Dormers       []Dormer        `json:"dormers,omitempty" validate:"max=32" jsonschema_description:"Dormers with windows, on a gable or hip roof."`
	Skylights     []Skylight      `json:"skylights,omitempty" validate:"max=32" jsonschema_description:"Windows or holes in a gable or flat roof."`
	Chimneys      []Chimney       `json:"chimneys,omitempty" validate:"max=16" jsonschema_description:"Chimneys on the roof."`
	Partitions    []Partition     `json:"partitions,omitempty" validate:"max=32" jsonschema_description:"Walls inside, which make rooms, with doors."`
	Color         int             `json:"color" validate:"gte=0,lte=16777215" jsonschema:"default=10128506" jsonschema_description:"Colour of the walls as 0xRRGGBB in decimal; the default leaves a named material its own. The roof gets a darker shade of it."`
	Material      string          `json:"material,omitempty" jsonschema_description:"What all but roof and panes is made of: brick, stone, wood, plaster or another that scene.createEntity takes."`
	RoofColor     *int            `json:"roofColor,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour of the roof."`
	RoofMaterial  string          `json:"roofMaterial,omitempty" jsonschema_description:"What the roof is made of."`
	List          *int            `json:"list,omitempty" validate:"omitempty,gte=0,lte=2000" jsonschema_description:"How many parts the answer lists at most; 50 if left out, 0 for none."`
	Meta          registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event architecture.built."`
}

// BuildingOut is the output of architecture.building.
type BuildingOut struct {
	Entities    []world.ID `json:"entities" jsonschema_description:"Ids of the parts that are listed, in their order."`
	Parts       []Part     `json:"parts" jsonschema_description:"What the house is made of: the first parts, as many as list says."`
	More        int        `json:"more,omitempty" jsonschema_description:"How many parts are not listed; scene.queryEntities finds them all below the group."`
	Bounds      Bounds     `json:"bounds" jsonschema_description:"The smallest upright box around the house, its rotation and its roof included."`
	EntityCount int        `json:"entityCount" jsonschema_description:"How many parts the house is made of."`
	Group       world.ID   `json:"group" jsonschema_description:"Id of the whole: an entity without a shape, at position, that carries all parts. Who moves, turns, copies or removes it does so with the house."`
	Entity      world.ID   `json:"entity" jsonschema_description:"The same, as other answers name what was made."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Part is one piece of a building: a box, or, in a gable, a wedge, or a form of its own, such as the roof of a dormer.
type Part struct {
	Kind     string     `json:"kind" jsonschema_description:"backWall, leftWall, rightWall, frontWallLeft, frontWallRight, lintel, roof, roofLeft, roofRight, roofHip, gableFrontLeft and the like; roofLeftPane and the like in skylights, chimney, dormerRoof, dormerCheek, dormerGable, dormerFrontSill and the like; left and right as seen from before the door. foundation and doorStep, which have the tag foundation, too; floor; step, stairWall and railing, of upper storeys; partitionPier and partitionLintel, of walls inside. Of a wall with windows: backWallPier, backWallSill (below), backWallLintel (above), backWallBand (between), backWallPane (the glass), and so of the others."`
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the part."`
	Position world.Vec3 `json:"position" jsonschema_description:"Centre of the part, in metres."`
	Size     world.Vec3 `json:"size" jsonschema_description:"Edge lengths in metres along the part's own axes, before its rotation."`
}

// Bounds is an upright box.
type Bounds struct {
	Min world.Vec3 `json:"min" jsonschema_description:"Corner with the smallest coordinates."`
	Max world.Vec3 `json:"max" jsonschema_description:"Corner with the largest coordinates."`
}

// Building is architecture.building. It keeps in p, with the group of a building, what that was built from.
func Building(p *Plans) registry.Skill {
	return registry.Define(registry.Spec[BuildingIn, BuildingOut]{
		Name:  "architecture.building",
		Title: "Build a house",
		Description: "Build a whole walk-in house in one call: four walls with a door opening and a lintel, windows, rooms, storeys with floors and stairs, and a gable, hip or flat roof with dormers, skylights and chimneys, as static parts that meet exactly. " +
			"Use it instead of many scene.createEntity calls; restyle single parts afterwards with three.setMaterial, change it with architecture.rebuild, and move or remove all of it by its group. " +
			`The answer has the group, every part with its id, position and size, and the bounds, so that the next thing can be put beside it. Example: {"position":[20,0,0],"width":8,"depth":6,"rotation":1.5708,"gableEnds":true,"windows":[{"wall":"front","at":-2.5},{"wall":"back","width":2}]}; two storeys: {"storeys":2,"width":9,"roofStyle":"flat"}; on a slope: {"position":[8,0,3],"onGround":true}; three rooms: {"width":10,"partitions":[{"along":"width","at":-0.5},{"along":"depth","to":-0.5}]}; under the roof: {"width":9,"depth":8,"roofPitch":4,"dormers":[{"side":"right","at":-2},{"side":"right","at":2}],"skylights":[{"side":"left"}],"chimneys":[{"x":1,"z":-3}]}`,
		Category:    "scene",
		Keywords:    "cabin shed barn room storey floor stairs staircase tower dormer chimney skylight attic partition interior bedroom kitchen",
		Published:   true,
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in BuildingIn) (BuildingOut, error) {
			asked := in
			if err := in.fit(); err != nil {
				return BuildingOut{}, err
			}
			out, err := world.Do(p.w, c, func(tx *world.Tx) (out BuildingOut, err error) {
				note, err := in.stand(p.w, &tx.View)
				if err != nil {
					return out, err
				}
				if out, err = p.build(tx, &in); err != nil {
					return out, err
				}
				out.Note = cmp.Or(out.Note, note)
				asked.Foundation, asked.DoorSteps = in.Foundation, in.DoorSteps
				return out, p.of.Set(tx, out.Group, asked.lasting())
			})
			if err != nil {
				return BuildingOut{}, err
			}
			built := builtEvent{out.Entities, out.Bounds, in.Meta}
			out.list(listed.Most(c, in.List))
			return out, c.Emit("architecture.built", built)
		},
	})
}

// list leaves the first parts of what was built, with numbers as they are shown.
func (out *BuildingOut) list(most int) {
	out.Entities, out.More = listed.Cut(out.Entities, most)
	out.Parts, _ = listed.Cut(out.Parts, most)
	for i := range out.Parts {
		p := &out.Parts[i]
		p.Position, p.Size = shown.Point(p.Position), shown.Point(p.Size)
	}
	out.Bounds = Bounds{shown.Point(out.Bounds.Min), shown.Point(out.Bounds.Max)}
}

// builtEvent is the payload of architecture.built.
type builtEvent struct {
	Entities []world.ID      `json:"entities"`
	Bounds   Bounds          `json:"bounds"`
	Meta     registry.Object `json:"meta,omitempty"`
}

// build puts a house that fits into the world.
func (p *Plans) build(tx *world.Tx, in *BuildingIn) (BuildingOut, error) {
	looks, err := in.looks(&tx.View)
	if err != nil {
		return BuildingOut{}, err
	}
	boxes := plan(in)
	out := BuildingOut{EntityCount: len(boxes), Note: angle.Note("rotation", in.Rotation)}
	if out.Note == "" {
		out.Note = in.note()
	}
	turn := world.QuatFromEuler(0, in.Rotation, 0)
	for i, b := range boxes {
		b = b.place(turn, in.Position)
		id, err := p.create(&b, tx, world.Spec{Position: b.centre, Rotation: b.turn}, looks.of(&b))
		if err != nil {
			return BuildingOut{}, err
		}
		out.Entities = append(out.Entities, id)
		out.Parts = append(out.Parts, Part{Kind: b.kind, Entity: id, Position: b.centre, Size: b.size})
		lo, hi := b.bounds()
		if i == 0 {
			out.Bounds = Bounds{lo, hi}
		}
		out.Bounds = Bounds{out.Bounds.Min.Min(lo), out.Bounds.Max.Max(hi)}
	}
	out.Group, err = gather(tx, out.Entities, world.Spec{Position: in.Position, Rotation: turn, Name: cmp.Or(in.Name, "house"), Tags: []string{"group"}})
	out.Entity = out.Group
	for i := range out.Parts { // to the bit
		out.Parts[i].Position, _ = tx.Position(out.Parts[i].Entity)
	}
	return out, err
}

// gather puts entities under a new one, which carries them.
func gather(tx *world.Tx, ids []world.ID, spec world.Spec) (group world.ID, err error) {
	if group, err = tx.Create(spec); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := tx.Reparent(id, group); err != nil {
			return 0, err
		}
	}
	return group, nil
}
