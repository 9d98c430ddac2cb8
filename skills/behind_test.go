package skills_test

import (
	"strings"
	"testing"
)

// TestWhatStaysBehind turns a castle: its author is told what is at places in it, and so stays where it was, and nothing of what goes along or is elsewhere.
func TestWhatStaysBehind(t *testing.T) {
	r := newStage(t)
	hall := entityOf(t, r.Do("architecture.building", `{"width":12,"depth":10}`))
	stone := entityOf(t, r.Do("scene.createEntity", `{"position":[40,0,0]}`))
	r.Do("trigger.create", `{"center":[1,1,1],"size":[1,1,1]}`)
	r.Do("trigger.create", `{"center":[30,1,1],"size":[1,1,1]}`)
	r.Do("trigger.create", `{"entity":%q,"center":[0,1,0],"size":[1,1,1]}`, hall)
	r.Do("ui.label", `{"anchor":{"kind":"world","point":[0,2,0]},"text":"Welcome"}`)
	r.Do("ui.label", `{"anchor":{"kind":"world","entity":%q},"text":"Hall"}`, hall)
	r.Do("behavior.define", `{"id":"guard","name":"Guard","goals":[{"id":"rounds","type":"patrol","config":{"waypoints":[[2,0,2],[-2,0,2]]}}]}`)
	for input, want := range map[string]string{
		`{"entity":"` + hall + `","rotationEuler":[0,0.5,0]}`: `"note":"what is at a place and not at an entity stays where it was: zone trg_0, panel ui_0, behavior guard"`,
		`{"entity":"` + stone + `","position":[41,0,0]}`:      ``,
		`{"entity":"` + hall + `","position":[0,0,0]}`:        ``, // where it is
	} {
		if got := r.Do("three.setTransform", "%s", input); !strings.Contains(got, want) || want == "" && strings.Contains(got, "note") {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}
