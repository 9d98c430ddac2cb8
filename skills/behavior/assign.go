package behavior

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// AssignIn is the input of behavior.assign.
type AssignIn struct {
	Entity    world.ID        `json:"entity" jsonschema_description:"Who is to behave so, such as ent_7: what is nobody else's, or yourself."`
	ProfileID string          `json:"profileId" validate:"max=128" jsonschema_description:"How, as behavior.define named it; \"\" for no more. Goals and reactions that it was given one by one before are gone."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event behavior.assigned."`
}

// changed is the payload of the events of this package.
type changed struct {
	Entity  world.ID        `json:"entity"`
	Profile string          `json:"profileId,omitempty"`
	Goal    string          `json:"goalId,omitempty"`
	Type    string          `json:"type,omitempty"`
	Trigger string          `json:"trigger,omitempty"`
	Routine string          `json:"routineId,omitempty"`
	Meta    registry.Object `json:"meta,omitempty"`
}

// Assign is behavior.assign.
func Assign(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[AssignIn, OKOut]{
		Name:  "behavior.assign",
		Title: "Have a character live by itself",
		Description: "Give an entity a profile of behavior.define: from the next simulation steps on it keeps its routine, reacts to events and pursues its goals by itself. It may be any entity, but walks only without a static body, and while it follows no path. {\"entity\":\"ent_7\",\"profileId\":\"\"} ends it. To walk it once use navmesh.moveTo. " +
			`Example: {"entity":"ent_7","profileId":"watchman"}`,
		Keywords:    "npc ai give behavior monster enemy villager profile unassign remove end stop",
		Permissions: []profiles.Permission{"behavior.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in AssignIn) (OKOut, error) {
			out, err := m.change(c, in.Entity, changed{Entity: in.Entity, Profile: in.ProfileID, Meta: in.Meta}, "behavior.assigned", func(tx *world.Tx, _ mind) error {
				if in.ProfileID == "" {
					return m.clear(tx, in.Entity)
				}
				if _, err := m.find(&tx.View, in.ProfileID); err != nil {
					return err
				}
				m.stop(tx, in.Entity)
				m.rests.Remove(tx, in.Entity)
				at, _ := tx.Position(in.Entity)
				return m.set(tx, in.Entity, &mind{Profile: in.ProfileID, Home: at})
			})
			if err != nil {
				return OKOut{}, err
			}
			out.Note, err = world.Read(m.World, c, func(v *world.View) (string, error) { return m.astray(v, in.Entity), nil })
			return out, err
		},
	})
}

// astray says where the routine of an entity has it go that cannot be reached from where it is, "" if it can, or nobody knows: where no grid is built.
func (m *Minds) astray(v *world.View, id world.ID) string {
	mi, p, _ := m.of(v, id)
	if p != nil && p.walks() {
		if why := m.Ways.Held(v, id); why != "" {
			return "it walks nowhere: " + why
		}
	}
	if p == nil || p.routine(mi.Routine) == nil {
		return ""
	}
	r := p.routine(mi.Routine)
	var points []world.Vec3
	var slots []*slot
	for i := range r.Slots {
		g := r.Slots[i].Errand
		if g == nil || g.Type != "goTo" {
			continue
		}
		to := g.Position
		if to == nil {
			at, ok := v.Position(g.Target)
			if !ok {
				continue
			}
			to = &at
		}
		points, slots = append(points, *to), append(slots, &r.Slots[i])
	}
	at, near := m.Ways.Astray(v, id, points)
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("from where it is now no way leads to %v, where the routine %q has it go at %v: the nearest place that it can reach is %v", shown.Point(points[at]), quote.Clip(r.ID), slots[at].Hour, near)
}

// walks reports whether a profile has anything that somebody walks for.
func (p *profile) walks() bool {
	for i := range p.Routines {
		if slices.ContainsFunc(p.Routines[i].Slots, func(s slot) bool { return s.Errand != nil }) {
			return true
		}
	}
	return slices.ContainsFunc(p.Goals, func(g goal) bool { return g.Type != "custom" && g.Type != "turret" }) ||
		slices.ContainsFunc(p.Reactions, func(r reaction) bool { return r.Do.Type == "goTo" })
}

// change has a caller change how an entity behaves, and puts it on record.
func (m *Minds) change(c *registry.Call, id world.ID, what changed, event string, fn func(tx *world.Tx, mi mind) error) (OKOut, error) {
	return world.Do(m.World, c, func(tx *world.Tx) (OKOut, error) {
		if err := m.may(&tx.View, c.Principal(), id); err != nil {
			return OKOut{}, err
		}
		mi, has := m.minds.Get(&tx.View, id)
		if !has {
			mi.Home, _ = tx.Position(id)
		}
		if err := fn(tx, mi); err != nil {
			return OKOut{}, err
		}
		return OKOut{OK: true}, c.Emit(event, what)
	})
}

