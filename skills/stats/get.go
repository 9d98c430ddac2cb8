package stats

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// GetIn is the input of stats.get.
type GetIn struct {
	Entity   world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the entity, such as ent_3; left out: your own body or character."`
	StatName string          `json:"statName,omitempty" validate:"omitempty,min=1,max=64" jsonschema_description:"Which of its stats: \"hp\". Left out: all of them, in stats."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// GetOut is the output of stats.get.
type GetOut struct {
	Value    *float64 `json:"value,omitempty" jsonschema_description:"What it counts as now, with the buffs of status.apply that name it."`
	MaxValue *float64 `json:"maxValue,omitempty" jsonschema_description:"The highest that it can be; 3.4e38 if there is no limit."`
	MinValue *float64 `json:"minValue,omitempty" jsonschema_description:"The lowest that it can be."`
	Base     *float64 `json:"base,omitempty" jsonschema_description:"What it is without buffs, if that is something else."`
	Stats    []Named  `json:"stats,omitempty" jsonschema_description:"All of its stats, if statName was left out."`
}

// Named is a stat among all that an entity has.
type Named struct {
	Name     string   `json:"name" jsonschema_description:"Its name."`
	Value    float64  `json:"value" jsonschema_description:"What it counts as now."`
	MaxValue float64  `json:"maxValue" jsonschema_description:"The highest that it can be."`
	MinValue float64  `json:"minValue" jsonschema_description:"The lowest that it can be."`
	Base     *float64 `json:"base,omitempty" jsonschema_description:"What it is without buffs, if that is something else."`
}

func (s *Stats) get() registry.Skill {
	return registry.Define(registry.Spec[GetIn, GetOut]{
		Name:  "stats.get",
		Title: "Read a stat",
		Description: "Read one stat of an entity, or without statName all that it has. The error for a name that it does not have lists those that it has. " +
			`Example: {"entity":"ent_3","statName":"hp"}`,
		Keywords:    "health hp how much left mana alive dead",
		Permissions: []profiles.Permission{"stats.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in GetIn) (GetOut, error) {
			return world.Read(s.w, c, func(v *world.View) (GetOut, error) {
				if err := s.Self(v, c.Principal(), "entity", &in.Entity); err != nil {
					return GetOut{}, err
				}
				if in.StatName == "" {
					return s.all(v, in.Entity)
				}
				block, i, err := s.find(v, in.Entity, in.StatName)
				if err != nil {
					return GetOut{}, err
				}
				n := s.named(v, in.Entity, &block[i])
				return GetOut{Value: &n.Value, MaxValue: &n.MaxValue, MinValue: &n.MinValue, Base: n.Base}, nil
			})
		},
	})
}

// all tells every stat of an entity.
func (s *Stats) all(v *world.View, id world.ID) (out GetOut, err error) {
	block, err := s.block(v, id)
	if err == nil && len(block) == 0 {
		err = lifeless(id)
	}
	for i := range block {
		out.Stats = append(out.Stats, s.named(v, id, &block[i]))
	}
	return out, err
}

// named tells a stat of an entity.
func (s *Stats) named(v *world.View, id world.ID, stat *Stat) Named {
	n := Named{Name: stat.Name, Value: s.buffed(v, id, stat), MaxValue: stat.most(), MinValue: stat.Min}
	if n.Value != stat.Value {
		n.Base = &stat.Value
	}
	return n
}
