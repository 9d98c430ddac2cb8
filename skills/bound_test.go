package skills_test

import (
	"strings"
	"testing"
)

// What follows a path walks nowhere else, whatever gives it a goal, and whoever does so is told; queries tell that it follows one, and where it is on it.
func TestBoundToAPath(t *testing.T) {
	r := moving(t)
	r.Do("animation.authorPath", `{"id":"line","points":[[0,0,0],[60,0,0]],"stops":[{"name":"Mill","position":[20,0,4],"seconds":60}]}`)
	tram := entityOf(t, r.Do("scene.createEntity", `{"name":"tram","scale":[2,2,4]}`))
	if got := r.Do("animation.follow", `{"entity":%q,"pathId":"line","speed":6,"from":0}`, tram); !strings.Contains(got, `reaches 1 m below the path: with height 1 it stands on it`) {
		t.Errorf("of what is half below its path it is told %s", got)
	}
	if got := r.Do("animation.follow", `{"entity":%q,"pathId":"line","speed":6,"from":0,"height":1}`, tram); strings.Contains(got, "below") {
		t.Errorf("of what stands on its path it is told %s", got)
	}
	const held = `it walks nowhere: ent_0 follows the path \"line\": animation.stop has it leave that`
	r.Do("behavior.define", `{"id":"p","name":"P","goals":[{"id":"w","type":"patrol","config":{"waypoints":[[0,0,30],[0,0,-30]]}}],"reactions":[{"trigger":"ring","action":{"type":"say","data":{"text":"next stop"}}}]}`)
	for _, got := range []string{
		r.Do("behavior.assign", `{"entity":%q,"profileId":"p"}`, tram),
		r.Do("behavior.setGoal", `{"entity":%q,"type":"patrol","config":{"waypoints":[[0,0,9]]}}`, tram),
	} {
		if !strings.Contains(got, held) {
			t.Errorf("it is told %s, want %s", got, held)
		}
	}
	for range 30 {
		r.Steps(30)
		if at := r.At(t, tram); at[2] != 0 || at[1] != 1 {
			t.Fatalf("it leaves its path, to %v", at)
		}
	}
	for _, c := range []struct{ skill, input, want string }{
		{"scene.queryEntities", `{"entity":"ent_0"}`, `"path":{"pathId":"line","at":20,"length":60,"stop":"Mill"}`},
		{"scene.queryEntities", `{"ids":["ent_0"],"details":true}`, `"stuck":"ent_0 follows the path \"line\"`},
		{"inspector.snapshot", `{}`, `"path":"line"`},
	} {
		if got := r.Do(c.skill, "%s", c.input); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s, want %s", c.skill, c.input, got, c.want)
		}
	}
	if _, err := r.Call(r.Ann, "scene.queryEntities", `{"entity":"ent_0","ids":["ent_0"]}`); err == nil || !strings.Contains(err.Error(), "say either entity or ids") {
		t.Errorf("with entity and ids: %v", err)
	}
	// Off its path it goes where its goal is.
	r.Do("animation.stop", `{"entity":%q}`, tram)
	r.Steps(60 * 12)
	if at := r.At(t, tram); at[2] < 5 {
		t.Errorf("off its path it is at %v", at)
	}
}
