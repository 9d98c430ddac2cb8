package interaction

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// QueryIn is the input of interaction.query.
type QueryIn struct {
	Position *world.Vec3     `json:"position,omitempty" jsonschema_description:"Around which point, x, y, z in metres."`
	Actor    world.ID        `json:"actorEntity,omitempty" jsonschema_description:"Instead of a point: around whom, such as ent_3. Left out as well: your own body or character."`
	MaxRange float64         `json:"maxRange" validate:"gt=0" jsonschema:"default=5" jsonschema_description:"How far to look, in metres."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// QueryOut is the output of interaction.query.
type QueryOut struct {
	Interactables []Near `json:"interactables" jsonschema_description:"What somebody can do something with, nearest first; at most 100."`
	More          int    `json:"more,omitempty" jsonschema_description:"How many there are beyond those."`
}

// Near is a thing that is near.
type Near struct {
	Entity   world.ID `json:"entity" jsonschema_description:"Its id, for interaction.interact and the others."`
	Prompt   string   `json:"prompt" jsonschema_description:"What can be done."`
	Type     string   `json:"type" jsonschema_description:"pickup, use, talk, open, toggle or custom."`
	Distance float64  `json:"distance" jsonschema_description:"How far it is, in metres, from box to box."`
	InReach  bool     `json:"inReach" jsonschema_description:"Whether it can be done from there, without going elsewhere."`
	Reason   string   `json:"reason,omitempty" jsonschema_description:"Why not, where it is near enough: what is in between."`
	Open     bool     `json:"open,omitempty" jsonschema_description:"Whether it is open."`
	Active   bool     `json:"active,omitempty" jsonschema_description:"Whether it is on."`
}

// Query is interaction.query.
func Query(t *Things) registry.Skill {
	return registry.Define(registry.Spec[QueryIn, QueryOut]{
		Name:  "interaction.query",
		Title: "What can be done here",
		Description: "List what somebody can do something with near a point, or near your body or character: doors, things to pick up, levers, people to talk to, with how far each is. interaction.interact then does it. For whatever else is near use scene.queryEntities. " +
			`Example: {"actorEntity":"ent_3","maxRange":5}`,
		Core:        true,
		Keywords:    "interactable usable near pickups doors what can i do",
		Permissions: []profiles.Permission{"interaction.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in QueryIn) (QueryOut, error) {
			return world.Read(t.w, c, func(v *world.View) (QueryOut, error) {
				if in.Position != nil {
					return t.near(v, solid.Bounds{Lo: *in.Position, Hi: *in.Position}, 0, in.MaxRange), nil
				}
				actor := in.Actor
				if actor == 0 {
					own, err := t.own(v, c.Principal())
					if err != nil {
						return QueryOut{}, registry.Invalidf("%v; or give position", err)
					}
					actor = own
				}
				if !v.Exists(actor) {
					return QueryOut{}, v.Unknown(actor)
				}
				return t.near(v, t.bounds(v, actor), actor, in.MaxRange), nil
			})
		},
	})
}

// near lists the things near a box, but for whom that is around.
func (t *Things) near(v *world.View, around solid.Bounds, who world.ID, reach float64) QueryOut {
	all := []Near{}
	for id, th := range t.things.All(v) {
		if id == who {
			continue
		}
		if d := apart(around, t.bounds(v, id)); d <= reach {
			all = append(all, Near{Entity: id, Prompt: th.Prompt, Type: th.Type, Distance: shown.Number(d), InReach: d <= th.Range, Open: th.Open, Active: th.Active})
		}
	}
	slices.SortStableFunc(all, func(a, b Near) int { return cmp.Compare(a.Distance, b.Distance) })
	n := min(len(all), MaxListed)
	for i := range all[:n] {
		t.see(v, around, who, &all[i])
	}
	return QueryOut{all[:n], len(all) - n}
}

// see says of a thing that is near enough whether there is something in between.
func (t *Things) see(v *world.View, around solid.Bounds, who world.ID, n *Near) {
	if !n.InReach {
		return
	}
	th, _ := t.things.Get(v, n.Entity)
	to := t.goal(v, n.Entity, th.Range)
	wall := t.wall(v, who, around, &to)
	if wall == 0 {
		return
	}
	from := "there"
	if who != 0 {
		from = who.String()
	}
	n.InReach, n.Reason = false, t.barred(v, wall, from, to.what)
}
