package material_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// A material that every world has, and one that is made of an image.
func Example() {
	w := world.New(world.Config{})
	library := material.New(w)

	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	img.Set(1, 1, color.White)
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		fmt.Println(err)
		return
	}
	albedo, err := material.Read(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = w.Update(context.Background(), func(tx *world.Tx) error {
		_, err := library.Import(tx, "checks", material.Set{Albedo: albedo.Hash, Scale: 0.5, BaseRoughness: 0.85, Color: 0xffffff}, albedo)
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.View(func(v *world.View) {
		wood, err := material.Named(v, "wood")
		fmt.Printf("%s is #%06x, roughness %g: %v\n", wood.Name, wood.Color, wood.Roughness, err)
		checks, err := material.Named(v, "checks")
		fmt.Printf("%s is made of images: %v, %v\n", checks.Name, checks.Imported, err)
		_, err = material.Named(v, "adamant")
		fmt.Println(err)
	})
	// Output:
	// wood is #8a5a33, roughness 0.75: <nil>
	// checks is made of images: true, <nil>
	// material: unknown material "adamant"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood; imported: checks
}
