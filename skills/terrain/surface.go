package terrain

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Surface is how a region looks, for whoever draws it.
type Surface struct {
	Mode       string      `json:"mode,omitempty" validate:"omitempty,oneof=pbr palette shoreline flat" jsonschema_description:"flat: one colour. The others: colours by what grows there and how steep it is; pbr asks viewers for physically based shading, shoreline for wet sand and foam."`
	Color      *int        `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour of the mode flat as 0xRRGGBB in decimal."`
	Roughness  *float64    `json:"roughness,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 shines, 1 is dull."`
	Metalness  *float64    `json:"metalness,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 is no metal, 1 metal."`
	DoubleSide bool        `json:"doubleSide,omitempty" jsonschema_description:"Ask viewers to show it from below, too."`
	SeaLevel   *float64    `json:"seaLevel,omitempty" jsonschema_description:"Height of the sea for the colours, in metres; that of the land if left out."`
	SeaPart    *float64    `json:"seaFraction,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"The same as a part of the way from the lowest to the highest point of the region."`
	MinY       *float64    `json:"minY,omitempty" jsonschema_description:"Where the palette of a viewer begins; the lowest point if left out."`
	MaxY       *float64    `json:"maxY,omitempty" jsonschema_description:"Where it ends; the highest point if left out."`
	Waterline  *Waterline  `json:"waterline,omitempty" jsonschema_description:"How viewers draw what is wet."`
	Shoreline  *Shoreline  `json:"shoreline,omitempty" jsonschema_description:"How viewers draw the mode shoreline."`
	Exaggerate *Exaggerate `json:"exaggerateY,omitempty" jsonschema_description:"Stretch the ground up and down, bodies and all."`
}

// Waterline is how what is wet is drawn.
type Waterline struct {
	SeaLevel     *float64 `json:"seaLevel,omitempty" jsonschema_description:"Height of the water."`
	WetBand      *float64 `json:"wetBand,omitempty" jsonschema_description:"How far above it is wet, in metres."`
	FoamBand     *float64 `json:"foamBand,omitempty" jsonschema_description:"How far above it has foam, in metres."`
	Darken       *float64 `json:"darken,omitempty" jsonschema_description:"How much darker it is."`
	WetRoughness *float64 `json:"wetRoughness,omitempty" jsonschema_description:"Roughness where it is wet."`
	Foam         *float64 `json:"foam,omitempty" jsonschema_description:"How much foam."`
	FoamColor    *int     `json:"foamColor,omitempty" jsonschema_description:"Its colour as 0xRRGGBB in decimal."`
}

// Shoreline is how the shore is drawn.
type Shoreline struct {
	SeaLevel  *float64 `json:"seaLevel,omitempty" jsonschema_description:"Height of the water."`
	FoamColor *int     `json:"foamColor,omitempty" jsonschema_description:"Colour of the foam as 0xRRGGBB in decimal."`
	WetColor  *int     `json:"wetColor,omitempty" jsonschema_description:"Colour of what is wet."`
	WetBand   *float64 `json:"wetBand,omitempty" jsonschema_description:"How far above the water it is wet, in metres."`
	FoamBand  *float64 `json:"foamBand,omitempty" jsonschema_description:"How far above the water it has foam, in metres."`
}

// Exaggerate stretches ground.
type Exaggerate struct {
	Factor float64 `json:"factor" validate:"gt=0,lte=20" jsonschema_description:"By how much."`
	Pivot  float64 `json:"pivot,omitempty" validate:"gte=-1000,lte=1000" jsonschema_description:"The height that stays where it is, in metres."`
}

// material is what viewers go by.
func (s *Surface) material() (m world.Material, some bool) {
	if s == nil {
		return m, false
	}
	m = world.Material{PBR: s.Mode == "pbr", Roughness: s.Roughness, Metalness: s.Metalness}
	if s.Mode == "flat" {
		color := uint32(defaultGround)
		if s.Color != nil {
			color = uint32(*s.Color)
		}
		m.Color = &color
	}
	return m, m != world.Material{}
}

// defaultGround is the colour of ground for those who know no other.
const defaultGround = 0x7da35c

// rise returns by how much a region is stretched, and the height that stays.
func (s *Surface) rise() (factor, pivot float64) {
	if s == nil || s.Exaggerate == nil {
		return 1, 0
	}
	return s.Exaggerate.Factor, s.Exaggerate.Pivot
}

func (s *Surface) check() error {
	if s != nil && s.SeaLevel != nil && s.SeaPart != nil {
		return registry.Invalidf("surface.seaFraction: give either seaLevel or seaFraction")
	}
	return nil
}