// may reports why a caller may not say how an entity behaves.
func (m *Minds) may(v *world.View, caller *profiles.Principal, id world.ID) error {
	if !v.Exists(id) {
		return v.Unknown(id)
	}
	return registry.Under("entity", m.Acts(v, caller, id))
}

// SetGoalIn is the input of behavior.setGoal.
type SetGoalIn struct {
	Entity world.ID `json:"entity" jsonschema_description:"Who is to be after it, such as ent_7: what is nobody else's, or yourself."`
	Aim
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event behavior.goalSet."`
}

// SetGoalOut is the output of behavior.setGoal.
type SetGoalOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	GoalID string `json:"goalId" jsonschema_description:"What viewers are told that it pursues."`
	Note   string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it."`
}

// SetGoal is behavior.setGoal.
func SetGoal(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[SetGoalIn, SetGoalOut]{
		Name:  "behavior.setGoal",
		Title: "Give a character a goal",
		Description: "Give an entity a goal of its own: to patrol, guide somebody, wander about, follow, flee, guard, shoot who comes near, use a thing, go somewhere, or what you make of it. Of goals of one priority the newest comes first, before those of its profile. It takes the place of one of the same type and priority that was given so before; behavior.assign takes all of them away. " +
			`Example: {"entity":"ent_7","type":"follow","target":"ent_3","config":{"distance":3}}; a tower: {"entity":"ent_9","type":"turret","config":{"tag":"creep","radius":8,"damage":10}}`,
		Keywords:    "npc enemy follow patrol wander roam stroll guard flee chase escort pet companion order command waypoints animal walk behind after guide tour room cow sheep graze turret tower defence defense shoot shoots sentry nearest range attack player zombie lead leads stealth sees spot",
		Permissions: []profiles.Permission{"behavior.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in SetGoalIn) (out SetGoalOut, err error) {
			g, err := m.aim(c.Principal(), "", &in.Aim)
			if err != nil {
				return out, err
			}
			return world.Do(m.World, c, func(tx *world.Tx) (out SetGoalOut, err error) {
				if err := m.may(&tx.View, c.Principal(), in.Entity); err != nil {
					return out, err
				}
				if g.Target == in.Entity {
					return out, registry.Invalidf("target: is the entity itself")
				}
				if g.Target != 0 && !tx.Exists(g.Target) {
					return out, registry.Under("target", tx.Unknown(g.Target))
				}
				if out.GoalID, err = m.push(tx, in.Entity, g); err != nil {
					return out, err
				}
				out.OK = true
				if why := m.Ways.Held(&tx.View, in.Entity); why != "" && g.Type != "custom" && g.Type != "turret" {
					out.Note = "it walks nowhere: " + why
				} else if g.Type == "goTo" && g.Position != nil {
					if at, near := m.Ways.Astray(&tx.View, in.Entity, []world.Vec3{*g.Position}); at == 0 {
						out.Note = fmt.Sprintf("from where it is now no way leads there: the nearest place that it can reach is %v", near)
					}
				}
				if out.Note == "" {
					out.Note = in.doubt("")
				}
				return out, c.Emit("behavior.goalSet", changed{Entity: in.Entity, Goal: out.GoalID, Type: g.Type, Meta: in.Meta})
			})
		},
	})
}

// push gives an entity a goal of its own, and returns its id.
func (m *Minds) push(tx *world.Tx, id world.ID, g goal) (string, error) {
	mi, has := m.minds.Get(&tx.View, id)
	at, _ := tx.Position(id)
	if !has {
		mi.Home = at
	}
	if (g.Type == "guard" || g.Type == "wander") && g.Position == nil && g.Target == 0 {
		g.Position = &at
	}
	if g.Type == "patrol" && len(g.Points) == 0 {
		g.Points = []world.Vec3{*g.Position, at}
	}
	n := m.goals.Get(&tx.View)
	if err := m.goals.Set(tx, n+1); err != nil {
		return "", err
	}
	g.ID = fmt.Sprintf("goal_%d", n)
	rest := slices.DeleteFunc(slices.Clone(mi.Goals), func(o goal) bool { return o.Type == g.Type && o.Priority == g.Priority })
	if len(rest) >= MaxOwn {
		return "", registry.Errorf(registry.CodeCapacityExceeded, "%s has %d goals of its own, which is the most: one of the same type and priority takes the place of another, behavior.assign takes all away", id, MaxOwn)
	}
	mi.Goals = append([]goal{g}, rest...)
	st, thinks := m.states.Get(&tx.View, id)
	if err := m.set(tx, id, &mi); err != nil || !thinks {
		return g.ID, err
	}
	return g.ID, m.states.Set(tx, id, st)
}

