package skills_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// jetty is a jetty of a width along x, 24 m long and a metre high, over the bottom of a lake, with a grid.
func jetty(r *skilltest.Room, wide float64) {
	r.Do("scene.createEntity", `{"position":[0,-0.5,0],"scale":[60,1,60],"static":true}`)
	r.Do("scene.createEntity", `{"position":[0,2.9,0],"scale":[24,0.2,%v],"static":true}`, wide)
	r.Do("navmesh.build", `{"bounds":{"minX":-12,"minZ":-3,"maxX":12,"maxZ":3},"cellSize":0.2,"diagonal":true,"agentRadius":0.4,"levels":true}`)
}

// on spawns a character on the jetty.
func on(t *testing.T, r *skilltest.Room, x, z float64) string {
	t.Helper()
	return entityOf(t, r.Do("player.spawn", `{"position":[%v,3.9,%v]}`, x, z))
}

// doing returns what the details of scene.queryEntities tell of what an entity does.
func doing(t *testing.T, r *skilltest.Room, entity string) string {
	t.Helper()
	var out scene.QueryEntitiesOut
	if err := json.Unmarshal([]byte(r.Do("scene.queryEntities", `{"ids":[%q],"details":true}`, entity)), &out); err != nil {
		t.Fatal(err)
	}
	b := out.Entities[0].Details.Behavior
	if b == nil {
		return ""
	}
	return strings.TrimSpace(b.Profile + " " + b.Goal + " " + b.Type + " " + b.Stuck)
}

// TestAroundOthers has characters walk around those who stand in their way, and around each other, and stay on the jetty.
func TestAroundOthers(t *testing.T) {
	r := moving(t)
	jetty(r, 2.4)
	ann, bo := on(t, r, -9, 0), on(t, r, 0, 0)
	r.Steps(60)
	r.Do("navmesh.moveTo", `{"entity":%q,"target":[9,3,0]}`, ann)
	lowest, nearest := 10.0, 10.0
	for range 60 * 10 {
		r.Steps(1)
		at := r.At(t, ann)
		lowest, nearest = min(lowest, at[1]), min(nearest, at.Flat(r.At(t, bo)))
	}
	if at := r.At(t, ann); math.Hypot(at[0]-9, at[2]) > 0.1 || lowest < 3.5 || nearest < 0.69 {
		t.Errorf("she is at %v, was as low as %.2f and came as near as %.2f", at, lowest, nearest)
	}
	if at := r.At(t, bo); math.Hypot(at[0], at[2]) > 0.05 {
		t.Errorf("he was pushed to %v", at)
	}
	cy := on(t, r, -9, 0)
	r.Do("player.despawn", `{"entity":%q}`, bo)
	r.Steps(60)
	r.Do("navmesh.moveTo", `{"entity":%q,"target":[-9,3,0]}`, ann)
	r.Do("navmesh.moveTo", `{"entity":%q,"target":[9,3,0]}`, cy)
	r.Steps(60 * 10)
	for id, x := range map[string]float64{ann: -9, cy: 9} {
		if at := r.At(t, id); math.Hypot(at[0]-x, at[2]) > 0.1 || at[1] < 3.5 {
			t.Errorf("having met another one %s is at %v, want it at %v", id, at, x)
		}
	}
}

// TestAroundOnRamp has somebody walk around another one who stands on a ramp, and up it.
func TestAroundOnRamp(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"position":[0,-0.5,0],"scale":[60,1,60],"static":true}`)
	ramp := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.9,0],"scale":[14,0.2,3],"static":true}`))
	r.Do("three.setTransform", `{"entity":%q,"rotationEuler":[0,0,0.2]}`, ramp)
	r.Do("navmesh.build", `{"bounds":{"minX":-12,"minZ":-3,"maxX":12,"maxZ":3},"cellSize":0.2,"diagonal":true,"agentRadius":0.4,"levels":true}`)
	ann, bo := entityOf(t, r.Do("player.spawn", `{"position":[-9,0.9,0]}`)), entityOf(t, r.Do("player.spawn", `{"position":[0,2,0]}`))
	r.Steps(60)
	r.Do("navmesh.moveTo", `{"entity":%q,"target":[6,2.2,0]}`, ann)
	nearest := 10.0
	for range 60 * 9 {
		r.Steps(1)
		nearest = min(nearest, r.At(t, ann).Flat(r.At(t, bo)))
	}
	if at := r.At(t, ann); math.Hypot(at[0]-6, at[2]) > 0.1 || at[1] < 2.8 || nearest < 0.6 || nearest > 1 {
		t.Errorf("she is at %v, and came as near as %.2f", at, nearest)
	}
}

