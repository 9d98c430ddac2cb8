package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/world"
)

// act is a call, the simulation step it was made in, and what came of it.
type act struct {
	step   uint64
	tool   string
	input  string
	answer string
	hash   [32]byte // of the world after it
}

func (a *act) worked() bool { return strings.HasPrefix(a.answer, "{") }

// mark is a commit.
type mark struct {
	tick, step uint64
	hash       [32]byte
}

// theatre is an engine whose commits and steps are noted.
type theatre struct {
	*engine.Engine
	t     *testing.T
	taken uint64 // steps that were, not only counted
	marks []mark
}

// newTheatre opens with a floor, somebody on it and a grid to find ways on.
func newTheatre(t *testing.T, e *engine.Engine) *theatre {
	t.Helper()
	th := &theatre{Engine: e, t: t}
	e.World.OnStep("count", func(*world.Tx) error { th.taken++; return nil }, world.BusyWhile(func(*world.View) bool { return false }))
	s := th.open("bob") // what he does ann cannot undo
	defer s.Close()
	for _, c := range [][2]string{
		{"scene.createEntity", `{"shape":"box","size":50,"position":[0,-25,0],"static":true}`},
		{"player.spawn", `{"position":[0,1,0]}`},
		{"navmesh.build", `{"bounds":{"minX":-8,"minZ":-8,"maxX":8,"maxZ":8},"cellSize":0.5,"diagonal":true,"agentRadius":0.3}`},
	} {
		if a := th.call(s, c[0], c[1]); !a.worked() {
			t.Fatal(a.answer)
		}
	}
	t.Cleanup(e.World.Observe(func(c *world.Commit) {
		th.marks = append(th.marks, mark{c.Tick, c.Step, c.View().ContentHash()})
	}))
	return th
}

// open opens a session.
func (th *theatre) open(agent string) *mcp.Session {
	th.t.Helper()
	s, err := th.Mcp.Open(mcp.Identity{AgentID: agent, SessionID: agent, Profile: "builder.readWrite"})
	if err != nil {
		th.t.Fatal(err)
	}
	return s
}

// call makes a call and notes what comes of it.
func (th *theatre) call(s *mcp.Session, tool, input string) act {
	a := act{tool: tool, input: input}
	th.World.View(func(v *world.View) { a.step = v.Step() })
	res := th.Mcp.CallTool(context.Background(), s, mcp.Request{Tool: tool, Input: []byte(input)})
	a.answer = string(res.Result)
	if !res.Success {
		a.answer = res.Error.Error()
	}
	a.hash = th.World.Hash()
	return a
}

// script writes random calls about a handful of things that stand on and against one another.
type script struct {
	*rand.Rand
	things []world.ID // but the floor and the player
	player world.ID
	zones  int // made so far
}

func (r *script) within(lo, hi float64) float64 { return lo + r.Float64()*(hi-lo) }

func (r *script) entity() world.ID {
	if r.IntN(10) == 0 {
		return r.player
	}
	return r.thing()
}

// thing is something that is there, or nothing.
func (r *script) thing() world.ID {
	if len(r.things) == 0 {
		return 99
	}
	return r.things[r.IntN(len(r.things))]
}

func (r *script) zone() string { return fmt.Sprintf("trg_%d", max(0, r.zones-1-r.IntN(2))) }

func (r *script) next() (tool, input string) {
	x, z := r.within(-3, 3), r.within(-3, 3)
	switch r.IntN(23) {
	case 0, 1, 2, 3:
		kind := []string{`,"dynamic":true`, `,"dynamic":true`, `,"static":true`, ""}[r.IntN(4)]
		return "scene.createEntity", fmt.Sprintf(`{"shape":"box","position":[%v,%v,%v],"size":%v%s}`, x, r.within(0.5, 4), z, r.within(0.5, 2), kind)
	case 4:
		return "scene.destroyEntity", fmt.Sprintf(`{"entity":%q}`, r.thing())
	case 5, 6:
		return "three.setTransform", fmt.Sprintf(`{"entity":%q,"position":[%v,%v,%v]}`, r.entity(), x, r.within(0.2, 2), z)
	case 7, 8, 9:
		return "physics.applyImpulse", fmt.Sprintf(`{"entity":%q,"impulse":[%v,%v,%v]}`, r.entity(), x/3, r.within(0, 3), z/3)
	case 10, 11:
		return "player.move", fmt.Sprintf(`{"entity":%q,"forward":1,"yaw":%v,"seconds":%v,"jump":%v}`, r.player, r.within(-3, 3), r.within(0.1, 2), r.IntN(2) == 0)
	case 12:
		return "player.crouch", fmt.Sprintf(`{"entity":%q,"crouching":%v}`, r.player, r.IntN(2) == 0)
	case 13:
		return "navmesh.moveTo", fmt.Sprintf(`{"entity":%q,"target":[%v,0,%v]}`, r.thing(), x, z)
	case 14:
		r.zones++
		return "trigger.create", fmt.Sprintf(`{"shape":"box","center":[%v,1,%v],"size":[2,2,2]}`, x, z)
	case 15:
		on, every := []string{"onEnter", "onExit", "onStay"}[r.IntN(3)], ""
		if on == "onStay" {
			every = `,"every":1.5`
		}
		action := []string{
			`{"type":"spawn","data":{"shape":"box","position":[0,5,0],"size":0.5,"dynamic":true}}`,
			`{"type":"setState","data":{"color":65280}}`,
			`{"type":"audio","data":{"name":"hum"}}`,
		}[r.IntN(3)]
		return "trigger." + on, fmt.Sprintf(`{"triggerId":%q,"action":%s%s}`, r.zone(), action, every)
	case 16:
		return "trigger.remove", fmt.Sprintf(`{"triggerId":%q}`, r.zone())
	case 17:
		return "ui.label", fmt.Sprintf(`{"anchor":{"kind":"world","entity":%q},"text":"hello"%s}`, r.entity(), []string{"", `,"lifecycle":{"ttl":100}`}[r.IntN(2)])
	case 18:
		return "world.setTime", fmt.Sprintf(`{"time":%d,"transitionMs":%d}`, r.IntN(24), r.IntN(3000))
	case 19:
		return "world.claim", fmt.Sprintf(`{"min":[%v,0,%v],"max":[9,9,9],"seconds":%d}`, x, z, 1+r.IntN(5))
	case 20:
		return "world.setTimeScale", fmt.Sprintf(`{"scale":%v}`, []float64{0, 0.01, 0.5, 1, 1, 2, 10}[r.IntN(7)])
	case 21:
		return []string{"world.undo", "world.undo", "world.redo"}[r.IntN(3)], `{}`
	}
	return "audio.playSFX", fmt.Sprintf(`{"name":"bang","position":[%v,0,%v]}`, x, z)
}

