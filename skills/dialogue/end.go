package dialogue

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// EndIn is the input of dialogue.end.
type EndIn struct {
	Speaker  string          `json:"speaker,omitempty" validate:"omitempty,max=256" jsonschema_description:"Who speaks, as in dialogue.start. Left out: with whom the listener talks."`
	Listener string          `json:"listener,omitempty" validate:"omitempty,max=256" jsonschema_description:"Who listens. One of the two has to be yours. Left out: whoever is in the only conversation that is yours."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event dialogue.ended."`
}

// End is dialogue.end.
func End(t *Talks) registry.Skill {
	return registry.Define(registry.Spec[EndIn, Done]{
		Name:  "dialogue.end",
		Title: "End a conversation",
		Description: "End a conversation where it is. One that has come to its end has ended by itself. " +
			`Example: {"speaker":"ent_7","listener":"ent_3"}`,
		Keywords:    "stop leave goodbye close quit",
		Permissions: []profiles.Permission{"dialogue.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in EndIn) (Done, error) {
			return world.Do(t.World, c, func(tx *world.Tx) (Done, error) {
				speaker, listener, err := t.two(&tx.View, c.Principal(), in.Speaker, in.Listener)
				if err != nil {
					return Done{}, err
				}
				if err := t.Acts(&tx.View, c.Principal(), listener); err != nil && t.Acts(&tx.View, c.Principal(), speaker) != nil {
					return Done{}, registry.Under("listener", err)
				}
				k, why := t.talk(&tx.View, speaker, listener)
				if why != "" {
					return Done{Reason: why}, nil
				}
				if err := t.close(tx, c.Principal().ID, listener, ended); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit("dialogue.ended", happening{Tree: k.Tree, Speaker: speaker, Listener: listener, Node: k.Node, Meta: in.Meta})
			})
		},
	})
}
