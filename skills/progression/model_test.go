package progression_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/progression"
)

// dumb is progression as the test sees it: all experience in one sum, and thresholds as fractions.
type dumb struct{ sum int64 }

// level walks up from the first level, with 100 × (3/2)^(n-1) at each.
func (d *dumb) level() (level int, xp, toNext int64) {
	level, xp = 1, d.sum
	step := big.NewRat(100, 1)
	for level < progression.MaxLevel {
		whole := new(big.Int).Quo(step.Num(), step.Denom()).Int64()
		if xp < whole {
			return level, xp, whole - xp
		}
		xp -= whole
		level++
		step.Mul(step, big.NewRat(3, 2))
	}
	return level, xp, 0
}

// TestAgainstOneSum gives experience at random, little and much, and compares with the sum of all of it: how it is divided makes no difference.
func TestAgainstOneSum(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
		s.Must(t, ann, "scene.createEntity", `{}`)
		d, last := &dumb{}, 1
		for range rapid.IntRange(1, 30).Draw(rt, "gains") {
			amount := rapid.Int64Range(1, 1<<rapid.IntRange(1, 50).Draw(rt, "bits")).Draw(rt, "amount")
			if d.sum+amount > 1<<53-1 {
				break
			}
			d.sum += amount
			var got progression.XPOut
			if err := json.Unmarshal([]byte(s.Must(t, ann, "progression.xp", fmt.Sprintf(`{"entity":"ent_0","amount":%d}`, amount))), &got); err != nil {
				rt.Fatal(err)
			}
			level, xp, toNext := d.level()
			if got.NewLevel != level || got.XP != xp || got.XPToNext != toNext || got.SkillPoints != level-1 || got.LeveledUp != (level > last) || len(got.LevelUps) != level-last {
				rt.Fatalf("after %d in all: %+v, want level %d, %d, %d to go, %d levels more", d.sum, got, level, xp, toNext, level-last)
			}
			last = level
		}
	})
}
