package audio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/skills/audio"
)

// TestSounds plays each sound that ends by itself, with as little and with as much as can be said of
// it, and looks at what viewers get and at how long its handle is good.
func TestSounds(t *testing.T) {
	for _, tt := range []struct {
		skill, input, output, moment string
		steps                        int
	}{
		{
			"audio.play", `{"freq":440,"secs":0.5}`, `{"handle":"snd_0"}`,
			`audio.play everywhere {"handle":"snd_0","freq":440,"secs":0.5,"bus":"sfx","volume":1}`, 30,
		},
		{
			"audio.play", `{"freq":0.5,"secs":0.001,"bus":"voice","volume":0}`, `{"handle":"snd_0"}`,
			`audio.play everywhere {"handle":"snd_0","freq":0.5,"secs":0.001,"bus":"voice","volume":0}`, 1,
		},
		{
			"audio.playAt", `{"freq":440,"secs":10,"position":[1,-2,3.5]}`, `{"handle":"snd_0"}`,
			`audio.playAt at [1 -2 3.5] {"handle":"snd_0","freq":440,"secs":10,"bus":"sfx","volume":1}`, 600,
		},
		{
			"audio.playAt", `{"freq":440,"secs":1,"position":[0,0,0],"bus":"master","volume":0.25,"maxDistance":0}`, `{"handle":"snd_0"}`,
			`audio.playAt at [0 0 0] {"handle":"snd_0","freq":440,"secs":1,"bus":"master","volume":0.25,"maxDistance":0}`, 60,
		},
		{
			"audio.speak", `{"text":"hé","position":[0,1,0]}`, `{"handle":"snd_0"}`,
			`audio.speak at [0 1 0] {"handle":"snd_0","text":"hé","bus":"voice","volume":1}`, 70,
		},
		{
			"audio.speak", `{"text":"` + strings.Repeat("a", 500) + `","position":[0,1,0],"volume":0.5}`, `{"handle":"snd_0"}`,
			`audio.speak at [0 1 0] {"handle":"snd_0","text":"` + strings.Repeat("a", 500) + `","bus":"voice","volume":0.5}`, 2560,
		},
		{
			"audio.playSFX", `{"name":"door"}`, `{"ok":true,"handle":"snd_0"}`,
			`audio.playSFX everywhere {"handle":"snd_0","name":"door","bus":"sfx","volume":0.8}`, 600,
		},
		{
			"audio.playSFX", `{"name":"door","position":[4,0,0],"volume":0,"config":{"pitch": [1, null]},"meta":{"handle":"snd_9"}}`, `{"ok":true,"handle":"snd_0"}`,
			`audio.playSFX at [4 0 0] {"handle":"snd_0","name":"door","bus":"sfx","volume":0,"config":{"pitch":[1,null]}}`, 600,
		},
	} {
		t.Run(tt.skill, func(t *testing.T) {
			h := newHall(t)
			h.step(7)
			h.call(tt.skill, tt.input, tt.output)
			if diff := cmp.Diff([]string{tt.moment}, h.heard()); diff != "" {
				t.Errorf("what viewers play differs (-want +got):\n%s", diff)
			}
			if h.changed != nil {
				t.Errorf("viewers were told that %v changed", h.changed)
			}
			h.step(tt.steps - 1)
			h.call("audio.setVolume", `{"handle":"snd_0","volume":0.125}`, `{"ok":true}`)
			if diff := cmp.Diff([]string{`audio.setVolume everywhere {"handle":"snd_0","volume":0.125}`}, h.heard()); diff != "" {
				t.Errorf("what viewers play differs (-want +got):\n%s", diff)
			}
			h.still("audio.setVolume", `{"handle":"snd_0","volume":0.125}`, `{"ok":true}`)
			h.step(1)
			h.still("audio.setVolume", `{"handle":"snd_0","volume":0.5}`, `{"ok":false}`)
			h.still("audio.stop", `{"handle":"snd_0"}`, `{"ok":false}`)
			if m := h.heard(); m != nil {
				t.Errorf("viewers were told %v", m)
			}
		})
	}
}

func TestStop(t *testing.T) {
	h := newHall(t)
	h.call("audio.play", `{"freq":440,"secs":1}`, `{"handle":"snd_0"}`)
	h.heard()
	h.call("audio.stop", `{"handle":"snd_0"}`, `{"ok":true}`)
	if diff := cmp.Diff([]string{`audio.stop everywhere {"handle":"snd_0"}`}, h.heard()); diff != "" {
		t.Errorf("what viewers play differs (-want +got):\n%s", diff)
	}
	h.still("audio.stop", `{"handle":"snd_0"}`, `{"ok":false}`)
	h.still("audio.setVolume", `{"handle":"snd_0","volume":1}`, `{"ok":false}`)
	h.call("audio.play", `{"freq":440,"secs":1}`, `{"handle":"snd_1"}`) // a handle is used once
}

