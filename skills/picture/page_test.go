package picture_test

import (
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestTheOtherRules writes down what the page's rules of what a person consists of are tested against, and holds it to what pictures have.
func TestTheOtherRules(t *testing.T) {
	type pose struct {
		Stride float64 `json:"stride"`
		Speed  float64 `json:"speed"`
		Low    bool    `json:"low"`
		Aloft  bool    `json:"aloft"`
	}
	type part struct {
		Round bool       `json:"round"`
		Pos   world.Vec3 `json:"pos"`
		Rot   world.Quat `json:"rot"`
		Size  world.Vec3 `json:"size"`
		Color uint32     `json:"color"`
	}
	type sample struct {
		Pose  pose       `json:"pose"`
		Size  world.Vec3 `json:"size"`
		ID    world.ID   `json:"id"`
		Color uint32     `json:"color"`
		Parts []part     `json:"parts"`
	}
	usual := world.Vec3{0.7, 1.7, 0.7}
	var got []sample
	for i, c := range []sample{
		{Size: usual},
		{Size: usual, Pose: pose{Stride: 0.4, Speed: 1.2}},
		{Size: usual, Pose: pose{Stride: 11, Speed: 5}},
		{Size: world.Vec3{0.7, 1.2, 0.7}, Pose: pose{Stride: 2, Speed: 2.25, Low: true}},
		{Size: usual, Pose: pose{Aloft: true, Speed: 3}},
		{Size: world.Vec3{1, 6, 2}, Pose: pose{Stride: -3, Speed: 8}},
	} {
		c.ID, c.Color = world.ID(7*i+1), 0x4a90d9
		for _, p := range (render.Pose{Stride: c.Pose.Stride, Speed: c.Pose.Speed, Low: c.Pose.Low, Aloft: c.Pose.Aloft}).Parts(c.Size) {
			c.Parts = append(c.Parts, part{p.Kind == render.Sphere, p.Transform.Position, p.Transform.Rotation, p.Size, render.Tint(p.Tone, c.ID, c.Color)})
		}
		got = append(got, c)
	}
	skilltest.Page(t, "figure.json", got)
}
