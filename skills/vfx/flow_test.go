package vfx_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/world"
)

// fire is a world with one emitter, vfx_0.
type fire struct {
	*skilltest.Room
	effects *vfx.Effects
}

func newFire(t testing.TB) *fire {
	t.Helper()
	f := &fire{}
	f.Room = skilltest.NewRoom(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		f.effects = vfx.New(w)
		return append(vfx.All(f.effects), others(w)...)
	})
	return f
}

// now returns the particles that there are.
func (f *fire) now() (list []vfx.Particle) {
	f.World.View(func(v *world.View) {
		for h, em := range f.effects.All(v) {
			list = slices.AppendSeq(list, f.effects.Particles(v, h, &em))
		}
	})
	return list
}

// TestFlow counts the particles of random emitters, step by step, against a list of who was born when.
func TestFlow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFire(t)
		most := rapid.IntRange(1, 20).Draw(rt, "most")
		rate := float64(rapid.IntRange(1, 240).Draw(rt, "rate"))
		life := float64(rapid.IntRange(1, 60).Draw(rt, "life")) / 60
		stop := rapid.IntRange(1, 80).Draw(rt, "stop")
		f.Do("vfx.create", `{"config":{"maxParticles":%d,"emissionRate":%v,"lifetime":%v}}`, most, rate, life)
		f.Steps(rapid.IntRange(0, 9).Draw(rt, "before"))
		if n := len(f.now()); n != 0 {
			rt.Fatalf("before it plays there are %d", n)
		}
		f.Do("vfx.play", `{"vfxId":"vfx_0"}`)
		each := max(1/rate, life/float64(most))
		for step := range 120 {
			const slack = 1e-9 // what is born or ends just now may count or not
			at, open := float64(step)/60, float64(min(step, stop))/60
			least, highest := 0, 0
			for k := 0; float64(k)*each < open+slack; k++ {
				age := at - float64(k)*each
				if age < life-slack && float64(k)*each < open-slack {
					least++
				}
				if age < life+slack {
					highest++
				}
			}
			if n := len(f.now()); n < min(least, most) || n > min(highest, most) {
				rt.Fatalf("after %d steps there are %d particles, want %d to %d, at most %d", step, n, least, highest, most)
			}
			if step == stop {
				f.Do("vfx.stop", `{"vfxId":"vfx_0"}`)
			}
			f.Steps(1)
		}
	})
}

