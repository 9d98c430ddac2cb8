package combat

import (
	"encoding/json"
	"math"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What counts of config where it says nothing.
const (
	critChance     = 0.05
	critMultiplier = 2.0
	shotRange      = 100.0 // metres
)

// tuning is what counts of the config of a strike.
type tuning struct {
	kind   string  // of damage
	chance float64 // of a critical hit
	times  float64 // the damage then
	reach  float64 // of a shot, in metres
}

// tune reads the config of a strike. What it does not know is the viewers'.
func tune(given registry.Object) (t tuning, err error) {
	if err := config.Fits("config", len(given), stats.MaxConfig); err != nil {
		return t, err
	}
	t = tuning{"physical", critChance, critMultiplier, shotRange}
	for _, n := range [...]struct {
		name   string
		to     *float64
		lo, hi float64
	}{{"critChance", &t.chance, 0, 1}, {"critMultiplier", &t.times, 1, 1000}, {"range", &t.reach, 0.01, 10_000}} {
		raw := wire.Member(given, n.name)
		if raw == nil {
			continue
		}
		if err := json.Unmarshal(raw, n.to); err != nil || !(*n.to >= n.lo && *n.to <= n.hi) {
			return t, registry.Invalidf("config.%s: must be a number from %v to %v, got %.40s", n.name, n.lo, n.hi, raw)
		}
	}
	if raw := wire.Member(given, "type"); raw != nil {
		if err := json.Unmarshal(raw, &t.kind); err != nil || !stats.IsDamage(t.kind) {
			return t, registry.Invalidf("config.type: must be a type of damage.apply, such as \"fire\", got %.40s", raw)
		}
	}
	return t, nil
}

// blow does damage to a target that was met, and more of it if the draw says so.
func (a *Arena) blow(tx *world.Tx, t *tuning, b stats.Blow) (w stats.Wound, crit bool, err error) {
	if t.chance > 0 && tx.Rand().Float64() < t.chance {
		b.Crit, b.Amount = true, min(float64(b.Amount*t.times), world.MaxNumber)
	}
	b.Type = t.kind
	w, err = a.stats.Hurt(tx, &b)
	return w, b.Crit, err
}

// bounds returns what room an entity takes up, with all below it.
func (a *Arena) bounds(v *world.View, id world.ID) solid.Bounds { return solid.Tree(a.w, v, id) }

// eye is where an entity looks from: the middle of what room it takes up.
func (a *Arena) eye(v *world.View, id world.ID) world.Vec3 { return a.bounds(v, id).Center() }

// gap is how far a point is from a box.
func gap(p world.Vec3, b solid.Bounds) float64 { return p.Dist(p.Max(b.Lo).Min(b.Hi)) }

// alive returns the entity whose health is taken where an entity is met: itself, or what it is a part of. 0 if there is none that lives.
func (a *Arena) alive(v *world.View, id world.ID) world.ID {
	for up := range v.Up(id) {
		if alive, _ := a.stats.Alive(v, up); alive {
			return up
		}
	}
	return 0
}

// ray returns what a line from the eye of an entity meets first: a body, or what is alive; not the entity itself, and nothing that the
// eye is in.
func (a *Arena) ray(v *world.View, of world.ID, from, dir world.Vec3, reach float64) (solid.Hit, bool) {
	return a.things.Ray(v, from, dir, reach, func(id world.ID) bool {
		if v.Within(id, of) || !a.w.Bodies.Has(v, id) && a.alive(v, id) == 0 {
			return true
		}
		if a.alive(v, id) != 0 {
			return false
		}
		s, ok := solid.Of(a.w, v, id)
		if !ok {
			return true
		}
		far, hit := s.Ray(from, dir)
		return hit && far == 0
	})
}

// between returns the body without health that is between the middles of two entities, 0 if there is none.
func (a *Arena) between(v *world.View, one, other world.ID) world.ID {
	from, to := a.eye(v, one), a.eye(v, other)
	dir, ok := unit(to.Sub(from))
	if !ok {
		return 0
	}
	hit, ok := a.things.Ray(v, from, dir, from.Dist(to), func(id world.ID) bool {
		if v.Within(id, one) || v.Within(id, other) || !a.w.Bodies.Has(v, id) || a.alive(v, id) != 0 {
			return true
		}
		s, ok := solid.Of(a.w, v, id)
		if !ok {
			return true
		}
		far, hit := s.Ray(from, dir)
		return hit && far == 0
	})
	if !ok {
		return 0
	}
	return hit.Entity
}

// front is where an entity looks, seen from above; false if that is straight up or down.
func front(v *world.View, id world.ID) (world.Vec3, bool) {
	t, _ := v.WorldTransform(id)
	ahead := t.Rotation.Rotate(world.Vec3{0, 0, 1})
	ahead[1] = 0
	return unit(ahead)
}

// unit returns v with length 1, and false if it is too short to say where to.
func unit(v world.Vec3) (world.Vec3, bool) {
	if !(max(math.Abs(v[0]), math.Abs(v[1]), math.Abs(v[2])) > 1e-9) {
		return v, false
	}
	return v.Unit()
}

// show tells those who see where a fighter is.
func show(tx *world.Tx, kind string, id world.ID, at world.Vec3, payload any) error {
	text, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return tx.Moment(world.Moment{Kind: kind, Entity: id, Placed: true, At: at.Bounded(), Payload: text})
}
