package scene

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/skills/internal/whom"
	"github.com/limina-mcp/limina/world"
)

// QueryEntitiesIn is the input of scene.queryEntities. Conditions that are left out are met by all.
type QueryEntitiesIn struct {
	Near   *world.Vec3 `json:"near,omitempty" jsonschema_description:"Point to measure distances from."`
	Radius float64     `json:"radius,omitempty" validate:"omitempty,gt=0" jsonschema_description:"Only entities at most this many metres from near, which must be given too."`
	Tag    string      `json:"tag,omitempty" jsonschema_description:"Only entities with this tag."`
	Name   string      `json:"name,omitempty" validate:"max=256" jsonschema_description:"Only entities whose name contains this, in capitals or not: roof finds roofLeft, too."`
	Below  world.ID    `json:"below,omitempty" jsonschema_description:"Only entities that are under this one, at any depth, such as the parts of a group."`
}

// QueryEntitiesOut is the output of scene.queryEntities.
type QueryEntitiesOut struct {
	Entities []Found `json:"entities" jsonschema_description:"The entities that meet all conditions, oldest first."`
}

// Found is an entity that a query found.
type Found struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Name     string     `json:"name,omitempty" jsonschema_description:"Its name, if it has one."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is, in metres."`
	Distance float64    `json:"distance" jsonschema_description:"How far it is from near, in metres; 0 without near."`
}

// QueryEntities is scene.queryEntities.
func QueryEntities(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[QueryEntitiesIn, QueryEntitiesOut]{
		Name:  "scene.queryEntities",
		Title: "Find entities",
		Description: "List entities with their positions: all, those with a tag, with a name, under another one, within a sphere, or several of these, oldest first. " +
			`Use scene.inspect first in a world that you do not know: it summarises, this lists everything that matches. Example: {"near":[0,0,0],"radius":10,"tag":"tree"}`,
		Core:        true,
		Published:   true,
		Keywords:    "find select tagged where list all object",
		Less:        "name a tag, a name, a group that it is below, or near and a smaller radius; scene.inspect counts and summarises",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in QueryEntitiesIn) (QueryEntitiesOut, error) {
			if in.Radius > 0 && in.Near == nil {
				return QueryEntitiesOut{}, registry.Invalidf("radius: needs near, the centre of the sphere")
			}
			return world.Read(w, c, func(v *world.View) (QueryEntitiesOut, error) {
				those := whom.Those{Tag: in.Tag, Name: in.Name, Below: in.Below}
				if err := those.Check(v); err != nil {
					return QueryEntitiesOut{}, err
				}
				found, whole := in.find(v, those)
				if !whole {
					return QueryEntitiesOut{}, c.TooLong()
				}
				return QueryEntitiesOut{Entities: found}, nil
			})
		},
	})
}

// leastFound is how many bytes a Found without a name has at least.
const leastFound = len(`{"entity":"ent_0","position":[0,0,0],"distance":0},`)

// find returns what meets the conditions, in id order, or reports that this is not the whole of it, because it is too much for
// an answer.
func (in *QueryEntitiesIn) find(v *world.View, those whom.Those) (found []Found, whole bool) {
	all := those.All(v)
	switch {
	case in.Radius > 0:
		all = those.Among(v, slices.Values(v.Near(*in.Near, in.Radius)))
	case those == whom.Those{}:
		found = make([]Found, 0, min(v.Len(), registry.MaxOutput/leastFound))
	}
	size := 0 // of the answer, at least
	for id := range all {
		f := Found{Entity: id, Name: v.Name(id)}
		if size += leastFound + len(f.Name); size > registry.MaxOutput {
			return nil, false
		}
		at, _ := v.Position(id)
		f.Position = shown.Point(at)
		if in.Near != nil {
			// Two points that are far apart enough are further apart than a number may be.
			f.Distance = shown.Number(min(at.Dist(*in.Near), world.MaxNumber))
		}
		found = append(found, f)
	}
	return found, true
}
