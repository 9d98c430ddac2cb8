package slant_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/slant"
	"github.com/limina-mcp/limina/world"
)

func TestKeeps(t *testing.T) {
	tall, wide := world.Vec3{1, 2, 1}, world.Vec3{3, 1, 2}
	for _, tt := range []struct {
		name  string
		turn  [3]float64
		scale world.Vec3
		want  bool
	}{
		{"not turned", [3]float64{}, wide, true},
		{"evenly scaled", [3]float64{0.1, 0.2, 0.3}, world.Vec3{2, 2, 2}, true},
		{"turned on the spot, and made taller", [3]float64{0, 0.7, 0}, tall, true},
		{"a roof, made taller", [3]float64{0, 0, 0.7}, tall, false},
		{"turned around", [3]float64{0, 3.141592653589793, 0}, wide, true},
		{"turned by a quarter", [3]float64{0, 1.5707963267948966, 0}, wide, false},
		{"on the spot, mirrored", [3]float64{0, 0.7, 0}, world.Vec3{-1, 1, 1}, false},
		{"made flat", [3]float64{0, 0, 0.7}, world.Vec3{1, 0, 1}, false},
		{"made nothing", [3]float64{0, 0, 0.7}, world.Vec3{}, true},
	} {
		if got := slant.Keeps(world.QuatFromEuler(tt.turn[0], tt.turn[1], tt.turn[2]), tt.scale); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
