package animation

import (
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of animation.remove.
type RemoveIn struct {
	ClipID string          `json:"clipId,omitempty" validate:"omitempty,max=128" jsonschema_description:"The clip, as animation.authorClip or animation.load named it."`
	PathID string          `json:"pathId,omitempty" validate:"omitempty,max=128" jsonschema_description:"Or the path, as animation.authorPath named it."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event animation.removed."`
}

// RemoveOut is the output of animation.remove.
type RemoveOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Rules int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells; what they do with it fails."`
}

// Named has a function say, where the world is put together, how many rules name a clip or a path.
func (c *Clips) Named(rules func(v *world.View, id string) int) { c.named = rules }

func (c *Clips) remove() registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "animation.remove",
		Title: "Remove a clip or a path",
		Description: "Remove a clip that animation.authorClip or animation.load has made, or a path of animation.authorPath. Refused while something plays it, has a state machine with it, or follows it: animation.stop ends that. " +
			`Examples: {"clipId":"spin"}, {"pathId":"line"}`,
		Keywords:    "delete forget keyframes track route",
		Permissions: mayWrite,
		Effect:      registry.Destroys,
		Handle: func(call *registry.Call, in RemoveIn) (RemoveOut, error) {
			if (in.ClipID == "") == (in.PathID == "") {
				return RemoveOut{}, registry.Invalidf("clipId: give either clipId or pathId")
			}
			return world.Do(c.w, call, func(tx *world.Tx) (out RemoveOut, err error) {
				if in.PathID != "" {
					err = c.removePath(tx, in.PathID)
				} else {
					err = c.removeClip(tx, in.ClipID)
				}
				if err != nil {
					return out, err
				}
				out.Rules = c.named.Of(&tx.View, in.ClipID+in.PathID) // one of them is empty
				out.OK = true
				return out, call.Emit("animation.removed", event{Clip: in.ClipID, Path: in.PathID, Meta: in.Meta})
			})
		},
	})
}

// stopped is what ends that something plays or follows what is to be removed.
const stopped = `animation.stop {"entity":%q}`

func (c *Clips) removeClip(tx *world.Tx, id string) error {
	if _, err := c.find(&tx.View, "clipId", id); err != nil {
		return err
	}
	var plays, has []world.ID
	for e, p := range c.playing.All(&tx.View) {
		if slices.ContainsFunc(p, func(part Part) bool { return part.Clip == id && !part.gone(tx.Step()) }) {
			plays = append(plays, e)
		}
	}
	if err := shelf.Used("clipId", id, plays, "plays", "play", stopped); err != nil {
		return err
	}
	for e, m := range c.machines.All(&tx.View) {
		if slices.ContainsFunc(m.States, func(s State) bool { return s.ClipID == id }) {
			has = append(has, e)
		}
	}
	if err := shelf.Used("clipId", id, has, "has a state machine with", "have a state machine with", stopped); err != nil {
		return err
	}
	c.clipsBy.Drop(tx, id)
	c.rows.Delete(tx, id)
	return nil
}

func (c *Clips) removePath(tx *world.Tx, id string) error {
	if _, err := c.findPath(&tx.View, "pathId", id); err != nil {
		return err
	}
	var follow []world.ID
	for e, t := range c.travels.All(&tx.View) {
		if t.Path != id {
			continue
		}
		if t.Lead == 0 || !slices.Contains(follow, t.Lead) {
			follow = append(follow, e)
		}
	}
	if err := shelf.Used("pathId", id, follow, "follows", "follow", stopped); err != nil {
		return err
	}
	c.pathsBy.Drop(tx, id)
	c.paths.Delete(tx, id)
	return nil
}
