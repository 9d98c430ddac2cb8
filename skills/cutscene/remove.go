package cutscene

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of cutscene.remove.
type RemoveIn struct {
	ID   string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Which, as cutscene.define named it."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// RemoveOut is the output of cutscene.remove.
type RemoveOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// Remove is cutscene.remove.
func Remove(s *Stage) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:        "cutscene.remove",
		Title:       "Remove a cutscene",
		Description: `Remove a cutscene that cutscene.define has written, for good. To only end one that plays use cutscene.stop. Example: {"id":"intro"}`,
		Keywords:    "delete timeline sequence forget",
		Permissions: []profiles.Permission{"game.configure"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (RemoveOut, error) {
				if _, err := s.find(&tx.View, in.ID); err != nil {
					return RemoveOut{}, err
				}
				if p := s.playing.Get(&tx.View); p.Playing && p.ID == in.ID {
					return RemoveOut{}, registry.Failf("the cutscene %q is playing: cutscene.stop ends it", quote.Clip(in.ID))
				}
				s.scenes.Delete(tx, in.ID)
				return RemoveOut{OK: true}, nil
			})
		},
	})
}
