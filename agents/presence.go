package agents

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Attendance says that an agent's first session has begun, or that its last one has ended.
type Attendance struct {
	Agent string
	Here  bool
}

// News is an attendance that has changed who is here.
type News struct {
	Attendance
	Avatar world.ID // the first of what goes with the agent; 0: there is nothing
}

// avatar is whom an entity goes with.
type avatar struct {
	Agent  string `json:"agent"`
	Holder string `json:"holder,omitempty"` // of a token that is for many agents; "" is the agent alone
	Body   bool   `json:"body,omitempty"`   // as long as it is the body of it
}

// presence is who is here, and what goes with whom. Who is here is told by [Agents.Attend]: a world that is told of nobody knows of nobody,
// and nothing goes. It outlasts undo and checkpoints, as sessions do.
type presence struct {
	here    *world.Table[string, uint64] // agents that have a session, and since which step
	due     *world.Table[string, uint64] // agents that have none, and the step with which what goes with them goes
	grace   *world.Global[grace]         // until then
	avatars *world.Component[avatar]
	stays   func(v *world.View, id world.ID) bool
	cast    func(v *world.View, agent string) []world.ID // the characters of an agent; nil: none
	swims   func(v *world.View, id world.ID) bool        // nil: nobody does

	kept       *world.Table[string, kept] // what is kept of those who are away; the table's key is the agent
	belongings []Belonging
}

// grace is how many steps agents have to come back in; 0: nothing goes. It is what this server was told, and no number that only grows ([world.Tx.Adopt]).
type grace uint64

func newPresence(w *world.World) presence {
	return presence{
		here:    world.NewTable[string, uint64](w, "agents.here", maxAgents, world.Private, world.Lasting),
		due:     world.NewTable[string, uint64](w, "agents.due", maxAgents, world.Private, world.Lasting),
		grace:   world.NewGlobal[grace](w, "agents.grace", 0, world.Private, world.Lasting),
		avatars: world.NewComponent[avatar](w, "agents.avatar", world.Private, world.Single),
		kept:    newKept(w),
	}
}

// Stays has a function say what does not go with its agent although it is bound to it. It is given once, where the world is put together, and goes by the
// world alone.
func (a *Agents) Stays(stays func(v *world.View, id world.ID) bool) { a.stays = stays }

// Bind has an entity go with an agent: some time after its last session has ended, the entity does, see [Agents.Leave]. A body, as long as it is the body of the
// agent. holder is for whom what is kept of the agent counts, beside all others of the same, as Holder of a profiles.Principal; "" is the agent alone.
func (a *Agents) Bind(tx *world.Tx, agent, holder string, id world.ID, body bool) error {
	return a.avatars.Set(tx, id, avatar{Agent: agent, Holder: holder, Body: body})
}

// goes returns whom an entity goes with, "" if with nobody.
func (a *Agents) goes(v *world.View, id world.ID, of avatar) string {
	if owner, _ := a.owners.Get(v, id); of.Body && owner != of.Agent || a.stays != nil && a.stays(v, id) {
		return ""
	}
	return of.Agent
}

// Attend notes who has come and who has gone, and returns what of it is new: of an agent that is named twice, the last counts. What goes with somebody who has gone goes
// after that many steps, never if that is 0; who comes back before has it as it was.
func (a *Agents) Attend(tx *world.Tx, all []Attendance, steps uint64) ([]News, error) {
	anew := a.grace.Get(&tx.View) != grace(steps) // what came before is waited for too: a save, say
	return a.note(tx, all, steps, anew)
}

// Nobody notes that nobody is here, as when a server starts, and returns who was before. What goes with agents goes that many steps from now, whenever they left.
func (a *Agents) Nobody(tx *world.Tx, steps uint64) ([]News, error) {
	var all []Attendance
	for agent := range a.here.All(&tx.View) {
		all = append(all, Attendance{Agent: agent})
	}
	a.due.Take(tx, nil)
	return a.note(tx, all, steps, true)
}

