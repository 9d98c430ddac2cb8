package camera

import (
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// CutIn is the input of camera.cut.
type CutIn struct {
	Position *world.Vec3     `json:"position,omitempty" jsonschema_description:"Where the camera is to be, in metres; left out it stays where it is."`
	Target   *world.Vec3     `json:"target,omitempty" jsonschema_description:"A point to look at, in metres; left out it is the one it looks at."`
	Agent    string          `json:"agent,omitempty" validate:"max=128" jsonschema_description:"Whose camera, if not yours: an agent's id, or * for those of all who have a camera, a body or a character. Needs game.configure. It stays there until they, or you, give them another."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.cut."`
}

func (c *Cameras) cut() registry.Skill {
	return registry.Define(registry.Spec[CutIn, Aimed]{
		Name:  "camera.cut",
		Title: "Put your camera somewhere",
		Description: "Put your camera, or, as whoever directs a game, that of all or of one, at a place, at once, to look at a point: it follows nothing from then on. Without either it stays what it is, and viewers jump to where it belongs now. " +
			`Example: {"position":[10,4,10],"target":[0,1,0]}`,
		Keywords:    "jump static camera shot director",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in CutIn) (Aimed, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (Aimed, error) {
				whose, err := c.whose(&tx.View, call.Principal(), in.Agent)
				if err != nil {
					return Aimed{}, err
				}
				var out Aimed
				for _, agent := range whose {
					r := c.begin(&tx.View, &profiles.Principal{ID: agent})
					if in.Position != nil || in.Target != nil {
						if err := c.free(tx, &r, &in); err != nil {
							return Aimed{}, err
						}
					}
					r.Cut = tx.Step()
					if out, err = c.set(tx, agent, r); err != nil {
						return Aimed{}, err
					}
				}
				r, _ := c.rigs.Get(&tx.View, whose[0])
				return out, call.Emit("camera.cut", event{r.Kind, r.Target, in.Meta})
			})
		},
	})
}

// whose returns the agents whose cameras a caller means, one at least: his own, one that he names, or with * all.
func (c *Cameras) whose(v *world.View, caller *profiles.Principal, agent string) ([]string, error) {
	if agent == "" || agent == caller.ID {
		return []string{caller.ID}, nil
	}
	if !caller.Grants.Has(mayDirect) {
		return nil, registry.Errorf(registry.CodeForbidden, "agent: to cut the camera of others needs the permission %s; leave it out for your own", mayDirect)
	}
	all := map[string]bool{}
	for name := range c.rigs.All(v) {
		all[name] = true
	}
	if c.d.Cast != nil {
		for name := range c.d.Cast.Played(v) {
			all[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(all))
	switch {
	case agent == "*" && len(names) == 0:
		return nil, registry.Failf("agent: nobody has a camera, a body or a character")
	case agent == "*":
		return names, nil
	case all[agent]:
		return []string{agent}, nil
	case len(names) == 0:
		return nil, registry.Failf("agent: %q has neither a camera nor a body or a character; nobody has", quote.Clip(agent))
	}
	return nil, registry.Failf("agent: %q has neither a camera nor a body or a character; those who have are %s", quote.Clip(agent), strings.Join(names[:min(len(names), 8)], ", "))
}

// mayDirect is the permission of who directs a game: he cuts the cameras of others.
const mayDirect profiles.Permission = "game.configure"

// free makes of a rig one that stands still.
func (c *Cameras) free(tx *world.Tx, r *Rig, in *CutIn) error {
	var now Shot
	if in.Position == nil || in.Target == nil {
		var err error
		if now, err = c.shot(&tx.View, r); err != nil {
			return err
		}
	}
	*r = Rig{Kind: free, Position: now.Position, LookAt: now.LookAt, FOV: r.FOV, Shake: r.Shake}
	if in.Position != nil {
		r.Position = *in.Position
	}
	if in.Target != nil {
		r.LookAt = *in.Target
	}
	const least = 1e-6
	if r.Position.Dist(r.LookAt) < least {
		return registry.Invalidf("target: must be another place than the camera's position, %v", r.Position)
	}
	return nil
}
