package navigation

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/self"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// DefaultSpeed is how fast entities walk that were not told otherwise, in metres a second.
const DefaultSpeed = 3

// Mesh is the grid of a world and those who walk on it. A world has one.
type Mesh struct {
	w       *world.World
	agents  *agents.Agents
	grid    *world.Global[*Grid] // how it was built, see now
	chart   chart
	speeds  *world.Component[float64]
	walks   *world.Component[walk]
	walkers *world.Component[bool] // whoever was sent somewhere: nobody walks around where it stands
	ground  *solid.Index           // generated ground alone
	guard   Guard
	own     self.Of
	again   int                                                                                 // how many ways the step that is being taken may still look for anew
	blocks  func(v *world.View, id world.ID, toward world.Vec3) (against world.ID, slides bool) // what an entity stands against; nil: nobody knows
	stuck   *world.Component[string]                                                            // why somebody who is on his way does not get on; viewers get it
	pace    func(v *world.View, id world.ID) float64                                            // how much of its speed an entity has; nil: all
	stand   func(tx *world.Tx, id world.ID)                                                     // ends what else walks an entity; nil: nothing does
	afoot   func(v *world.View, id world.ID) bool                                               // whether physics says how high an entity is; nil: of none
	mobile  func(v *world.View, id world.ID) bool                                               // whether something else moves an entity; nil: nothing does
	bound   func(v *world.View, id world.ID) string                                             // why an entity does not walk, as it goes elsewhere; nil: nothing has it do so
	open    func(v *world.View, id world.ID) bool                                               // whether an entity is a door that is open; nil: none is
}

// Mobile has functions say which entities something else moves now, so that they, with all that is below them, are not in the way, and which ones are open, so
// that one squeezes past them. They are given once, where the world is put together, and go by the components of the entity.
func (m *Mesh) Mobile(moves, open func(v *world.View, id world.ID) bool) {
	m.mobile, m.open = moves, open
}

// Bound has a function say why an entity does not walk where it is sent, because something else takes it elsewhere, "" if it may. It is given once, where the world
// is put together, and goes by the world alone.
func (m *Mesh) Bound(bound func(v *world.View, id world.ID) string) { m.bound = bound }

// Afoot has a function say which entities walk on what is under them by themselves, as characters of the physics do: they are told where to go as seen
// from above, and steps and slopes lift them. It is given once, where the world is put together, and goes by the world alone.
func (m *Mesh) Afoot(afoot func(v *world.View, id world.ID) bool) { m.afoot = afoot }

// Lead has a function take from who is sent somewhere the intent that it has of its own. It is given once, where the world is put together.
func (m *Mesh) Lead(stand func(tx *world.Tx, id world.ID)) { m.stand = stand }

// Self has a function say whom those walk with who name nobody, where the world is put together.
func (m *Mesh) Self(own self.Of) { m.own = own }

// Hinder has a function say how much of its speed an entity has that walks, 0 to 1. It is given once, where the world is put together,
// and goes by the world alone.
func (m *Mesh) Hinder(pace func(v *world.View, id world.ID) float64) { m.pace = pace }

// Guard says how fast a caller may have an entity walk, in metres a second, or why he may not at all. [Free] is for those who could as well
// put it there: only they take strides, and have it start elsewhere.
type Guard func(v *world.View, caller *profiles.Principal, id world.ID) (most float64, err error)

// Free is how fast an entity may walk whose speed is nobody's business.
const Free = world.MaxNumber

// Guard has a function say who may have an entity walk, besides what the mesh itself asks. It is given once, where
// the world is put together; without it everybody is free to.
func (m *Mesh) Guard(guard Guard) { m.guard = guard }

// walk is the component of an entity that is on its way.
type walk struct {
	Points []world.Vec3 `json:"points"`           // still to go to, in world space; one at least
	Speed  float64      `json:"speed,omitempty"`  // 0: the entity's
	Above  *float64     `json:"above,omitempty"`  // its height above the grid, where that is not flat
	Ground *float64     `json:"ground,omitempty"` // how high above generated ground it goes, whatever the height of Points, in metres; nil: by Points

	By string `json:"by,omitempty"` // who has it go there by navmesh.moveTo; "" for what looks after it itself

	// Of who is afoot: how far he had to go when that was noted, in which step it is noted next, and for how many seconds in a row he has not got on.
	Left float64 `json:"left,omitempty"`
	Look uint64  `json:"look,omitempty"`
	Idle int     `json:"idle,omitempty"`
}

// above returns how high above the ground an entity goes that is on its way, nil if that is what it is now.
func (m *Mesh) above(v *world.View, id world.ID) *float64 {
	w, _ := m.walks.Get(v, id)
	return w.Above
}

// walk returns the walk of somebody over points that are to go to, so high above the ground.
func (g *Grid) walk(points []world.Vec3, speed, above float64) walk {
	if g == nil || g.Heights == nil {
		return walk{Points: points, Speed: speed}
	}
	return walk{Points: points, Speed: speed, Above: &above}
}

