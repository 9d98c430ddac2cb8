package animation_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
)

// TestSmooth holds that what is smooth is at its keys when what is linear is, half way at half time, and slow at both ends, asked and played.
func TestSmooth(t *testing.T) {
	s := newStage(t)
	s.Do("scene.createEntity", `{"position":[1,2,3]}`)
	s.Do("animation.authorClip", `{"id":"lift","duration":2,"tracks":[{"property":"position.y","interp":"smooth","keys":[{"t":0,"value":0},{"t":2,"value":4}]},
		{"property":"color","interp":"smooth","keys":[{"t":0,"value":0},{"t":2,"value":200}]},{"property":"rotation","interp":"smooth","keys":[{"t":0,"value":[0,0,0,1]},{"t":2,"value":[0,1,0,0]}]}]}`)
	for _, c := range [][2]string{
		{"0", `"position.y":0,"rotation":[0,0,0,1]}`},
		{"0.5", `"color":31,"position.y":0.625,`}, // a quarter of the time is 5/32 of the way
		{"1", `"color":100,"position.y":2,`},
		{"2", `"color":200,"position.y":4,"rotation":[0,1,0,0]`},
	} {
		if got := s.Do("animation.sampleClip", `{"id":"lift","t":%s}`, c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("at %s: %s, want %s", c[0], got, c[1])
		}
	}
	s.Do("animation.play", `{"entity":"ent_0","clipId":"lift","loop":false}`)
	s.Steps(30)
	s.at("ent_0", 1, 2.625, 3)
	s.Steps(30)
	s.at("ent_0", 1, 4, 3)
	s.Steps(90)
	s.at("ent_0", 1, 6, 3)
}

// TestOtherForms: who writes keys as other programs have them reads at once what a key is, and what a track is.
func TestOtherForms(t *testing.T) {
	s := newStage(t)
	for input, want := range map[string][]string{
		`{"id":"c","duration":2,"tracks":[{"property":"rotation.y","keyframes":[{"time":0,"value":0},{"time":2,"value":6}]}]}`: {
			`tracks[0].keyframes: unknown field, did you mean "keys"? allowed: property, interp, keys`, `tracks[0].keyframes[0].time: unknown field, did you mean "t"?`,
			`tracks[0].keys: is required: an array of from 1 to 4096 items, each an object with t, value, as {"t":0,"value":0}`,
		},
		`{"id":"c","duration":2,"tracks":[{"property":"rotation.y","keys":[[0,0],[2,6]]}]}`: {
			`tracks[0].keys[0]: must be an object with t, value, as {"t":0,"value":0}, got an array`,
		},
		`{"id":"c","duration":2}`: {
			`tracks: is required: an array of from 1 to 256 items, each an object with property, keys (optional: interp), as {"property":"rotation.y","keys":[{"t":0,"value":0},{"t":2,"value":1.5708}]}`,
		},
	} {
		_, err := s.Call(s.Ann, "animation.authorClip", input)
		if err == nil || err.Code != registry.CodeInvalidInput {
			t.Errorf("%s: %v", input, err)
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Message, part) {
				t.Errorf("%s: %s, want %s", input, err.Message, part)
			}
		}
	}
}
