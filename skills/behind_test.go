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

// TestWhatStandsInItStaysBehind moves a house with furniture in it and a lamp on its roof: its author is told which of what is not below it stays, and how it goes along,
// and does so.
func TestWhatStandsInItStaysBehind(t *testing.T) {
	r := newStage(t)
	hall := entityOf(t, r.Do("architecture.building", `{"width":12,"depth":10,"storeys":2,"roofStyle":"flat"}`))
	r.Do("scene.createEntity", `{"name":"meadow","position":[0,-0.05,0],"scale":[60,0.1,60]}`)
	r.Do("scene.createEntity", `{"name":"hedge","position":[0,0.5,5],"scale":[14,1,0.5]}`)
	r.Do("scene.createEntity", `{"name":"tree","position":[9,2,0],"scale":[1,4,1]}`)
	r.Do("player.spawn", `{"position":[1,1,1]}`)
	table := entityOf(t, r.Do("scene.createEntity", `{"name":"table","position":[-2,0.4,1],"scale":[1.6,0.8,1]}`))
	leg := entityOf(t, r.Do("scene.createEntity", `{"position":[2,3.7,1],"scale":[0.1,0.5,0.1]}`))
	seat := entityOf(t, r.Do("scene.createEntity", `{"position":[2,4,1],"scale":[0.5,0.1,0.5]}`))
	stool := entityOf(t, r.Do("scene.group", `{"entities":[%q,%q]}`, leg, seat))
	aerial := entityOf(t, r.Do("scene.createEntity", `{"scale":[0.1,4,0.1]}`))
	r.Do("scene.place", `{"entity":%q,"relation":"on","target":%q}`, aerial, hall)
	placed := `{"entity":"` + hall + `","relation":"alignedWith","point":[30,0,0]}`
	group := `scene.group {"entities":["` + strings.Join([]string{table, stool, aerial}, `","`) + `"],"into":"` + hall + `"}`
	if got := r.Do("three.setTransform", `{"entity":%q,"position":[0,0,-10]}`, hall); !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), "what stands in or on it stays where it was") ||
		!strings.Contains(strings.ReplaceAll(got, `\"`, `"`), group) {
		t.Errorf("got %s, want %s", got, group)
	}
	r.Do("world.undo", `{}`)
	if got := r.Do("scene.place", "%s", placed); !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), group) {
		t.Errorf("%s: got %s, want %s", placed, got, group)
	}
	r.Do("world.undo", `{}`)
	skill, input, _ := strings.Cut(group, " ")
	r.Do(skill, "%s", input)
	if got := r.Do("three.setTransform", `{"entity":%q,"position":[0,0,-10]}`, hall); got != `{"ok":true}` {
		t.Errorf("with all that is in it: %s", got)
	}
	if got := r.Do("scene.queryEntities", `{"name":"table"}`); !strings.Contains(got, `"position":[-2,0.4,-9]`) {
		t.Errorf("the table is at %s", got)
	}
	if got := r.Do("scene.place", "%s", placed); strings.Contains(got, "note") {
		t.Errorf("%s with all that is in it: %s", placed, got)
	}
}
