package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// look has the world drawn, says what shows, and writes the picture into a file if there is a name
// for it.
func (b *builder) look(ctx context.Context, file string) error {
	var seen struct {
		Revision uint64
		Bytes    int
		MIMEType string `json:"mimeType"`
		Views    []struct {
			Visible  int
			Entities []struct {
				Entity string
				Box    [4]int
			}
		}
	}
	eye := args{"position": vec{-11, 6.5, 18}, "target": vec{0, 2.7, 1}, "fov": 38}
	content, err := b.show(ctx, "scene_render", args{"camera": eye, "maxEntities": 3, "format": "jpeg"}, &seen)
	if err != nil {
		return err
	}
	b.say("%d entities show, the largest at %v; the picture has %d bytes.", seen.Views[0].Visible, seen.Views[0].Entities[0].Box, seen.Bytes)
	if file == "" {
		return nil
	}
	for _, c := range content {
		if img, ok := c.(*mcp.ImageContent); ok {
			return os.WriteFile(file, img.Data, 0o644)
		}
	}
	return fmt.Errorf("scene_render answered without a picture")
}
