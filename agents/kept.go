package agents

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Limits on what is kept of those who are away.
const (
	MaxKept       = 1024 // agents of whom something is kept; beyond it that is forgotten which was kept first of whoever has most names there
	MaxKeptBodies = 4    // of an agent, those that went last
)

// Belonging is something that an entity has and that outlasts it, if it goes because its agent is away: its stats, its quests. See [Agents.Keeps].
type Belonging struct {
	Name string

	// take returns what an entity has of it, as JSON; nil for nothing.
	take func(v *world.View, id world.ID) ([]byte, error)

	// give has another entity have that.
	give func(tx *world.Tx, id world.ID, text []byte, w While) error
}

// While is how much has passed while something was kept, in simulation steps.
type While struct {
	Away  uint64 // since it was kept: what has a second left, has a second left after as many
	Shift uint64 // by which what happened before happened later, because what was kept came back by a checkpoint or a save
}

// Belongs makes a belonging. take returns what an entity has of it, false for nothing; give has an entity have it that has just been made. Values go through
// encoding/json.
func Belongs[T any](name string, take func(v *world.View, id world.ID) (T, bool), give func(tx *world.Tx, id world.ID, value T, w While) error) Belonging {
	return Belonging{
		Name: name,
		take: func(v *world.View, id world.ID) ([]byte, error) {
			value, ok := take(v, id)
			if !ok {
				return nil, nil
			}
			return json.Marshal(value)
		},
		give: func(tx *world.Tx, id world.ID, text []byte, w While) error {
			var value T
			if err := json.Unmarshal(text, &value); err != nil {
				return err
			}
			return give(tx, id, value, w)
		},
	}
}

// kept is what is kept of an agent that is away: of the bodies and characters that went with it, those that went last first.
type kept struct {
	Number uint64 `json:"n"` // what was kept first has the lowest
	Holder string `json:"holder,omitempty"`
	Bodies []body `json:"bodies"`
}

// body is what one of them had.
type body struct {
	Step  uint64   `json:"step"`            // in which it went
	Shift uint64   `json:"shift,omitempty"` // see While
	Name  string   `json:"name,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Has   []thing  `json:"has"`
}

// thing is what it had of a belonging.
type thing struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

func newKept(w *world.World) *world.Table[string, kept] {
	t := world.NewTable[string, kept](w, "agents.kept", MaxKept, world.Private)
	t.Resume(func(k kept, past uint64) kept {
		k.Bodies = slices.Clone(k.Bodies)
		for i := range k.Bodies {
			k.Bodies[i].Shift += past
		}
		return k
	})
	return t
}

// Keeps says what is kept of what goes with an agent that is away ([Agents.Leave]), for [Agents.GiveBack]. It is called where the world is put together; things are
// given back in the order in which they are named.
func (a *Agents) Keeps(all ...Belonging) { a.belongings = append(a.belongings, all...) }

// owner is for whom what is kept of an agent counts: for all names of a token that is for many there is no more room than for those of another one.
func (k *kept) owner(agent string) string {
	if k.Holder != "" {
		return k.Holder
	}
	return agent
}

// keep keeps what an entity has for its agent. Who has nothing of what is kept leaves nothing, whatever his name.
func (a *Agents) keep(tx *world.Tx, agent, holder string, id world.ID) error {
	b := body{Step: tx.Step(), Name: tx.Name(id), Tags: tx.Tags(id)}
	for i := range a.belongings {
		text, err := a.belongings[i].take(&tx.View, id)
		if err != nil {
			return err
		}
		if text != nil {
			b.Has = append(b.Has, thing{a.belongings[i].Name, text})
		}
	}
	if len(b.Has) == 0 {
		return nil
	}
	k, there := a.kept.Get(&tx.View, agent)
	k.Holder = holder
	if !there && a.kept.Len(&tx.View) == MaxKept {
		a.forget(tx, k.owner(agent))
	}
	at := 0 // those that go in one step are given back in the order of their ids
	for at < len(k.Bodies) && k.Bodies[at].Step == b.Step {
		at++
	}
	k.Bodies = slices.Insert(slices.Clone(k.Bodies), at, b)
	k.Bodies = k.Bodies[:min(len(k.Bodies), MaxKeptBodies)]
	k.Number = a.kept.Next(tx)
	return a.kept.Set(tx, agent, k)
}

// forget forgets what was kept first of the owner of whom most is kept, with what is to come of one: who makes up names makes room for them himself.
func (a *Agents) forget(tx *world.Tx, coming string) {
	names := map[string]int{coming: 1}
	for agent, k := range a.kept.All(&tx.View) {
		names[k.owner(agent)]++
	}
	oldest, number, most := "", uint64(0), 0
	for agent, k := range a.kept.All(&tx.View) {
		if n := names[k.owner(agent)]; n > most || n == most && k.Number < number {
			oldest, number, most = agent, k.Number, n
		}
	}
	a.kept.Delete(tx, oldest)
}

// Missed is what could not be given back, and why. It stays kept.
type Missed struct {
	Name string
	Err  error
}

// GiveBack has an entity that was just made for an agent have what the one had that went last while the agent was away, its name and tags too. It returns the belongings
// that it has now, and what could not be given; nothing, if nothing is kept. What was given is kept no more.
func (a *Agents) GiveBack(tx *world.Tx, agent string, id world.ID) (given []string, missed []Missed, err error) {
	k, ok := a.kept.Get(&tx.View, agent)
	if !ok {
		return nil, nil, nil
	}
	b := k.Bodies[0]
	if b.Name != "" {
		if err := tx.SetName(id, b.Name); err != nil {
			return nil, nil, err
		}
	}
	for _, tag := range b.Tags {
		if _, err := tx.AddTag(id, tag); err != nil {
			return nil, nil, err
		}
	}
	var left []thing
	for i := range a.belongings {
		one := &a.belongings[i]
		at := slices.IndexFunc(b.Has, func(t thing) bool { return t.Name == one.Name })
		if at < 0 {
			continue
		}
		mark := tx.Savepoint()
		if err := one.give(tx, id, b.Has[at].Value, While{tx.Step() - b.Step, b.Shift}); err != nil {
			tx.RollbackTo(mark)
			missed, left = append(missed, Missed{one.Name, err}), append(left, b.Has[at])
			continue
		}
		given = append(given, one.Name)
	}
	k.Bodies = slices.Clone(k.Bodies)
	if k.Bodies[0].Has = left; len(left) == 0 {
		k.Bodies = k.Bodies[1:]
	}
	if len(k.Bodies) == 0 {
		a.kept.Delete(tx, agent)
		return given, missed, nil
	}
	return given, missed, a.kept.Set(tx, agent, k)
}
