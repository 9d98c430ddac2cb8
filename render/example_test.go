package render_test

import (
	"bytes"
	"fmt"
	"image/png"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// A ball hides a part of a crate. The picture says where both are; a program need not look at it.
func Example() {
	scene := &render.Scene{Objects: []render.Object{
		{ID: 1, Name: "crate", Kind: render.Box, Size: world.Vec3{2, 2, 2}, Color: 0x8a5a33, Transform: at(0, 1, 0)},
		{ID: 2, Name: "ball", Kind: render.Sphere, Size: world.Vec3{1, 1, 1}, Color: 0xb5563c, Transform: at(1, 0.5, 3)},
	}}
	pic, err := render.Draw(scene, render.Options{View: render.Front, Width: 320, Height: 240, Grid: true})
	if err != nil {
		panic(err)
	}
	for _, o := range pic.Views[0].Objects {
		fmt.Println(o.ID, o.Name, o.Box)
	}
	file, err := pic.Encode(render.PNG, 70<<10)
	if err != nil {
		panic(err)
	}
	_, err = png.Decode(bytes.NewReader(file.Data))
	fmt.Println(file.MIME, err)
	// Output:
	// ent_0 crate (35,20)-(235,220)
	// ent_1 ball (185,120)-(285,220)
	// image/png <nil>
}
