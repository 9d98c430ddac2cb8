package history

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ChangesIn is the input of world.changes.
type ChangesIn struct {
	Since  uint64 `json:"since" jsonschema_description:"A revision that you have seen; 0 for all that is known."`
	Others bool   `json:"others" jsonschema:"default=false" jsonschema_description:"Leave out what you changed last yourself."`
	Offset int    `json:"offset" validate:"gte=0" jsonschema:"default=0" jsonschema_description:"How many to leave out at the beginning, for the next page."`
	Limit  int    `json:"limit" validate:"gte=1,lte=500" jsonschema:"default=50" jsonschema_description:"How many at most."`
}

// ChangesOut is the output of world.changes.
type ChangesOut struct {
	Revision uint64   `json:"revision" jsonschema_description:"The newest revision: ask for what comes after it next time."`
	Changes  []Change `json:"changes" jsonschema_description:"What is different, settings of the world first, then entities by id."`
	Total    int      `json:"total" jsonschema_description:"How many there are in all."`
	More     int      `json:"more" jsonschema_description:"How many come after these."`
}

// Change is what has become of one thing.
type Change struct {
	Entity   world.ID `json:"entity,omitempty" jsonschema_description:"The entity; left out for a setting of the whole world, which what names."`
	What     []string `json:"what" jsonschema_description:"created, destroyed, transform, and parts by name, such as material."`
	By       string   `json:"by" jsonschema_description:"Who changed it last: an agent, \"simulation\", or \"host\" for the program that runs the world."`
	Skill    string   `json:"skill,omitempty" jsonschema_description:"By which skill."`
	Intent   uint64   `json:"intent,omitempty" jsonschema_description:"In which call."`
	Revision uint64   `json:"revision" jsonschema_description:"In which revision."`
	Gone     bool     `json:"gone,omitempty" jsonschema_description:"It is not there any more."`
}

// Changes is world.changes.
func Changes(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[ChangesIn, ChangesOut]{
		Name:  "world.changes",
		Title: "What has changed since",
		Description: "List what was created, changed and destroyed since a revision, by whom and by what, without what was undone: to see what others did while you were thinking. " +
			`world.diff shows the values before and after. Example: {"since":41,"others":true}`,
		Category:    "world",
		Keywords:    "who did changed moved happened news",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in ChangesIn) (ChangesOut, error) {
			return world.Read(w, c, func(v *world.View) (ChangesOut, error) {
				list, err := v.ChangedSince(in.Since)
				if err != nil {
					return ChangesOut{}, registry.Under("since", err)
				}
				out := ChangesOut{Revision: v.Tick(), Changes: []Change{}}
				for _, d := range list {
					if in.Others && d.By == c.Principal().ID {
						continue
					}
					out.Total++
					switch {
					case out.Total <= in.Offset:
					case len(out.Changes) < in.Limit:
						out.Changes = append(out.Changes, change(d))
					default:
						out.More++
					}
				}
				return out, nil
			})
		},
	})
}

func change(d world.Difference) Change {
	by := d.By
	switch {
	case d.Step:
		by = "simulation"
	case by == "":
		by = "host"
	}
	return Change{Entity: d.Entity, What: d.What, By: by, Skill: d.Skill, Intent: d.Intent, Revision: d.Revision, Gone: d.Gone}
}
