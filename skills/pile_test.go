package skills_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestValidatePile checks ten thousand boxes at one place, and as many a hair beside each other: it finds those that are there twice, and says how many it has not looked at.
// What stands elsewhere is looked at as ever, and so is what is named.
func TestValidatePile(t *testing.T) {
	for _, step := range []float64{0, 0.00001} {
		r := moving(t)
		for n := range 20 {
			var ops []string
			for i := range 500 {
				ops = append(ops, fmt.Sprintf(`{"skill":"scene.createEntity","input":{"position":[%v,0.5,0],"static":true}}`, float64(500*n+i)*step))
			}
			r.Do("world.batch", `{"operations":[%s]}`, strings.Join(ops, ","))
		}
		high := entityOf(t, r.Do("scene.createEntity", `{"position":[30,9,0]}`))
		check := func(input string) (out struct {
			OK       bool
			Findings []struct {
				Kind     string
				Entities []string
			}
			Checked, Skipped int
			Note             string
		},
		) {
			if err := json.Unmarshal([]byte(r.Do("scene.validate", "%s", input)), &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		out := check(`{}`)
		if out.OK || out.Checked != 201 || out.Skipped != 9800 || !strings.Contains(out.Note, "9800 things were not looked at") || len(out.Findings) == 0 {
			t.Errorf("%v apart: ok %v, checked %d, skipped %d, %d findings, %s", step, out.OK, out.Checked, out.Skipped, len(out.Findings), out.Note)
		}
		if out := check(`{"checks":["floating"]}`); len(out.Findings) != 1 || out.Findings[0].Entities[0] != high {
			t.Errorf("%v apart: what floats is %+v", step, out.Findings)
		}
		const last = "ent_9999"
		if out := check(fmt.Sprintf(`{"entities":[%q],"checks":["duplicate","interpenetrating"]}`, last)); len(out.Findings) == 0 || out.Findings[0].Entities[0] != last {
			t.Errorf("%v apart: of the last one it says %+v", step, out.Findings)
		}
	}
}
