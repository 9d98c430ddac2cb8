package scene

import (
	"iter"
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

	IDs     []world.ID `json:"ids,omitempty" validate:"omitempty,min=1,max=500" jsonschema_description:"Only these entities; with details one id reads one entity."`
	Entity  world.ID   `json:"entity,omitempty" jsonschema_description:"Only this one, as ids with it alone; and with its details."`
	Roots   bool       `json:"roots" jsonschema:"default=false" jsonschema_description:"Only entities that have no parent."`
	Details bool       `json:"details" jsonschema:"default=false" jsonschema_description:"Tell parent, children, rotation, scale, shape, colour, material, tags, body and behavior (also which path it follows, and why it is stuck) of each, too; of at most 100 entities."`
	Limit   int        `json:"limit,omitempty" validate:"omitempty,gte=1,lte=100000" jsonschema_description:"How many to list at most; all if left out. more says how many are not listed."`
	After   world.ID   `json:"after,omitempty" jsonschema_description:"Go on behind this one, the last that was listed."`
}

// QueryEntitiesOut is the output of scene.queryEntities.
type QueryEntitiesOut struct {
	Entities []Found `json:"entities" jsonschema_description:"The entities that meet all conditions, oldest first."`
	More     int     `json:"more,omitempty" jsonschema_description:"How many more do, beyond limit: go on with after, the last of these."`
}

// Found is an entity that a query found.
type Found struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Name     string     `json:"name,omitempty" jsonschema_description:"Its name, if it has one."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is, in metres."`
	Distance float64    `json:"distance" jsonschema_description:"How far it is from near, in metres; 0 without near."`
	Details  *Details   `json:"details,omitempty" jsonschema_description:"What else it is, if details were asked for."`
}

// less is how to ask for fewer entities.
const less = "name a tag, a name, a group that it is below, near and a smaller radius, or a limit"

// QueryEntities is scene.queryEntities.
func QueryEntities(w *world.World, lives ...Lives) registry.Skill {
	return registry.Define(registry.Spec[QueryEntitiesIn, QueryEntitiesOut]{
		Name:  "scene.queryEntities",
		Title: "Find entities",
		Description: "List entities with their positions: all, those with a tag, with a name, under another one, within a sphere, by id, or several of these, oldest first. With details it reads each: parent, rotation, scale, colour, material, tags, what it does by itself, the path that it follows and why it is stuck. " +
			`Use scene.inspect first in a world that you do not know: it summarises, this lists everything that matches. Example: {"near":[0,0,0],"radius":10,"tag":"tree"}`,
		Core:        true,
		Published:   true,
		Keywords:    "find select tagged where list all object read detail children root",
		Less:        less + "; scene.inspect counts and summarises",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in QueryEntitiesIn) (QueryEntitiesOut, error) {
			if err := in.together(); err != nil {
				return QueryEntitiesOut{}, err
			}
			return world.Read(w, c, func(v *world.View) (QueryEntitiesOut, error) {
				those := whom.Those{Tag: in.Tag, Name: in.Name, Below: in.Below}
				if err := those.Check(v); err != nil {
					return QueryEntitiesOut{}, err
				}
				ids, err := in.listed(v)
				if err != nil {
					return QueryEntitiesOut{}, err
				}
				out, err := in.find(c, v, those, ids)
				for i := range out.Entities {
					out.Entities[i].live(v, lives)
				}
				return out, err
			})
		},
	})
}

// together reports what in a valid input cannot be asked together.
func (in *QueryEntitiesIn) together() error {
	if in.Radius > 0 && in.Near == nil {
		return registry.Invalidf("radius: needs near, the centre of the sphere")
	}
	if in.Entity != 0 {
		if in.IDs != nil {
			return registry.Invalidf("entity: say either entity or ids, not both")
		}
		in.IDs, in.Details = []world.ID{in.Entity}, true
	}
	if in.Roots && in.Below != 0 {
		return registry.Invalidf("roots: what is below %v has a parent; leave out roots or below", in.Below)
	}
	return nil
}

// listed returns what the ids name, in id order and each once.
func (in *QueryEntitiesIn) listed(v *world.View) ([]world.ID, error) {
	for _, id := range in.IDs {
		if !v.Exists(id) {
			return nil, v.Unknown(id)
		}
	}
	ids := slices.Clone(in.IDs)
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

const (
	leastFound = len(`{"entity":"ent_0","position":[0,0,0],"distance":0},`) // bytes that a Found without a name has at least
	mostDetail = 100                                                        // entities that details are told of
)

// find returns what meets the conditions, in id order, or an error if that is too much for an answer.
func (in *QueryEntitiesIn) find(c *registry.Call, v *world.View, those whom.Those, ids []world.ID) (out QueryEntitiesOut, err error) {
	if in.all(those) {
		out.Entities = make([]Found, 0, min(v.Len(), registry.MaxOutput/leastFound))
	}
	size := 0 // of the answer, at least
	for id := range in.candidates(v, those, ids) {
		if in.Roots && v.Parent(id) != 0 || id <= in.After {
			continue
		}
		if in.Limit > 0 && len(out.Entities) == in.Limit {
			out.More++
			continue
		}
		if in.Details && len(out.Entities) == mostDetail {
			return QueryEntitiesOut{}, registry.Errorf(registry.CodeCapacityExceeded, "details: are told of at most %d entities, and more match: %s; or list them without details and give ids", mostDetail, less)
		}
		f := in.found(v, id)
		if size += leastFound + len(f.Name); size > registry.MaxOutput {
			return QueryEntitiesOut{}, c.TooLong()
		}
		out.Entities = append(out.Entities, f)
	}
	return out, nil
}

// all reports whether all entities meet the conditions, so that there is a place to make for each.
func (in *QueryEntitiesIn) all(those whom.Those) bool {
	return those == whom.Those{} && in.Radius == 0 && in.IDs == nil && !in.Roots && !in.Details && in.Limit == 0 && in.After == 0
}

// candidates yields what meets all conditions but roots, in id order.
func (in *QueryEntitiesIn) candidates(v *world.View, those whom.Those, ids []world.ID) iter.Seq[world.ID] {
	if in.Radius > 0 {
		near := v.Near(*in.Near, in.Radius)
		if ids != nil {
			near = slices.DeleteFunc(near, func(id world.ID) bool {
				_, listed := slices.BinarySearch(ids, id)
				return !listed
			})
		}
		return those.Among(v, slices.Values(near))
	}
	if ids != nil {
		return those.Among(v, slices.Values(ids))
	}
	return those.All(v)
}

// found is what is told of an entity.
func (in *QueryEntitiesIn) found(v *world.View, id world.ID) Found {
	at, _ := v.Position(id)
	f := Found{Entity: id, Name: v.Name(id), Position: shown.Point(at)}
	if in.Near != nil {
		// Two points that are far apart enough are further apart than a number may be.
		f.Distance = shown.Number(min(at.Dist(*in.Near), world.MaxNumber))
	}
	if in.Details {
		f.Details = detailsOf(v, id)
	}
	return f
}

// live has details tell what an entity does by itself.
func (f *Found) live(v *world.View, lives []Lives) {
	for _, of := range lives {
		if f.Details != nil && f.Details.Behavior == nil {
			f.Details.Behavior = of(v, f.Entity)
		}
	}
}
