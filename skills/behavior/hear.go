package behavior

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	quota "github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/world"
)

// heard is an event that somebody reacts to.
type heard struct {
	Name   string      `json:"name"`
	Entity world.ID    `json:"entity,omitempty"`
	Actor  world.ID    `json:"actor,omitempty"`
	At     *world.Vec3 `json:"at,omitempty"`
	Depth  int         `json:"depth,omitempty"`
	By     string      `json:"by,omitempty"`  // on whose behalf it was emitted
	For    string      `json:"for,omitempty"` // who has brought that about, if that is another one
}

// key is by whom it is counted.
func (e *heard) key(v *world.View) string { return quota.Key(v, e.By, e.For) }

// queue has those who react to an event do so in a step.
func (m *Minds) queue(tx *world.Tx, e *action.Event) error {
	if !m.anybody(&tx.View, e.Name) {
		return nil
	}
	if err := m.waiting.Take(tx, quota.Key(&tx.View, e.By, e.For), m.heard.Len(&tx.View), "events of yours wait to be reacted to"); err != nil {
		return err
	}
	return m.heard.Set(tx, m.heard.Next(tx), hears(&tx.View, e))
}

// hears returns what is kept of an event.
func hears(v *world.View, e *action.Event) heard {
	at := e.At
	if p, ok := v.Position(e.Entity); ok {
		at = &p
	}
	return heard{e.Name, e.Entity, e.Actor, at, e.Depth, e.By, e.For}
}

// reacting returns how many entities react to an event, whatever the conditions of their reactions are then.
func (m *Minds) reacting(v *world.View, ev *action.Event) (n int) {
	e := hears(v, ev)
	for _, id := range m.all(v, e.Name) {
		mi, p, has := m.of(v, id)
		if !has || m.Stats.Unable(v, id) != "" {
			continue
		}
		rests, _ := m.rests.Get(v, id)
		reacts := false
		mi.each(p, func(r *reaction, i int) { reacts = reacts || m.fits(v, id, r, i, rests, &e) })
		if reacts {
			n++
		}
	}
	return n
}

// hear has the events that wait be reacted to.
func (m *Minds) hear(tx *world.Tx) error {
	events := m.heard.Take(tx, nil)
	if len(events) == 0 {
		return nil
	}
	m.waiting.Clear(tx)
	const few = 64
	if len(events) > few { // perhaps more than a step has reactions to
		quota.Turns(events, func(e *heard) string { return e.key(&tx.View) })
	}
	m.reactions, m.looks, m.spent = whole(MaxReactions), whole(maxLooks), map[string]bool{}
	to, spent := map[string][]world.ID{}, 0 // reactions give nobody others
	for i := range events {
		if len(m.spent) != spent {
			clear(to) // whose authors are out need not be asked again
			spent = len(m.spent)
		}
		name := events[i].Name
		if _, known := to[name]; !known {
			to[name] = m.all(&tx.View, name)
		}
		for _, id := range to[name] {
			if err := m.react(tx, id, &events[i]); err != nil {
				return err
			}
		}
	}
	m.spent = nil
	return nil
}

// portion is how much of something a step has left for all, and has had for each author; names of one token are one.
type portion struct {
	left int
	had  map[string]int
}

// whole returns a portion of which one who is alone has most.
func whole(most int) portion { return portion{2 * most, map[string]int{}} }

// take takes one of a portion for an author, and reports whether there is one for him: he has as many as are left for all others.
func (p *portion) take(by string) bool {
	if p.had[by] >= p.left {
		return false
	}
	p.left--
	p.had[by]++
	return true
}

// spend takes some of a portion for an author, who may overdraw it once, and reports whether there was any left for him.
func (p *portion) spend(by string, n int) bool {
	if p.had[by] >= p.left {
		return false
	}
	p.left -= n
	p.had[by] += n
	return true
}

// errCrowded is why a reaction is not had that there is no room for in a step.
var errCrowded = registry.Errorf(registry.CodeCapacityExceeded, "%d reactions of one author are had in a step, and fewer where others have many, which is the most: this one and those of his after it were not", MaxReactions)

// errLooks is the same of conditions.
var errLooks = registry.Errorf(registry.CodeCapacityExceeded, "%d conditions of reactions of one author are looked at in a step, and fewer where others have many, which is the most: this reaction and those of his after it were not had", maxLooks)

// exhaust has no more reactions of an author be had in a step, and tells whose could not be.
func (m *Minds) exhaust(tx *world.Tx, id world.ID, on, by string, why error) error {
	m.spent[by] = true
	return m.failed(tx, id, on, by, why)
}

// react has an entity react to an event, if it does.
func (m *Minds) react(tx *world.Tx, id world.ID, e *heard) error {
	mi, p, has := m.of(&tx.View, id)
	if !has || m.Stats.Unable(&tx.View, id) != "" {
		return nil
	}
	rests, _ := m.rests.Get(&tx.View, id)
	for {
		r, which, err := m.pick(tx, id, &mi, p, rests, e)
		if r == nil || err != nil {
			return err
		}
		if !m.reactions.take(tx.Holder(r.Do.By)) {
			if err := m.exhaust(tx, id, e.Name, r.Do.By, errCrowded); err != nil {
				return err
			}
			continue // it may have one that somebody else wrote
		}
		if r.Rest > 0 {
			rests = slices.DeleteFunc(slices.Clone(rests), func(o rest) bool { return o.Until <= tx.Step() })
			if err := m.rests.Set(tx, id, append(rests, rest{which, tx.Step() + r.Rest})); err != nil {
				return err
			}
		}
		return m.do(tx, id, &r.Do, r.Priority, e)
	}
}

