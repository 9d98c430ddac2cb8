package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// GroupIn is the input of scene.group.
type GroupIn struct {
	Entities []world.ID `json:"entities" validate:"min=1,max=500" jsonschema_description:"What belongs together, all under the same parent or under none, or, with into, under any. What is below another one of them goes with that."`
	Name     string     `json:"name,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of the group."`

	Into   world.ID    `json:"into,omitempty" jsonschema_description:"A group that there is already, or any other entity, that is to carry them: a lamp goes into a house. Left out, a new group is."`
	Origin *world.Vec3 `json:"origin,omitempty" jsonschema_description:"Where the group itself is, x, y, z in metres: what it turns about, such as the hinge of a door or the axle of a wheel. Default: the middle of what it holds, on its lowest level."`
}

// GroupOut is the output of scene.group.
type GroupOut struct {
	Group  world.ID `json:"group" jsonschema_description:"Id of the group: an entity without a shape, at origin; or into."`
	Entity world.ID `json:"entity" jsonschema_description:"The same, as other answers name what was made."`
	Bounds Box      `json:"bounds" jsonschema_description:"What the group takes up."`

	Origin world.Vec3 `json:"origin" jsonschema_description:"Where the group is: its position, about which it turns and scales, and which three.setTransform and animation.follow move."`

	Note string `json:"note,omitempty" jsonschema_description:"What was not put into it by itself, if anything."`
}

// Group is scene.group.
func Group(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[GroupIn, GroupOut]{
		Name:  "scene.group",
		Title: "Group entities",
		Description: "Put entities under a new one that carries them: who moves, turns, scales, copies, places or removes the group does so with all that is in it. Nothing moves by being grouped. Give it an origin to turn it about a hinge or an axle with three.setTransform. " +
			`With into they are put into a group that there is. scene.ungroup takes it apart again, or some out of it. Example: {"entities":["ent_3","ent_4","ent_5"],"name":"table"}`,
		Keywords:    "combine attach merge carry setParent child train carriage vehicle assemble hinge pivot swing axle everything together along inside",
		Sets:        "parent child children",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in GroupIn) (GroupOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (GroupOut, error) {
				tops, along, err := in.tops(&tx.View)
				if err != nil {
					return GroupOut{}, err
				}
				if in.Into != 0 {
					if err := in.join(tx, tops); err != nil {
						return GroupOut{}, err
					}
					return GroupOut{Group: in.Into, Entity: in.Into, Bounds: boxOf(solid.Tree(w, &tx.View, in.Into)), Origin: originOf(tx, in.Into), Note: note(along)}, nil
				}
				group, all, err := together(w, tx, tops, in.Name, in.Origin)
				if err != nil {
					return GroupOut{}, err
				}
				return GroupOut{Group: group, Entity: group, Bounds: boxOf(all), Origin: originOf(tx, group), Note: note(along)}, nil
			})
		},
	})
}

// originOf is where a group is.
func originOf(tx *world.Tx, group world.ID) world.Vec3 {
	at, _ := tx.Position(group)
	return shown.Point(at)
}

// tops returns those of the entities, each once, that are below none of the others, and how many are: these go along with what they are below. All
// of the tops have one parent, or none, unless there is a group already that they go into.
func (in *GroupIn) tops(v *world.View) (tops []world.ID, along int, err error) {
	for _, id := range in.Entities {
		if !v.Exists(id) {
			return nil, 0, v.Unknown(id)
		}
	}
	tops, along = outermost(v, in.Entities)
	for _, id := range tops {
		if in.Into == 0 && v.Parent(id) != v.Parent(tops[0]) {
			return nil, 0, apart(v, slices.Index(in.Entities, id), id, tops[0])
		}
	}
	return tops, along, nil
}

// outermost returns those of some entities, each once, that are below none of the others, and how many are.
func outermost(v *world.View, ids []world.ID) (tops []world.ID, along int) {
	listed := make(map[world.ID]bool, len(ids))
	for _, id := range ids {
		listed[id] = true
	}
	for _, id := range ids {
		if !carried(v, id, listed) && !slices.Contains(tops, id) {
			tops = append(tops, id)
		}
	}
	return tops, len(listed) - len(tops)
}

// join puts the tops under what is there already.
func (in *GroupIn) join(tx *world.Tx, tops []world.ID) error {
	switch {
	case !tx.Exists(in.Into):
		return registry.Under("into", tx.Unknown(in.Into))
	case in.Name != "":
		return registry.Invalidf("name: is that of a new group; leave it out, or into")
	case in.Origin != nil:
		return registry.Invalidf("origin: is that of a new group; leave it out, or into")
	}
	for _, id := range tops {
		if tx.Parent(id) == in.Into {
			continue
		}
		if err := tx.Reparent(id, in.Into); err != nil {
			return err
		}
	}
	return nil
}

// carried reports whether an entity is below one of those that are listed, at any depth.
func carried(v *world.View, id world.ID, listed map[world.ID]bool) bool {
	for up := range v.Up(v.Parent(id)) {
		if listed[up] {
			return true
		}
	}
	return false
}