func TestAmbient(t *testing.T) {
	h := newHall(t)
	h.step(3)
	h.call("audio.ambient", `{}`, `{"handle":"snd_0"}`)
	h.call("audio.ambient", `{"bus":"voice","volume":0}`, `{"handle":"snd_1"}`)
	h.step(1000)
	h.call("audio.setVolume", `{"handle":"snd_0","volume":0.5}`, `{"ok":true}`)
	h.still("audio.setVolume", `{"handle":"snd_0","volume":0.5}`, `{"ok":true}`)
	want := `{"snd_0":{"bus":"ambience","volume":0.5,"since":3,"by":"ann"},"snd_1":{"bus":"voice","volume":0,"since":3,"by":"ann"}}`
	if got := h.state("audio.beds"); got != want {
		t.Errorf("the beds are %s, want %s", got, want)
	}
	h.call("audio.stop", `{"handle":"snd_0"}`, `{"ok":true}`)
	h.still("audio.stop", `{"handle":"snd_0"}`, `{"ok":false}`)
	h.still("audio.setVolume", `{"handle":"snd_0","volume":1}`, `{"ok":false}`)
	if got := h.state("audio.beds"); got != `{"snd_1":{"bus":"voice","volume":0,"since":3,"by":"ann"}}` {
		t.Errorf("the beds are %s", got)
	}
	if m := h.heard(); m != nil {
		t.Errorf("viewers see it in the state, and were told %v", m)
	}
}

func TestUnknownHandle(t *testing.T) {
	h := newHall(t)
	h.still("audio.stop", `{"handle":"snd_0"}`, `handler_error: unknown sound snd_0; nothing is playing`)
	for i := range 6 {
		h.call("audio.play", fmt.Sprintf(`{"freq":440,"secs":%d}`, 1+i%2*9), fmt.Sprintf(`{"handle":"snd_%d"}`, i))
	}
	h.call("audio.ambient", `{}`, `{"handle":"snd_6"}`)
	h.step(60) // snd_0, 2 and 4 are over
	for _, skill := range []string{"audio.stop", "audio.setVolume"} {
		rest := `}`
		if skill == "audio.setVolume" {
			rest = `,"volume":1}`
		}
		h.still(skill, `{"handle":"snd_0"`+rest, `{"ok":false}`)
		h.still(skill, `{"handle":"snd_7"`+rest, `handler_error: unknown sound snd_7; the nearest are snd_3, snd_5, snd_6`)
		h.still(skill, `{"handle":"snd_00"`+rest, `handler_error: unknown sound snd_00; the nearest are snd_3, snd_5, snd_6`)
		h.still(skill, `{"handle":"ui_1"`+rest, `handler_error: unknown sound ui_1; the nearest are snd_3, snd_5, snd_6`)
	}
}

func TestMixer(t *testing.T) {
	h := newHall(t)
	for _, tt := range []struct{ bus, want string }{
		{"sfx", `{"master":1,"sfx":0.5,"ambience":1,"voice":1}`},
		{"ambience", `{"master":1,"sfx":0.5,"ambience":0.5,"voice":1}`},
		{"voice", `{"master":1,"sfx":0.5,"ambience":0.5,"voice":0.5}`},
		{"master", `{"master":0.5,"sfx":0.5,"ambience":0.5,"voice":0.5}`},
	} {
		h.call("audio.setBusVolume", `{"bus":"`+tt.bus+`","volume":0.5}`, `{"ok":true}`)
		h.still("audio.setBusVolume", `{"bus":"`+tt.bus+`","volume":0.5}`, `{"ok":true}`)
		if got := h.state("audio.mixer"); got != tt.want {
			t.Errorf("after setting %s the mixer is %s, want %s", tt.bus, got, tt.want)
		}
	}
}

func TestMusic(t *testing.T) {
	h := newHall(t)
	h.still("audio.stopBGM", `{}`, `{"ok":true}`)
	for _, tt := range []struct{ skill, input, want string }{
		{"audio.playBGM", `{"trackId":"calm"}`, `{"trackId":"calm","volume":0.5,"loop":true,"fadeSecs":0,"since":1}`},
		{"audio.playBGM", `{"trackId":"calm","volume":0,"loop":false,"config":{"x": 1}}`, `{"trackId":"calm","volume":0,"loop":false,"config":{"x":1},"fadeSecs":0,"since":2}`},
		{"audio.setBGM", `{"trackId":"battle"}`, `{"trackId":"battle","volume":0.5,"loop":true,"fadeSecs":1,"since":3}`},
		{"audio.setBGM", `{"trackId":"calm","duration":2.5,"volume":1}`, `{"trackId":"calm","volume":1,"loop":true,"fadeSecs":2.5,"since":4}`},
		{"audio.stopBGM", `{}`, `{"trackId":"","volume":0,"loop":false,"fadeSecs":0.5,"since":5}`},
		{"audio.playBGM", `{"trackId":"any name there is"}`, `{"trackId":"any name there is","volume":0.5,"loop":true,"fadeSecs":0,"since":6}`},
		{"audio.stopBGM", `{"fadeMs":0}`, `{"trackId":"","volume":0,"loop":false,"fadeSecs":0,"since":7}`},
	} {
		h.step(1)
		h.call(tt.skill, tt.input, `{"ok":true}`)
		h.still(tt.skill, tt.input, `{"ok":true}`) // the same is wanted already
		if got := h.state("audio.music"); got != tt.want {
			t.Errorf("%s %s: the music is %s, want %s", tt.skill, tt.input, got, tt.want)
		}
	}
}

