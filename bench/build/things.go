package build

import (
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// thing is an entity as a check sees it.
type thing struct {
	id     world.ID
	kind   string
	at     world.Vec3
	turn   world.Quat
	half   world.Vec3 // half its extents along its own axes
	color  uint32
	body   string
	mass   float64
	tags   []string
	upward float64 // the cosine of how far its own y axis is tilted
}

func (t *thing) lo() world.Vec3 { return t.at.Sub(t.half) }
func (t *thing) hi() world.Vec3 { return t.at.Add(t.half) }

// upright reports whether it is turned about the vertical by nothing.
func (t *thing) upright() bool { return math.Abs(t.turn[3]) > 0.99999 }

// things returns all that has a shape.
func (s *Stage) things() map[world.ID]thing {
	all := map[world.ID]thing{}
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			shape, ok := s.World.Shapes.Get(v, id)
			if !ok {
				continue
			}
			at, _ := v.WorldTransform(id)
			t := thing{id: id, kind: shape.Kind, at: at.Position, turn: at.Rotation, color: shape.Color, tags: v.Tags(id), mass: 1}
			for i := range t.half {
				t.half[i] = math.Abs(shape.Size[i]*at.Scale[i]) / 2
				t.mass *= 2 * t.half[i]
			}
			t.upward = at.Rotation.Rotate(world.Vec3{0, 1, 0})[1]
			if m, ok := s.World.Materials.Get(v, id); ok && m.Color != nil {
				t.color = *m.Color
			}
			if b, ok := s.World.Bodies.Get(v, id); ok {
				t.body = b.Type
				if b.Mass > 0 {
					t.mass = b.Mass
				}
			}
			all[id] = t
		}
	})
	return all
}

// made returns what is there and was not in the beginning, in the order of their ids.
func (s *Stage) made() (list []thing) {
	for id, t := range s.things() {
		if _, old := s.before[id]; !old {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b thing) int { return int(int64(a.id) - int64(b.id)) })
	return list
}

// kept reports what of the beginning is not as it was.
func (s *Stage) kept() error {
	now := s.things()
	for id, was := range s.before {
		if t, ok := now[id]; !ok || t.at.Dist(was.at) > 1e-9 || t.half.Dist(was.half) > 1e-9 {
			return fmt.Errorf("%s was there in the beginning and is not as it was", id)
		}
	}
	return nil
}

// put makes a box for the beginning of a task, which stays where it is.
func (s *Stage) put(at, size world.Vec3, tags ...string) (id world.ID, err error) {
	_, err = s.World.Update(s.ctx, func(tx *world.Tx) error {
		if id, err = tx.Create(world.Spec{Position: at, Tags: tags}); err != nil {
			return err
		}
		if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: size, Color: 0x909090}); err != nil {
			return err
		}
		return s.World.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box", Friction: 0.5})
	})
	return id, err
}

// ground makes a floor whose top is at y 0.
func (s *Stage) ground() error {
	_, err := s.put(world.Vec3{0, -0.5, 0}, world.Vec3{100, 1, 100})
	return err
}

// shift moves an entity, as one who makes a mistake.
func (s *Stage) shift(id world.ID, by world.Vec3) error {
	_, err := s.World.Update(s.ctx, func(tx *world.Tx) error {
		p, _ := tx.Position(id)
		return tx.SetPosition(id, p.Add(by))
	})
	return err
}

// destroy removes an entity.
func (s *Stage) destroy(id world.ID) error {
	_, err := s.World.Update(s.ctx, func(tx *world.Tx) error {
		tx.Destroy(id)
		return nil
	})
	return err
}

// near reports whether two numbers differ by a centimetre at most.
func near(a, b float64) bool { return math.Abs(a-b) <= 0.01+1e-9 }

// nearAll is near for places.
func nearAll(a, b world.Vec3) bool { return near(a[0], b[0]) && near(a[1], b[1]) && near(a[2], b[2]) }
