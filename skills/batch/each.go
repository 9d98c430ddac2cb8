package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/listed"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/places"
	"github.com/limina-mcp/limina/skills/internal/whom"
	"github.com/limina-mcp/limina/world"
)

// MostEach is for how many entities one scene.forEach calls its skill, and MostEachInStep for how many one does that an action calls.
const (
	MostEach       = 500
	MostEachInStep = 64
	mostLooked     = 4096 // entities that one looks at that an action calls
)

// Spot is a place in the world: that of an entity, or a point.
type Spot = places.Spot

// EachIn is the input of scene.forEach.
type EachIn struct {
	Tag    string          `json:"tag,omitempty" validate:"max=128" jsonschema_description:"Those with this tag."`
	Name   string          `json:"name,omitempty" validate:"max=256" jsonschema_description:"Those whose name contains this, in capitals or not: roof finds roofLeft, too."`
	Below  world.ID        `json:"below,omitempty" jsonschema_description:"Those that are under this entity, at any depth, such as a group."`
	Near   *Spot           `json:"near,omitempty" jsonschema_description:"Those whose position is within radius of this: a place [x, y, z], or the id of an entity, which is none of them."`
	Radius float64         `json:"radius" validate:"gt=0,lte=10000" jsonschema:"default=5" jsonschema_description:"With near: how near, in metres."`
	After  world.ID        `json:"after,omitempty" jsonschema_description:"Those behind this one, oldest first: the last of the answer before, where that had left some."`
	Limit  *int            `json:"limit,omitempty" validate:"omitempty,gte=1,lte=500" jsonschema_description:"For how many at most, the oldest first; left of the answer says how many more match. Left out: for all, which may be 500."`
	Skill  string          `json:"skill" validate:"min=1,max=64" jsonschema_description:"The skill to call, one whose input has entity, such as three.setMaterial or scene.destroyEntity."`
	Input  registry.Object `json:"input,omitempty" jsonschema_description:"Its input without entity, which is filled in."`
}

// EachOut is the output of scene.forEach.
type EachOut struct {
	Count    int        `json:"count" jsonschema_description:"For how many entities it was done; 0 where nothing matches."`
	Entities []world.ID `json:"entities" jsonschema_description:"Which, oldest first."`
	More     int        `json:"more,omitempty" jsonschema_description:"How many of them are not listed in entities: there are 50 at most."`
	Left     int        `json:"left,omitempty" jsonschema_description:"With limit: how many more match, behind last."`
	Last     *world.ID  `json:"last,omitempty" jsonschema_description:"With limit, where some are left: the last of those that it was done for, for after."`
	Declined []Declined `json:"declined,omitempty" jsonschema_description:"Those for which the skill answered ok false: what it was to do is not so."`
}

// Declined is an entity for which the skill answered ok false.
type Declined struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the entity."`
	Reason string   `json:"reason,omitempty" jsonschema_description:"Why, if the skill says so."`
}

// each is scene.forEach. It takes its turn with batches.
func each(w *world.World, turns *registry.Turns) registry.Skill {
	return registry.Define(registry.Spec[EachIn, EachOut]{
		Name:  "scene.forEach",
		Title: "Do the same to all that match",
		Description: "Call one skill for every entity that has a tag, a name, is under another one, or near a place: paint all roofs, remove all that is tagged old, rename all of a group. All of it or nothing, one step for world.undo; at most 500 entities, of more as many at a time as limit says. An action of a zone or listener calls it, too: put all coins back, put all lamps out. " +
			`To find them only, use scene.queryEntities. Example: {"name":"roof","skill":"three.setMaterial","input":{"color":255}}`,
		Category:    "scene",
		Keywords:    "all every each many bulk tagged delete remove paint recolor clear select called named everything rid",
		Permissions: []profiles.Permission{"scene.write"}, // the skill needs its own besides
		Effect:      registry.Anything,
		Slow:        true,
		Short:       true, // see brief
		Handle: func(c *registry.Call, in EachIn) (EachOut, error) {
			if in.Tag == "" && in.Name == "" && in.Below == 0 && in.Near == nil {
				return EachOut{}, registry.Invalidf("tag: give it, name, below or near: which entities are meant")
			}
			if k, ok := c.Registry().Lookup(in.Skill); ok {
				if why := operations.Barred(k); why != "" {
					return EachOut{}, registry.Invalidf("skill: %s", why)
				}
			}
			if c.Lent() {
				if err := in.brief(c); err != nil {
					return EachOut{}, err
				}
			}
			if err := c.Review([]string{in.Skill}); err != nil {
				return EachOut{}, err
			}
			done, err := turns.Take(c)
			if err != nil {
				return EachOut{}, err
			}
			defer done()
			return world.Do(w, c, func(tx *world.Tx) (EachOut, error) { return in.all(c, tx) })
		},
	})
}

