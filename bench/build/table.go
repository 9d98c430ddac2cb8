package build

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// table is a box centred on a table.
func table() Task {
	return Task{
		Name:   "a box on a table",
		Prompt: "There is a table; its top has the tag table. Put one red box (0xff0000) with edges of 0.4 m on it, centred within 1 cm, standing on the top.",
		Calls:  2, Agents: 1,
		Start: func(s *Stage) error {
			if err := s.ground(); err != nil {
				return err
			}
			for _, leg := range []world.Vec3{{2.6, 0.35, -2.45}, {4, 0.35, -2.45}, {2.6, 0.35, -1.75}, {4, 0.35, -1.75}} {
				if _, err := s.put(leg, world.Vec3{0.1, 0.7, 0.1}); err != nil {
					return err
				}
			}
			_, err := s.put(world.Vec3{3.3, 0.75, -2.1}, world.Vec3{1.6, 0.1, 0.9}, "table")
			return err
		},
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			found, err := a.tagged("table")
			if err != nil {
				return err
			}
			_, err = a.Batch(
				op{"scene.createEntity", args{"size": 0.4, "color": 0xff0000, "static": true}, "box"},
				op{"scene.place", args{"entity": "$box.entity", "relation": "on", "target": found[0]}, ""},
			)
			return err
		},
		Spoil: func(s *Stage) error { return s.shift(s.made()[0].id, world.Vec3{0.02, 0, 0}) },
		Check: func(s *Stage) error {
			made := s.made()
			if len(made) != 1 {
				return fmt.Errorf("%d things were made, not one", len(made))
			}
			b := made[0]
			if b.kind != "box" || b.color != 0xff0000 || !b.upright() || !nearAll(b.half, world.Vec3{0.2, 0.2, 0.2}) {
				return fmt.Errorf("what was made is no red box of 0.4 m: %+v", b)
			}
			if !nearAll(b.at, world.Vec3{3.3, 1, -2.1}) {
				return fmt.Errorf("the box is at %v, not in the middle of the table", b.at)
			}
			return s.kept()
		},
	}
}

// tagged asks for the ids of what has a tag.
func (a *Agent) tagged(tag string) (ids []string, err error) {
	var out struct{ Entities []struct{ Entity string } }
	if err := a.Call("scene_queryEntities", args{"tag": tag}, &out); err != nil {
		return nil, err
	}
	for _, e := range out.Entities {
		ids = append(ids, e.Entity)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("nothing has the tag %s", tag)
	}
	return ids, nil
}
