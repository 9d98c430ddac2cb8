package animation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/scalar"
	"github.com/limina-mcp/limina/world"
)

// machine is the state machine of an entity: which clip it plays when.
type machine struct {
	Name        string       `json:"name"`
	State       string       `json:"state"`
	States      []State      `json:"states"`
	Transitions []Transition `json:"transitions,omitempty"`
	Parameters  []Parameter  `json:"parameters,omitempty"` // with the values that they have now
}

// State is a state of a state machine.
type State struct {
	Name   string  `json:"name" validate:"min=1,max=128" jsonschema_description:"What it is called."`
	ClipID string  `json:"clipId" validate:"min=1,max=128" jsonschema_description:"The clip that plays in it, over and over if it was authored with loop."`
	Speed  float64 `json:"speed" validate:"gte=-1000,lte=1000" jsonschema:"default=1" jsonschema_description:"How fast."`
	Layer  int     `json:"layer" validate:"gte=-1000,lte=1000" jsonschema:"default=0" jsonschema_description:"Its layer."`
}

// Transition is a way from one state to another.
type Transition struct {
	From       string      `json:"from" validate:"min=1,max=128" jsonschema_description:"The state that it leaves."`
	To         string      `json:"to" validate:"min=1,max=128" jsonschema_description:"The state that it leads to."`
	Conditions []Condition `json:"conditions,omitempty" validate:"max=16" jsonschema_description:"When it is taken: all of them must hold. Without any it is taken when the clip has come to its end."`
	Duration   float64     `json:"duration" validate:"gte=0,lte=3600" jsonschema:"default=0.1" jsonschema_description:"Seconds in which the one clip takes over from the other."`
}

// Condition is what must hold of a parameter.
type Condition struct {
	Param string  `json:"param" validate:"min=1,max=128" jsonschema_description:"The parameter."`
	Op    string  `json:"op" validate:"oneof=equals greater less true false" jsonschema_description:"equals, greater and less compare with value; true and false ask a bool or trigger."`
	Value *Scalar `json:"value,omitempty" jsonschema_description:"What it is compared with."`
}

// Parameter is what the conditions of a state machine are about.
type Parameter struct {
	Name         string `json:"name" validate:"min=1,max=128" jsonschema_description:"What it is called."`
	Type         string `json:"type" validate:"oneof=float int bool trigger" jsonschema_description:"What its values are. A trigger is true until a transition has heeded it."`
	DefaultValue Scalar `json:"defaultValue" jsonschema_description:"Its value at first: a number for float and int, else true or false."`
}

// Scalar is a number, or true or false.
type Scalar = scalar.Value

// takes says what is wrong with a value for a parameter, "" if nothing.
func (p *Parameter) takes(s Scalar) string {
	switch {
	case p.Type == "bool" || p.Type == "trigger":
		if !s.IsBool {
			return fmt.Sprintf("must be true or false, because %q is a %s", p.Name, p.Type)
		}
	case s.IsBool:
		return fmt.Sprintf("must be a number, because %q is %s", p.Name, map[string]string{"int": "an int", "float": "a float"}[p.Type])
	case p.Type == "int" && s.Number != float64(int64(s.Number)):
		return fmt.Sprintf("must be an integer, because %q is an int, got %v", p.Name, s.Number)
	}
	return ""
}

// CreateStateMachineIn is the input of animation.createStateMachine.
type CreateStateMachineIn struct {
	Entity       world.ID        `json:"entity" jsonschema_description:"What is to have it, such as ent_3."`
	Name         string          `json:"name" validate:"min=1,max=128" jsonschema_description:"What it is called."`
	DefaultState string          `json:"defaultState" validate:"min=1,max=128" jsonschema_description:"The state that it begins in."`
	States       []State         `json:"states" validate:"min=1,max=64" jsonschema_description:"What plays when."`
	Transitions  []Transition    `json:"transitions,omitempty" validate:"max=256" jsonschema_description:"The ways between states. The first of a state that can be taken is."`
	Parameters   []Parameter     `json:"parameters,omitempty" validate:"max=64" jsonschema_description:"What animation.setParam can set."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.stateMachineCreated."`
}

