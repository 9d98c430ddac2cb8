package stats

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/self"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of stats.
const (
	MaxBlocks  = 1 << 16 // entities that are given stats, at a time; copies of them are not counted
	MaxStats   = 32      // of an entity
	MaxActing  = 4096    // entities that are given actions of stats.onZero, at a time; likewise
	MaxActions = 16      // of an entity; their data together is no larger than that of one may be
	MaxConfig  = 4 << 10 // bytes of all that the stats of an entity, or one effect, have in config
	MaxEffects = 16      // on an entity
	MaxBearers = 1024    // entities with effects, at a time
)

// Stats are the stats of a world and what acts on them. Its methods read through a View and write through a Tx, and so may be called
// by whoever holds one. A world has one Stats.
type Stats struct {
	w       *world.World
	deps    Deps
	blocks  *world.Component[[]Stat]   // viewers see it as "stats"
	effects *world.Component[[]effect] // "status"; in the order in which they were applied
	stances *world.Component[Stance]   // "stance"
	actions *world.Component[[]atZero]
	emptied *world.Component[[]emptied] // the stats that have come to zero, until the next step
	given   *world.Global[uint64]       // effects so far; it never goes back
	killed  []func(tx *world.Tx, b *Blow) error
	hurt    []func(tx *world.Tx, b *Blow, w *Wound) error
}

// Deps is what stats stand on.
type Deps struct {
	Does   *action.Actions // what is done at zero is among them
	Agents *agents.Agents

	// Guard says who may have an entity act, besides what [Stats.Guard] asks itself; nil for anybody.
	Guard func(v *world.View, caller *profiles.Principal, id world.ID) error

	// Owner says whose character an entity is, for rankings; nil: nobody's.
	Owner func(v *world.View, id world.ID) (agent string, ok bool)

	// Self says what a caller has of his own, whom skills mean that he calls without an entity; nil: nothing.
	Self self.Of
}

// Self sets an id that a field of an input has not named to what the caller has of his own. The error says what would help.
func (s *Stats) Self(v *world.View, caller *profiles.Principal, field string, id *world.ID) error {
	return s.deps.Self.Fill(v, caller, field, id)
}

// New adds stats to a world, once, where it is put together.
func New(w *world.World, d Deps) *Stats {
	s := &Stats{
		w: w, deps: d,
		blocks:  world.NewComponent[[]Stat](w, "stats"),
		effects: world.NewComponent[[]effect](w, "status", world.Single),
		stances: world.NewComponent[Stance](w, "stance", world.Single),
		actions: world.NewComponent[[]atZero](w, "stats.onZero", world.Private),
		emptied: world.NewComponent[[]emptied](w, "stats.emptied", world.Private, world.Single),
		given:   world.NewGlobal[uint64](w, "status.given", 0, world.Private, world.Lasting),
	}
	w.OnStep("stats", s.step, s.activity)
	s.effects.Resume(later)
	s.stances.Resume(func(st Stance, past uint64) Stance {
		st.Until += past
		return st
	})
	return s
}

// later is effects that go on past steps later.
func later(effects []effect, past uint64) []effect {
	effects = slices.Clone(effects)
	for i := range effects {
		effects[i].Since, effects[i].Until = effects[i].Since+past, effects[i].Until+past
	}
	return effects
}

// OnKilled has fn told of each blow that takes the last of its target's health, once that is gone, where the world is put together. What fn does
// belongs to whatever did the blow, and an error of it undoes that.
func (s *Stats) OnKilled(fn func(tx *world.Tx, b *Blow) error) { s.killed = append(s.killed, fn) }

// OnHurt has fn told of each blow that takes health, as OnKilled does of those that take the last, and before it.
func (s *Stats) OnHurt(fn func(tx *world.Tx, b *Blow, w *Wound) error) { s.hurt = append(s.hurt, fn) }

// Guard reports why a caller may not have an entity act: there is none, it is another agent's body, or it is a character of somebody
// else's.
func (s *Stats) Guard(v *world.View, caller *profiles.Principal, id world.ID) error {
	if !v.Exists(id) {
		return v.Unknown(id)
	}
	if owner, ok := s.deps.Agents.Agent(v, id); ok && owner != caller.ID {
		return registry.Errorf(registry.CodeForbidden, "%s is the body of another agent, %s, who alone has it act", id, owner)
	}
	if s.deps.Guard == nil {
		return nil
	}
	return s.deps.Guard(v, caller, id)
}

// Stat is one number of an entity.
type Stat struct {
	Name   string          `json:"name"`
	Value  float64         `json:"value"`
	Min    float64         `json:"min"`
	Max    *float64        `json:"max,omitempty"` // nil: there is none
	Config registry.Object `json:"config,omitempty"`
}

// most returns its maximum.
func (s *Stat) most() float64 {
	if s.Max == nil {
		return world.MaxNumber
	}
	return *s.Max
}

// within returns the value nearest to x that it may have.
func (s *Stat) within(x float64) float64 { return max(s.Min, min(s.most(), x)) }

// zero is the value at which nothing is left of it.
func (s *Stat) zero() float64 { return max(0, s.Min) }

// part returns which part of all that it can be an amount is, from 0 to 1: of its maximum, or of what it is if that is more, or if there is no maximum.
// There has to be something left of it.
func (s *Stat) part(amount float64) float64 {
	full := s.Value
	if s.Max != nil {
		full = max(full, *s.Max)
	}
	return min(1, amount/(full-s.zero()))
}

// empty reports whether nothing is left of it.
func (s *Stat) empty() bool { return s.Value <= s.zero() }