// TestBlockedByAnother has who finds no room beside another one be told of as stuck, until that makes way.
func TestBlockedByAnother(t *testing.T) {
	r := moving(t)
	jetty(r, 1.2)
	ann, bo := on(t, r, -6, 0), on(t, r, 0, 0)
	r.Steps(60)
	r.Do("navmesh.moveTo", `{"entity":%q,"target":[9,3,0]}`, ann)
	r.Steps(60)
	if got := doing(t, r, ann); got != "" {
		t.Errorf("while she walks: %s", got)
	}
	r.Steps(60 * 6)
	if got := doing(t, r, ann); got != "blocked by "+bo {
		t.Errorf("before him: %s", got)
	}
	if at := r.At(t, bo); math.Hypot(at[0], at[2]) > 0.05 {
		t.Errorf("he was pushed to %v", at)
	}
	r.Do("player.despawn", `{"entity":%q}`, bo)
	r.Steps(60 * 6)
	if at, got := r.At(t, ann), doing(t, r, ann); math.Hypot(at[0]-9, at[2]) > 0.1 || got != "" {
		t.Errorf("once he is gone she is at %v, and told of as %s", at, got)
	}
	r.Do("behavior.define", `{"id":"p","name":"P","routines":[{"id":"day","name":"","schedule":[{"hour":0,"action":"goTo","position":[-9,3,0]}]}]}`)
	cy := on(t, r, 0, 0)
	r.Do("behavior.assign", `{"entity":%q,"profileId":"p"}`, ann)
	r.Steps(60 * 7)
	if got := doing(t, r, ann); got != "p day goTo blocked by "+cy {
		t.Errorf("by a routine, before another one: %s", got)
	}
}

// TestSettleLeavesTheStuck has physics.settle not wait for who does not get on, and tell of it, while it waits for others.
func TestSettleLeavesTheStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := moving(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.World.Run(ctx) }()
		defer func() { cancel(); <-done }()
		jetty(r, 1.2)
		ann, bo := on(t, r, -2, 0), on(t, r, 0, 0)
		cy := entityOf(t, r.Do("player.spawn", `{"position":[-20,0.9,20]}`))
		settle := func(input string) (out physics.SettleOut) {
			t.Helper()
			if err := json.Unmarshal([]byte(r.Do("physics.settle", `{%s"seconds":30}`, input)), &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		settle("")
		r.Do("navmesh.moveTo", `{"entity":%q,"target":[9,3,0]}`, ann)
		if out := settle(`"entities":["` + ann + `"],`); out.Settled || out.Seconds > 3 || len(out.Restless) > 0 || len(out.Stuck) != 1 || out.Stuck[0].Entity.String() != ann {
			t.Errorf("before him: %+v", out)
		}
		r.Do("player.move", `{"entity":%q,"forward":1,"yaw":1.5708,"seconds":6}`, cy)
		want := []physics.Stuck{{Entity: id(t, ann), Reason: "blocked by " + bo}}
		if out := settle(""); out.Settled || out.Seconds < 5.5 || out.Seconds > 7 || len(out.Restless) > 0 || len(out.Moved) != 1 || len(out.Stuck) != 1 || out.Stuck[0] != want[0] {
			t.Errorf("with somebody who walks: %+v, want %v", out, want)
		}
	})
}

// id reads the id of an entity.
func id(t *testing.T, text string) world.ID {
	t.Helper()
	id, err := world.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestSettleHearsWhatWaits has somebody pull a lever and wait for the gate, which a listener opens a step later, itself or by a call.
func TestSettleHearsWhatWaits(t *testing.T) {
	for _, action := range []string{
		`{"type":"animation","target":"ent_0","data":{"clipId":"up","loop":false}}`,
		`{"type":"call","target":"animation.play","data":{"entity":"ent_0","clipId":"up","loop":false}}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			r := moving(t)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() { done <- r.World.Run(ctx) }()
			defer func() { cancel(); <-done }()
			r.Do("scene.createEntity", `{"name":"gate"}`)
			r.Do("animation.authorClip", `{"id":"up","duration":2,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":2,"value":[0,3,0]}]}]}`)
			r.Do("event.listen", `{"eventName":"go","action":%s}`, action)
			r.Do("event.emit", `{"eventName":"go"}`)
			var out physics.SettleOut
			if err := json.Unmarshal([]byte(r.Do("physics.settle", `{"entities":["ent_0"]}`)), &out); err != nil {
				t.Fatal(err)
			}
			if !out.Settled || out.Seconds < 1.9 || len(out.Moved) != 1 || out.Moved[0].To[1] < 2.9 {
				t.Errorf("%s: %+v", action, out)
			}
		})
	}
}