// pick returns the reaction that an entity has to an event, nil if none. Of authors who have had as much as they may it has none.
func (m *Minds) pick(tx *world.Tx, id world.ID, mi *mind, p *profile, rests []rest, e *heard) (best *reaction, which int, err error) {
	consider := func(r *reaction, i int) {
		if err != nil || best != nil && r.Priority <= best.Priority || m.spent[r.Do.By] || !m.fits(&tx.View, id, r, i, rests, e) {
			return
		}
		if r.Do.If != "" && !m.looks.take(tx.Holder(r.Do.By)) {
			err = m.exhaust(tx, id, e.Name, r.Do.By, errLooks)
			return
		}
		if m.Does.Holds(&tx.View, &r.Do, cmp.Or(e.Actor, e.Entity)) {
			best, which = r, i
		}
	}
	mi.each(p, consider)
	return best, which, err
}

// each has fn get the reactions that an entity has, its own first, with what a [rest] calls them.
func (mi *mind) each(p *profile, fn func(r *reaction, i int)) {
	for i := range mi.Reactions {
		fn(&mi.Reactions[i], -1-i)
	}
	if p != nil {
		for i := range p.Reactions {
			fn(&p.Reactions[i], i)
		}
	}
}

// fits reports whether a reaction is one to an event, whatever its condition: that is about whom and where it is to be, and the reaction does not rest.
func (m *Minds) fits(v *world.View, id world.ID, r *reaction, i int, rests []rest, e *heard) bool {
	if r.On != e.Name || r.Self && e.Entity != id || !m.near(v, id, r.Radius, e) {
		return false
	}
	return !slices.ContainsFunc(rests, func(o rest) bool { return o.Reaction == i && o.Until > v.Step() })
}

// near reports whether an event happens within a radius of an entity. One that happens nowhere does not.
func (m *Minds) near(v *world.View, id world.ID, radius float64, e *heard) bool {
	if radius == 0 {
		return true
	}
	at, _ := v.Position(id)
	return e.At != nil && at.Dist(*e.At) <= radius
}

// cue is what viewers are told first of what an entity does by itself.
type cue struct {
	On string `json:"on,omitempty"` // the event that it reacts to
}

// do has an entity do what it does about an event.
func (m *Minds) do(tx *world.Tx, id world.ID, k *action.Kept, priority int64, e *heard) error {
	var do func(r *response) error
	switch k.Type {
	case "say":
		do = func(r *response) error { return m.say(tx, id, k.By, r.Text, r.Mood) }
	case "goTo":
		do = func(r *response) error { return m.hurry(tx, id, k, r, priority, e) }
	case "attitude":
		do = func(r *response) error { return m.turn(tx, id, k, r, e) }
	default:
		cause := action.Cause{Kind: "behavior", From: id.String(), Head: cue{e.Name}, Entity: id, Actor: e.Actor, Depth: e.Depth, For: cmp.Or(e.For, e.By)}
		_, err := m.Does.Do(tx, &cause, k)
		return err
	}
	err := tx.As(k.By, func() error {
		r, err := readResponse(k.Type, k.Data)
		if err != nil {
			return err
		}
		return do(&r)
	})
	if err == nil {
		return nil
	}
	m.Does.Fails("behavior", id.String(), k, err)
	return m.failed(tx, id, e.Name, k.By, err)
}

// failed tells viewers of something that an entity could not do.
func (m *Minds) failed(tx *world.Tx, id world.ID, on, by string, why error) error {
	what := struct {
		Entity world.ID `json:"entity"`
		cue
	}{id, cue{on}}
	return m.Does.Failed(tx, "behavior", by, what, why)
}

// say has an entity say something.
func (m *Minds) say(tx *world.Tx, id world.ID, by, text, mood string) error {
	_, err := m.Social.Speak(tx, &social.Speech{Entity: id, By: by, Text: text, Mood: mood})
	return err
}

// hurry gives an entity the goal to go where an event sends it.
func (m *Minds) hurry(tx *world.Tx, id world.ID, k *action.Kept, r *response, priority int64, e *heard) error {
	g := goal{Type: "goTo", Position: r.Position, Priority: priority, Speed: r.Speed, By: k.By}
	if k.Target != "" {
		var err error
		if g.Target, err = e.whom(k.Target); err != nil {
			return err
		}
		g.Position = nil
	} else if g.Position == nil {
		if e.At == nil {
			return registry.Failf("the event %q happens nowhere: name a target or a position to go to", e.Name)
		}
		g.Position = e.At
	}
	_, err := m.push(tx, id, g)
	return err
}

// whom returns the entity that a reaction names: an id, or the word for who has brought the event about.
func (e *heard) whom(target string) (world.ID, error) {
	if target != action.ActorWord {
		return world.ParseID(target)
	}
	if e.Actor == 0 {
		return 0, registry.Failf("nobody has brought the event %q about, for whom %s stands", e.Name, action.ActorWord)
	}
	return e.Actor, nil
}

// turn has an entity feel otherwise toward another.
func (m *Minds) turn(tx *world.Tx, id world.ID, k *action.Kept, r *response, e *heard) error {
	toward := e.Entity
	if k.Target != "" {
		var err error
		if toward, err = e.whom(k.Target); err != nil {
			return err
		}
	}
	if toward == 0 {
		return registry.Failf("the event %q is about nobody: name a target to feel something toward", e.Name)
	}
	return m.feel(tx, id, toward, r.Attitude)
}
