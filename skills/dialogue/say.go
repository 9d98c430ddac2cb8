package dialogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/world"
)

// NPCSayIn is the input of dialogue.npcSay.
type NPCSayIn struct {
	Speaker         string          `json:"speaker" validate:"max=256" jsonschema_description:"Who says it: an entity that is nobody else's, such as ent_7, or you."`
	Text            string          `json:"text" validate:"min=1,max=280" jsonschema_description:"What, in 1 to 280 characters."`
	Mood            string          `json:"mood,omitempty" validate:"omitempty,max=64" jsonschema_description:"In which mood; for this line, see dialogue.setMood."`
	DialogueContext string          `json:"dialogueContext,omitempty" validate:"omitempty,max=256" jsonschema_description:"What it belongs to, for viewers."`
	Meta            registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event dialogue.said."`
}

// said is the payload of the event dialogue.said.
type said struct {
	social.Utterance
	Meta registry.Object `json:"meta,omitempty"`
}

// NPCSay is dialogue.npcSay.
func NPCSay(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[NPCSayIn, Done]{
		Name:  "dialogue.npcSay",
		Title: "Have a character say something",
		Description: "Have an entity say one line aloud, where it is: those who see the place hear it, once. To speak yourself use social.say, for questions and answers dialogue.define. " +
			`Example: {"speaker":"ent_7","text":"Fresh bread!","mood":"cheerful"}`,
		Keywords:    "npc speak talk bark shout line speech",
		Permissions: []profiles.Permission{"social.act"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in NPCSayIn) (Done, error) {
			return world.Do(t.World, c, func(tx *world.Tx) (Done, error) {
				id, err := t.own(&tx.View, c.Principal(), "speaker", in.Speaker)
				if err != nil {
					return Done{}, err
				}
				u, err := t.Social.Speak(tx, &social.Speech{Entity: id, By: c.Principal().ID, Text: in.Text, Mood: in.Mood, About: in.DialogueContext})
				if err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit("dialogue.said", said{u, in.Meta})
			})
		},
	})
}