// note is Attend; others is whether it also looks for what goes with those who are not named.
func (a *Agents) note(tx *world.Tx, all []Attendance, steps uint64, others bool) ([]News, error) {
	if err := a.grace.Set(tx, grace(steps)); err != nil {
		return nil, err
	}
	first := map[string]world.ID{}
	for _, one := range all {
		first[one.Agent] = 0
	}
	for id, of := range a.avatars.All(&tx.View) {
		agent := a.goes(&tx.View, id, of)
		if known, asked := first[agent]; asked && known == 0 {
			first[agent] = id
		}
	}
	var news []News
	for _, one := range all {
		changed, err := a.attend(tx, one, first[one.Agent] != 0)
		if err != nil {
			return nil, err
		}
		if changed {
			news = append(news, News{one, first[one.Agent]})
		}
	}
	if others {
		return news, a.miss(tx)
	}
	return news, nil
}

// attend notes one, and reports whether that is new. has is whether something goes with it.
func (a *Agents) attend(tx *world.Tx, one Attendance, has bool) (changed bool, err error) {
	if one.Here {
		a.due.Delete(tx, one.Agent)
		_, known := a.here.Get(&tx.View, one.Agent)
		if known || a.here.Len(&tx.View) == maxAgents {
			return false, nil
		}
		return true, a.here.Set(tx, one.Agent, tx.Step())
	}
	if has {
		err = a.expect(tx, one.Agent)
	}
	return a.here.Delete(tx, one.Agent), err
}

// expect has what goes with an agent go once the grace is over.
func (a *Agents) expect(tx *world.Tx, agent string) error {
	_, known := a.due.Get(&tx.View, agent)
	steps := uint64(a.grace.Get(&tx.View))
	if known || steps == 0 || a.due.Len(&tx.View) == maxAgents {
		return nil
	}
	return a.due.Set(tx, agent, tx.Step()+steps)
}

// miss looks for what goes with somebody who is not here, and was not expected to go: an undo or a checkpoint has brought it back.
func (a *Agents) miss(tx *world.Tx) error {
	if a.grace.Get(&tx.View) == 0 {
		return nil
	}
	for id, of := range a.avatars.All(&tx.View) {
		agent := a.goes(&tx.View, id, of)
		if _, here := a.here.Get(&tx.View, agent); agent == "" || here {
			continue
		}
		if err := a.expect(tx, agent); err != nil {
			return err
		}
	}
	return nil
}

// Known reports whether the world was told who is here, or has something that goes with somebody.
func (a *Agents) Known(v *world.View) (told, avatars bool) {
	return a.here.Len(v)+a.due.Len(v) > 0 || a.grace.Get(v) > 0, a.avatars.Len(v) > 0
}

// Awaited reports whether somebody is gone with whom something is to go.
func (a *Agents) Awaited(v *world.View) bool { return a.due.Len(v) > 0 }

// Leave is for a simulation step: it has what goes with agents whose time is up go, in the order of ids, and keeps what it has for when they come back ([Agents.GiveBack]). told hears of
// each before it is destroyed.
func (a *Agents) Leave(tx *world.Tx, told func(agent string, id world.ID) error) error {
	var over []string
	for agent, at := range a.due.All(&tx.View) {
		if at <= tx.Step() {
			over = append(over, agent)
		}
	}
	if len(over) == 0 {
		return nil
	}
	for _, agent := range over {
		a.due.Delete(tx, agent)
	}
	type leaver struct {
		id            world.ID
		agent, holder string
	}
	var all []leaver
	for id, of := range a.avatars.All(&tx.View) {
		if agent := a.goes(&tx.View, id, of); slices.Contains(over, agent) {
			all = append(all, leaver{id, agent, of.Holder})
		}
	}
	for _, l := range all {
		if !tx.Exists(l.id) { // it was below another
			continue
		}
		if err := told(l.agent, l.id); err != nil {
			return err
		}
		mark := tx.Savepoint()
		if err := a.keep(tx, l.agent, l.holder, l.id); err != nil { // what cannot be kept keeps nobody from going, in each step anew
			tx.RollbackTo(mark)
		}
		tx.Destroy(l.id)
	}
	return nil
}
