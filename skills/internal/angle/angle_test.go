package angle_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/angle"
)

func TestNote(t *testing.T) {
	for _, tt := range []struct {
		angles []float64
		want   string
	}{
		{[]float64{0, -1.5708, 6}, ""},
		{[]float64{2 * math.Pi}, ""},
		{[]float64{-6.3}, ""},
		{[]float64{90}, "rotation is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give 1.5708"},
		{[]float64{-22.5}, "rotation is in radians, and was taken so: -22.5 is -3.6 turns. If degrees were meant, give -0.3927"},
		{[]float64{720}, "rotation is in radians, and was taken so: 720 is 114.6 turns. If degrees were meant, give 0"},
		{[]float64{0, -90, 1}, "rotation is in radians, and was taken so: -90 is -14.3 turns. If degrees were meant, give [0,-1.5708,0.0175]"},
	} {
		if got := angle.Note("rotation", tt.angles...); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.angles, got, tt.want)
		}
	}
}

// TestTurning: of what turns on, whole turns count.
func TestTurning(t *testing.T) {
	for _, tt := range []struct {
		angles []float64
		want   string
	}{
		{[]float64{6}, ""},
		{[]float64{360}, "speed is in radians, and was taken so: 360 is 57.3 turns. If degrees were meant, give 6.2832"},
		{[]float64{-720}, "speed is in radians, and was taken so: -720 is -114.6 turns. If degrees were meant, give -12.5664"},
		{[]float64{0, 450, 0}, "speed is in radians, and was taken so: 450 is 71.6 turns. If degrees were meant, give [0,7.854,0]"},
	} {
		if got := angle.Turning("speed", tt.angles...); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.angles, got, tt.want)
		}
	}
}

func TestSlope(t *testing.T) {
	slope := func(f float64) *float64 { return &f }
	for _, tt := range []struct {
		slope *float64
		want  string
	}{
		{nil, ""},
		{slope(0.7), ""},
		{slope(5), ""},
		{slope(90), ""},
		{slope(1000), ""}, // any
		{slope(45), "maxSlope is height for distance, and was taken so: 45 is 88.7 degrees. If degrees were meant, give 1"},
		{slope(30), "maxSlope is height for distance, and was taken so: 30 is 88.1 degrees. If degrees were meant, give 0.5774"},
	} {
		if got := angle.Slope("maxSlope", tt.slope); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.slope, got, tt.want)
		}
	}
}
