package picture

import (
	"encoding/base64"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// ImageIn is the input of scene.image.
type ImageIn struct {
	Hash string `json:"hash" validate:"len=64" jsonschema_description:"The sha256 of the image, as material.import answers it, and the world's table materials has it."`
}

// ImageOut is the output of scene.image.
type ImageOut struct {
	MIMEType string `json:"mimeType" jsonschema_description:"What it is: image/png or image/jpeg."`
	Data     string `json:"data" jsonschema_description:"Base64 of the file."`
}

// ReadImage is scene.image. An image of a hash never changes.
func ReadImage(s Source) registry.Skill {
	return registry.Define(registry.Spec[ImageIn, ImageOut]{
		Name:  "scene.image",
		Title: "Get an image of a material",
		Description: "Get the file of an image that an imported material is made of, as base64, for a program that draws the world. " +
			`To look at the world yourself use scene.render. Example: {"hash":"` + exampleHash + `"}`,
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Slow:        true,
		Handle: func(c *registry.Call, in ImageIn) (ImageOut, error) {
			data, err := world.Read(s.World, c, func(v *world.View) ([]byte, error) {
				data, ok := s.Materials.File(v, in.Hash)
				if !ok {
					return nil, registry.Failf("hash: no material of this world has an image %q: the table materials has the hashes of all", in.Hash)
				}
				return data, nil
			})
			if err != nil {
				return ImageOut{}, err
			}
			return ImageOut{material.MIME(data), base64.StdEncoding.EncodeToString(data)}, nil
		},
	})
}

const exampleHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