func (c *Clips) createStateMachine() registry.Skill {
	return registry.Define(registry.Spec[CreateStateMachineIn, PlayOut]{
		Name:  "animation.createStateMachine",
		Title: "Make a state machine of clips",
		Description: "Give an entity states with clips, and transitions by parameters that animation.setParam sets: a door, shut or open. For one clip use animation.play. " +
			`Example: {"entity":"ent_5","name":"door","defaultState":"shut","states":[{"name":"shut","clipId":"shut"},{"name":"open","clipId":"open"}],"parameters":[{"name":"open","type":"bool","defaultValue":false}],` +
			`"transitions":[{"from":"shut","to":"open","conditions":[{"param":"open","op":"true"}]},{"from":"open","to":"shut","conditions":[{"param":"open","op":"false"}]}]}`,
		Keywords:    "fsm animator controller",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in CreateStateMachineIn) (PlayOut, error) {
			if err := in.check(); err != nil {
				return PlayOut{}, err
			}
			return world.Do(c.w, call, func(tx *world.Tx) (PlayOut, error) {
				var note string
				for i, s := range in.States {
					n, err := c.ready(tx, call, in.Entity, fmt.Sprintf("states[%d].clipId", i), s.ClipID)
					if err != nil {
						return PlayOut{}, err
					}
					if note == "" {
						note = n
					}
				}
				m := machine{in.Name, in.DefaultState, in.States, in.Transitions, in.Parameters}
				if err := c.machines.Set(tx, in.Entity, m); err != nil {
					return PlayOut{}, err
				}
				if err := c.enter(tx, in.Entity, &m, 0); err != nil {
					return PlayOut{}, err
				}
				return PlayOut{true, note}, call.Emit("animation.stateMachineCreated", event{Entity: in.Entity, Meta: in.Meta})
			})
		},
	})
}

// check holds the parts of a state machine against each other.
func (in *CreateStateMachineIn) check() error {
	states := make([]string, len(in.States))
	for i, s := range in.States {
		if slices.Contains(states[:i], s.Name) {
			return registry.Invalidf("states[%d].name: there are two states %q", i, s.Name)
		}
		states[i] = s.Name
	}
	if err := among("defaultState", "state", in.DefaultState, states); err != nil {
		return err
	}
	names := make([]string, len(in.Parameters))
	for i := range in.Parameters {
		p := &in.Parameters[i]
		if slices.Contains(names[:i], p.Name) {
			return registry.Invalidf("parameters[%d].name: there are two parameters %q", i, p.Name)
		}
		names[i] = p.Name
		if wrong := p.takes(p.DefaultValue); wrong != "" {
			return registry.Invalidf("parameters[%d].defaultValue: %s", i, wrong)
		}
	}
	for i, t := range in.Transitions {
		at := fmt.Sprintf("transitions[%d].", i)
		if err := among(at+"from", "state", t.From, states); err != nil {
			return err
		}
		if err := among(at+"to", "state", t.To, states); err != nil {
			return err
		}
		for j, cond := range t.Conditions {
			at := fmt.Sprintf("%sconditions[%d].", at, j)
			if err := among(at+"param", "parameter", cond.Param, names); err != nil {
				return err
			}
			if wrong := cond.wrong(&in.Parameters[slices.Index(names, cond.Param)]); wrong != "" {
				return registry.Invalidf("%s%s", at, wrong)
			}
		}
	}
	return nil
}

// among reports an error unless a name is one of those there are.
func among(field, what, name string, all []string) error {
	switch {
	case slices.Contains(all, name):
		return nil
	case len(all) == 0:
		return registry.Invalidf("%s: unknown %s %q; there is none", field, what, quote.Clip(name))
	}
	if near := wire.Nearest(name, all); near != "" {
		return registry.Invalidf("%s: unknown %s %q, did you mean %q?", field, what, quote.Clip(name), near)
	}
	return registry.Invalidf("%s: unknown %s %q; there are %s", field, what, quote.Clip(name), strings.Join(all, ", "))
}

