package dialogue

import (
	"iter"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of dialogue.remove.
type RemoveIn struct {
	ID   string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Which, as dialogue.define named it."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// RemoveOut is the output of dialogue.remove.
type RemoveOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Ended int  `json:"ended" jsonschema_description:"How many conversations by it have ended."`
	Rules int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells; what they do with it fails."`
}

// Named has functions say, where the world is put together, how many rules name a dialogue, and which entities begin which when they are spoken to.
func (t *Talks) Named(rules func(v *world.View, id string) int, speakers func(v *world.View) iter.Seq2[world.ID, string]) {
	t.named, t.speakers = rules, speakers
}

// Remove is dialogue.remove.
func Remove(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "dialogue.remove",
		Title: "Remove a conversation",
		Description: "Remove a conversation that dialogue.define has written. Those who hold it are in none any more. Refused while something is registered to begin it (interaction.register with talk). To end one that goes on use dialogue.end. " +
			`Example: {"id":"smith"}`,
		Keywords:    "delete forget npc talk",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(t.World, c, func(tx *world.Tx) (out RemoveOut, err error) {
				if _, err := t.find(&tx.View, in.ID); err != nil {
					return out, err
				}
				if err := shelf.Used("id", in.ID, t.openers(&tx.View, in.ID), "begins", "begin", `interaction.unregister {"entity":%q}`); err != nil {
					return out, err
				}
				for listener, k := range t.talks.All(&tx.View) {
					if k.Tree != in.ID {
						continue
					}
					if err := t.end(tx, listener, &k, removed); err != nil {
						return out, err
					}
					out.Ended++
				}
				out.Rules = t.named.Of(&tx.View, in.ID)
				out.OK = t.trees.Delete(tx, in.ID)
				return out, nil
			})
		},
	})
}

// openers returns the entities that begin a dialogue when they are spoken to.
func (t *Talks) openers(v *world.View, id string) (all []world.ID) {
	if t.speakers == nil {
		return nil
	}
	for speaker, tree := range t.speakers(v) {
		if tree == id {
			all = append(all, speaker)
		}
	}
	return all
}
