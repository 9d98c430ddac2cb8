package skills_test

import (
	"fmt"
	"math"
	"testing"
)

// What has a bank leans into a bend, to the side that its middle is at, whichever way round it goes, and no further than it may; not without a bank, where it is
// straight, or at a stop.
func TestBank(t *testing.T) {
	ring := "" // a circle of 12 m about the origin, in 12 points
	for i := range 12 {
		s, c := math.Sincos(float64(i) * math.Pi / 6)
		ring += fmt.Sprintf(",[%v,0,%v]", 12*s, 12*c)
	}
	const straight = ",[0,0,12],[40,0,12],[80,0,12]"
	for _, c := range []struct {
		name, points, how string
		from, to          float64 // how far in what is 1 m above the path is
	}{
		{"fast", ring, `"speed":8,"bank":20`, 0.33, 0.35},
		{"slow", ring, `"speed":2,"bank":20`, 0.02, 0.05},
		{"the other way round", ring, `"speed":8,"bank":20,"reverse":true`, 0.33, 0.35},
		{"by its side", ring, `"speed":8,"bank":20,"front":"x"`, 0.33, 0.35},
		{"outwards", ring, `"speed":8,"bank":-20`, -0.35, -0.33},
		{"without", ring, `"speed":8`, -1e-6, 1e-6},
		{"straight", straight, `"speed":8,"bank":20`, -1e-6, 1e-6},
		{"at a stop", ring, `"speed":8,"bank":20,"stops":true,"from":0`, -1e-6, 1e-6},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := moving(t)
			r.Do("animation.authorPath", `{"id":"way","closed":%v,"points":[%s],"stops":[{"name":"Mill","position":[0,0,12],"seconds":600}]}`, c.points == ring, c.points[1:])
			floor := entityOf(t, r.Do("scene.createEntity", `{"scale":[1,0.2,2]}`))
			top := entityOf(t, r.Do("scene.createEntity", `{"position":[0,1,0],"size":0.1}`))
			car := entityOf(t, r.Do("scene.group", `{"entities":[%q,%q],"origin":[0,0,0]}`, floor, top))
			how := c.how
			if c.name != "at a stop" {
				how += `,"stops":false,"from":0`
			}
			r.Do("animation.follow", `{"entity":%q,"pathId":"way","acceleration":0,%s}`, car, how)
			r.Steps(60 * 4)
			at, high := r.At(t, car), r.At(t, top)
			if got := math.Hypot(at[0], at[2]) - math.Hypot(high[0], high[2]); c.name != "straight" && (got < c.from || got > c.to) || c.name == "straight" && math.Abs(high[2]-at[2]) > c.to {
				t.Errorf("its top is %v m farther in, want from %v to %v", got, c.from, c.to)
			}
			if long := high.Dist(at); math.Abs(long-1) > 1e-6 {
				t.Errorf("its top is %v m from its floor", long)
			}
		})
	}
}
