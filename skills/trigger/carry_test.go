package trigger_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestCarried has a zone go with a guard who stands and turns: it notices who comes to be before him, not him and his hat, and ends with him.
func TestCarried(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"name":"guard","position":[10,0,0]}`)
	r.Do("scene.createEntity", `{"name":"thief","position":[0,0,2]}`)
	r.Do("scene.createEntity", `{"name":"hat","position":[10,0,1.5]}`)
	r.Do("scene.createEntity", `{"name":"ahead","position":[10,0,2]}`)
	if _, err := r.World.Update(t.Context(), func(tx *world.Tx) error { return tx.Reparent(3, 1) }); err != nil {
		t.Fatal(err)
	}
	r.Do("trigger.create", `{"shape":"sphere","entity":"ent_0","center":[0,0,2],"size":[1,1,1]}`)
	for _, on := range []string{"onEnter", "onExit", "onStay"} {
		r.Do("trigger."+on, `{"triggerId":"trg_0","action":{"type":"emit","target":%q}}`, on)
	}
	heard := func(when string, want ...string) {
		t.Helper()
		r.Steps(1)
		var got []string
		for _, line := range r.Heard() {
			if !strings.Contains(line, "onStay") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	heard("nothing has moved")
	r.put("ent_0", 0, 0, 0)
	heard("he came", "emit enter ent_1 onEnter", "emit exit ent_3 onExit")
	r.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0,1.5708,0]}`)
	heard("he turned to +x", "emit exit ent_1 onExit")
	r.put("ent_1", 2, 0, 0)
	heard("the thief came before him", "emit enter ent_1 onEnter")
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	heard("he is gone")
	const gone = "unknown trigger trg_0; there is none: trigger.create makes one"
	if _, err := r.Call(r.Ann, "trigger.remove", `{"triggerId":"trg_0"}`); err == nil || err.Message != gone {
		t.Errorf("his zone: %v, want %s", err, gone)
	}
	r.Do("world.undo", `{}`)
	r.put("ent_1", 0, 0, 2)
	heard("he is back, and the thief leaves", "emit exit ent_1 onExit")
	r.Do("checkpoint.load", `{"name":"here"}`)
	r.put("ent_1", 2, 9, 0)
	heard("as it was, and the thief flies off", "emit exit ent_1 onExit")
}

func TestCarriedRefuses(t *testing.T) {
	one := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"position":[1,2,3]}`)
	}
	skilltest.Run(t, all, "trigger.create", []skilltest.Case{
		{Name: "nowhere", Input: `{"size":[1,1,1]}`, Code: registry.CodeInvalidInput, Err: "center: is required, unless the zone goes with an entity"},
		{Name: "nobody", Setup: one, Input: `{"entity":"ent_4","size":[1,1,1]}`, Err: "entity: unknown entity ent_4; the nearest are ent_0"},
		{Name: "around somebody", Setup: one, Input: `{"entity":"ent_0","size":[1,1,1]}`, Want: `{"triggerId":"trg_0","min":[0,1,2],"max":[2,3,4]}`},
	})
}

// TestUndoCarried takes back a zone that has gone with its entity since, and what moved that.
func TestUndoCarried(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{}`)
	r.Do("scene.createEntity", `{"position":[5,0,0]}`)
	r.Do("trigger.create", `{"entity":"ent_0","size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"in"}}`)
	r.put("ent_0", 5, 0, 0)
	r.Steps(2)
	if got := r.Heard(); !slices.Equal(got, []string{"emit enter ent_1 in"}) {
		t.Errorf("it came: %q", got)
	}
	r.Do("world.undo", `{}`)
	r.Steps(2)
	r.put("ent_1", 0, 0, 0)
	r.Steps(2)
	if got := r.Heard(); !slices.Equal(got, []string{"emit enter ent_1 in"}) {
		t.Errorf("it is back: %q", got)
	}
	r.Do("world.undo", `{"steps":3}`)
	r.Do("world.redo", `{}`)
	r.Steps(2)
	r.put("ent_0", 9, 0, 0)
	r.Steps(2)
	r.put("ent_1", 9, 0.5, 0)
	r.Steps(2)
	if got := r.Heard(); !slices.Equal(got, []string{"emit enter ent_1 in"}) {
		t.Errorf("after undo and redo: %q", got)
	}
}