// block returns the stats of an entity, with a refusal if there is no such entity.
func (s *Stats) block(v *world.View, id world.ID) ([]Stat, error) {
	if !v.Exists(id) {
		return nil, v.Unknown(id)
	}
	block, _ := s.blocks.Get(v, id)
	return block, nil
}

// find returns where a stat of an entity is in its block. The error says which it has.
func (s *Stats) find(v *world.View, id world.ID, name string) ([]Stat, int, error) {
	block, err := s.block(v, id)
	if err != nil {
		return nil, 0, err
	}
	if i := index(block, name); i >= 0 {
		return block, i, nil
	}
	if len(block) == 0 {
		return nil, 0, lifeless(id)
	}
	names := make([]string, len(block))
	for i := range block {
		names[i] = block[i].Name
	}
	text := ""
	if near := wire.Nearest(name, names); near != "" {
		text = `did you mean "` + near + `"? `
	}
	for i, n := range names {
		if i > 0 {
			text += ", "
		} else {
			text += "it has "
		}
		text += quote.Clip(n)
	}
	return nil, 0, registry.Failf("%s has no stat %q; %s", id, quote.Clip(name), text)
}

// lifeless says that an entity has no stats at all.
func lifeless(id world.ID) error {
	return registry.Failf("%s has no stats: stats.create gives it some", id)
}

func index(block []Stat, name string) int {
	return slices.IndexFunc(block, func(s Stat) bool { return s.Name == name })
}

// health returns which stat of a block damage is taken from, -1 if there is none.
func health(block []Stat) int {
	if i := index(block, "hp"); i >= 0 {
		return i
	}
	return index(block, "health")
}

// Alive reports whether an entity has health left, and whether it has any at all.
func (s *Stats) Alive(v *world.View, id world.ID) (alive, has bool) {
	block, _ := s.blocks.Get(v, id)
	i := health(block)
	return i >= 0 && !block[i].empty(), i >= 0
}

// Living returns who has health left, in id order, and how many there are with stats of any kind.
func (s *Stats) Living(v *world.View) (living iter.Seq[world.ID], most int) {
	return func(yield func(world.ID) bool) {
		for id, block := range s.blocks.All(v) {
			if i := health(block); i >= 0 && !block[i].empty() && !yield(id) {
				return
			}
		}
	}, s.blocks.Len(v)
}

// Vital reports why an entity can take no damage: there is none, or it has no health.
func (s *Stats) Vital(v *world.View, id world.ID) error {
	block, err := s.block(v, id)
	if err == nil && health(block) < 0 {
		return registry.Failf(`%s has neither hp nor health: stats.create {"entity":%q,"stats":[{"name":"hp","value":100}]} gives it some`, id, id)
	}
	return err
}

// worth is what a stat counts as, buffs included; false if an entity has none of the name.
func (s *Stats) worth(v *world.View, id world.ID, name string) (float64, bool) {
	block, _ := s.blocks.Get(v, id)
	i := index(block, name)
	if i < 0 {
		return 0, false
	}
	return s.buffed(v, id, &block[i]), true
}

// buffed is what a stat of an entity counts as.
func (s *Stats) buffed(v *world.View, id world.ID, stat *Stat) float64 {
	value, bonus := stat.Value, 0.0
	effects, _ := s.effects.Get(v, id)
	for i := range effects {
		if e := &effects[i]; e.Type == "buff" && e.Stat == stat.Name {
			bonus = world.Bounded(bonus + e.Magnitude)
		}
	}
	if bonus == 0 {
		return value
	}
	return stat.within(world.Bounded(value + bonus))
}

// Afford takes cost from a stat of an entity, if that leaves it no lower than its minimum. Else it changes nothing and returns what
// there is.
func (s *Stats) Afford(tx *world.Tx, id world.ID, name string, cost float64) (has float64, ok bool, err error) {
	has, ok, err = s.Affords(&tx.View, id, name, cost)
	if err != nil || !ok || cost == 0 {
		return has, ok, err
	}
	block, i, err := s.find(&tx.View, id, name)
	if err != nil {
		return 0, false, err
	}
	return has, true, s.put(tx, id, block, i, world.Bounded(has-cost), 0)
}

// Affords reports whether a stat of an entity is enough for a cost, and what there is.
func (s *Stats) Affords(v *world.View, id world.ID, name string, cost float64) (has float64, ok bool, err error) {
	block, i, err := s.find(v, id, name)
	if err != nil {
		return 0, false, err
	}
	return block[i].Value, block[i].Value-cost >= block[i].Min, nil
}

// put gives a stat of an entity another value, and notes for the next step if that is zero and was not, and by whom, 0 for nobody.
func (s *Stats) put(tx *world.Tx, id world.ID, block []Stat, i int, value float64, by world.ID) error {
	before := &block[i]
	if before.Value == value {
		return nil
	}
	block = slices.Clone(block)
	block[i].Value = value
	if err := s.blocks.Set(tx, id, block); err != nil {
		return err
	}
	if before.empty() || !block[i].empty() || !s.acts(&tx.View, id, before.Name) {
		return nil
	}
	list, _ := s.emptied.Get(&tx.View, id)
	if slices.ContainsFunc(list, func(e emptied) bool { return e.Stat == before.Name }) {
		return nil
	}
	return s.emptied.Set(tx, id, append(slices.Clip(list), emptied{before.Name, by}))
}

// steps is how many steps a time in seconds is: one at least, and no more than thirty years.
func (s *Stats) steps(seconds float64) uint64 {
	return max(1, s.w.StepsIn(min(seconds, 1e9)))
}
