package social

import (
	"encoding/json"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Said is both the type of the event of an utterance and the kind of the [world.Moment] that viewers
// play; [Utterance] is the payload of both.
const Said = "social.said"

// Utterance is something that was said.
type Utterance struct {
	Handle   string     `json:"handle"`
	Speaker  string     `json:"speaker"` // the agent, or the id of an entity that is nobody's body
	Entity   world.ID   `json:"entity"`  // its body or character
	Position world.Vec3 `json:"position"`
	Text     string     `json:"text"`
	Name     string     `json:"name,omitempty"`    // what an entity is called that is nobody's body
	Mood     string     `json:"mood,omitempty"`    // in which it is said
	Context  string     `json:"context,omitempty"` // what it belongs to
	By       string     `json:"by,omitempty"`      // who had it said, if that is not the speaker
}

// SayIn is the input of social.say.
type SayIn struct {
	Text    string `json:"text" validate:"min=1,max=280" jsonschema_description:"What to say, in 1 to 280 characters."`
	ActorID string `json:"actorId,omitempty" jsonschema_description:"Who speaks. It can only be you: leave it out."`
}

// SayOut is the output of social.say.
type SayOut struct {
	Said    bool   `json:"said" jsonschema_description:"Always true: what cannot be said is an error."`
	Speaker string `json:"speaker" jsonschema_description:"The agent that spoke: you."`
	Handle  string `json:"handle" jsonschema_description:"Names what was said, in the event and for viewers."`
}

// Say is social.say.
func Say(s *Social) registry.Skill {
	return registry.Define(registry.Spec[SayIn, SayOut]{
		Name:  "social.say",
		Title: "Say something",
		Description: "Say something aloud where your body stands, or without one the first character that you spawned: those who view the place see or hear it, once, and those within 20 metres find it in heard of agent.getPerception. agent.embody gives you a body. To leave text that stays use ui.label or ui.speechBubble. " +
			`Example: {"text":"Good morning! Shall we build the roof?"}`,
		Core:        true,
		Published:   true,
		Keywords:    "send chat talk speak hello message announce tell dialogue",
		Permissions: []profiles.Permission{"social.act"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in SayIn) (SayOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SayOut, error) {
				u, err := s.say(tx, c.Principal().ID, &in)
				if err != nil {
					return SayOut{}, err
				}
				return SayOut{Said: true, Speaker: u.Speaker, Handle: u.Handle}, c.Emit(Said, u)
			})
		},
	})
}

// say has an agent say something through its body, or its first character.
func (s *Social) say(tx *world.Tx, agent string, in *SayIn) (Utterance, error) {
	body, at, err := s.mouth(&tx.View, agent)
	if err != nil {
		return Utterance{}, err
	}
	if in.ActorID != "" && in.ActorID != agent && in.ActorID != body.String() {
		return Utterance{}, registry.Errorf(registry.CodeForbidden, "actorId: you can only speak as yourself, %s; leave it out", agent)
	}
	return s.utter(tx, Utterance{Speaker: agent, Entity: body, Position: at, Text: in.Text})
}

// utter gives an utterance a handle, and has viewers hear it, and those who are near and ask what they perceive.
func (s *Social) utter(tx *world.Tx, u Utterance) (_ Utterance, err error) {
	if u.Handle, err = s.next(tx); err != nil {
		return Utterance{}, err
	}
	spoken := agents.Spoken{Entity: u.Entity, At: u.Position, Speaker: u.Speaker, Name: u.Name, Text: u.Text}
	if spoken.Name == "" {
		spoken.Name = tx.Name(u.Entity)
	}
	if err := s.agents.Speak(tx, spoken); err != nil {
		return Utterance{}, err
	}
	text, err := json.Marshal(u)
	if err != nil {
		return Utterance{}, err
	}
	return u, tx.Moment(world.Moment{Kind: Said, Entity: u.Entity, Placed: true, At: u.Position, Payload: text})
}