// OnEventIn is the input of behavior.onEvent.
type OnEventIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Who is to react, such as ent_7: what is nobody else's, or yourself."`
	Trigger  string          `json:"trigger" validate:"min=1,max=128" jsonschema_description:"The name of the event, exactly as it is emitted: \"alarm\", \"game.won\"."`
	Action   Response        `json:"action" jsonschema_description:"What is done about it."`
	Priority int64           `json:"priority" jsonschema:"default=0" jsonschema_description:"Of several reactions to one event the one of the highest is had that does not rest; of equal ones those that were given so come first."`
	Cooldown *float64        `json:"cooldown,omitempty" validate:"omitempty,gt=0" jsonschema_description:"For how many simulated seconds it rests then. Left out: not at all."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event behavior.reactionSet."`
}

// OnEvent is behavior.onEvent.
func OnEvent(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[OnEventIn, OKOut]{
		Name:  "behavior.onEvent",
		Title: "Have a character react to an event",
		Description: "Say what an entity does about events of a name, whoever emits them: it says something, goes there, becomes hostile to whom the event is about, or to who has brought it about (\"$actor\"), or does what zones and listeners can do. " +
			`For what nobody in particular does use event.listen. Example: {"entity":"ent_7","trigger":"alarm","action":{"type":"goTo"},"priority":5,"cooldown":10}`,
		Keywords:    "npc react reaction trigger when happen listen respond ai",
		Permissions: []profiles.Permission{"behavior.configure"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OnEventIn) (OKOut, error) {
			r, err := m.reaction(c, &ReactionIn{Trigger: in.Trigger, Action: in.Action, Priority: in.Priority, Cooldown: in.Cooldown})
			if err != nil {
				return OKOut{}, err
			}
			out, err := m.change(c, in.Entity, changed{Entity: in.Entity, Trigger: in.Trigger, Meta: in.Meta}, "behavior.reactionSet", func(tx *world.Tx, mi mind) error {
				if len(mi.Reactions) >= MaxOwn {
					return registry.Errorf(registry.CodeCapacityExceeded, "%s has %d reactions of its own, which is the most: behavior.assign takes all away, behavior.define takes more", in.Entity, MaxOwn)
				}
				mi.Reactions = append(slices.Clip(mi.Reactions), r)
				st, thinks := m.states.Get(&tx.View, in.Entity)
				if err := m.set(tx, in.Entity, &mi); err != nil || !thinks {
					return err
				}
				return m.states.Set(tx, in.Entity, st)
			})
			if err != nil {
				return OKOut{}, err
			}
			out.Note, _ = world.Read(m.World, c, func(v *world.View) (string, error) { return m.Does.Unheard(v, in.Trigger), nil })
			return out, nil
		},
	})
}

// SetRoutineIn is the input of npc.setRoutine.
type SetRoutineIn struct {
	Entity    world.ID        `json:"entity" jsonschema_description:"Whose, such as ent_7: what is nobody else's, or yourself."`
	RoutineID string          `json:"routineId" validate:"max=128" jsonschema_description:"Which routine of its profile; \"\" for the first."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event npc.routineSet."`
}

// SetRoutine is npc.setRoutine.
func SetRoutine(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[SetRoutineIn, OKOut]{
		Name:  "npc.setRoutine",
		Title: "Choose a character's routine",
		Description: "Say which of the routines of its profile (behavior.define) an entity keeps: what that says for the hour it is, is done now. The hour is the world's: world.setTime. " +
			`Example: {"entity":"ent_7","routineId":"holiday"}`,
		Keywords:    "schedule daily timetable npc guide tour room",
		Permissions: []profiles.Permission{"behavior.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in SetRoutineIn) (OKOut, error) {
			return m.change(c, in.Entity, changed{Entity: in.Entity, Routine: in.RoutineID, Meta: in.Meta}, "npc.routineSet", func(tx *world.Tx, mi mind) error {
				p, ok := m.profiles.Get(&tx.View, mi.Profile)
				if !ok || len(p.Routines) == 0 {
					return registry.Failf("%s has no profile with routines: behavior.define writes one, behavior.assign gives it", in.Entity)
				}
				if p.routine(in.RoutineID) == nil {
					var all []string
					for i := range p.Routines {
						all = append(all, p.Routines[i].ID)
					}
					return registry.Failf("unknown routine %q of the profile %q; %s", quote.Clip(in.RoutineID), quote.Clip(mi.Profile), quote.Others(in.RoutineID, all))
				}
				m.stop(tx, in.Entity)
				mi.Routine = in.RoutineID
				return m.set(tx, in.Entity, &mi)
			})
		},
	})
}
