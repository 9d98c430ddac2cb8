package physics_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// TestSettleWaitsForWalkers has what walks without the physics arrive.
func TestSettleWaitsForWalkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &site{t: t, ann: skilltest.Caller(t, "ann", skilltest.Builder)}
		s.Server = skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
			ways, p := navigation.New(w, a), bodies.New(w, bodies.Config{})
			return slices.Concat(scene.All(w), agent.All(w, a), social.All(social.New(w, a)),
				navigation.All(ways), physics.All(w, p, physics.Movers{Walks: []func(*world.View, world.ID) bool{ways.Walks, a.Walks}}))
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- s.World.Run(ctx) }()
		defer func() { cancel(); <-done }()
		s.do(nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":10},"cellSize":1}`)
		s.do(nil, "scene.createEntity", `{"position":[0.5,0.5,0.5]}`)
		s.do(nil, "navmesh.moveTo", `{"entity":"ent_0","target":[9.5,0,0.5]}`)
		var out physics.SettleOut
		s.do(&out, "physics.settle", `{"entities":["ent_0"],"seconds":1}`)
		if out.Settled || len(out.Restless) != 1 || out.Seconds != 1 {
			t.Errorf("after a second on a way of three: %+v", out)
		}
		s.do(&out, "physics.settle", `{"entities":["ent_0"]}`)
		if !out.Settled || len(out.Moved) != 1 || out.Moved[0].To[0] != 9.5 || out.Seconds < 1.9 || out.Seconds > 2.2 {
			t.Errorf("the rest of the way: %+v", out)
		}
		ann := s.ann
		s.ann = skilltest.Caller(t, "carl", "npc.agent")
		s.do(nil, "agent.embody", `{"position":[0,0,5]}`)
		s.do(nil, "social.approach", `{"target":[4,0,5]}`)
		s.ann = ann
		s.do(&out, "physics.settle", `{"entities":["ent_1"]}`)
		if !out.Settled || len(out.Moved) != 1 || out.Moved[0].Distance < 2 {
			t.Errorf("by social.approach: %+v", out)
		}
	})
}

// TestSettleTellsOfClips waits for a clip that ends, and tells of one that does not, without a wait.
func TestSettleTellsOfClips(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &site{t: t, ann: skilltest.Caller(t, "ann", skilltest.Builder)}
		s.Server = skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
			clips, p := animation.New(w, a), bodies.New(w, bodies.Config{})
			return slices.Concat(scene.All(w), animation.All(clips), physics.All(w, p, physics.Movers{
				Walks: []func(*world.View, world.ID) bool{clips.Moves}, Endless: clips.Endless,
			}))
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- s.World.Run(ctx) }()
		defer func() { cancel(); <-done }()
		s.do(nil, "scene.createEntity", `{"position":[0,1,0]}`)
		var out physics.SettleOut
		s.do(nil, "animation.authorClip", `{"id":"swing","duration":1,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":1,"value":-1.5}]}]}`)
		s.do(nil, "animation.play", `{"entity":"ent_0","clipId":"swing","loop":false}`)
		s.do(&out, "physics.settle", `{"entities":["ent_0"]}`)
		if len(out.Moved) != 1 || out.Moved[0].Turned != -85.9 || out.Moved[0].Distance != 0 || out.Moved[0].Fell {
			t.Errorf("one that swings to the right: %+v", out)
		}
		s.do(nil, "animation.authorClip", `{"id":"slide","duration":1,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":1,"value":[0,0,3]}]}]}`)
		s.do(nil, "animation.play", `{"entity":"ent_0","clipId":"slide","loop":false}`)
		s.do(&out, "physics.settle", `{"entities":["ent_0"]}`)
		if !out.Settled || out.Endless != 0 || out.Seconds < 0.9 || out.Seconds > 1.2 {
			t.Errorf("a clip of a second: %+v", out)
		}
		s.do(nil, "animation.play", `{"entity":"ent_0","clipId":"slide","loop":true}`)
		s.do(&out, "physics.settle", `{"entities":["ent_0"]}`)
		if out.Settled || out.Endless != 1 || len(out.Restless) != 1 || out.Seconds > 1 {
			t.Errorf("one without an end: %+v", out)
		}
	})
}