// TestParticles holds what particles do to what is asked of them.
func TestParticles(t *testing.T) {
	for _, tt := range []struct {
		name, config string
		check        func(p vfx.Particle, age float64) bool
	}{
		{"straight up", `"spread":0,"shape":"point","startSpeed":2,"gravity":0`, func(p vfx.Particle, age float64) bool {
			return near(p.At[0], 0) && near(p.At[2], 0) && near(p.At[1], 2*age)
		}},
		{"up and down", `"spread":0,"shape":"point","startSpeed":2,"gravity":-8`, func(p vfx.Particle, age float64) bool {
			return near(p.At[1], 2*age-4*age*age)
		}},
		{"all around", `"spread":360,"shape":"point","startSpeed":1,"gravity":0`, func(p vfx.Particle, age float64) bool { return near(p.At.Len(), age) }},
		{"within the spread", `"spread":60,"shape":"point","startSpeed":1,"gravity":0`, func(p vfx.Particle, _ float64) bool {
			return p.At[1] >= p.At.Len()*math.Cos(math.Pi/6)-1e-9
		}},
		{"a ball", `"startSpeed":0,"gravity":0,"shape":"sphere","config":{"radius":2}`, func(p vfx.Particle, _ float64) bool { return p.At.Len() <= 2 }},
		{"a box", `"startSpeed":0,"gravity":0,"shape":"box","config":{"radius":2}`, func(p vfx.Particle, _ float64) bool {
			return max(math.Abs(p.At[0]), math.Abs(p.At[1]), math.Abs(p.At[2])) <= 2
		}},
		{"a disc", `"startSpeed":0,"gravity":0,"shape":"cone","config":{"radius":2}`, func(p vfx.Particle, _ float64) bool { return p.At[1] == 0 && p.At.Len() <= 2 }},
		{"somewhere else", `"startSpeed":0,"gravity":0,"shape":"point","config":{"position":[1,2,3]}`, func(p vfx.Particle, _ float64) bool { return p.At == world.Vec3{1, 2, 3} }},
		{"paler and smaller", `"startSize":1,"endSize":0.5,"startColor":[1,0,0,1],"endColor":[0,0,1,0]`, func(p vfx.Particle, age float64) bool {
			return near(p.Size, 1-age/4) && near(p.Color[0], 1-age/2) && near(p.Color[2], age/2) && near(p.Color[3], 1-age/2)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFire(t)
			f.Do("vfx.create", `{"config":{"lifetime":2,"emissionRate":20,%s}}`, tt.config)
			f.Do("vfx.play", `{"vfxId":"vfx_0"}`)
			f.Steps(120)
			list := f.now()
			if len(list) < 39 || len(list) > 40 {
				t.Fatalf("there are %d particles", len(list))
			}
			spread := map[world.Vec3]bool{}
			for i, p := range list {
				age := 2 - float64(i+40-len(list))/20
				if !tt.check(p, age) {
					t.Errorf("at %v seconds one is %+v", age, p)
				}
				spread[p.At] = true
			}
			if tt.name != "somewhere else" && len(spread) < len(list) {
				t.Errorf("%d particles are in %d places", len(list), len(spread))
			}
		})
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestAttachedParticles turns and moves what an emitter is attached to.
func TestAttachedParticles(t *testing.T) {
	f := newFire(t)
	f.Do("scene.createEntity", `{"position":[5,0,0]}`)
	f.Do("vfx.create", `{"config":{"spread":0,"shape":"point","gravity":0,"lifetime":10,"emissionRate":1}}`)
	f.Do("vfx.attach", `{"vfxId":"vfx_0","entity":"ent_0","offset":[0,2,0]}`)
	f.Do("vfx.play", `{"vfxId":"vfx_0"}`)
	f.Steps(30)
	f.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0,0,-1.5707963267948966]}`) // up is along +x now
	if list := f.now(); len(list) != 1 || list[0].At.Dist(world.Vec3{7.5, 0, 0}) > 1e-9 {
		t.Errorf("there are %+v", list)
	}
}

// TestTheOtherFormula writes down what the page's formula is tested against, and holds it to what this one says.
func TestTheOtherFormula(t *testing.T) {
	type sample struct {
		Rows      json.RawMessage `json:"rows"`
		Step      int             `json:"step"`
		Particles [][]float64     `json:"particles"`
	}
	var got []sample
	for _, shape := range []string{"sphere", "cone", "box", "point"} {
		f := newFire(t)
		f.Do("vfx.create", `{"config":{"shape":%q,"spread":80,"startColor":[1,0.5,0,1],"emissionRate":7,"maxParticles":9,"config":{"position":[1,2,3]}}}`, shape)
		f.Do("vfx.play", `{"vfxId":"vfx_0"}`)
		f.Do("vfx.atPosition", `{"position":[4,5,6],"count":3,"config":{"shape":%q}}`, shape)
		f.Steps(20)
		for range 2 {
			s := sample{Rows: json.RawMessage(f.Shared("vfx.emitters"))}
			f.World.View(func(v *world.View) { s.Step = int(v.Step()) })
			for _, p := range f.now() {
				s.Particles = append(s.Particles, append(p.At[:], append([]float64{p.Size}, p.Color[:]...)...))
			}
			got = append(got, s)
			f.Steps(130)
		}
	}
	skilltest.Page(t, "flow.json", got)
}

// TestStillAfterLoad goes back to emitters that do not play much later: there is nothing of one that never did, and as much as there was of one that ceased.
func TestStillAfterLoad(t *testing.T) {
	f := newFire(t)
	f.Do("vfx.create", `{"config":{"maxParticles":5000}}`)
	f.Do("checkpoint.create", `{"name":"never"}`)
	f.Steps(50)
	f.Do("checkpoint.load", `{"name":"never"}`)
	if all := f.now(); len(all) != 0 {
		t.Errorf("of an emitter that never played there are %d particles", len(all))
	}
	f.Do("vfx.play", `{"vfxId":"vfx_0"}`)
	f.Steps(30)
	f.Do("vfx.stop", `{"vfxId":"vfx_0"}`)
	f.Steps(10)
	f.Do("checkpoint.create", `{"name":"ceased"}`)
	want := f.now()
	f.Steps(300)
	if all := f.now(); len(want) == 0 || len(all) != 0 {
		t.Fatalf("there are %d particles, and later %d", len(want), len(all))
	}
	f.Do("checkpoint.load", `{"name":"ceased"}`)
	if diff := cmp.Diff(want, f.now(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("after the load (-want +got):\n%s", diff)
	}
}
