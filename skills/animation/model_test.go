package animation_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// A clip that is sampled has, at any time, what a search through all its keys finds; one that is played puts the entity
// there, however fast and wherever it began.
func TestModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newStage(t)
		duration := rapid.Float64Range(0.1, 5).Draw(rt, "duration")
		type key struct {
			T     float64    `json:"t"`
			Value [3]float64 `json:"value"`
		}
		keys := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) key {
			// Not so close together that what happens between two of them is within the rounding of the time.
			k := key{T: min(duration*float64(rapid.IntRange(0, 1000).Draw(rt, "t"))/1000, duration)} // which 1000/1000 of it may be beyond
			for i := range k.Value {
				k.Value[i] = rapid.Float64Range(-9, 9).Draw(rt, "x")
			}
			return k
		}), 1, 6).Draw(rt, "keys")
		linear := rapid.Bool().Draw(rt, "linear")
		text, err := json.Marshal(keys)
		if err != nil {
			rt.Fatal(err)
		}
		s.Do("animation.authorClip", `{"id":"c","duration":%v,"tracks":[{"property":"position","interp":%q,"keys":%s}]}`, duration, map[bool]string{true: "linear", false: "step"}[linear], text)

		model := func(at float64) (v world.Vec3) {
			sorted := slices.Clone(keys)
			slices.SortStableFunc(sorted, func(a, b key) int { return cmp.Compare(a.T, b.T) })
			v = sorted[0].Value
			for i, k := range sorted {
				if k.T > at {
					break
				}
				v = k.Value
				if next := i + 1; linear && next < len(sorted) && sorted[next].T > at {
					part := (at - k.T) / (sorted[next].T - k.T)
					for j := range v {
						v[j] += (sorted[next].Value[j] - v[j]) * part
					}
				}
			}
			return v
		}
		const near = 1e-6
		for range 5 {
			at := rapid.Float64Range(-1, duration+1).Draw(rt, "at")
			var got struct {
				Values struct{ Position world.Vec3 }
			}
			if err := json.Unmarshal([]byte(s.Do("animation.sampleClip", `{"id":"c","t":%v}`, at)), &got); err != nil {
				rt.Fatal(err)
			}
			if want := model(at); got.Values.Position.Dist(want) > near {
				rt.Fatalf("at %v of %s: %v, want %v", at, text, got.Values.Position, want)
			}
		}

		rest := world.Vec3{rapid.Float64Range(-5, 5).Draw(rt, "x"), 1, 2}
		s.Do("scene.createEntity", `{"position":[%v,1,2]}`, rest[0])
		speed := rapid.Float64Range(-3, 3).Draw(rt, "speed")
		loop := rapid.Bool().Draw(rt, "loop")
		s.Do("animation.play", `{"entity":"ent_0","clipId":"c","speed":%v,"loop":%v}`, speed, loop)
		steps := rapid.IntRange(1, 300).Draw(rt, "steps")
		s.Steps(steps)
		played := float64(steps) / 60 * speed
		within := func(at float64) float64 {
			switch {
			case loop:
				return at - math.Floor(at/duration)*duration
			case speed < 0:
				return max(at+duration, 0)
			}
			return min(at, duration)
		}
		// A step jumps, and so does a loop at its ends: a hair before is as good, and one after.
		got, ok := s.see("ent_0").Pos, false
		for _, hair := range []float64{0, -1e-9, 1e-9} {
			ok = ok || got.Dist(rest.Add(model(within(played+hair)))) < near
		}
		if !ok {
			rt.Fatalf("after %d steps at %v of %s: %v, want %v", steps, within(played), text, got.Sub(rest), model(within(played)))
		}
	})
}

// However clips are played, stopped, faded, undone and the world steps: what plays no more stands where it stood or was left, has no pose
// and costs nothing.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newStage(t)
		clips(t, s.Server, s.Ann)
		s.Do("animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"a","states":[{"name":"a","clipId":"rise"},{"name":"b","clipId":"turn"}],"parameters":[{"name":"p","type":"bool","defaultValue":false}],"transitions":[{"from":"a","to":"b","conditions":[{"param":"p","op":"true"}]}]}`)
		for range rapid.IntRange(1, 12).Draw(rt, "calls") {
			clip := rapid.SampledFrom([]string{"rise", "turn", "open", "walk"}).Draw(rt, "clip")
			layer := rapid.IntRange(-1, 2).Draw(rt, "layer")
			call := rapid.SampledFrom([][2]string{
				{"animation.play", fmt.Sprintf(`{"entity":"ent_0","clipId":%q,"layer":%d,"loop":false,"fadeDuration":0.2}`, clip, layer)},
				{"animation.play", fmt.Sprintf(`{"entity":"ent_0","clipId":%q,"layer":%d}`, clip, layer)},
				{"animation.stop", fmt.Sprintf(`{"entity":"ent_0","layer":%d,"fadeOutMs":100}`, layer)},
				{"animation.stop", `{"entity":"ent_0"}`},
				{"animation.emote", fmt.Sprintf(`{"entity":"ent_0","clipId":%q}`, clip)},
				{"animation.blend", `{"entity":"ent_0","clips":[{"clipId":"rise","weight":0.5},{"clipId":"open","weight":0.5,"layer":1}]}`},
				{"animation.setParam", `{"entity":"ent_0","name":"p","value":true}`},
				{"animation.transition", `{"entity":"ent_0","state":"a"}`},
				{"world.undo", `{}`},
				{"world.redo", `{}`},
			}).Draw(rt, "call")
			_, _ = s.Call(s.Ann, call[0], call[1]) // there may be nothing to undo
			s.Steps(rapid.IntRange(0, 90).Draw(rt, "steps"))
		}
		if s.Entity(t, "ent_0") == "" { // its making was taken back
			return
		}
		s.Do("animation.stop", `{"entity":"ent_0","fadeOutMs":50}`)
		s.Steps(60)
		if got := s.see("ent_0"); len(got.Animation) != 0 {
			rt.Fatalf("still plays: %+v", got.Animation)
		}
		before := s.World.Tick()
		s.Steps(100)
		if s.World.Tick() != before {
			rt.Fatalf("costs commits: %s", s.Entity(t, "ent_0"))
		}
	})
}
