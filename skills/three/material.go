package three

import (
	"reflect"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// SetMaterialIn is the input of three.setMaterial.
type SetMaterialIn struct {
	Entity        world.ID `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Material      string   `json:"material,omitempty" jsonschema_description:"Named material, which brings colour, roughness and metalness: brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water or wood."`
	PBR           bool     `json:"pbr" jsonschema:"default=false" jsonschema_description:"Ask viewers for physically based shading. Without a material, false leaves it as it is."`
	Color         *uint32  `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour as 0xRRGGBB in decimal, in place of the material's."`
	Roughness     *float64 `json:"roughness,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 is a mirror, 1 is chalk."`
	Metalness     *float64 `json:"metalness,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 is no metal, 1 is metal."`
	CastShadow    *bool    `json:"castShadow,omitempty" jsonschema_description:"Whether it throws shadows."`
	ReceiveShadow *bool    `json:"receiveShadow,omitempty" jsonschema_description:"Whether shadows fall on it."`
}

// SetMaterial is three.setMaterial.
func SetMaterial(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetMaterialIn, Done]{
		Name:  "three.setMaterial",
		Title: "Change the surface of an entity",
		Description: "Give an entity a named material, a colour, roughness, metalness, or say whether it throws and catches shadows; what is left out stays as it is. A group shows nothing of its own: name what is in it. " +
			`A named material replaces colour, roughness and metalness unless they are given too. Example: {"entity":"ent_3","material":"brick"}`,
		Published:   true,
		Keywords:    "paint glass metal wood stone transparent opacity shiny red green blue white black",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetMaterialIn) (Done, error) {
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				if !tx.Exists(in.Entity) {
					return Done{}, tx.Unknown(in.Entity)
				}
				old, _ := w.Materials.Get(&tx.View, in.Entity)
				m, err := in.over(old)
				if err != nil {
					return Done{}, err
				}
				if reflect.DeepEqual(m, old) {
					return Done{OK: true}, nil
				}
				return Done{OK: true}, w.Materials.Set(tx, in.Entity, m)
			})
		},
	})
}

// over returns m with what is given in place of what it has.
func (in *SetMaterialIn) over(m world.Material) (world.Material, error) {
	if in.Material != "" {
		named, err := material.Named(in.Material)
		if err != nil {
			return m, err
		}
		m.Name, m.Color, m.Roughness, m.Metalness = named.Name, &named.Color, &named.Roughness, &named.Metalness
		m.PBR = false
	}
	m.PBR = m.PBR || in.PBR
	m.Color = given(in.Color, m.Color)
	m.Roughness = given(in.Roughness, m.Roughness)
	m.Metalness = given(in.Metalness, m.Metalness)
	m.CastShadow = given(in.CastShadow, m.CastShadow)
	m.ReceiveShadow = given(in.ReceiveShadow, m.ReceiveShadow)
	return m, nil
}

// given returns a copy of what the caller gave, so that it outlives the call, or what there was.
func given[T any](in, old *T) *T {
	if in == nil {
		return old
	}
	v := *in
	return &v
}