// wrong says what is wrong with a condition on a parameter, "" if nothing.
func (c *Condition) wrong(p *Parameter) string {
	asks := p.Type == "bool" || p.Type == "trigger"
	switch c.Op {
	case "true", "false":
		if !asks {
			return fmt.Sprintf("op: %s asks a bool or a trigger, and %q is of type %s: use equals, greater or less with a value", c.Op, p.Name, p.Type)
		}
		return ""
	case "greater", "less":
		if asks {
			return fmt.Sprintf("op: %s compares numbers, and %q is of type %s: use true or false", c.Op, p.Name, p.Type)
		}
	}
	if c.Value == nil {
		return "value: is missing, and " + c.Op + " compares with it"
	}
	if between := p.Type == "int" && !c.Value.IsBool; between { // more than 1.5 is as good as more than 1
		return ""
	}
	if wrong := p.takes(*c.Value); wrong != "" {
		return "value: " + wrong
	}
	return ""
}

// holds reports whether a condition holds of a parameter's value.
func (c *Condition) holds(s Scalar) bool {
	switch c.Op {
	case "true":
		return s.Bool
	case "false":
		return !s.Bool
	case "greater":
		return s.Number > c.Value.Number
	case "less":
		return s.Number < c.Value.Number
	default:
		return s == *c.Value
	}
}

// state returns the state that a machine is in.
func (m *machine) state() *State {
	return &m.States[slices.IndexFunc(m.States, func(s State) bool { return s.Name == m.State })]
}

// parameter returns the index of a parameter, -1 if there is none.
func (m *machine) parameter(name string) int {
	return slices.IndexFunc(m.Parameters, func(p Parameter) bool { return p.Name == name })
}

// enter has an entity play what its machine's state says, over so many steps.
func (c *Clips) enter(tx *world.Tx, id world.ID, m *machine, over uint64) error {
	s := m.state()
	now, _ := c.playing.Get(&tx.View, id)
	now = now.fade(tx.Step(), over, func(p *Part) bool { return p.State && p.Layer != s.Layer })
	found, _ := c.rows.Get(&tx.View, s.ClipID)
	return c.join(tx, id, now, Part{Clip: s.ClipID, Layer: s.Layer, Weight: 1, Speed: s.Speed, Loop: found.Loop, State: true}, over)
}

// turn takes the transitions of an entity's state machine that can be taken: one in a step. It returns what plays then.
func (c *Clips) turn(tx *world.Tx, id world.ID, p Playing) (Playing, error) {
	m, ok := c.machines.Get(&tx.View, id)
	if !ok {
		return p, nil
	}
	ended := slices.ContainsFunc(p, func(part Part) bool { return part.State && part.Out == 0 && part.Ended })
	for i := range m.Transitions {
		t := &m.Transitions[i]
		if t.From != m.State || !m.can(t, ended) {
			continue
		}
		next := m
		next.State, next.Parameters = t.To, slices.Clone(m.Parameters)
		for _, cond := range t.Conditions {
			if q := &next.Parameters[m.parameter(cond.Param)]; q.Type == "trigger" {
				q.DefaultValue.Bool = false
			}
		}
		if err := c.machines.Set(tx, id, next); err != nil {
			return nil, err
		}
		if err := c.enter(tx, id, &next, c.steps(t.Duration)); err != nil {
			return nil, err
		}
		p, _ = c.playing.Get(&tx.View, id)
		return p, nil
	}
	return p, nil
}

// can reports whether a transition can be taken.
func (m *machine) can(t *Transition, ended bool) bool {
	if len(t.Conditions) == 0 {
		return ended
	}
	for i := range t.Conditions {
		if cond := &t.Conditions[i]; !cond.holds(m.Parameters[m.parameter(cond.Param)].DefaultValue) {
			return false
		}
	}
	return true
}

// machine returns the state machine of an entity that a caller may move.
func (c *Clips) machine(tx *world.Tx, call *registry.Call, id world.ID) (machine, error) {
	if _, err := c.ready(tx, call, id, ""); err != nil {
		return machine{}, err
	}
	return c.machineOf(&tx.View, id)
}