// apart is the refusal of an entity that has another parent than the first: it names both, and what to give instead.
func apart(v *world.View, i int, id, first world.ID) error {
	parent, of := v.Parent(id), v.Parent(first)
	switch {
	case parent == 0:
		return registry.Invalidf("entities[%d]: %v is under nothing, and %v under %v: give %v, which holds that, or things of one parent", i, id, first, of, v.Top(of))
	case of == 0:
		return registry.Invalidf("entities[%d]: %v is under %v, and %v under nothing: give %v, which holds it, or things of one parent", i, id, parent, first, v.Top(parent))
	}
	return registry.Invalidf("entities[%d]: %v is under %v, and %v under %v: give things of one parent, or what holds them", i, id, parent, first, of)
}

// note tells of those that went along with what they are below.
func note(along int) string {
	switch along {
	case 0:
		return ""
	case 1:
		return "1 of the entities is below another one and went with that"
	default:
		return fmt.Sprintf("%d of the entities are below others and went with those", along)
	}
}

// together puts entities of one parent, at least one, under a new group, which is at origin, or if that is nil in the middle of their lowest level.
func together(w *world.World, tx *world.Tx, ids []world.ID, name string, origin *world.Vec3) (group world.ID, all solid.Bounds, err error) {
	parent := tx.Parent(ids[0])
	all = solid.Nothing()
	for _, id := range ids {
		all = all.Join(solid.Tree(w, &tx.View, id))
	}
	at := all.Center()
	at[1] = all.Lo[1]
	if origin != nil {
		at = *origin
	}
	t := tx.InSpaceOf(parent, world.Transform{Position: at, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
	group, err = tx.Create(world.Spec{Parent: parent, Position: t.Position, Name: name, Tags: []string{groupTag}})
	if err != nil {
		return 0, all, err
	}
	for _, id := range ids {
		if err := tx.Reparent(id, group); err != nil {
			return 0, all, err
		}
	}
	return group, all, nil
}

// groupTag is the tag of every group.
const groupTag = "group"

// UngroupIn is the input of scene.ungroup.
type UngroupIn struct {
	Group world.ID `json:"group" jsonschema_description:"The group to take apart, or any entity that holds others."`

	Entities []world.ID `json:"entities,omitempty" validate:"max=500" jsonschema_description:"What is to be taken out of it, at any depth; left out, all that is directly in it."`
}

// UngroupOut is the output of scene.ungroup.
type UngroupOut struct {
	Entities []world.ID `json:"entities" jsonschema_description:"What was in it, or was taken out."`
	Removed  bool       `json:"removed" jsonschema_description:"Whether the group itself was removed, which it is if it has no shape of its own and holds nothing any more."`
}

// Ungroup is scene.ungroup.
func Ungroup(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[UngroupIn, UngroupOut]{
		Name:  "scene.ungroup",
		Title: "Take a group apart",
		Description: "Take the entities that are directly under another one out of it, or some of them, to where the group itself was, without moving them, and remove the group if nothing is left in it. What holds nothing stays as it is. " +
			`Example: {"group":"ent_9"}`,
		Keywords:    "separate detach split",
		Permissions: mayWrite,
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in UngroupIn) (UngroupOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (UngroupOut, error) {
				if !tx.Exists(in.Group) {
					return UngroupOut{}, tx.Unknown(in.Group)
				}
				out := UngroupOut{Entities: slices.Concat([]world.ID{}, tx.Children(in.Group))}
				if in.Entities != nil {
					var err error
					if out.Entities, err = in.chosen(&tx.View); err != nil {
						return UngroupOut{}, err
					}
				}
				if len(out.Entities) == 0 {
					return out, nil
				}
				parent := tx.Parent(in.Group)
				for _, id := range out.Entities {
					if err := tx.Reparent(id, parent); err != nil {
						return UngroupOut{}, err
					}
				}
				if !w.Shapes.Has(&tx.View, in.Group) && len(tx.Children(in.Group)) == 0 {
					out.Removed = tx.Destroy(in.Group)
				}
				return out, nil
			})
		},
	})
}

// chosen returns what is to be taken out, each once; what is below another of them goes with that.
func (in *UngroupIn) chosen(v *world.View) ([]world.ID, error) {
	group := map[world.ID]bool{in.Group: true}
	for i, id := range in.Entities {
		switch {
		case !v.Exists(id):
			return nil, registry.Under(fmt.Sprintf("entities[%d]", i), v.Unknown(id))
		case !carried(v, id, group):
			return nil, registry.Invalidf("entities[%d]: %v is not in %v, which holds %s", i, id, in.Group, some(v.Children(in.Group)))
		}
	}
	tops, _ := outermost(v, in.Entities)
	return slices.Concat([]world.ID{}, tops), nil // a list, though it be empty
}

// some names the first few of many entities.
func some(ids []world.ID) string {
	const most = 5
	var names []string
	for _, id := range ids[:min(len(ids), most)] {
		names = append(names, id.String())
	}
	if more := len(ids) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d others", more))
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
