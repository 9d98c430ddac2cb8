package behavior

import (
	"encoding/json"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// attempt is one look of an entity at its goal.
type attempt struct {
	tx    *world.Tx
	id    world.ID
	goal  *goal
	state *state
	speed float64 // metres a second; 0: its own
}

func (a *attempt) view() *world.View { return &a.tx.View }

func (a *attempt) at() world.Vec3 {
	p, _ := a.tx.Position(a.id)
	return p
}

// wants reports whether a goal gives an entity something to do. on says that it is at it, idle that nothing else does.
func (m *Minds) wants(v *world.View, id world.ID, mi *mind, g *goal, st *state, on, idle bool) bool {
	var known world.ID
	if on {
		known = st.Foe
	}
	at, _ := v.Position(id)
	switch g.Type {
	case "follow":
		return v.Exists(g.Target)
	case "flee":
		radius := g.Radius
		if on { // so that it does not stop at the edge
			radius = float64(radius * 1.25)
		}
		return m.threat(v, id, g, at, radius, known) != 0
	case "turret":
		return m.threat(v, id, g, at, g.Radius, known) != 0
	case "guard":
		post, ok := g.post(v, mi)
		return ok && (m.foe(v, id, g, g.looksFrom(post, at), g.Radius, known) != 0 || on && st.Seen != nil || (on || idle) && m.away(v, g, at, post))
	case "interact", "goTo":
		return g.Target == 0 || v.Exists(g.Target)
	}
	return true
}

// pursue does what there is to do about a goal now. done says that there is nothing more, ever.
func (m *Minds) pursue(a *attempt, mi *mind) (done bool, err error) {
	switch a.goal.Type {
	case "patrol":
		return m.patrol(a, mi)
	case "wander":
		return false, m.wander(a, mi)
	case "follow":
		return false, m.follow(a)
	case "flee":
		return false, m.flee(a)
	case "guard":
		return false, m.guard(a, mi)
	case "turret":
		return false, m.turret(a)
	case "interact":
		return m.interact(a)
	case "goTo":
		return m.goTo(a)
	default:
		return true, m.custom(a)
	}
}

// patrol goes from one waypoint to the next. One to which there is no way is left out. Who guides somebody waits for him; who goes once is done at the last.
func (m *Minds) patrol(a *attempt, mi *mind) (done bool, err error) {
	g, points := a.goal, a.goal.Points
	if len(points) == 0 {
		points = []world.Vec3{*g.Position, mi.Home}
	}
	if g.guides() && m.waits(a, points[a.state.At%len(points)]) {
		return false, nil
	}
	if a.tx.Step() < a.state.Until {
		return false, nil
	}
	for range points {
		if a.state.At >= len(points) && g.Once {
			return true, m.arrive(a)
		}
		a.state.At %= len(points)
		there, err := m.walk(a, points[a.state.At], 0)
		if err != nil || !there && a.state.Stuck == "" {
			return false, err
		}
		if len(points) == 1 && !g.Once {
			return false, nil
		}
		a.state.At++
		a.state.Leg = nil
		if !there {
			return false, nil // after a while it looks for a way to the next
		}
		if g.Every > 0 {
			a.state.Until = a.tx.Step() + g.Every
			return false, nil
		}
	}
	if g.Once && a.state.At >= len(points) {
		return true, m.arrive(a)
	}
	return false, nil
}

// waits has an entity stand still that guides somebody who is behind, neither near nor nearer to where it goes, and reports whether it does.
func (m *Minds) waits(a *attempt, to world.Vec3) bool {
	radius := a.goal.Radius
	if a.state.Leg != nil { // so that it does not stop and go at the edge
		radius = float64(radius * 1.25)
	}
	if m.led(a.view(), a.id, a.goal, a.at(), radius) != 0 || m.led(a.view(), a.id, a.goal, to, m.apart(a, to)) != 0 {
		return false
	}
	if m.blind {
		a.state.Late = true
		return true
	}
	if a.state.Leg != nil {
		m.Ways.Halt(a.tx, a.id)
		a.state.Leg = nil
	}
	a.state.Stuck = "it waits for whom it guides"
	return true
}

// arrival is the data of the event behavior.arrived.
type arrival struct {
	Entity world.ID `json:"entity"` // whom it is about
	Goal   string   `json:"goalId"`
	Guided world.ID `json:"guided,omitzero"`
}

// arrive announces who has gone a patrol to its end, and whom he has guided there.
func (m *Minds) arrive(a *attempt) error {
	it := arrival{Entity: a.id, Goal: a.goal.ID}
	if a.goal.guides() {
		it.Guided = m.led(a.view(), a.id, a.goal, a.at(), float64(a.goal.Radius*1.25))
	}
	text, err := json.Marshal(it)
	if err != nil {
		return err
	}
	return m.Does.Announce(a.tx, action.Event{Name: "behavior.arrived", Entity: a.id, Actor: it.Guided, Data: text, By: a.goal.By})
}

// follow stays near somebody.
func (m *Minds) follow(a *attempt) error {
	to, _ := a.tx.Position(a.goal.Target)
	near := m.apart(a, to) <= float64(a.goal.Distance*1.25)
	if a.state.Leg == nil && near {
		return nil // so that it does not set out at every stir
	}
	there, err := m.walk(a, to, a.goal.Distance)
	if there && near { // else no way leads nearer
		a.state.Leg = nil
	}
	return err
}

// goTo goes to a place, or to somebody: once, where no routine has it stay. Where no way leads it gives that up.
func (m *Minds) goTo(a *attempt) (done bool, err error) {
	to, near := a.goal.Position, 0.0
	if a.goal.Target != 0 {
		p, _ := a.tx.Position(a.goal.Target)
		to, near = &p, 1.5
	}
	there, err := m.walk(a, *to, near)
	if err != nil || strings.HasPrefix(a.state.Goal, ofRoutine) {
		return false, err
	}
	if a.state.Stuck != "" && a.state.Leg == nil { // no way leads there; what stands in the way may go
		return true, m.failed(a.tx, a.id, "", a.goal.By, registry.Failf("%s", a.state.Stuck))
	}
	return there, nil
}

// interact goes to a thing and does what that is there for.
func (m *Minds) interact(a *attempt) (done bool, err error) {
	near, err := m.Things.Reaches(a.view(), a.id, a.goal.Target)
	if err != nil {
		return false, err
	}
	if !near {
		to, _ := a.tx.Position(a.goal.Target)
		there, err := m.walk(a, to, 0)
		if there {
			m.stick(a, a.goal.Target.String()+" is too far away from where one can walk")
		}
		return false, err
	}
	if a.state.Leg != nil {
		m.Ways.Halt(a.tx, a.id)
		a.state.Leg = nil
	}
	if a.tx.Step() < a.state.Until {
		return false, nil
	}
	why := ""
	err = a.tx.As(a.goal.By, func() (err error) {
		why, err = m.Things.Act(a.tx, a.goal.By, a.id, a.goal.Target)
		return err
	})
	switch {
	case err != nil:
		return false, err
	case why != "":
		m.stick(a, why)
		return false, nil
	}
	a.state.Until = a.tx.Step() + a.goal.Every
	return a.goal.Every == 0, nil
}

// custom tells viewers, and those who listen, of a goal.
func (m *Minds) custom(a *attempt) error {
	told := struct {
		Entity world.ID        `json:"entity"`
		Goal   string          `json:"goalId"`
		Target string          `json:"target,omitempty"`
		Config json.RawMessage `json:"config,omitempty"`
	}{a.id, a.goal.ID, a.goal.Aim, json.RawMessage(a.goal.Config)}
	text, err := json.Marshal(told)
	if err != nil {
		return err
	}
	if err := a.tx.Moment(world.Moment{Kind: "behavior.custom", Entity: a.id, Placed: true, At: a.at(), Payload: text}); err != nil {
		return err
	}
	if a.goal.Event == "" {
		return nil
	}
	return a.tx.As(a.goal.By, func() error {
		return m.Does.Announce(a.tx, action.Event{Name: a.goal.Event, Entity: a.id, Data: text, By: a.goal.By})
	})
}

// stick has an entity try again in a second.
func (m *Minds) stick(a *attempt, why string) {
	a.state.Stuck, a.state.Retry, a.state.Leg = why, a.tx.Step()+uint64(m.World.StepRate()), nil
}

// arrived is how near to the end of its way somebody is who is there, in metres.
const arrived = 0.05

// walk has an entity go to a place, or so near to it, and reports whether it is there.
func (m *Minds) walk(a *attempt, to world.Vec3, near float64) (there bool, err error) {
	st := a.state
	if m.apart(a, to) <= max(near, arrived) {
		if st.Leg != nil {
			m.Ways.Halt(a.tx, a.id)
		}
		return true, nil
	}
	if l := st.Leg; l != nil && m.Ways.Apart(a.view(), l.To, to) <= m.apart(a, to)/5 { // it may have moved on, but not by much
		if m.Ways.Walks(a.view(), a.id) {
			st.Stuck = m.Ways.Stuck(a.view(), a.id)
			return false, nil
		}
		if m.apart(a, l.End) <= max(arrived, m.Ways.Slack(a.view(), a.id)) {
			return true, nil
		}
	}
	if a.tx.Step() < st.Retry {
		return false, nil
	}
	if m.searches == 0 {
		st.Late = true
		return false, nil
	}
	m.searches--
	end, why, err := m.Ways.Send(a.tx, a.id, to, near, a.speed)
	if err != nil {
		return false, err
	}
	if why != "" {
		m.stick(a, why)
		return false, nil
	}
	st.Leg = &leg{to, end}
	return false, nil
}

// apart is how far an entity is from a place, see [navigation.Mesh.Apart].
func (m *Minds) apart(a *attempt, to world.Vec3) float64 { return m.Ways.Apart(a.view(), a.at(), to) }
