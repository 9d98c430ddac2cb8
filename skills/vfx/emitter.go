package vfx

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of particles.
const (
	MaxEmitters  = 1024    // with bursts
	MaxParticles = 1 << 16 // of all of them together, by what each may have
	MaxConfig    = 4 << 10 // bytes of a free config
	MaxBurst     = 3600    // seconds that a burst lives
)

// Effects are the emitters of a world. All of it is in the world, so it is hashed, rolled back and replayed with the rest. A world has
// one Effects.
type Effects struct {
	w        *world.World
	rows     *world.Table[Handle, Emitter]
	by       *share.Owners[Handle]
	due      *world.Table[Handle, uint64] // the bursts, and the step in which each is gone
	carriers *world.Component[struct{}]   // on what emitters are attached to
}

// Emitter is a row of the table "vfx.emitters". Steps are simulation steps. Rows are immutable.
type Emitter struct {
	Config
	Radius   float64    `json:"radius"`           // of its shape, metres
	Entity   world.ID   `json:"entity,omitempty"` // what it is attached to
	Position world.Vec3 `json:"position"`         // where it is; with an entity: in the space of that, but for its scale
	Count    int        `json:"count,omitempty"`  // of a burst: how many particles
	Playing  bool       `json:"playing,omitempty"`
	Start    uint64     `json:"start"`          // the step in which it began to play
	Stop     uint64     `json:"stop,omitempty"` // the step in which it ceased; of a burst, in which it is gone
}

// New adds emitters to a world, once, where it is put together, with a simulation step that frees bursts.
func New(w *world.World) *Effects {
	e := &Effects{
		w:        w,
		rows:     world.NewTable[Handle, Emitter](w, "vfx.emitters", MaxEmitters),
		by:       share.NewOwners[Handle](w, "vfx.owners", share.Kept{Most: MaxEmitters, What: "emitters", Free: "vfx.destroy frees one"}),
		due:      world.NewTable[Handle, uint64](w, "vfx.due", MaxEmitters, world.Private),
		carriers: world.NewComponent[struct{}](w, "vfx.carrier", world.Private, world.Single, world.Derived),
	}
	e.rows.Locate(func(em Emitter) world.Place { return em.place(w.StepRate()) })
	e.rows.Resume(func(em Emitter, past uint64) Emitter {
		em.Start += past
		if em.Stop != 0 {
			em.Stop += past
		}
		return em
	})
	e.due.Resume(func(at, past uint64) uint64 { return at + past })
	w.OnStep("vfx", e.step, world.BusyWhile(func(v *world.View) bool { return e.due.Len(v) > 0 }))
	w.OnDestroy(e.bury)
	w.OnFollow(e.recount)
	return e
}

// most is how many particles of it live at a time, at most.
func (em *Emitter) most() int {
	if em.Count > 0 {
		return em.Count
	}
	return em.MaxParticles
}

// particles are what the emitters of all together may have of them.
var particles = share.Kept{Most: MaxParticles, What: "particles", Free: "give it fewer, or vfx.destroy others"}

// add takes an emitter of an agent's into the world.
func (e *Effects) add(tx *world.Tx, by string, em Emitter) (Handle, error) {
	has, all, is := 0, 0, share.Like(&tx.View, by)
	for h, other := range e.rows.All(&tx.View) {
		if all += other.most(); is(e.by.Of(&tx.View, h)) {
			has += other.most()
		}
	}
	if err := particles.RoomFor(em.most(), has, all); err != nil {
		return 0, err
	}
	h := Handle(e.rows.Next(tx) - 1)
	if err := e.by.Take(tx, h, by, e.rows.Len(&tx.View)); err != nil {
		return 0, err
	}
	if em.Count > 0 {
		if err := e.due.Set(tx, h, em.Stop); err != nil {
			return 0, err
		}
	}
	return h, e.rows.Set(tx, h, em)
}

// find returns the emitter that a caller names. The error says which there are.
func (e *Effects) find(v *world.View, name string) (Handle, Emitter, error) {
	h, err := handle.Parse[kind](name)
	if err == nil {
		if em, ok := e.rows.Get(v, h); ok {
			return h, em, nil
		}
	}
	all := make([]Handle, 0, e.rows.Len(v))
	for other := range e.rows.All(v) {
		all = append(all, other)
	}
	if len(all) == 0 {
		return 0, Emitter{}, registry.Failf("unknown emitter %s; there is none: vfx.create makes one", quote.Clip(name))
	}
	if err != nil {
		h = all[len(all)-1] // whatever was meant, the newest are the likeliest
	}
	return 0, Emitter{}, registry.Failf("unknown emitter %s; %s", quote.Clip(name), handle.Nearest(all, h))
}

// emitter is find for what only an emitter of vfx.create can do.
func (e *Effects) emitter(v *world.View, name string) (Handle, Emitter, error) {
	h, em, err := e.find(v, name)
	if err == nil && em.Count > 0 {
		err = registry.Failf("%s is a burst, which plays once and is gone by itself: vfx.create makes what can be played", h)
	}
	return h, em, err
}

// remove takes an emitter out of the world.
func (e *Effects) remove(tx *world.Tx, h Handle) {
	em, _ := e.rows.Get(&tx.View, h)
	e.rows.Delete(tx, h)
	e.by.Drop(tx, h)
	e.due.Delete(tx, h)
	e.leave(tx, em.Entity)
}

// place is where an emitter is, for viewers of an area: as far as its particles come.
func (em Emitter) place(rate int) world.Place {
	if em.Entity != 0 {
		return world.Place{Entity: em.Entity}
	}
	return world.Place{Point: &em.Position, Radius: em.reach(rate)}
}
