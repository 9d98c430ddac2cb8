package skills_test

import (
	"fmt"
	"testing"
)

// Characters get through the doors of a house, past a leaf that stands open, on a grid that was built for nobody's width: what navmesh.build takes where no
// agentRadius is given leads closer past corners than they can.
func TestAroundCorners(t *testing.T) {
	for i, from := range []string{`[-1.44,0.88,-0.846]`, `[-2,0.88,-0.8]`, `[-1.43,0.88,-2]`, `[-1.96,0.88,0.1]`, `[-3,0.88,2.4]`} {
		for _, diagonal := range []bool{false, true} {
			t.Run(fmt.Sprint(i, diagonal), func(t *testing.T) {
				r := moving(t)
				r.Do("architecture.building", `{"width":10,"depth":8,"floor":true,"withRoof":false,"partitions":[{"along":"depth","at":-1,"doorWidth":1.2}]}`)
				leaf := entityOf(t, r.Do("scene.createEntity", `{"position":[-1,1.05,0],"scale":[0.1,2.1,1.2],"static":true}`))
				door := entityOf(t, r.Do("scene.group", `{"entities":[%q],"origin":[-1,0,-0.6]}`, leaf))
				r.Do("interaction.register", `{"entity":%q,"prompt":"Open","type":"open","config":{"open":{"rotationEuler":[0,1.57,0]}}}`, door)
				r.Do("interaction.open", `{"entity":%q}`, door)
				r.Steps(70)
				r.Do("navmesh.build", `{"bounds":{"minX":-8,"minZ":-8,"maxX":8,"maxZ":8},"cellSize":0.2,"diagonal":%v}`, diagonal)
				who := entityOf(t, r.Do("player.spawn", `{"position":%s}`, from))
				r.Steps(20)
				r.Do("navmesh.moveTo", `{"entity":%q,"target":[1.5,0,-2.6],"speed":3}`, who)
				r.Steps(60 * 5)
				if at := r.At(t, who); at[0] < 1.4 || at[2] > -2.5 {
					t.Errorf("it has come to %v: %s", at, r.Do("scene.queryEntities", `{"ids":[%q],"details":true}`, who))
				}
			})
		}
	}
}