// pause lets some time pass: none, less than a step, or so much that all comes to rest.
func (r *script) pause() {
	longest := []time.Duration{0, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 30 * time.Second}[r.IntN(5)]
	time.Sleep(time.Duration(r.Float64() * float64(longest)))
	synctest.Wait()
}

// perform makes random calls in an engine that runs, and rests in between.
func perform(th *theatre, seed uint64) (acts []act) {
	r := &script{Rand: rand.New(rand.NewPCG(seed, 11)), player: 2}
	s := th.open("ann")
	defer func() { s.Close() }()
	for range 100 {
		r.pause()
		r.things = r.things[:0]
		th.World.View(func(v *world.View) {
			for id := range v.All() {
				r.things = append(r.things, id)
			}
		})
		r.things = r.things[2:]
		if r.IntN(12) == 0 { // nobody is there for a while
			s.Close()
			r.pause()
			s = th.open("ann")
			r.pause()
		}
		tool, input := r.next()
		acts = append(acts, th.call(s, tool, input))
		th.Physics.Stepped() // as somebody does who waits, and then does not
	}
	time.Sleep(time.Minute)
	synctest.Wait()
	acts = append(acts, th.call(s, "scene.queryEntities", `{}`))
	return acts
}

// TestRestReplays has random calls come to an engine that runs, and has the same come at the same steps to one that is
// made to take every step. Both are the same world after every call and every commit.
func TestRestReplays(t *testing.T) {
	seeds := uint64(5)
	if race.Enabled {
		seeds = 1
	}
	var taken, counted uint64
	worked := map[string]int{}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config := engine.Config{Seed: seed}
				p := start(t, config)
				rests := newTheatre(t, p.Engine)
				acts := perform(rests, seed)
				taken, counted = taken+rests.taken, counted+rests.World.Steps()
				e, err := engine.New(config)
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				never := newTheatre(t, e)
				s := never.open("ann")
				for i, a := range acts {
					for never.World.Steps() < a.step {
						never.World.Step(context.Background())
					}
					if got := never.call(s, a.tool, a.input); got != a {
						never.compare(rests)
						t.Fatalf("call %d in step %d, %s %s: the engine that rested answered\n%s\nand the other one, in step %d,\n%s\nThe worlds are the same: %v", i, a.step, a.tool, a.input, a.answer, got.step, got.answer, got.hash == a.hash)
					}
					if a.worked() {
						worked[a.tool]++
					}
				}
				never.compare(rests)
			})
		})
	}
	t.Logf("%d of %d steps were taken, of calls worked %v", taken, counted, worked)
	if !race.Enabled && (taken > counted/2 || len(worked) < 16) {
		t.Errorf("%d of %d steps were taken, and of calls worked %v: too little to show anything", taken, counted, worked)
	}
}

// compare compares commits.
func (th *theatre) compare(want *theatre) {
	th.t.Helper()
	for i := range min(len(th.marks), len(want.marks)) {
		if got, want := th.marks[i], want.marks[i]; got != want {
			th.t.Fatalf("commit %d came in step %d, and in the engine that rested commit %d in step %d; the worlds are the same: %v", got.tick, got.step, want.tick, want.step, got.hash == want.hash)
		}
	}
	if got, want := len(th.marks), len(want.marks); got != want {
		th.t.Fatalf("there are %d commits, and %d in the engine that rested", got, want)
	}
}
