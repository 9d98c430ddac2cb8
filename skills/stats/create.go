package stats

import (
	"reflect"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// StatIn is a stat that is to be made.
type StatIn struct {
	Name     string          `json:"name" validate:"min=1,max=64" jsonschema_description:"What it is called. hp, or else health, is what damage takes; defense lowers damage; fireResistance and the like, from 0 to 1, keep that part of a type of damage off. Any other means what you make of it: mana, gold."`
	Value    float64         `json:"value" jsonschema_description:"What it is at first."`
	MaxValue *float64        `json:"maxValue,omitempty" jsonschema_description:"The highest that it can be. Left out: the value, for hp and health; none for all others."`
	MinValue *float64        `json:"minValue,omitempty" jsonschema_description:"The lowest that it can be. Left out: 0."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"Shown to viewers with the stat, such as the color of its bar; changes nothing."`
}

// CreateIn is the input of stats.create.
type CreateIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Stats  []StatIn        `json:"stats" validate:"min=1,max=32" jsonschema_description:"The stats that it is to have. One that it has already is made anew; others that it has stay."`
	Keep   bool            `json:"keep" jsonschema:"default=false" jsonschema_description:"Whether those that it has already stay as they are, for whoever comes back to a game with what he had."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event stats.created."`
}

// CreateOut is the output of stats.create.
type CreateOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

func (s *Stats) create() registry.Skill {
	return registry.Define(registry.Spec[CreateIn, CreateOut]{
		Name:  "stats.create",
		Title: "Give an entity stats",
		Description: "Give an entity numbers of its own, which viewers see: health, mana, defense, gold. Health is what damage.apply and combat take, and what damage.heal gives back. " +
			`To change one later use stats.modify. Example: {"entity":"ent_3","stats":[{"name":"hp","value":100},{"name":"mana","value":20,"maxValue":50}]}`,
		Keywords:    "health hit points hp life lives mana stamina attribute character sheet rpg enemy monster armor defense experience score",
		Permissions: []profiles.Permission{"stats.configure"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in CreateIn) (CreateOut, error) {
			made, err := in.made()
			if err != nil {
				return CreateOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (CreateOut, error) {
				made := made
				if in.Keep {
					made = s.lacks(&tx.View, in.Entity, made)
				}
				if err := s.give(tx, in.Entity, made); err != nil {
					return CreateOut{}, err
				}
				return CreateOut{OK: true}, c.Emit("stats.created", created{in.Entity, len(made), in.Meta})
			})
		},
	})
}

type created struct {
	Entity world.ID        `json:"entity"`
	Stats  int             `json:"stats"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// made returns the stats that the input asks for.
func (in *CreateIn) made() ([]Stat, error) {
	made := make([]Stat, 0, len(in.Stats))
	for i := range in.Stats {
		stat := in.Stats[i].stat()
		switch {
		case index(made, stat.Name) >= 0:
			return nil, registry.Invalidf("stats[%d].name: %q is there twice", i, stat.Name)
		case stat.Min > stat.most():
			return nil, registry.Invalidf("stats[%d].minValue: %v is above maxValue, %v", i, stat.Min, stat.most())
		case stat.Value > stat.most():
			return nil, registry.Invalidf("stats[%d].value: %v is above maxValue, %v", i, stat.Value, stat.most())
		case stat.Value < stat.Min:
			return nil, registry.Invalidf("stats[%d].value: %v is below minValue, %v: give another minValue", i, stat.Value, stat.Min)
		}
		made = append(made, stat)
	}
	return made, nil
}

func (in *StatIn) stat() Stat {
	stat := Stat{Name: in.Name, Value: in.Value, Max: in.MaxValue}
	if in.MinValue != nil {
		stat.Min = *in.MinValue
	}
	if in.MaxValue == nil && (in.Name == "hp" || in.Name == "health") {
		most := in.Value
		stat.Max = &most
	}
	if string(in.Config) != "{}" {
		stat.Config = in.Config
	}
	return stat
}

// lacks returns those of some stats that an entity has none of the same name of.
func (s *Stats) lacks(v *world.View, id world.ID, made []Stat) (lacking []Stat) {
	block, _ := s.blocks.Get(v, id)
	for _, stat := range made {
		if index(block, stat.Name) < 0 {
			lacking = append(lacking, stat)
		}
	}
	return lacking
}

// give gives an entity stats, in place of those of the same names.
func (s *Stats) give(tx *world.Tx, id world.ID, made []Stat) error {
	block, err := s.block(&tx.View, id)
	if err != nil {
		return err
	}
	if len(block) == 0 && s.blocks.Len(&tx.View) >= MaxBlocks {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have stats, which is the most: destroy some", MaxBlocks)
	}
	old := block
	block = slices.Clone(block)
	for _, stat := range made {
		if i := index(block, stat.Name); i >= 0 {
			block[i] = stat
		} else {
			block = append(block, stat)
		}
	}
	if len(block) > MaxStats {
		return registry.Errorf(registry.CodeCapacityExceeded, "%s would have %d stats, at most %d", id, len(block), MaxStats)
	}
	bytes := 0
	for i := range block {
		bytes += len(block[i].Config)
	}
	if bytes > MaxConfig {
		return registry.Errorf(registry.CodeCapacityExceeded, "config: the stats of an entity hold at most %d bytes of it together, those of %s would have %d", MaxConfig, id, bytes)
	}
	if reflect.DeepEqual(block, old) {
		return nil
	}
	return s.blocks.Set(tx, id, block)
}
