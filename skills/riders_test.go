package skills_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// seen is where something is, and how it is turned about the vertical.
func seen(t *testing.T, r *skilltest.Room, entity string) (x, z, yaw float64) {
	t.Helper()
	var out struct {
		Entities []struct {
			Position [3]float64 `json:"position"`
			Details  struct {
				RotationEuler [3]float64 `json:"rotationEuler"`
			} `json:"details"`
		} `json:"entities"`
	}
	if err := json.Unmarshal([]byte(r.Do("scene.queryEntities", `{"ids":[%q],"details":true}`, entity)), &out); err != nil {
		t.Fatal(err)
	}
	e := out.Entities[0]
	if e.Details.RotationEuler[0] != 0 { // as π, y, π are
		return e.Position[0], e.Position[2], math.Pi - e.Details.RotationEuler[1]
	}
	return e.Position[0], e.Position[2], e.Details.RotationEuler[1]
}

// Who stands in a tram stays where he stands in it, round after round, and looks where he looks in it: towards its front, all the way. Who walks about in it
// looks where he walks.
func TestRiders(t *testing.T) {
	r := moving(t)
	r.Do("animation.authorPath", `{"id":"loop","closed":true,"points":[[-30,0.1,-20],[30,0.1,-20],[38,0.1,0],[30,0.1,20],[-30,0.1,20],[-38,0.1,0]]}`)
	tram := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.5,0],"scale":[4,0.2,12],"static":true}`))
	r.Do("animation.follow", `{"entity":%q,"pathId":"loop","speed":6,"from":30}`, tram)
	x, z, _ := seen(t, r, tram)
	var riders []string
	for _, off := range [][2]float64{{0, 0}, {1, 1}, {-4, -1}} {
		riders = append(riders, entityOf(t, r.Do("player.spawn", `{"position":[%v,1.07,%v]}`, x+off[0], z+off[1])))
	}
	r.Steps(30) // until they stand
	inside := func(id string) (side, front, turned float64) {
		x, z, yaw := seen(t, r, tram)
		rx, rz, ry := seen(t, r, id)
		s, c := math.Sin(yaw), math.Cos(yaw)
		return (rx-x)*c - (rz-z)*s, (rx-x)*s + (rz-z)*c, math.Remainder(ry-yaw, 2*math.Pi)
	}
	var before [3][3]float64
	for i, id := range riders {
		before[i][0], before[i][1], before[i][2] = inside(id)
	}
	for round := range 4 {
		r.Steps(60 * 27) // three quarters of it
		for i, id := range riders {
			side, front, turned := inside(id)
			if d := math.Hypot(side-before[i][0], front-before[i][1]); d > 0.1*float64(round+1) {
				t.Errorf("round %d: rider %d has slipped by %v", round+1, i, d)
			}
			if d := math.Abs(math.Remainder(turned-before[i][2], 2*math.Pi)); d > 0.02*float64(round+1) {
				t.Errorf("round %d: rider %d looks elsewhere in the tram than before, by %v", round+1, i, d)
			}
		}
	}
	r.Do("player.move", `{"entity":%q,"forward":0.1,"yaw":1,"seconds":1}`, riders[0])
	r.Steps(30)
	if _, _, yaw := seen(t, r, riders[0]); math.Abs(math.Remainder(yaw-1, 2*math.Pi)) > 1e-3 {
		t.Errorf("who walks to where it is 1 looks to %v", yaw)
	}
}

// Who stands on a turntable turns with it, in its middle, too, and stands still again when it does.
func TestRidersTurn(t *testing.T) {
	for _, at := range []string{"0", "1.5"} {
		r := moving(t)
		table := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.1,0],"scale":[4,0.2,4],"static":true}`))
		r.Do("animation.authorClip", `{"id":"turn","duration":4,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":4,"value":1.5}]}]}`)
		who := entityOf(t, r.Do("player.spawn", `{"position":[%s,1.07,0]}`, at))
		r.Steps(30)
		r.Do("animation.play", `{"entity":%q,"clipId":"turn","loop":false}`, table)
		r.Steps(60 * 5)
		_, _, yaw := seen(t, r, who)
		if math.Abs(yaw-1.5) > 0.02 {
			t.Errorf("at %s it is turned to %v, and the table by 1.5", at, yaw)
		}
		r.Steps(60)
		if _, _, now := seen(t, r, who); now != yaw {
			t.Errorf("at %s it goes on turning, from %v to %v", at, yaw, now)
		}
	}
}
