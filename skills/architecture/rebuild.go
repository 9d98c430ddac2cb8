package architecture

import (
	"cmp"
	"reflect"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/given"
	"github.com/limina-mcp/limina/skills/internal/listed"
	"github.com/limina-mcp/limina/world"
)

// RebuildIn is the input of architecture.rebuild. What is nil stays as it was built. Lengths are in metres.
type RebuildIn struct {
	Building      world.ID        `json:"building" jsonschema_description:"The group that architecture.building has answered."`
	Foundation    *float64        `json:"foundation,omitempty" validate:"omitempty,gte=0,lte=40" jsonschema_description:"How far a foundation reaches down below the house; 0 for none."`
	Floor         *bool           `json:"floor,omitempty" jsonschema_description:"Whether the lowest storey has a floor of its own."`
	Width         *float64        `json:"width,omitempty" validate:"omitempty,gt=0,lte=200" jsonschema_description:"Outer width."`
	Depth         *float64        `json:"depth,omitempty" validate:"omitempty,gt=0,lte=200" jsonschema_description:"Outer depth."`
	Height        *float64        `json:"height,omitempty" validate:"omitempty,gt=0,lte=80" jsonschema_description:"Height of the walls of one storey, without the roof."`
	Storeys       *int            `json:"storeys,omitempty" validate:"omitempty,gte=1,lte=20" jsonschema_description:"How many storeys there are."`
	Stairs        *bool           `json:"stairs,omitempty" jsonschema_description:"Whether stairs lead from storey to storey."`
	WallThickness *float64        `json:"wallThickness,omitempty" validate:"omitempty,gt=0,lte=5" jsonschema_description:"Thickness of the walls."`
	DoorWidth     *float64        `json:"doorWidth,omitempty" validate:"omitempty,gt=0,lte=50" jsonschema_description:"Clear width of the door."`
	DoorSteps     *int            `json:"doorSteps,omitempty" validate:"omitempty,gte=0,lte=40" jsonschema_description:"How many steps of 20 cm lead down from the door."`
	DoorHeight    *float64        `json:"doorHeight,omitempty" validate:"omitempty,gt=0,lte=70" jsonschema_description:"Clear height of the door."`
	WithRoof      *bool           `json:"withRoof,omitempty" jsonschema_description:"Whether there is a roof."`
	RoofStyle     string          `json:"roofStyle,omitempty" validate:"omitempty,oneof=gable hip flat" jsonschema_description:"As architecture.building has it."`
	RoofPitch     *float64        `json:"roofPitch,omitempty" validate:"omitempty,gt=0,lte=40" jsonschema_description:"Height of the ridge of a gable or hip roof above the walls."`
	RoofOverhang  *float64        `json:"roofOverhang,omitempty" validate:"omitempty,gte=0,lte=5" jsonschema_description:"How far the roof reaches beyond the walls."`
	GableEnds     *bool           `json:"gableEnds,omitempty" jsonschema_description:"Whether the triangles under a gable roof are closed."`
	Windows       *[]Window       `json:"windows,omitempty" validate:"omitempty,max=64" jsonschema_description:"All windows that there are to be, in place of those that there are; [] for none."`
	Dormers       *[]Dormer       `json:"dormers,omitempty" validate:"omitempty,max=32" jsonschema_description:"All dormers that there are to be; [] for none."`
	Skylights     *[]Skylight     `json:"skylights,omitempty" validate:"omitempty,max=32" jsonschema_description:"All openings in the roof that there are to be; [] for none."`
	Chimneys      *[]Chimney      `json:"chimneys,omitempty" validate:"omitempty,max=16" jsonschema_description:"All chimneys that there are to be; [] for none."`
	Partitions    *[]Partition    `json:"partitions,omitempty" validate:"omitempty,max=32" jsonschema_description:"All walls inside that there are to be, in place of those that there are; [] for none."`
	Color         *int            `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour of the walls as 0xRRGGBB in decimal. What was painted otherwise since stays so."`
	Material      string          `json:"material,omitempty" jsonschema_description:"What the walls are made of. What was given another material since keeps that."`
	RoofColor     *int            `json:"roofColor,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour of the roof."`
	RoofMaterial  string          `json:"roofMaterial,omitempty" jsonschema_description:"What the roof is made of."`
	List          *int            `json:"list,omitempty" validate:"omitempty,gte=0,lte=2000" jsonschema_description:"How many parts the answer lists at most; 50 if left out, 0 for none."`
	Meta          registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event architecture.rebuilt."`
}

