package shown_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

func TestNumber(t *testing.T) {
	for m, want := range map[float64]string{
		0.1 + 0.2: "0.3", 2.220446049250313e-16: "0", -2.220446049250313e-16: "0", -1.0 / 3: "-0.33333", 0.8999999761581421: "0.9", 12: "12",
		0.000005: "1e-05", world.MaxNumber: "3.4e+38", 1234567.891234567: "1.23456789123e+06",
	} {
		if got := strconv.FormatFloat(shown.Number(m), 'g', -1, 64); got != want {
			t.Errorf("Number(%v): got %s, want %s", m, got, want)
		}
	}
}

// TestPoint holds that what is told is near what is, has no more places than are worth reading, and stays as it is when it is told again.
func TestPoint(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := rapid.Float64Range(-world.MaxNumber, world.MaxNumber).Draw(rt, "x")
		got := shown.Point(world.Vec3{x, 0, -x})
		if d := math.Abs(got[0] - x); d > 0.0000051 {
			rt.Errorf("%v is told as %v", x, got[0])
		}
		if again := shown.Point(got); again != got || got[2] != -got[0] || math.Abs(got[0]) > world.MaxNumber {
			rt.Errorf("%v is told as %v, and that as %v", x, got, again)
		}
		y := rapid.Float64Range(-1e6, 1e6).Draw(rt, "y")
		if _, behind, _ := strings.Cut(strconv.FormatFloat(shown.Number(y), 'f', -1, 64), "."); len(behind) > 5 {
			rt.Errorf("%v is told as %v", y, shown.Number(y))
		}
	})
}
