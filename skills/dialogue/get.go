package dialogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// GetIn is the input of dialogue.get.
type GetIn struct {
	Speaker  string          `json:"speaker,omitempty" validate:"omitempty,max=256" jsonschema_description:"Who speaks, as in dialogue.start. Left out: with whom the listener talks."`
	Listener string          `json:"listener,omitempty" validate:"omitempty,max=256" jsonschema_description:"Who listens. Left out: whoever is in the only conversation that is yours."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// GetOut is the output of dialogue.get.
type GetOut struct {
	CurrentNode *NodeOut `json:"currentNode,omitempty" jsonschema_description:"What was said last, and what may be answered; left out if the two are in no conversation."`
	History     []Visit  `json:"history" jsonschema_description:"The nodes of their newest conversation, in order, the newest 256; it is kept until the listener begins another one."`
}

// Get is dialogue.get.
func Get(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[GetIn, GetOut]{
		Name:  "dialogue.get",
		Title: "Where a conversation is",
		Description: "Say what was said last in a conversation, what may be answered, and by which choices it has come there. " +
			`Example: {"speaker":"ent_7","listener":"ent_3"}`,
		Keywords:    "current node history choices state dialog",
		Permissions: []profiles.Permission{"dialogue.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in GetIn) (GetOut, error) {
			return world.Read(t.World, c, func(v *world.View) (GetOut, error) {
				speaker, listener, err := t.two(v, c.Principal(), in.Speaker, in.Listener)
				if err != nil {
					return GetOut{}, err
				}
				out := GetOut{History: []Visit{}}
				if p, ok := t.pasts.Get(v, listener); ok && p.Speaker == speaker {
					out.History = p.Visits
				}
				if k, why := t.talk(v, speaker, listener); why == "" {
					out.CurrentNode = k.out()
				}
				return out, nil
			})
		},
	})
}