// all calls the skill for each of those that match and are still there when their turn comes: what is under one that was
// destroyed is not.
func (in *EachIn) all(c *registry.Call, tx *world.Tx) (EachOut, error) {
	those := whom.Those{Tag: in.Tag, Name: in.Name, Below: in.Below}
	if err := those.Check(&tx.View); err != nil {
		return EachOut{}, err
	}
	match, err := in.matching(c, &tx.View, those)
	if err != nil {
		return EachOut{}, err
	}
	out := EachOut{Entities: []world.ID{}}
	switch {
	case in.Limit != nil && len(match) > *in.Limit:
		out.Left, match = len(match)-*in.Limit, match[:*in.Limit]
		last := match[len(match)-1]
		out.Last = &last
	case c.Lent() && len(match) > MostEachInStep:
		return EachOut{}, registry.Errorf(registry.CodeCapacityExceeded,
			`%d entities match, and an action does it for %d at most: say more exactly which are meant, give "limit":%d, or have each react by itself: behavior.define with a reaction`, len(match), MostEachInStep, MostEachInStep)
	case len(match) > MostEach:
		return EachOut{}, registry.Errorf(registry.CodeCapacityExceeded,
			`%d entities match, %d are allowed: say more exactly which are meant, or take them in turn: with "limit":%d, and then with "after" what was last of the answer, too`, len(match), MostEach, MostEach)
	}
	var budget operations.Budget
	for _, id := range match {
		if !tx.Exists(id) {
			continue
		}
		if !c.Lent() { // what a step does goes by no clock
			if err := budget.Next(c); err != nil {
				return EachOut{}, err
			}
		}
		answer, err := c.Invoke(in.Skill, in.inputFor(id))
		if err != nil {
			return EachOut{}, registry.Under(fmt.Sprintf("%s of %v", in.Skill, id), err)
		}
		budget.Add(len(answer))
		if reason, declined := declines(answer); declined {
			out.Declined = append(out.Declined, Declined{id, reason})
			continue
		}
		out.Entities = append(out.Entities, id)
	}
	out.Count = len(out.Entities)
	out.Entities, out.More = listed.Cut(out.Entities, listed.Most(c, nil))
	return out, nil
}

// brief reports why an action does not do it: it would take long.
func (in *EachIn) brief(c *registry.Call) error {
	if k, ok := c.Registry().Lookup(in.Skill); ok && k.Info().Slow {
		return registry.Failf("skill: %s takes long, and a simulation step waits for nobody", in.Skill)
	}
	if in.Limit != nil && *in.Limit > MostEachInStep {
		return registry.Errorf(registry.CodeCapacityExceeded, "limit: an action does it for %d at most", MostEachInStep)
	}
	return nil
}

// matching returns those who match, in id order. It fails where an action would have to look at more than a step has time for.
func (in *EachIn) matching(c *registry.Call, v *world.View, those whom.Those) (match []world.ID, err error) {
	all := those.All(v)
	if in.Near != nil {
		at, err := in.Near.At(v)
		if err != nil {
			return nil, registry.Under("near", err)
		}
		there := slices.DeleteFunc(v.Near(at, in.Radius), func(id world.ID) bool { return id == in.Near.Entity })
		if err := in.few(c, len(there)); err != nil {
			return nil, err
		}
		all = those.Among(v, slices.Values(there))
	} else if err := in.few(c, those.Looks(v, mostLooked+1)); err != nil {
		return nil, err
	}
	for id := range all {
		if id > in.After {
			match = append(match, id)
		}
	}
	return match, nil
}

// few reports why an action does not look at so many.
func (in *EachIn) few(c *registry.Call, n int) error {
	if !c.Lent() || n <= mostLooked {
		return nil
	}
	return registry.Errorf(registry.CodeCapacityExceeded, "an action looks at no more than %d entities: give a tag, below or near that fewer have, as name alone looks at all", mostLooked)
}

// inputFor returns the input for an entity. That there is an entity in it already, the skill refuses as a member that is
// there twice.
func (in *EachIn) inputFor(id world.ID) []byte {
	rest := strings.TrimSpace(string(in.Input))
	rest = strings.TrimSpace(strings.TrimPrefix(rest, "{"))
	if rest == "" || rest == "}" {
		return fmt.Appendf(nil, `{"entity":"%v"}`, id)
	}
	return fmt.Appendf(nil, `{"entity":"%v",%s`, id, rest)
}
