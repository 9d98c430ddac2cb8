package behavior

import (
	"encoding/json"

	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/world"
)

// post returns the place that a guard guards, false if what it guards is no more.
func (g *goal) post(v *world.View, mi *mind) (world.Vec3, bool) {
	switch {
	case g.Target != 0:
		return v.Position(g.Target)
	case g.Position != nil:
		return *g.Position, true
	}
	return mi.Home, true
}

// looksFrom is the place around which a guard has foes: its post, or where it is, if it has eyes.
func (g *goal) looksFrom(post, at world.Vec3) world.Vec3 {
	if g.Sight > 0 {
		return at
	}
	return post
}

// leash is how far from its post a guard stands, in metres: beside whom it guards.
func (g *goal) leash() float64 {
	if g.Target != 0 {
		return g.Distance
	}
	return 0
}

// away reports whether a guard is farther from its post than where it stands: as near as one can be to that.
func (m *Minds) away(v *world.View, g *goal, at, post world.Vec3) bool {
	if !m.Ways.Free(v, post) {
		return at.Flat(post) > float64(g.leash()*1.1)+navigation.Out
	}
	return m.Ways.Apart(v, at, post) > float64(g.leash()*1.1)+2*arrived
}

// guard goes after those who are too near to the post, and back to it.
func (m *Minds) guard(a *attempt, mi *mind) error {
	post, _ := a.goal.post(a.view(), mi)
	foe := m.foe(a.view(), a.id, a.goal, a.goal.looksFrom(post, a.at()), a.goal.Radius, a.state.Foe)
	if foe == 0 {
		return m.lose(a, post)
	}
	if err := m.notice(a, foe); err != nil {
		return err
	}
	to, _ := a.tx.Position(foe)
	if a.goal.Sight > 0 {
		a.state.Seen = &to
	}
	there, err := m.walk(a, to, a.goal.Distance)
	if err != nil || !there {
		return err
	}
	if m.apart(a, to) > a.at().Flat(to) {
		return nil // it is on another storey, and no way leads there
	}
	a.state.Leg = nil
	if a.tx.Step() < a.state.Until {
		return nil
	}
	a.state.Until = a.tx.Step() + a.goal.Every
	return a.tx.As(a.goal.By, func() error { return m.strike(a, foe) })
}

// lose has a guard that sees nobody any more go to where it saw him last, and then back.
func (m *Minds) lose(a *attempt, post world.Vec3) error {
	if a.state.Seen != nil {
		there, err := m.walk(a, *a.state.Seen, 1)
		if err != nil || !there && a.state.Stuck == "" {
			return err
		}
		a.state.Seen, a.state.Leg = nil, nil
	}
	a.state.Foe = 0
	_, err := m.walk(a, post, a.goal.leash())
	return err
}

// notice announces whom a guard has not been after before.
func (m *Minds) notice(a *attempt, foe world.ID) error {
	if a.state.Foe == foe {
		return nil
	}
	a.state.Foe = foe
	return m.announce(a, "behavior.noticed", foe, noticed{foe, a.id, a.goal.ID})
}

// noticed is the data of the event behavior.noticed.
type noticed struct {
	Entity world.ID `json:"entity"` // whom it is about
	Guard  world.ID `json:"guard"`
	Goal   string   `json:"goalId"`
}

// turret shoots who is near.
func (m *Minds) turret(a *attempt) error {
	foe := m.threat(a.view(), a.id, a.goal, a.at(), a.goal.Radius, a.state.Foe)
	a.state.Foe = foe
	if foe == 0 {
		return nil
	}
	to, _ := a.tx.Position(foe)
	return a.tx.As(a.goal.By, func() error {
		if at := a.at(); a.goal.Turns {
			if err := face(a.tx, a.id, to.Sub(at)); err != nil {
				return err
			}
		}
		if a.tx.Step() < a.state.Until {
			return nil
		}
		a.state.Until = a.tx.Step() + a.goal.Every
		return m.strike(a, foe)
	})
}

// face turns an entity, about what is upright.
func face(tx *world.Tx, id world.ID, way world.Vec3) error {
	at, _ := tx.WorldTransform(id)
	turned, ok := world.Yaw(way[0], way[2])
	if !ok || turned == at.Rotation {
		return nil
	}
	return tx.PutAt(id, at.Position, turned)
}

// blow is the data of the event behavior.attacked.
type blow struct {
	Entity world.ID `json:"entity"` // whom it is about
	Guard  world.ID `json:"guard"`
	Goal   string   `json:"goalId"`
	Hit    bool     `json:"hit"`
	Damage float64  `json:"damage,omitempty"`
	Killed bool     `json:"killed,omitempty"`
}

// strike has a guard strike, or a turret shoot, somebody who is near, if it does damage, and announces it.
func (m *Minds) strike(a *attempt, foe world.ID) error {
	var hit combat.Hit
	if _, has := m.Stats.Alive(a.view(), foe); has && a.goal.Damage > 0 {
		var err error
		if a.goal.Type == "turret" {
			hit, err = m.Arena.Shoot(a.tx, a.goal.By, a.id, foe, a.goal.Damage, a.goal.Speed)
		} else {
			hit, err = m.Arena.Strike(a.tx, a.goal.By, a.id, foe, a.goal.Damage, a.goal.Distance)
		}
		if err != nil {
			return err
		}
	}
	return m.announce(a, "behavior.attacked", foe, blow{foe, a.id, a.goal.ID, hit.Met, hit.Damage, hit.Killed})
}

// announce emits an event that the server alone emits, about somebody.
func (m *Minds) announce(a *attempt, name string, about world.ID, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return m.Does.Announce(a.tx, action.Event{Name: name, Entity: about, Data: text, By: a.goal.By})
}

// flee goes away from who is near: straight, or where nobody can be there, to the side.
func (m *Minds) flee(a *attempt) error {
	at := a.at()
	who := m.threat(a.view(), a.id, a.goal, at, float64(a.goal.Radius*1.25), a.state.Foe)
	a.state.Foe = who
	from, ok := a.tx.Position(who)
	if !ok {
		return nil
	}
	if l := a.state.Leg; l != nil && m.Ways.Walks(a.view(), a.id) && m.Ways.Apart(a.view(), l.End, from) > m.apart(a, from) {
		return nil // it is on a good way
	}
	to, free := m.refuge(a.view(), at, from, float64(a.goal.Radius*1.5))
	if !free {
		m.stick(a, "there is nowhere to flee to")
		return nil
	}
	a.state.Leg = nil
	_, err := m.walk(a, to, 0)
	return err
}

// refuge returns a place away from another, so far from it, false if nobody can be at any of those that were tried.
func (m *Minds) refuge(v *world.View, at, from world.Vec3, far float64) (world.Vec3, bool) {
	const half = 0.70710678118654752 // the sine of 45 degrees, and its cosine
	d := at.Flat(from)
	x, z := 1.0, 0.0 // where both are in one place
	if d > 0 {
		x, z = (at[0]-from[0])/d, (at[2]-from[2])/d
	}
	for _, turn := range [...][2]float64{{1, 0}, {half, half}, {half, -half}, {0, 1}, {0, -1}} {
		c, s := turn[0], turn[1]
		to := world.Vec3{
			from[0] + float64(far*(float64(x*c)-float64(z*s))), at[1],
			from[2] + float64(far*(float64(x*s)+float64(z*c))),
		}.Bounded()
		if m.Ways.Free(v, to) {
			return to, true
		}
	}
	return at, false
}