// TestBuildings has a building that is put into a zone set nothing off, and a group with something in it that moves do so.
func TestBuildings(t *testing.T) {
	r := newRoom(t)
	for range 3 {
		r.Do("scene.createEntity", `{"position":[50,0,0],"static":true}`)
	}
	r.Do("scene.createEntity", `{"position":[50,0,0]}`)
	_, err := r.World.Update(t.Context(), func(tx *world.Tx) error {
		for _, parts := range [][]world.ID{{1, 2}, {3, 4}} { // ent_4 and ent_5
			group, err := tx.Create(world.Spec{Position: world.Vec3{50, 0, 0}})
			if err != nil {
				return err
			}
			for _, id := range parts {
				if err := tx.Reparent(id, group); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"in"}}`)
	r.put("ent_4", 0, 0, 0)
	r.put("ent_5", 0, 0, 0)
	r.Steps(2)
	if got, want := r.Heard(), []string{"emit enter ent_3 in", "emit enter ent_5 in"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCarriedTurns has the zone of a gate turn and grow with it: who notices what is asked of a place by place, against what the gate is in the space of its own.
func TestCarriedTurns(t *testing.T) {
	r, throw := thrown(t)
	r.Do("scene.createEntity", `{"name":"ball","position":[0,50,0]}`)
	r.Do("scene.createEntity", `{"name":"gate","position":[10,0,0],"scale":[2,2,0.5]}`)
	// A box before the gate, 4 m wide, 2 m high and 1 m deep.
	if got, want := r.Do("trigger.create", `{"entity":"ent_1","center":[0,0,2],"size":[2,1,0.5]}`), `{"triggerId":"trg_0","min":[8,-1,1.5],"max":[12,1,2.5]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, on := range []string{"onEnter", "onExit"} {
		r.Do("trigger."+on, `{"triggerId":"trg_0","action":{"type":"emit","target":%q}}`, on)
	}
	r.Steps(2)
	for _, c := range []struct {
		name, at string
		turn     world.Vec3
		grown    world.Vec3 // since the zone was made
	}{
		{"as it was", `{"entity":"ent_1"}`, world.Vec3{}, world.Vec3{1, 1, 1}},
		{"turned", `{"entity":"ent_1","rotationEuler":[0,0.7,0]}`, world.Vec3{0, 0.7, 0}, world.Vec3{1, 1, 1}},
		{"turned and tilted", `{"entity":"ent_1","rotationEuler":[0.4,2,0]}`, world.Vec3{0.4, 2, 0}, world.Vec3{1, 1, 1}},
		{"larger", `{"entity":"ent_1","rotationEuler":[0,0,0],"scale":[4,4,1]}`, world.Vec3{}, world.Vec3{2, 2, 2}},
		{"wider and turned", `{"entity":"ent_1","rotationEuler":[0,-1,0],"scale":[6,2,0.5]}`, world.Vec3{0, -1, 0}, world.Vec3{3, 1, 1}},
		{"mirrored", `{"entity":"ent_1","rotationEuler":[0,0,0],"scale":[2,2,-0.5]}`, world.Vec3{}, world.Vec3{1, 1, -1}},
	} {
		r.Do("three.setTransform", `%s`, c.at)
		space := world.Transform{Position: world.Vec3{10, 0, 0}, Rotation: world.QuatFromEuler(c.turn[0], c.turn[1], c.turn[2]), Scale: c.grown}
		for _, p := range []struct {
			in bool
			at world.Vec3 // as seen from the gate, before it grew
		}{
			{true, world.Vec3{0, 0, 2}},
			{true, world.Vec3{1.9, 0.9, 1.6}},
			{true, world.Vec3{-1.9, -0.9, 2.4}},
			{false, world.Vec3{2.1, 0, 2}},
			{false, world.Vec3{0, 1.1, 2}},
			{false, world.Vec3{-1.9, 0, 2.6}},
			{false, world.Vec3{0, 0, 1.4}},
		} {
			r.Do("three.setTransform", `{"entity":"ent_0","position":[0,50,0]}`)
			r.Steps(2)
			r.Heard()
			at := space.Point(p.at)
			r.put("ent_0", at[0], at[1], at[2])
			r.Steps(2)
			if got := strings.Join(r.Heard(), " "); strings.Contains(got, "emit enter ent_0") != p.in {
				t.Errorf("%s, what is at %v of the gate: %q, want in it %t", c.name, p.at, got, p.in)
			}
		}
		// What flies through it in one step was in it, what flies past was not.
		for in, x := range map[bool]float64{true: 1.9, false: 2.2} {
			from, to := space.Point(world.Vec3{x, 0, 1.2}), space.Point(world.Vec3{x, 0, 2.8})
			r.put("ent_0", from[0], from[1], from[2])
			r.Steps(2)
			r.Heard()
			throw(to.Sub(from), 1)
			if slices.Equal(r.Heard(), []string{"emit enter ent_0 onEnter", "emit exit ent_0 onExit"}) != in {
				t.Errorf("%s, what flies by %v m to the side: want noticed %t", c.name, x, in)
			}
		}
	}
	if got := r.Do("trigger.create", `{"shape":"sphere","entity":"ent_1","size":[1,1,1]}`); !strings.Contains(got, `"min":[9,-1,-1],"max":[11,1,1]`) {
		t.Errorf("%s", got)
	}
}

// TestCarriedTurnsUnderWhatStands has a gate turn, and its zone sweep over what stands still.
func TestCarriedTurnsUnderWhatStands(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"name":"gate"}`)
	r.Do("scene.createEntity", `{"name":"stone","position":[0.5,0,2.5]}`)
	r.Do("trigger.create", `{"entity":"ent_0","size":[3,1,0.2]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"hit"}}`)
	r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"emit","target":"free"}}`)
	var got []string
	for i := range 32 {
		r.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0,%v,0]}`, float64(i)*0.1)
		r.Steps(1)
		got = append(got, r.Heard()...)
	}
	if want := []string{"emit enter ent_1 hit", "emit exit ent_1 free"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
