package stats

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// ModifyIn is the input of stats.modify.
type ModifyIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	StatName string          `json:"statName" validate:"min=1,max=64" jsonschema_description:"Which of its stats: \"mana\"."`
	Delta    float64         `json:"delta" jsonschema_description:"By how much it changes; below 0 it gets less."`
	Clamp    bool            `json:"clamp" jsonschema:"default=true" jsonschema_description:"Whether it is kept within its minimum and maximum. With false it may go beyond."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event stats.modified."`
}

// ModifyOut is the output of stats.modify.
type ModifyOut struct {
	Value   float64 `json:"value" jsonschema_description:"What it is then, without buffs."`
	Clamped bool    `json:"clamped,omitempty" jsonschema_description:"True if it changed by less than delta, because its minimum or maximum is there."`
}

func (s *Stats) modify() registry.Skill {
	return registry.Define(registry.Spec[ModifyIn, ModifyOut]{
		Name:  "stats.modify",
		Title: "Change a stat",
		Description: "Add to a stat of an entity, or take from it: gold, mana, score. What comes down to 0 does what stats.onZero says, with the next simulation step. " +
			`For what defense and shields are to count against use damage.apply, to give health back damage.heal. Example: {"entity":"ent_3","statName":"mana","delta":-5}`,
		Keywords:    "add subtract increase decrease spend gain cost points score gold",
		Permissions: []profiles.Permission{"stats.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ModifyIn) (ModifyOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (ModifyOut, error) {
				value, clamped, err := s.Change(tx, in.Entity, in.StatName, in.Delta, in.Clamp)
				if err != nil {
					return ModifyOut{}, err
				}
				out := ModifyOut{Value: value, Clamped: clamped}
				return out, c.Emit("stats.modified", modified{in.Entity, in.StatName, out.Value, in.Meta})
			})
		},
	})
}

type modified struct {
	Entity world.ID        `json:"entity"`
	Stat   string          `json:"statName"`
	Value  float64         `json:"value"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// Change adds delta to a stat of an entity, and returns what it is then: with clamp no further than its bounds, and whether they kept it. It fails if the
// entity has no such stat.
func (s *Stats) Change(tx *world.Tx, id world.ID, name string, delta float64, clamp bool) (value float64, clamped bool, err error) {
	block, i, err := s.find(&tx.View, id, name)
	if err != nil {
		return 0, false, err
	}
	want := world.Bounded(block[i].Value + delta)
	value = want
	if clamp {
		value = block[i].within(want)
	}
	return value, value != want, s.put(tx, id, block, i, value, 0)
}

// Earn adds to a stat of an entity, no further than its bounds, or takes from it. One that it has not begins at 0, and is not below that; but who has no
// health gets none by the way.
func (s *Stats) Earn(tx *world.Tx, id world.ID, name string, by float64) error {
	block, err := s.block(&tx.View, id)
	if err != nil {
		return err
	}
	if index(block, name) < 0 && name != "hp" && name != "health" {
		return s.give(tx, id, []Stat{{Name: name, Value: max(0, world.Bounded(by))}})
	}
	_, _, err = s.Change(tx, id, name, by, true)
	return err
}

// Spare says why so much cannot be taken from a stat of an entity, "" if it can.
func (s *Stats) Spare(v *world.View, id world.ID, name string, cost float64) (why string, err error) {
	block, err := s.block(v, id)
	if err != nil {
		return "", err
	}
	i := index(block, name)
	switch {
	case i < 0:
		return fmt.Sprintf("%s has no %s, of which this takes %v", id, quote.Clip(name), cost), nil
	case block[i].Value-cost < block[i].Min:
		return fmt.Sprintf("%s has %v %s, and this takes %v", id, block[i].Value, quote.Clip(name), cost), nil
	}
	return "", nil
}

// CheckChanges reports what is wrong with changes of stats by their names, such as {"gold":50}, that field holds.
func CheckChanges(field string, changes map[string]float64) error {
	if len(changes) > MaxStats {
		return registry.Invalidf("%s: must have at most %d stats, got %d", field, MaxStats, len(changes))
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if n := utf8.RuneCountInString(name); n < 1 || n > maxName {
			return registry.Invalidf("%s: the name of a stat has from 1 to %d characters, %q has %d", field, maxName, quote.Clip(name), n)
		}
		if by := changes[name]; by != world.Bounded(by) {
			return registry.Invalidf("%s.%s: must be from -3.4e+38 to 3.4e+38, got %v", field, quote.Clip(name), by)
		}
	}
	return nil
}

// maxName is how many characters the name of a stat has at most, as stats.create has it.
const maxName = 64

// Raise makes a stat of an entity higher for good, or lower: what it is, and its maximum, if it has one. It returns what it is then. It changes nothing
// of an entity that has no such stat, and says so.
func (s *Stats) Raise(tx *world.Tx, id world.ID, name string, by float64) (value float64, has bool, err error) {
	block, _ := s.blocks.Get(&tx.View, id)
	i := index(block, name)
	if i < 0 {
		return 0, false, nil
	}
	if most := block[i].Max; most != nil {
		higher := max(block[i].Min, world.Bounded(*most+by))
		block = slices.Clone(block)
		block[i].Max = &higher
		if err := s.blocks.Set(tx, id, block); err != nil {
			return 0, true, err
		}
	}
	value, _, err = s.Change(tx, id, name, by, true)
	return value, true, err
}
