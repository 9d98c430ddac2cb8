package skills_test

import (
	"strings"
	"testing"
)

// TestTallerHouse makes a house twice as tall, whose roof does not fit any more then: who does it is told, and who exports it.
func TestTallerHouse(t *testing.T) {
	r := newStage(t)
	group := "ent_8"
	if got := r.Do("architecture.building", `{"position":[0,0,0]}`); !strings.Contains(got, `"group":"`+group+`"`) {
		t.Fatalf("the house is %s, want the group %s", got, group)
	}
	const note = `"note":"ent_6 below it, and 1 more, is turned, and an uneven scale stretches that along its own axes and slants nothing: it may not fit the rest any more, as a roof its walls. Look with scene.render, and set such parts one by one, or scale evenly"`
	for input, want := range map[string]bool{`[2,2,2]`: false, `[1,2,1]`: true, `[2,1,1]`: true, `[1,1,3]`: false} {
		for skill, text := range map[string]string{
			"three.setTransform":  `{"entity":"` + group + `","scale":` + input + `}`,
			"ecs.updateComponent": `{"entity":"` + group + `","component":"scale","value":` + input + `}`,
		} {
			if got := r.Do(skill, "%s", text); strings.Contains(got, note) != want || strings.Contains(got, "note") != want {
				t.Errorf("%s %s: %s, want a note: %t", skill, text, got, want)
			}
		}
		got := r.Do("scene.export", `{"entities":[%q]}`, group)
		if told := strings.Contains(got, "2 parts are turned below something that is scaled unevenly: here they are stretched along their own axes, and other programs slant them"); told != want {
			t.Errorf("exported with the scale %s: %.300s, want a note: %t", input, got, want)
		}
	}
	if _, err := r.Call(r.Ann, "ecs.updateComponent", `{"entity":"ent_99","component":"scale","value":[1,2,1]}`); err == nil || !strings.HasPrefix(err.Message, "unknown entity ent_99") {
		t.Errorf("of nobody: %v", err)
	}
}
