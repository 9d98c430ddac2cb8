package three

import (
	"fmt"
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
	Emissive      *uint32  `json:"emissive,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Light that it gives off by itself, as 0xRRGGBB in decimal: a neon sign, a lit window, lava. It falls on nothing else (for that, three.setLight); 0 puts it out."`
	CastShadow    *bool    `json:"castShadow,omitempty" jsonschema_description:"Whether it throws shadows."`
	ReceiveShadow *bool    `json:"receiveShadow,omitempty" jsonschema_description:"Whether shadows fall on it."`
	Below         *bool    `json:"below,omitempty" jsonschema_description:"Whether all that is below the entity changes, too. Left out: yes for a group, which shows nothing of its own, but for glass in it; no for what has a shape. Of a lake or a river of terrain.shape it is the water; false gives its ground the colour."`
}

// SetMaterialOut is the output of three.setMaterial.
type SetMaterialOut struct {
	OK       bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Entities int  `json:"entities,omitempty" jsonschema_description:"On how many entities it shows, where what is below was meant."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// SetMaterial is three.setMaterial.
func SetMaterial(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetMaterialIn, SetMaterialOut]{
		Name:  "three.setMaterial",
		Title: "Change the surface of an entity",
		Description: "Give an entity a named material, a colour, roughness, metalness, or light of its own (emissive), or say whether it throws and catches shadows; what is left out stays as it is. For a group, or an instance of a prefab, all its parts change in one step to undo; name a part to change only that. Of water color and emissive show, as of lava, and of a road its color. " +
			`A named material replaces colour, roughness and metalness unless they are given too. Example: {"entity":"ent_3","material":"brick"}`,
		Published:   true,
		Keywords:    "paint glass metal wood stone transparent opacity shiny sand marble concrete plaster rubber leather fabric gold red green blue white black yellow brown grey copper bronze iron silver steel brick look glow glowing neon luminous emission lava",
		Sets:        "material color roughness metalness emissive castShadow receiveShadow",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetMaterialIn) (SetMaterialOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (SetMaterialOut, error) {
				if !tx.Exists(in.Entity) {
					return SetMaterialOut{}, tx.Unknown(in.Entity)
				}
				out := SetMaterialOut{OK: true, Note: in.note(w, tx)}
				wearers, panes := in.wearers(&tx.View)
				for _, id := range wearers {
					if err := in.dress(w, tx, id); err != nil {
						return SetMaterialOut{}, err
					}
				}
				if len(wearers) > 1 || wearers[0] != in.Entity {
					out.Entities = len(wearers)
				}
				if len(panes) > 0 && out.Note == "" {
					out.Note = fmt.Sprintf("%d parts of glass stay as they are, the first %s; below true changes them, too", len(panes), panes[0])
					if len(panes) == 1 {
						out.Note = fmt.Sprintf("%s, of glass, stays as it is; below true changes it, too", panes[0])
					}
				}
				return out, nil
			})
		},
	})
}

// note says so if nothing is asked for, or nothing of it shows, as of a lamp, whose light has a color of its own.
func (in *SetMaterialIn) note(w *world.World, tx *world.Tx) string {
	asked := *in
	asked.Entity, asked.Below = 0, nil
	switch {
	case asked == (SetMaterialIn{}):
		return "nothing changed: give material, color, roughness, metalness, emissive, pbr, castShadow, receiveShadow, or several of them"
	case w.Lights.Has(&tx.View, in.Entity) && !w.Shapes.Has(&tx.View, in.Entity):
		return fmt.Sprintf("%s is a lamp, of which its light alone shows: three.setLight sets its color and intensity", in.Entity)
	}
	return ""
}

// wearers returns what is to be changed, at least one entity, and the panes that are not.
func (in *SetMaterialIn) wearers(v *world.View) (all, panes []world.ID) {
	if in.Below != nil && !*in.Below {
		return []world.ID{in.Entity}, nil
	}
	return material.Wearers(v, in.Entity, in.Below != nil)
}

// dress changes one entity, unless it looks so already.
func (in *SetMaterialIn) dress(w *world.World, tx *world.Tx, id world.ID) error {
	old, _ := w.Materials.Get(&tx.View, id)
	m, err := in.over(&tx.View, old)
	if err != nil || reflect.DeepEqual(m, old) {
		return err
	}
	return w.Materials.Set(tx, id, m)
}

// over returns m with what is given in place of what it has.
func (in *SetMaterialIn) over(v *world.View, m world.Material) (world.Material, error) {
	if in.Material != "" {
		named, err := material.Named(v, in.Material)
		if err != nil {
			return m, err
		}
		m.Name, m.Color, m.PBR = named.Name, &named.Color, false
		m.Roughness, m.Metalness = named.Values()
	}
	m.PBR = m.PBR || in.PBR
	m.Color = newer(in.Color, m.Color)
	m.Roughness = newer(in.Roughness, m.Roughness)
	m.Metalness = newer(in.Metalness, m.Metalness)
	if in.Emissive != nil {
		m.Emissive = *in.Emissive
	}
	m.CastShadow = newer(in.CastShadow, m.CastShadow)
	m.ReceiveShadow = newer(in.ReceiveShadow, m.ReceiveShadow)
	return m, nil
}

// newer returns a copy of what the caller gave, so that it outlives the call, or what there was.
func newer[T any](in, old *T) *T {
	if in == nil {
		return old
	}
	v := *in
	return &v
}
