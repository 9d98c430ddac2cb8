package quest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

// news is something that has happened and may advance objectives. Rows are immutable.
type news struct {
	Who   world.ID        `json:"who,omitempty"`   // whom it concerns; of an event all who wait for one of its name
	Kill  bool            `json:"kill,omitempty"`  // he has killed who is first in About
	Event string          `json:"event,omitempty"` // it was emitted
	Zone  *trigger.Handle `json:"zone,omitempty"`  // he has come into it, and may be out of it again; with none of these, he is to be looked at
	Whose world.ID        `json:"whose,omitempty"` // of an event: whom it is about, 0 for nobody
	Actor world.ID        `json:"actor,omitempty"` // who has brought it about, if its data says so
	Depth int             `json:"depth,omitempty"` // how many have led to it
	About []party         `json:"about,omitempty"` // who is named, whom it is about first
	By    string          `json:"by,omitempty"`    // of an event: on whose behalf it was emitted
}

// whose returns whose share of what waits it takes: of an event who has emitted it, else whom it concerns.
func (n *news) whose(v *world.View) string {
	if n.Event != "" {
		return v.Holder(n.By)
	}
	return n.Who.String()
}

// maxParties is how many of those that the data of an event names are looked at, by the names of its members.
const maxParties = 8

// wait has something wait for the next step, if there is room: what one emits, or what happens to one, keeps nothing else out.
func (q *Quests) wait(tx *world.Tx, n news) error {
	there := q.news.Len(&tx.View)
	if !q.shares.Room(&tx.View, n.whose(&tx.View), there) {
		return nil
	}
	if err := q.shares.Take(tx, n.whose(&tx.View), there, "things wait to be looked at"); err != nil {
		return err
	}
	return q.news.Set(tx, q.news.Next(tx), n)
}

// pursues reports whether somebody has an active quest with an objective that is not done and of which fn is true.
func (q *Quests) pursues(v *world.View, id world.ID, fn func(o *objective) bool) bool {
	log, _ := q.logs.Get(v, id)
	for i := range log {
		for o := range q.pending(v, &log[i]) {
			if fn(o) {
				return true
			}
		}
	}
	return false
}

// look has somebody be looked at in the next step: where he is, and what he has.
func (q *Quests) look(tx *world.Tx, id world.ID) error {
	if !q.pursues(&tx.View, id, func(o *objective) bool { return o.Type == collect || o.Type == reach }) {
		return nil
	}
	return q.wait(tx, news{Who: id})
}

// entered hears of somebody who is in a zone, or has passed through it.
func (q *Quests) entered(tx *world.Tx, id world.ID, h trigger.Handle) error {
	n := news{Who: id, Zone: &h}
	if !q.pursues(&tx.View, id, func(o *objective) bool { return n.counts(id, o) }) {
		return nil
	}
	return q.wait(tx, n)
}

// killed hears of a blow that has killed.
func (q *Quests) killed(tx *world.Tx, b *stats.Blow) error {
	if !q.logs.Has(&tx.View, b.Attacker) {
		return nil
	}
	dead := q.party(&tx.View, b.Target)
	if !q.pursues(&tx.View, b.Attacker, func(o *objective) bool { return o.Type == kill && o.means(&dead) }) {
		return nil
	}
	return q.wait(tx, news{Who: b.Attacker, Kill: true, About: []party{dead}})
}

// hear hears of an event.
func (q *Quests) hear(tx *world.Tx, e *action.Event) error {
	if _, concerns := q.hears.Get(&tx.View, e.Name); !concerns {
		return nil
	}
	others := named(e)
	n := news{Event: e.Name, Whose: e.Entity, Actor: others["actorEntity"], Depth: e.Depth, By: e.By}
	if e.Entity != 0 {
		n.About = append(n.About, q.party(&tx.View, e.Entity))
	}
	for _, member := range slices.Sorted(maps.Keys(others)) {
		if len(n.About) < maxParties {
			n.About = append(n.About, q.party(&tx.View, others[member]))
		}
	}
	return q.wait(tx, n)
}

// named returns the entities that the data of an event names, by the names of its members.
func named(e *action.Event) map[string]world.ID {
	var all map[string]any
	if len(e.Data) == 0 || json.Unmarshal(e.Data, &all) != nil {
		return nil
	}
	ids := map[string]world.ID{}
	for member, value := range all {
		text, _ := value.(string)
		if id, err := world.ParseID(text); err == nil {
			ids[member] = id
		}
	}
	return ids
}

// counts reports whether what has happened advances an objective of somebody.
func (n *news) counts(id world.ID, o *objective) bool {
	switch {
	case n.Kill:
		return o.Type == kill && o.means(&n.About[0])
	case n.Zone != nil:
		return o.Zone != nil && *o.Zone == *n.Zone
	case n.Event == "" || n.Event != o.Event:
		return false
	case o.Type == talk:
		return n.between(id, o)
	case o.Target == "":
		who := cmp.Or(n.Actor, n.Whose)
		return who == 0 || who == id
	}
	return n.Whose != 0 && o.means(&n.About[0]) && (n.Actor == 0 || n.Actor == id)
}

// between reports whether it is between somebody and the target of an objective.
func (n *news) between(id world.ID, o *objective) bool {
	self := func(p party) bool { return p.ID == id }
	other := func(p party) bool { return p.ID != id && o.means(&p) }
	return slices.ContainsFunc(n.About, self) && slices.ContainsFunc(n.About, other)
}
