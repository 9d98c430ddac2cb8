package behavior

import "github.com/limina-mcp/limina/world"

// wander goes to a spot near its place, rests there, and goes to another one. One to which there is no way is left out.
func (m *Minds) wander(a *attempt, mi *mind) error {
	st, now := a.state, a.tx.Step()
	if now < st.Until || now < st.Retry {
		return nil
	}
	if st.Spot == nil {
		spot, ok := m.spot(a, mi)
		if !ok {
			m.stick(a, "there is nowhere to wander to")
			return nil
		}
		st.Spot, st.Leg = &spot, nil
	}
	there, err := m.walk(a, *st.Spot, 0)
	if err != nil {
		return err
	}
	if st.Stuck != "" {
		st.Spot = nil
	}
	if there {
		st.Spot, st.Leg, st.Until = nil, nil, now+a.goal.Every
	}
	return nil
}

// spot returns where to wander to next: anywhere within the radius with the same chance, where somebody can be. It is false if nobody can be at any of
// those that were tried.
func (m *Minds) spot(a *attempt, mi *mind) (world.Vec3, bool) {
	const tries = 32
	around, radius, chance := mi.Home, a.goal.Radius, a.tx.Rand()
	if p := a.goal.Position; p != nil {
		around = *p
	}
	for range tries {
		x, z := float64(2*chance.Float64())-1, float64(2*chance.Float64())-1
		if float64(x*x)+float64(z*z) > 1 { // in the square around the circle
			continue
		}
		p := world.Vec3{around[0] + float64(radius*x), around[1], around[2] + float64(radius*z)}.Bounded()
		if spot, ok := m.Ways.Spot(a.view(), a.id, p); ok {
			return spot, true
		}
	}
	return world.Vec3{}, false
}
