package skills_test

import (
	"math"
	"strings"
	"testing"
)

// A leaf with a hinge at its edge goes round that, all the way, also in a house that is turned and moved, and as a copy; closed it is where it was, to the bit.
// One without a hinge is noted, with the hinge that it may have.
func TestHinge(t *testing.T) {
	r := moving(t)
	leaf := entityOf(t, r.Do("scene.createEntity", `{"position":[-1,1.05,0],"scale":[0.1,2.1,1.2],"static":true}`))
	got := r.Do("interaction.register", `{"entity":%q,"prompt":"Open","type":"open","maxRange":90,"config":{"open":{"rotationEuler":[0,1.57,0]}}}`, leaf)
	if want := `it turns about its own middle, and stays in the doorway; config.open with \"hinge\":[-1,1.05,-0.6] has it turn about its edge there`; !strings.Contains(got, want) {
		t.Errorf("of a leaf without a hinge it is told %s", got)
	}
	for _, c := range []struct{ open, want string }{
		{`{"hinge":[0,0,0]}`, "config.open: give position"},
		{`{"position":[0,0,0],"hinge":[0,0,0]}`, "config.open.hinge: is about which point it turns: give rotationEuler with it, and no position"},
		{`{"position":[0,0,0],"rotationEuler":[0,1,0],"hinge":[0,0,0]}`, "config.open.hinge"},
	} {
		if _, err := r.Call(r.Ann, "interaction.register", `{"entity":"ent_0","prompt":"Open","type":"open","config":{"open":`+c.open+`}}`); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.open, err, c.want)
		}
	}
	house := entityOf(t, r.Do("scene.group", `{"entities":[%q],"origin":[0,0,0]}`, leaf))
	r.Do("three.setTransform", `{"entity":%q,"position":[10,0,0],"rotationEuler":[0,1.5707963267948966,0]}`, house)
	hinge := [2]float64{9.4, 1} // of the leaf: it was at -1, -0.6
	r.Do("interaction.register", `{"entity":%q,"prompt":"Open","type":"open","maxRange":90,"config":{"open":{"rotationEuler":[0,1.57,0],"hinge":[9.4,1,1]}}}`, leaf)
	before := r.At(t, leaf)
	near := func(what string) {
		t.Helper()
		if at := r.At(t, leaf); math.Abs(math.Hypot(at[0]-hinge[0], at[2]-hinge[1])-0.6) > 1e-6 || math.Abs(at[1]-1.05) > 1e-9 {
			t.Errorf("%s its middle is at %v, not 0.6 m from its hinge", what, at)
		}
	}
	near("closed")
	r.Do("interaction.open", `{"entity":%q}`, leaf)
	for range 6 {
		r.Steps(10)
		near("on its way")
	}
	r.Steps(10)
	if at := r.At(t, leaf); math.Abs(at[0]-hinge[0]) > 0.01 || math.Abs(at[2]-hinge[1]+0.6) > 0.01 {
		t.Errorf("open it is at %v", at)
	}
	r.Do("interaction.close", `{"entity":%q}`, leaf)
	r.Steps(20)
	near("on its way back")
	r.Do("three.setTransform", `{"entity":%q,"position":[12,0,0]}`, house) // along with its hinge
	hinge[0] += 2
	r.Steps(10)
	near("moved")
	r.Steps(60)
	if at := r.At(t, leaf); at[0] != before[0]+2 || at[2] != before[2] {
		t.Errorf("closed again it is at %v, and was at %v", at, before)
	}
}