// machineOf returns the state machine of an entity.
func (c *Clips) machineOf(v *world.View, id world.ID) (machine, error) {
	m, ok := c.machines.Get(v, id)
	if !ok {
		return machine{}, registry.Failf("entity: %s has no state machine; animation.createStateMachine gives it one", id)
	}
	return m, nil
}

// tune sets a parameter of an entity's machine. field is how the caller calls the name.
func (c *Clips) tune(tx *world.Tx, id world.ID, m machine, field, name string, value Scalar) error {
	i := m.parameter(name)
	if i < 0 {
		names := make([]string, len(m.Parameters))
		for i := range m.Parameters {
			names[i] = m.Parameters[i].Name
		}
		return among(field, "parameter", name, names)
	}
	if wrong := m.Parameters[i].takes(value); wrong != "" {
		return registry.Invalidf("value: %s", wrong)
	}
	m.Parameters = slices.Clone(m.Parameters)
	m.Parameters[i].DefaultValue = value
	if err := c.machines.Set(tx, id, m); err != nil {
		return err
	}
	return c.rouse(tx, id)
}

// send has an entity's machine go to a state.
func (c *Clips) send(tx *world.Tx, id world.ID, m machine, state string) error {
	names := make([]string, len(m.States))
	for i := range m.States {
		names[i] = m.States[i].Name
	}
	if err := among("state", "state", state, names); err != nil {
		return err
	}
	over := 0.1
	for _, t := range m.Transitions {
		if t.From == m.State && t.To == state {
			over = t.Duration
			break
		}
	}
	m.State = state
	if err := c.machines.Set(tx, id, m); err != nil {
		return err
	}
	return c.enter(tx, id, &m, c.steps(over))
}

// SetParamIn is the input of animation.setParam.
type SetParamIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"What has the state machine, such as ent_5."`
	Name   string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The parameter."`
	Value  Scalar          `json:"value" jsonschema_description:"Its value from now on."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.paramSet."`
}

func (c *Clips) setParam() registry.Skill {
	return registry.Define(registry.Spec[SetParamIn, PlayOut]{
		Name:  "animation.setParam",
		Title: "Set a parameter of a state machine",
		Description: "Set a parameter of an entity's state machine; the next simulation step takes the transition that this allows. To go to a state whatever the parameters are use animation.transition. " +
			`Example: {"entity":"ent_5","name":"open","value":true}`,
		Keywords:    "trigger bool float animator controller",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in SetParamIn) (PlayOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (PlayOut, error) {
				m, err := c.machine(tx, call, in.Entity)
				if err != nil {
					return PlayOut{}, err
				}
				if err := c.tune(tx, in.Entity, m, "name", in.Name, in.Value); err != nil {
					return PlayOut{}, err
				}
				return PlayOut{OK: true}, call.Emit("animation.paramSet", event{Entity: in.Entity, Meta: in.Meta})
			})
		},
	})
}

// rouse has the next step look at an entity, also if nobody attends.
func (c *Clips) rouse(tx *world.Tx, id world.ID) error {
	if err := c.moving.Set(tx, id, struct{}{}); err != nil {
		return err
	}
	return c.brief.Set(tx, id, struct{}{})
}

// TransitionIn is the input of animation.transition.
type TransitionIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"What has the state machine, such as ent_5."`
	State  string          `json:"state" validate:"min=1,max=128" jsonschema_description:"The state to go to."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.transitioned."`
}

func (c *Clips) transition() registry.Skill {
	return registry.Define(registry.Spec[TransitionIn, PlayOut]{
		Name:  "animation.transition",
		Title: "Send a state machine to a state",
		Description: "Send an entity's state machine to a state, whatever its parameters are, over a tenth of a second or as long as a transition to there takes. " +
			`Example: {"entity":"ent_5","state":"open"}`,
		Keywords:    "force",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in TransitionIn) (PlayOut, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (PlayOut, error) {
				m, err := c.machine(tx, call, in.Entity)
				if err != nil {
					return PlayOut{}, err
				}
				if err := c.send(tx, in.Entity, m, in.State); err != nil {
					return PlayOut{}, err
				}
				return PlayOut{OK: true}, call.Emit("animation.transitioned", event{Entity: in.Entity, Meta: in.Meta})
			})
		},
	})
}
