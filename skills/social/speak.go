package social

import "github.com/limina-mcp/limina/world"

// Speech is what an entity is to say that need be nobody's body.
type Speech struct {
	Entity world.ID
	By     string // on whose behalf
	Name   string // what it is called; "": the entity's name
	Text   string
	Mood   string
	About  string // what it belongs to, such as a conversation
}

// Speak has an entity say something where it is, as social.say has an agent: in a call, or in a step. Whether it may is for who calls to
// know. Where the entity is the body of an agent, the agent is the speaker.
func (s *Social) Speak(tx *world.Tx, what *Speech) (Utterance, error) {
	at, ok := tx.Position(what.Entity)
	if !ok {
		return Utterance{}, tx.Unknown(what.Entity)
	}
	u := Utterance{Entity: what.Entity, Position: at, Text: what.Text, Name: what.Name, Mood: what.Mood, Context: what.About}
	if agent, is := s.agents.Agent(&tx.View, what.Entity); is {
		u.Speaker = agent
	} else if u.Speaker = what.Entity.String(); u.Name == "" {
		u.Name = tx.Name(what.Entity)
	}
	if u.Speaker != what.By {
		u.By = what.By
	}
	return s.utter(tx, u)
}