// Rebuild is architecture.rebuild, for buildings of which p has what they were built from.
func Rebuild(p *Plans) registry.Skill {
	return registry.Define(registry.Spec[RebuildIn, BuildingOut]{
		Name:  "architecture.rebuild",
		Title: "Remodel a building",
		Description: "Remodel what architecture.building has put up, in place: taller, wider, with another storey, with other windows or rooms. What you leave out stays as it was built. Parts that remain keep " +
			"their ids, colours and materials, and what else is in the group stays; parts that somebody shifted or took away are put back. " +
			`Example: {"building":"ent_8","height":4.5,"windows":[{"wall":"left"}]}`,
		Category:    "scene",
		Keywords:    "extend enlarge taller wider window remodel renovate storey",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Handle: func(c *registry.Call, in RebuildIn) (BuildingOut, error) {
			out, err := world.Do(p.w, c, func(tx *world.Tx) (BuildingOut, error) {
				before, err := planOf(p.of, &tx.View, in.Building)
				if err != nil {
					return BuildingOut{}, err
				}
				was, after := before, before
				if err := was.fit(); err != nil {
					return BuildingOut{}, err
				}
				in.change(&after)
				now := after
				if err := in.storeyless(&now); err != nil {
					return BuildingOut{}, err
				}
				if err := now.fit(); err != nil {
					return BuildingOut{}, err
				}
				out, err := (&rebuilding{p: p, tx: tx, group: in.Building, was: was}).rebuild(&now)
				if err != nil {
					return BuildingOut{}, err
				}
				out.Note = cmp.Or(in.note(), now.note())
				if reflect.DeepEqual(after, before) {
					return out, nil
				}
				return out, p.of.Set(tx, in.Building, after)
			})
			if err != nil {
				return BuildingOut{}, err
			}
			built := builtEvent{out.Entities, out.Bounds, in.Meta}
			out.list(listed.Most(c, in.List))
			return out, c.Emit("architecture.rebuilt", built)
		},
	})
}

// planOf returns what a building was built from.
func planOf(plans *world.Component[BuildingIn], v *world.View, id world.ID) (BuildingIn, error) {
	if !v.Exists(id) {
		return BuildingIn{}, registry.Under("building", v.Unknown(id))
	}
	plan, ok := plans.Get(v, id)
	if ok {
		if plan.Storeys == 0 { // of when there was one
			plan.Storeys, plan.Stairs = 1, true
		}
		return plan, nil
	}
	if whole := v.Parent(id); plans.Has(v, whole) {
		return plan, registry.Failf("building: %s is in the house %s, which is what to give", id, whole)
	}
	for below := range v.Below(id) {
		if plans.Has(v, below) {
			return plan, registry.Failf("building: %s is no house, but holds the house %s, which is what to give", id, below)
		}
	}
	return plan, registry.Failf("building: %s is no house: give the group of one that architecture.building has put up", id)
}

// note says so if nothing is asked for.
func (in *RebuildIn) note() string {
	if reflect.DeepEqual(*in, RebuildIn{Building: in.Building, List: in.List, Meta: in.Meta}) {
		return "nothing was to change: give width, height, windows, or what else is to be another"
	}
	return ""
}

// storeyless reports a window or a partition that the house has in a storey that it is to have no more.
func (in *RebuildIn) storeyless(plan *BuildingIn) error {
	lost := func(what string, i, storey int) error {
		if storey <= plan.Storeys {
			return nil
		}
		return registry.Invalidf("storeys: the house has %s[%d] in storey %d: give %s anew, [] for none, or at least %d storeys, got %d", what, i, storey, what, storey, plan.Storeys)
	}
	for i, w := range plan.Windows {
		if err := lost("windows", i, w.Storey); err != nil && in.Windows == nil {
			return err
		}
	}
	for i, p := range plan.Partitions {
		if err := lost("partitions", i, p.Storey); err != nil && in.Partitions == nil {
			return err
		}
	}
	return nil
}

// change has a plan be what the input says.
func (in *RebuildIn) change(plan *BuildingIn) {
	given.Set(&plan.Foundation, in.Foundation)
	given.Set(&plan.Floor, in.Floor)
	given.Set(&plan.Width, in.Width)
	given.Set(&plan.Depth, in.Depth)
	given.Set(&plan.Height, in.Height)
	given.Set(&plan.Storeys, in.Storeys)
	given.Set(&plan.Stairs, in.Stairs)
	given.Set(&plan.WallThickness, in.WallThickness)
	given.Set(&plan.DoorWidth, in.DoorWidth)
	given.Set(&plan.DoorHeight, in.DoorHeight)
	given.Set(&plan.RoofPitch, in.RoofPitch)
	given.Set(&plan.RoofOverhang, in.RoofOverhang)
	given.Set(&plan.WithRoof, in.WithRoof)
	given.Set(&plan.GableEnds, in.GableEnds)
	given.Set(&plan.Color, in.Color)
	if in.DoorSteps != nil {
		plan.DoorSteps = in.DoorSteps
	}
	plan.Material, plan.RoofMaterial = cmp.Or(in.Material, plan.Material), cmp.Or(in.RoofMaterial, plan.RoofMaterial)
	if in.RoofColor != nil {
		plan.RoofColor = in.RoofColor
	}
	given.Set(&plan.Windows, in.Windows)
	given.Set(&plan.Partitions, in.Partitions)
	given.Set(&plan.Dormers, in.Dormers)
	given.Set(&plan.Skylights, in.Skylights)
	given.Set(&plan.Chimneys, in.Chimneys)
	if in.RoofStyle != "" {
		plan.RoofStyle = in.RoofStyle
	}
}
