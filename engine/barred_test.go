package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/world"
)

// TestOnTheWayOfWhoIsBanned: what somebody who is banned has sent along a path rests where it is, also after a checkpoint was loaded, and goes on from there once he is not; a walk that he has begun ends.
func TestOnTheWayOfWhoIsBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{Always: true})
		for _, call := range [][2]string{
			{"scene.createEntity", `{"position":[0,0.5,0]}`},
			{"scene.createEntity", `{"position":[0,0.5,5]}`},
			{"scene.createEntity", `{"position":[0,0.5,9]}`},
			{"animation.authorPath", `{"id":"line","points":[[0,0.5,0],[400,0.5,0]]}`},
			{"navmesh.build", `{"bounds":{"minX":-5,"minZ":-20,"maxX":200,"maxZ":20}}`},
		} {
			p.must("ann", "builder.readWrite", call[0], call[1])
		}
		p.must("ann", "builder.readWrite", "animation.follow", `{"entity":"ent_2","pathId":"line","speed":2,"from":10}`)
		p.must("eve", "builder.readWrite", "animation.follow", `{"entity":"ent_0","pathId":"line","speed":2,"from":10}`)
		p.must("eve", "builder.readWrite", "navmesh.moveTo", `{"entity":"ent_1","target":[150,0.5,5]}`)
		at := func(id string) (x float64) {
			n, err := world.ParseID(id)
			if err != nil {
				t.Fatal(err)
			}
			p.World.View(func(v *world.View) {
				place, _ := v.Position(n)
				x = place[0]
			})
			return x
		}
		p.passed(3)
		if at("ent_0") < 1 || at("ent_1") < 1 || at("ent_2") < 1 {
			t.Fatalf("they are at %v, %v and %v", at("ent_0"), at("ent_1"), at("ent_2"))
		}
		p.must("ann", "builder.readWrite", "checkpoint.create", `{"name":"underway"}`)
		if err := p.Ban([]string{"eve"}); err != nil {
			t.Fatal(err)
		}
		p.passed(1)
		path, walk, other := at("ent_0"), at("ent_1"), at("ent_2")
		p.passed(3)
		if at("ent_0") != path || at("ent_1") != walk || at("ent_2") <= other {
			t.Errorf("of eve's one went from %v to %v, one from %v to %v; ann's from %v to %v", path, at("ent_0"), walk, at("ent_1"), other, at("ent_2"))
		}
		if got := p.must("ann", "builder.readWrite", "animation.getClipInfo", `{"entity":"ent_0"}`); !strings.Contains(got, `"pathId":"line"`) {
			t.Errorf("it follows no path: %s", got)
		}
		p.must("ann", "builder.readWrite", "checkpoint.load", `{"name":"underway"}`)
		p.passed(1)
		path, walk = at("ent_0"), at("ent_1")
		p.passed(3)
		if at("ent_0") != path || at("ent_1") != walk {
			t.Errorf("after the checkpoint they went from %v to %v, and from %v to %v", path, at("ent_0"), walk, at("ent_1"))
		}
		if err := p.Ban(nil); err != nil {
			t.Fatal(err)
		}
		p.passed(1)
		if now := at("ent_0"); now <= path || now > path+4 {
			t.Errorf("it goes on from %v and is at %v", path, now)
		}
		if at("ent_1") != walk {
			t.Errorf("the walk goes on, to %v", at("ent_1"))
		}
	})
}
