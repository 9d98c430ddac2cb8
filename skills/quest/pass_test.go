package quest_test

import (
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestPassingThrough has the hero pass through a zone within a step: he has come there, though he is in it before no step and after none.
func TestPassingThrough(t *testing.T) {
	var way world.Vec3
	r := &room{t: t}
	r.Room = skilltest.Build(t, func(s *skilltest.Server) (skills []registry.Skill) {
		s.World.OnStep("thrown", func(tx *world.Tx) error {
			at, ok := tx.Position(1)
			if !ok || way == (world.Vec3{}) {
				return nil
			}
			at, way = at.Add(way), world.Vec3{}
			return tx.SetPosition(1, at)
		})
		skills, r.does = with(s.World, s.Agents, s.Registry)
		return skills
	}).Room(t)
	r.Do("scene.createEntity", `{}`)
	for range 2 {
		r.Do("trigger.create", `{"center":[1,0,0],"size":[0.1,1,1]}`)
	}
	r.Do("trigger.create", `{"center":[2.5,0,0],"size":[0.1,1,1]}`)
	r.give("q", `{"id":"beam","type":"reach","description":"d","target":"trg_0","required":3},{"id":"far","type":"reach","description":"d","target":"trg_2"}`, "")
	way = world.Vec3{2, 0, 0}
	r.Steps(1)
	r.next("behind the beam", "q active beam 3/3, far 0/1")
	way = world.Vec3{-2, 0, 0}
	r.Steps(1)
	r.next("back again", "q active beam 3/3, far 0/1")
	r.Do("three.setTransform", `{"entity":"ent_0","position":[4,0,0]}`)
	r.Steps(1)
	r.next("put behind the far one, and nowhere in between", "q active beam 3/3, far 0/1")
}

// TestOneLeadsToAnother has what completes one quest bring the next one of the log to its end too.
func TestOneLeadsToAnother(t *testing.T) {
	r := newRoom(t)
	r.Do("item.define", `{"id":"coin","name":"Coin"}`)
	r.Do("inventory.create", `{"entity":"ent_0"}`)
	r.give("first", `{"id":"go","type":"reach","description":"d","config":{"position":[9,0,0]}}`, `,"rewards":{"items":[{"itemId":"coin","quantity":2}]}`)
	r.give("second", `{"id":"have","type":"collect","description":"d","target":"coin","required":2},{"id":"go","type":"reach","description":"d","config":{"position":[9,0,0]}}`, `,"followUpQuests":["first"]`)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[9,0,0]}`)
	r.Steps(1)
	r.next("after the first", "first completed go 1/1; second completed have 2/2, go 1/1")
}