// New gives a world ways, once, where it is put together, before its physics: the steps move those who
// walk, and a kinematic body that is moved before the physics pushes what is in its way.
func New(w *world.World, a *agents.Agents) *Mesh {
	m := &Mesh{
		w: w, agents: a,
		grid:    world.NewGlobal[*Grid](w, "navmesh", nil, world.Private),
		speeds:  world.NewComponent[float64](w, "navmesh.speed", world.Private),
		walks:   world.NewComponent[walk](w, "navmesh.walk", world.Private, world.Single),
		walkers: world.NewComponent[bool](w, "navmesh.walker", world.Private),
		stuck:   world.NewComponent[string](w, "navmesh.stuck", world.Single),
		ground: solid.NewIndex(w, func(v *world.View, id world.ID) (solid.Solid, bool) {
			if !w.Grounds.Has(v, id) {
				return solid.Solid{}, false
			}
			return solid.Of(w, v, id)
		}),
		guard: func(*world.View, *profiles.Principal, world.ID) (float64, error) { return Free, nil },
	}
	m.chart.trail = w.NewTrail(func() int { return 1024 + 4*m.chart.size() }, m.chart.drop)
	m.walks.Resume(func(w walk, past uint64) walk {
		if w.Look != 0 {
			w.Look += past
		}
		return w
	})
	w.OnStep("navmesh.walk", m.step, world.BusyWhile(func(v *world.View) bool { return m.walks.Len(v) > 0 }))
	return m
}

// Walks reports whether an entity is on its way by navmesh.moveTo. It may be called in any view.
func (m *Mesh) Walks(v *world.View, id world.ID) bool { return m.walks.Has(v, id) }

// Pace returns how fast an entity walks that is on its way by navmesh.moveTo, in m/s; 0 if it is not, is held, or does not get on.
// It may be called in any view.
func (m *Mesh) Pace(v *world.View, id world.ID) float64 {
	w, ok := m.walks.Get(v, id)
	if !ok || m.stuck.Has(v, id) {
		return 0
	}
	return m.speed(v, id, &w)
}

// speed returns how fast an entity goes that is on its way, 0 if it is held.
func (m *Mesh) speed(v *world.View, id world.ID, w *walk) float64 {
	speed := w.Speed
	if speed == 0 {
		speed = m.speedOf(v, id)
	}
	if m.pace == nil {
		return speed
	}
	return float64(speed * max(m.pace(v, id), 0))
}

// speedOf returns how fast an entity walks.
func (m *Mesh) speedOf(v *world.View, id world.ID) float64 {
	if speed, ok := m.speeds.Get(v, id); ok {
		return speed
	}
	return DefaultSpeed
}

// step moves everybody who is on his way by one stride.
func (m *Mesh) step(tx *world.Tx) error {
	m.again = min(mostAgain, m.Searches(&tx.View))
	for id, w := range m.walks.All(&tx.View) {
		if err := m.stride(tx, id, w); err != nil {
			return err
		}
	}
	return nil
}

// stride moves somebody by one stride. Whoever was put elsewhere meanwhile goes on from there, straight to the next point.
func (m *Mesh) stride(tx *world.Tx, id world.ID, w walk) error {
	if m.agents.Walks(&tx.View, id) { // since then somebody has sent it elsewhere
		m.end(tx, id)
		return nil
	}
	speed := m.speed(&tx.View, id, &w)
	if speed <= 0 {
		return nil
	}
	at, _ := tx.Position(id)
	if m.swims(&tx.View, id, at, &w) {
		speed /= 2
	}
	from, high, afoot := at, at[1], m.afoot != nil && m.afoot(&tx.View, id)
	before := w
	to := w.Points
	if afoot {
		side, err := m.around(tx, id, &w, speed)
		if err != nil {
			return err
		}
		if to = w.Points; side != nil {
			to = append([]world.Vec3{*side}, to...)
		}
	}
	if w.Ground != nil || afoot {
		at[1] = w.Points[0][1] // its speed is that over the level, and where a step has lifted it it is at a point as well
	}
	at, facing, left := follow(at, to, speed/float64(m.w.StepRate()))
	if !afoot && m.shut(&tx.View, from, at, &w) {
		return m.wait(tx, id, from, w)
	}
	switch {
	case w.Ground != nil:
		ground, _ := m.ground.Ground(&tx.View, at[0], at[2]) // beside the tiles it is at 0
		at[1] = m.afloat(&tx.View, id, at, ground) + *w.Ground
	case afoot:
		at[1] = high
	}
	if err := move(tx, id, at, facing); err != nil || len(left) == 0 {
		m.end(tx, id)
		return nil //nolint:nilerr // what the world has no room for is as good as reached
	}
	if !afoot {
		m.stuck.Remove(tx, id)
	}
	w.Points = w.Points[max(0, len(w.Points)-len(left)):]             // without where it goes aside
	if len(w.Points) == len(before.Points) && w.Look == before.Look { // a way anew comes with another look
		return nil
	}
	return m.walks.Set(tx, id, w)
}

// around has somebody who is afoot walk around those who stand in his way, and be told of as stuck if he does not get on. It returns where he goes first for that,
// nil for straight on.
func (m *Mesh) around(tx *world.Tx, id world.ID, w *walk, speed float64) (first *world.Vec3, err error) {
	at, _ := tx.Position(id)
	side, ok, by, passed := m.aside(&tx.View, id, at, w.Points[0])
	if passed && len(w.Points) > 1 {
		w.Points = w.Points[1:]
		side, ok, by, _ = m.aside(&tx.View, id, at, w.Points[0])
	}
	if len(w.Points) > 1 && m.hangs(&tx.View, id, at, w.Points[0]) {
		w.Points = w.Points[1:]
	}
	if *w, err = m.gets(tx, id, at, *w, speed, by); err != nil || !ok {
		return nil, err
	}
	side[1] = w.Points[0][1]
	return &side, nil
}

// move puts an entity at a point in world space, turned to where it goes.
func move(tx *world.Tx, id world.ID, to, facing world.Vec3) error {
	at, _ := tx.WorldTransform(id)
	if turned, ok := world.Yaw(facing[0], facing[2]); ok {
		at.Rotation = turned
	}
	return tx.PutAt(id, to, at.Rotation)
}
