package audio_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// good is one good input of each skill, in an order in which all of them have something to do.
var good = []struct{ skill, input string }{
	{"audio.play", `{"freq":440,"secs":1}`},
	{"audio.ambient", `{}`},
	{"audio.playAt", `{"freq":440,"secs":1,"position":[0,0,0]}`},
	{"audio.speak", `{"text":"a","position":[0,0,0]}`},
	{"audio.playSFX", `{"name":"a"}`},
	{"audio.setVolume", `{"handle":"snd_1","volume":0.5}`},
	{"audio.setVolume", `{"handle":"snd_2","volume":0.5}`},
	{"audio.stop", `{"handle":"snd_0"}`},
	{"audio.stop", `{"handle":"snd_1"}`},
	{"audio.setBusVolume", `{"bus":"sfx","volume":0}`},
	{"audio.playBGM", `{"trackId":"a"}`},
	{"audio.setBGM", `{"trackId":"b"}`},
	{"audio.stopBGM", `{}`},
	{"audio.setReverb", `{"position":[0,0,0],"radius":1}`},
}

// bad are inputs that are refused, and why.
var bad = []struct{ skill, input, want string }{
	{"audio.play", `{}`, `freq: is required: a number greater than 0; secs: is required: a number greater than 0 and at most 10`},
	{"audio.play", `{"freq":0,"secs":10.5}`, `freq: must be greater than 0, got 0; secs: must be greater than 0 and at most 10, got 10.5`},
	{"audio.play", `{"freq":1,"secs":0,"bus":"music","volume":1.5}`, `secs: must be greater than 0 and at most 10, got 0; bus: must be one of "master", "sfx", "ambience", "voice", got "music"; volume: must be at least 0 and at most 1, got 1.5`},
	{"audio.play", `{"freq":1e39,"secs":1}`, `freq: must be greater than 0, got 1e39`},
	{"audio.play", `{"freq":1,"secs":1,"position":[0,0,0]}`, `position: unknown field, allowed: freq, secs, bus, volume`},
	{"audio.ambient", `{"bus":"","volume":-1}`, `bus: must be one of "master", "sfx", "ambience", "voice", got ""; volume: must be at least 0 and at most 1, got -1`},
	{"audio.playAt", `{"freq":1,"secs":1}`, `position: is required: an array of 3 items, each a number`},
	{"audio.playAt", `{"freq":1,"secs":1,"position":[0,0],"maxDistance":-1}`, `position: must have 3 items, got 2; maxDistance: must be at least 0, got -1`},
	{"audio.speak", `{"text":"","position":[0,0,"0"]}`, `text: must have from 1 to 500 characters, got 0; position[2]: must be a number, got the string "0": leave the quotes out`},
	{"audio.speak", `{"text":"` + strings.Repeat("é", 501) + `","position":[0,0,0]}`, `text: must have from 1 to 500 characters, got 501`},
	{"audio.stop", `{}`, `handle: is required: a string`},
	{"audio.stop", `{"handle":1}`, `handle: must be a string, got 1`},
	{"audio.setVolume", `{"handle":"snd_0"}`, `volume: is required: a number at least 0 and at most 1`},
	{"audio.setVolume", `{"handle":"snd_0","volume":2}`, `volume: must be at least 0 and at most 1, got 2`},
	{"audio.setBusVolume", `{"volume":1}`, `bus: is required: one of "master", "sfx", "ambience", "voice"`},
	{"audio.setBusVolume", `{"bus":"Master","volume":1}`, `bus: must be one of "master", "sfx", "ambience", "voice", got "Master" (did you mean "master"?)`},
	{"audio.playBGM", `{"trackId":""}`, `trackId: must have at least 1 character, got 0`},
	{"audio.playBGM", `{"trackId":"a","loop":"yes","config":[],"meta":1}`, `loop: must be true or false, got the string "yes"; config: must be an object; meta: must be an object`},
	{"audio.stopBGM", `{"fadeMs":-1}`, `fadeMs: must be at least 0, got -1`},
	{"audio.setBGM", `{"trackId":"a","duration":0}`, `duration: must be greater than 0, got 0`},
	{"audio.setBGM", `{"trackId":"a","loop":true}`, `loop: unknown field, allowed: trackId, duration, volume, meta`},
	{"audio.playSFX", `{"name":"","volume":7,"position":null}`, `name: must have at least 1 character, got 0; volume: must be at least 0 and at most 1, got 7; position: must be an array of 3 items, each a number, got null (leave the key out instead)`},
	{"audio.setReverb", `{"position":[0,0,0]}`, `radius: is required: a number greater than 0`},
	{"audio.setReverb", `{"position":[0,0,0],"radius":0,"size":0,"decay":0,"damping":2}`, `radius: must be greater than 0, got 0; size: must be greater than 0, got 0; decay: must be greater than 0, got 0; damping: must be at least 0 and at most 1, got 2`},
}

