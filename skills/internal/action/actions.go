package action

import (
	"cmp"
	"encoding/json"
	"iter"
	"math"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Actions does the actions of a world. Everything that decides anything is in the world. A world has one Actions.
type Actions struct {
	w       *world.World
	sounds  *audio.Sounds
	spawned *world.Component[string] // of what actions have made: by what, as Cause.From has it
	spawner *world.Component[string] // … and for whom they have, as [share.Key] has it
	clips   *animation.Clips         // nil: nothing plays
	calls   calls
	limits  *world.Global[Limits]
	limited []func(v *world.View)
	heard   []func(tx *world.Tx, e *Event) error
	react   func(v *world.View, e *Event) int // nil: nobody reacts
	plays   []func(tx *world.Tx, by string, p *Play) error
	emitted func(v *world.View) iter.Seq[string]                        // nil: nobody knows
	judge   func(v *world.View, src string, who world.ID) (bool, error) // nil: no condition holds
	reckon  func(tx *world.Tx, src string, who world.ID) (any, bool)    // nil: nothing is worked out
	recall  func(v *world.View, name string) (Value, bool)              // nil: no variable is set

	// What the step that is being taken has left to do, and how many events have led to what is being done.
	step  uint64
	left  int
	vain  int            // how many more it looks at that are not done
	spent int            // how many changes have been counted
	did   map[string]int // how many it has done, for whom; math.MaxInt once he has been told that there is no more
	depth int

	amid  bool                       // whether several actions are being done together
	after []func(tx *world.Tx) error // what looks at what they have done

	failures failures
}

// New adds actions to a world, once, where it is put together. Their sounds are among sounds.
func New(w *world.World, sounds *audio.Sounds) *Actions {
	return &Actions{
		w: w, sounds: sounds, did: map[string]int{},
		// Worlds that are kept call it so: it was of zones first.
		spawned: world.NewComponent[string](w, "trigger.spawned", world.Private, world.Single),
		spawner: world.NewComponent[string](w, "action.spawner", world.Private, world.Single),
		limits:  world.NewGlobal(w, "rights.limits", Limits{}, world.Private, world.Lasting),
	}
}

// Animate has actions of type animation play clips. It is called once, where the world is put together.
func (a *Actions) Animate(c *animation.Clips) { a.clips = c }

// Judge has conditions of actions be looked at, where the world is put together: they are about whoever has brought it about.
func (a *Actions) Judge(holds func(v *world.View, src string, who world.ID) (bool, error)) {
	a.judge = holds
}

// Recall has actions know the variables of the game, where the world is put together.
func (a *Actions) Recall(variable func(v *world.View, name string) (Value, bool)) {
	a.recall = variable
}

// Reckon has actions work out expressions, where the world is put together: they are about whoever has brought it about, and come to a float64, a string or a bool.
func (a *Actions) Reckon(compute func(tx *world.Tx, src string, who world.ID) (any, bool)) {
	a.reckon = compute
}

// Holds reports whether the condition of an action is so, of whoever has brought it about, 0 for nobody.
func (a *Actions) Holds(v *world.View, k *Kept, who world.ID) bool {
	if k.If == "" {
		return true
	}
	if a.judge == nil {
		return false
	}
	is, err := a.judge(v, k.If, who) // it was checked when it was attached
	return is && err == nil
}

// Cause is what an action is done for.
type Cause struct {
	Kind string // whose moments tell of it: "trigger" of "trigger.emit", "trigger.failed"
	From string // what it belongs to, such as the handle of a zone: of what it spawns, that it has
	Rule string // what it belongs to, for [Actions.Failures]; "" for From
	Head any    // what its moments tell first, a struct; nil for nothing

	Entity world.ID    // whom it is about, and so whom an action is that names no target; 0 for nobody
	Actor  world.ID    // who has brought it about, as by coming or by using something; 0 for nobody
	For    string      // the agent who has brought it about, by whom what waits is counted beside whoever attached the action; "" for nobody
	At     *world.Vec3 // where a spawn makes something, and where it is told if it is about nobody; nil for nowhere
	Depth  int         // how many events have led to it
}

// told is what viewers are told of an action, behind the head of its cause.
type told struct {
	Entity world.ID        `json:"entity,omitempty"`
	Type   string          `json:"type,omitempty"` // of the action that has failed
	Event  string          `json:"event,omitempty"`
	Target string          `json:"target,omitempty"`
	By     string          `json:"by"`
	Data   registry.Object `json:"data,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// errCrowded is why an action is not done that there is no room for in a step.
var errCrowded = registry.Errorf(registry.CodeCapacityExceeded,
	"triggers do %d actions in a step of one agent, together with all else that has actions, and fewer where others have many, which is the most: this one and those after it were not done", MaxStep)

// Do does an action in a simulation step, if its condition holds then, unless whoever attached it has had as many done as are left for all others. What cannot be done is undone and told as
// the moment Kind.failed; that there is no more, once for each in a step. more is false once the step looks at no more actions: those that are left are for
// nobody to do. An error is none of the action's, and the caller's to return.
func (a *Actions) Do(tx *world.Tx, c *Cause, k *Kept) (more bool, err error) {
	a.begin(tx)
	if a.vain == 0 {
		return false, nil
	}
	of := tx.Holder(k.By) // names of one token are one
	did := a.did[of]
	switch {
	case did == math.MaxInt:
		a.vain--
		return true, nil
	case did >= a.left:
		a.did[of] = math.MaxInt
		err = errCrowded
	default:
		a.left--
		a.did[of] = did + 1
		if a.Holds(&tx.View, k, cmp.Or(c.Actor, c.Entity)) { // to look at a condition is something done, too
			err = a.counted(tx, k.By, func() error { return a.act(tx, c, k) })
		}
	}
	if err == nil {
		return true, nil
	}
	a.Fails(c.Kind, c.rule(), k, err)
	return true, c.tell(tx, "failed", &told{Type: k.Type, By: k.By, Error: registry.Said(err)})
}

// begin begins with what a step does, if this is another step.
func (a *Actions) begin(tx *world.Tx) {
	if a.step != tx.Step() {
		a.step, a.left, a.vain, a.spent = tx.Step(), maxAll, maxVain, 0
		clear(a.did)
	}
}

// counted runs fn, which does something for somebody, and counts what it changes: a step is bounded by that too, as everybody waits for it.
func (a *Actions) counted(tx *world.Tx, by string, fn func() error) error {
	from, spent := tx.Savepoint(), a.spent
	err := fn()
	own := tx.Savepoint() - from - (a.spent - spent) // without what was counted inside
	a.spent += max(own, 0)
	a.charge(tx.Holder(by), own)
	return err
}

// charge takes from the step what so many changes are worth. by is a holder.
func (a *Actions) charge(by string, changes int) {
	places := max(changes, 0) / perAction
	a.left = max(a.left-places, 0)
	if a.did[by] != math.MaxInt {
		a.did[by] += places
	}
}

// act does an action as whoever attached it.
func (a *Actions) act(tx *world.Tx, c *Cause, k *Kept) error {
	return a.After(c.Depth, func() error {
		if err := a.lacks(&tx.View, k); err != nil {
			return err
		}
		return tx.As(k.By, func() error { return a.do(tx, c, k) })
	})
}

// tell tells those who see where the entity is, or the place; all, if there is neither. Of what is too long they are told that it is.
func (c *Cause) tell(tx *world.Tx, what string, t *told) error {
	m := world.Moment{Kind: c.Kind + "." + what, Entity: c.Entity}
	if at, ok := tx.Position(c.Entity); ok {
		m.Placed, m.At = true, at
	} else if c.At != nil {
		m.Placed, m.At = true, *c.At
	}
	t.Entity = c.Entity
	var err error
	if m.Payload, err = behind(c.Head, t); err != nil {
		return err
	}
	if len(m.Kind)+len(m.Payload) > world.MaxMoment { // else what it tells of would come to nothing, in each step anew
		short := told{Entity: t.Entity, Type: t.Type, By: t.By, Error: "what there is to tell has more than viewers are told"}
		if m.Payload, err = behind(nil, &short); err != nil {
			return err
		}
	}
	return tx.Moment(m)
}

// behind returns the object that has the members of head, then those of t.
func behind(head any, t *told) ([]byte, error) {
	text, err := json.Marshal(t)
	if err != nil || head == nil {
		return text, err
	}
	first, err := json.Marshal(head)
	if err != nil || len(first) <= len("{}") {
		return text, err
	}
	return append(append(first[:len(first)-1], ','), text[1:]...), nil
}

// target returns whom an action is about.
func (a *Actions) target(tx *world.Tx, c *Cause, k *Kept) (id world.ID, err error) {
	switch {
	case k.Target == "", k.Target == entityWord:
		id = c.Entity
	case k.Target == ActorWord:
		if id = c.Actor; id == 0 {
			return 0, registry.Failf("nobody has brought it about, for whom %s stands", ActorWord)
		}
	case strings.HasPrefix(k.Target, variableWord):
		said, err := a.variable(tx, k.Target)
		if err != nil {
			return 0, err
		}
		if id, err = world.ParseID(said); err != nil {
			return 0, registry.Failf("%q stands for no entity: %v", quote.Clip(k.Target), err)
		}
	default:
		if id, err = world.ParseID(k.Target); err != nil {
			return 0, err
		}
	}
	if id == 0 {
		return 0, registry.Failf("it is about no entity: name one as the target of the action")
	}
	if !tx.Exists(id) {
		return 0, tx.Unknown(id)
	}
	return id, nil
}

// rule is what an action belongs to.
func (c *Cause) rule() string { return cmp.Or(c.Rule, c.From) }

// Failed tells viewers, as the moment kind.failed, that something that was to happen on somebody's behalf could not: what, a struct or
// map, and why.
func (a *Actions) Failed(tx *world.Tx, kind, by string, what any, why error) error {
	c := Cause{Kind: kind, Head: what}
	return c.tell(tx, "failed", &told{By: by, Error: registry.Said(why)})
}

// Try has fn done, which is for somebody else than whoever has brought it about: if it fails it is undone and told as Failed, and no more.
func (a *Actions) Try(tx *world.Tx, kind, by string, what any, fn func() error) error {
	mark := tx.Savepoint()
	err := a.Barred(&tx.View, by)
	if err == nil {
		err = fn()
	}
	if err == nil {
		return nil
	}
	tx.RollbackTo(mark)
	return a.Failed(tx, kind, by, what, err)
}
