package behavior

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/world"
)

// Response is what is done about an event.
type Response struct {
	Type   string          `json:"type" validate:"oneof=say goTo attitude emit setState spawn destroy audio animation call custom" jsonschema_description:"say: say data.text aloud. goTo: go to the entity target, to data.position, or to where the event happened, as a goal of the priority of the reaction. attitude: feel data.attitude, friendly, neutral or hostile, toward target, or whom the event is about. The others are those of trigger.onEnter, about the entity itself where they name none."`
	Target string          `json:"target,omitempty" validate:"omitempty,max=128" jsonschema_description:"goTo, attitude, setState, destroy, audio, animation: the id of an entity, or \"$actor\" for who has brought the event about, such as who has used a lever. emit: the name of the event. call: the name of the skill. custom: whatever you agreed on."`
	Data   registry.Object `json:"data" jsonschema:"default={}" jsonschema_description:"say: text, of at most 280 characters, and mood. goTo: position and speed. attitude: attitude. Else as trigger.onEnter has it: position, color and the like for setState, name and volume for audio, clipId for animation."`
	If     string          `json:"if,omitempty" jsonschema_description:"Only if this is so then, as trigger.onEnter has it, of who has brought the event about: item(\"badge\") < 1. Left out: always."`
}

// ReactionIn is a reaction that is to be.
type ReactionIn struct {
	Trigger  string          `json:"trigger" validate:"min=1,max=128" jsonschema_description:"The name of the event, exactly as it is emitted: \"alarm\", \"game.won\"."`
	Action   Response        `json:"action" jsonschema_description:"What is done about it."`
	Priority int64           `json:"priority" jsonschema:"default=0" jsonschema_description:"Of several reactions to one event the one of the highest is had that does not rest."`
	Cooldown *float64        `json:"cooldown,omitempty" validate:"omitempty,gt=0" jsonschema_description:"For how many simulated seconds it rests then. Left out: not at all."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"about: \"self\" for events about the entity itself only, left out for any. radius: only for what happens within so many metres of it. All else changes nothing."`
}

// reaction is what is done about an event. It is immutable.
type reaction struct {
	On       string      `json:"on"`
	Do       action.Kept `json:"do"`
	Priority int64       `json:"priority,omitempty"`
	Rest     uint64      `json:"rest,omitempty"` // steps
	Self     bool        `json:"self,omitempty"`
	Radius   float64     `json:"radius,omitempty"` // metres; 0: anywhere
}

// reaction returns what is kept of a reaction.
func (m *Minds) reaction(c *registry.Call, in *ReactionIn) (r reaction, err error) {
	r = reaction{On: in.Trigger, Priority: in.Priority}
	if in.Cooldown != nil {
		r.Rest = m.World.StepsIn(*in.Cooldown)
	}
	if err := number("config", in.Config, "radius", &r.Radius, 0.1, 100_000); err != nil {
		return r, err
	}
	about := "any"
	if _, err := config.Read("config", in.Config, "about", &about); err != nil {
		return r, err
	}
	if r.Self = about == "self"; !r.Self && about != "any" {
		return r, registry.Invalidf(`config.about: must be "self" or "any", got %q`, about)
	}
	a := action.Action(in.Action)
	if err := in.Action.check(m.World, c, &a); err != nil {
		return r, err
	}
	r.Do = a.Keep(c.Principal())
	return r, nil
}

// check reports what is wrong with what is to be done.
func (r *Response) check(w *world.World, c *registry.Call, a *action.Action) error {
	switch r.Type {
	case "say", "goTo", "attitude":
	default:
		return a.Check(w, c)
	}
	if err := config.Fits("action.data", len(r.Data), action.MaxData); err != nil {
		return err
	}
	if err := action.CheckIf(r.If); err != nil {
		return err
	}
	if r.Target != "" {
		if r.Type == "say" {
			return registry.Invalidf("action.target: say takes none: the text is data.text")
		}
		if _, err := world.ParseID(r.Target); err != nil && r.Target != action.ActorWord {
			return registry.Invalidf(`action.target: %v; "%s" is who has brought the event about`, err, action.ActorWord)
		}
	}
	_, err := readResponse(r.Type, r.Data)
	return err
}

// response is the data of what this package does itself.
type response struct {
	line
	course
	stance
}

type line struct {
	Text string `json:"text" validate:"min=1,max=280"`
	Mood string `json:"mood,omitempty" validate:"omitempty,max=64"`
}

type course struct {
	Position *world.Vec3 `json:"position,omitempty"`
	Speed    float64     `json:"speed,omitempty" validate:"omitempty,gt=0,lte=1000"`
}

type stance struct {
	Attitude string `json:"attitude" validate:"oneof=friendly neutral hostile"`
}

// readResponse reads the data of say, goTo and attitude.
func readResponse(kind string, data registry.Object) (r response, err error) {
	switch kind {
	case "say":
		err = read(data, &r.line)
	case "goTo":
		err = read(data, &r.course)
	case "attitude":
		err = read(data, &r.stance)
	}
	return r, err
}

// read reads the data of an action. What is wrong is named from action.data on.
func read[T any](data registry.Object, v *T) error {
	whole := append(append([]byte(`{"data":`), data...), '}')
	if data == nil {
		whole = []byte(`{"data":{}}`)
	}
	_, err := config.Read("action", whole, "data", v)
	return err
}

// triggers returns the events that there are reactions to, each once, in order.
func triggers(list []reaction) []string {
	var all []string
	for i := range list {
		all = append(all, list[i].On)
	}
	return sorted(all)
}