func TestRefuse(t *testing.T) {
	h := newHall(t)
	for _, tt := range bad {
		h.still(tt.skill, tt.input, "invalid_input: "+tt.want)
	}
	if m := h.heard(); m != nil {
		t.Errorf("viewers were told %v", m)
	}
}

// TestSchemasAgree holds the schemas to what the decoder takes.
func TestSchemasAgree(t *testing.T) {
	h := newHall(t)
	check := func(skill, input string, want bool) {
		t.Helper()
		k, _ := h.r.Lookup(skill)
		var s jsonschema.Schema
		if err := json.Unmarshal(k.InputSchema(), &s); err != nil {
			t.Fatal(err)
		}
		schema, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal([]byte(input), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != want {
			t.Errorf("%s %s: the decoder takes it: %v; the schema says %v", skill, input, want, err)
		}
	}
	for _, tt := range good {
		check(tt.skill, tt.input, true)
	}
	for _, tt := range bad {
		check(tt.skill, tt.input, false)
	}
}

func TestPermission(t *testing.T) {
	h := newHall(t)
	h.principal.Grants = profiles.Grant("ui.write")
	for _, tt := range good {
		h.still(tt.skill, tt.input, `forbidden: missing permission: audio.play`)
	}
}

// TestFailureLeavesNothing runs every skill inside a call that fails afterwards, after each number of
// them.
func TestFailureLeavesNothing(t *testing.T) {
	h := newHall(t)
	type none struct{}
	for n := 1; n <= len(good); n++ {
		for _, panics := range []bool{false, true} {
			fail := registry.Define(registry.Spec[none, none]{
				Name: "test.fail", Description: "Do n things, then fail.", Permissions: []profiles.Permission{profiles.Anyone},
				Handle: func(c *registry.Call, _ none) (none, error) {
					return world.Do(h.w, c, func(*world.Tx) (none, error) {
						for _, s := range good[:n] {
							if _, err := c.Invoke(s.skill, []byte(s.input)); err != nil {
								t.Errorf("%s: %v", s.skill, err)
							}
						}
						if panics {
							panic("no")
						}
						return none{}, errors.New("no")
					})
				},
			})
			if err := h.r.Register(fail); err != nil {
				t.Fatal(err)
			}
			before := h.w.Hash()
			if got := h.try("test.fail", `{}`); !strings.HasPrefix(got, "handler_error: ") {
				t.Fatalf("the call that fails gave %s", got)
			}
			if h.w.Hash() != before {
				t.Errorf("a call that fails after %d skills left a mark on the world", n)
			}
			h.r.Unregister("test.fail")
		}
	}
	if m := h.heard(); m != nil {
		t.Errorf("viewers were told %v", m)
	}
	h.call("audio.play", `{"freq":440,"secs":1}`, `{"handle":"snd_0"}`)
}

// TestReplay gives the same calls and steps to two worlds.
func TestReplay(t *testing.T) {
	a, b := newHall(t), newHall(t)
	for range 3 {
		for _, tt := range good {
			a.call(tt.skill, tt.input, b.try(tt.skill, tt.input))
			a.step(3)
			b.step(3)
			if a.w.Hash() != b.w.Hash() {
				t.Fatalf("after %s the worlds differ", tt.skill)
			}
		}
	}
	if diff := cmp.Diff(a.heard(), b.heard()); diff != "" {
		t.Errorf("what viewers play differs:\n%s", diff)
	}
}

// TestEvents looks at what the skills put into the trace; what a caller calls meta stays under that
// key.
func TestEvents(t *testing.T) {
	h := newHall(t)
	const meta = `"meta":{"handle":"forged","type":"audit"}`
	for _, tt := range []struct{ skill, input, want string }{
		{"audio.play", `{"freq":440,"secs":1}`, `audio.started {"handle":"snd_0","skill":"audio.play"}`},
		{"audio.playSFX", `{"name":"a",` + meta + `}`, `audio.started {"handle":"snd_1","skill":"audio.playSFX",` + meta + `}`},
		{"audio.ambient", `{}`, `audio.started {"handle":"snd_2","skill":"audio.ambient"}`},
		{"audio.setVolume", `{"handle":"snd_0","volume":0.5}`, `audio.volumeSet {"handle":"snd_0","volume":0.5}`},
		{"audio.stop", `{"handle":"snd_0"}`, `audio.stopped {"handle":"snd_0"}`},
		{"audio.setBusVolume", `{"bus":"sfx","volume":0}`, `audio.busSet {"bus":"sfx","volume":0}`},
		{"audio.playBGM", `{"trackId":"a",` + meta + `}`, `audio.musicSet {"trackId":"a","volume":0.5,"loop":true,` + meta + `}`},
		{"audio.setBGM", `{"trackId":"b",` + meta + `}`, `audio.musicSet {"trackId":"b","volume":0.5,"loop":true,` + meta + `}`},
		{"audio.stopBGM", `{` + meta + `}`, `audio.musicSet {"trackId":"","volume":0,"loop":false,` + meta + `}`},
		{"audio.setReverb", `{"position":[0,0,0],"radius":1,` + meta + `}`, `audio.reverbSet {"zoneId":"rvb_0",` + meta + `}`},
	} {
		h.try(tt.skill, tt.input)
		if got := h.lastEvent(); got != tt.want {
			t.Errorf("%s: the event is %s, want %s", tt.skill, got, tt.want)
		}
	}
}

func TestMetadata(t *testing.T) {
	type claim struct {
		Effect     registry.Effect
		Idempotent bool
	}
	want := map[string]claim{
		"audio.play": {registry.Writes, false}, "audio.ambient": {registry.Writes, false}, "audio.playAt": {registry.Writes, false},
		"audio.speak": {registry.Writes, false}, "audio.playSFX": {registry.Writes, false},
		"audio.stop": {registry.Destroys, true}, "audio.setVolume": {registry.Writes, true}, "audio.setBusVolume": {registry.Writes, true},
		"audio.playBGM": {registry.Writes, true}, "audio.stopBGM": {registry.Writes, true}, "audio.setBGM": {registry.Writes, true},
		"audio.setReverb": {registry.Writes, true},
	}
	got := map[string]claim{}
	for _, k := range newHall(t).r.List(registry.Filter{}) {
		i := k.Info()
		got[i.Name] = claim{i.Effect, i.Idempotent}
		if len(i.Permissions) != 1 || i.Permissions[0] != "audio.play" || i.Version != "1.0.0" || i.Category != "audio" || i.Core || i.Published || i.Title == i.Name {
			t.Errorf("%s is declared as %+v", i.Name, i)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the claims differ (-want +got):\n%s", diff)
	}
}
