package dialogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetMoodIn is the input of dialogue.setMood.
type SetMoodIn struct {
	Speaker string          `json:"speaker" validate:"max=256" jsonschema_description:"Whose: an entity that is nobody else's, such as ent_7, or you."`
	Mood    string          `json:"mood" validate:"max=64" jsonschema_description:"Any word: cheerful, angry, afraid. \"\" takes it away."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// SetMood is dialogue.setMood.
func SetMood(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[SetMoodIn, Done]{
		Name:  "dialogue.setMood",
		Title: "Set a mood",
		Description: "Say in which mood somebody is: viewers get it with the entity, as mood, and draw it. It changes nothing else. " +
			`Example: {"speaker":"ent_7","mood":"angry"}`,
		Keywords:    "emotion feeling face expression npc happy sad",
		Permissions: []profiles.Permission{"dialogue.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetMoodIn) (Done, error) {
			return world.Do(t.World, c, func(tx *world.Tx) (Done, error) {
				id, err := t.own(&tx.View, c.Principal(), "speaker", in.Speaker)
				if err != nil {
					return Done{}, err
				}
				return Done{OK: true}, t.setMood(tx, id, in.Mood)
			})
		},
	})
}

// setMood has an entity come into a mood.
func (t *Talks) setMood(tx *world.Tx, id world.ID, mood string) error {
	if mood == "" {
		t.moods.Remove(tx, id)
		return nil
	}
	if now, ok := t.moods.Get(&tx.View, id); ok && now == mood {
		return nil
	}
	return t.moods.Set(tx, id, mood)
}