func TestReverb(t *testing.T) {
	h := newHall(t)
	h.call("audio.setReverb", `{"position":[1,2,3],"radius":5}`, `{"zoneId":"rvb_0"}`)
	h.still("audio.setReverb", `{"position":[1,2,3],"radius":5}`, `{"zoneId":"rvb_0"}`)
	h.call("audio.setReverb", `{"position":[1,2,3],"radius":6}`, `{"zoneId":"rvb_1"}`)
	h.call("audio.setReverb", `{"position":[1,2,3],"radius":5,"size":10,"decay":3,"damping":0}`, `{"zoneId":"rvb_0"}`)
	want := `{"rvb_0":{"position":[1,2,3],"radius":5,"size":10,"decay":3,"damping":0,"by":"ann"},` +
		`"rvb_1":{"position":[1,2,3],"radius":6,"size":1,"decay":1,"damping":0.5,"by":"ann"}}`
	if got := h.state("audio.reverb"); got != want {
		t.Errorf("the zones are %s, want %s", got, want)
	}
	h.call("audio.stop", `{"handle":"rvb_0"}`, `{"ok":true}`)
	h.still("audio.stop", `{"handle":"rvb_0"}`, `handler_error: there is no reverb zone rvb_0; the nearest are rvb_1`)
	h.call("audio.setReverb", `{"position":[1,2,3],"radius":5}`, `{"zoneId":"rvb_2"}`)
	for _, id := range []string{"rvb_1", "rvb_2"} {
		h.call("audio.stop", `{"handle":"`+id+`"}`, `{"ok":true}`)
	}
	h.still("audio.stop", `{"handle":"rvb_1"}`, `handler_error: there is no reverb zone rvb_1; there is none at all`)
	if got := h.state("audio.reverb"); got != `{}` {
		t.Errorf("the zones are %s, want none", got)
	}
}

// TestLimits has one agent take all that is for one of each thing of which the world holds only so many.
func TestLimits(t *testing.T) {
	h := newHall(t)
	for i := range audio.MaxPlaying * 3 / 4 {
		h.call("audio.play", `{"freq":1,"secs":1}`, fmt.Sprintf(`{"handle":"snd_%d"}`, i))
	}
	h.still("audio.play", `{"freq":1,"secs":1}`, `capacity_exceeded: 768 of 1024 sounds that play are yours, and the 256 that are left are for others: audio.stop ends one, or wait until one has ended`)
	h.call("audio.stop", `{"handle":"snd_5"}`, `{"ok":true}`)
	h.call("audio.play", `{"freq":1,"secs":10}`, `{"handle":"snd_768"}`)
	h.step(60) // all but the last are over
	h.call("audio.play", `{"freq":1,"secs":1}`, `{"handle":"snd_769"}`)
	h.still("audio.stop", `{"handle":"snd_7"}`, `{"ok":false}`)
	h.call("audio.stop", `{"handle":"snd_768"}`, `{"ok":true}`)

	for i := range audio.MaxBeds * 3 / 4 {
		h.call("audio.ambient", `{}`, fmt.Sprintf(`{"handle":"snd_%d"}`, 770+i))
	}
	h.still("audio.ambient", `{}`, `capacity_exceeded: 48 of 64 ambient beds are yours, and the 16 that are left are for others: audio.stop ends one`)
	for i := range audio.MaxZones * 3 / 4 {
		h.call("audio.setReverb", fmt.Sprintf(`{"position":[%d,0,0],"radius":1}`, i), fmt.Sprintf(`{"zoneId":"rvb_%d"}`, i))
	}
	h.still("audio.setReverb", `{"position":[0,1,0],"radius":1}`, `capacity_exceeded: 192 of 256 reverb zones are yours, and the 64 that are left are for others: audio.stop takes one away, by its zoneId, or change one, by its position and radius`)
	h.call("audio.setReverb", `{"position":[7,0,0],"radius":1,"size":2}`, `{"zoneId":"rvb_7"}`)

	long := strings.Repeat("n", audio.MaxText-1)
	for skill, name := range map[string]string{"audio.playSFX": "name", "audio.playBGM": "trackId"} {
		h.still(skill, `{"`+name+`":"`+long+`","config":{}}`, `capacity_exceeded: a name and its config hold at most 16384 bytes, these have 16385`)
	}
	h.still("audio.setBGM", `{"trackId":"`+long+`nn"}`, `capacity_exceeded: a name and its config hold at most 16384 bytes, these have 16385`)
}
