package exchange

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/material"
)

// materialLines returns the lines of a log that have the materials made of images that things in the document have: each image once, then the materials, by name.
func (x *writer) materialLines() (lines []line) {
	names := slices.Sorted(maps.Keys(x.sets))
	written := map[string]bool{"": true}
	for _, name := range names {
		for _, hash := range x.sets[name].Images() {
			if !written[hash] {
				written[hash] = true
				lines = append(lines, line{Op: "image", Image: hash, Data: base64.StdEncoding.EncodeToString(x.images[hash])})
			}
		}
	}
	for _, name := range names {
		lines = append(lines, line{Op: "material", Set: x.sets[name], record: record{Name: name}})
	}
	return lines
}

// imageBytes is how many bytes the lines of images have, at least.
func (x *writer) imageBytes() (n int) {
	for _, data := range x.images {
		n += len(data) / 3 * 4
	}
	return n
}

// image reads the line of an image.
func (r *logReader) image(l *line) error {
	if _, twice := r.images[l.Image]; twice {
		return fmt.Errorf("image: %s is on a line before", quote.Clip(l.Image))
	}
	data, err := base64.StdEncoding.DecodeString(l.Data)
	if err != nil {
		return fmt.Errorf("data: must be base64: %w", err)
	}
	if len(data) > material.MaxFile {
		return fmt.Errorf("data: an image may have %d bytes, got %d", material.MaxFile, len(data))
	}
	img, err := material.Read(data)
	if err != nil {
		return fmt.Errorf("data: %w", err)
	}
	if img.Hash != l.Image {
		return fmt.Errorf("image: must be the sha256 of data, %s, got %s", img.Hash, quote.Clip(l.Image))
	}
	r.images[l.Image] = img
	return nil
}

// material reads the line of a material.
func (r *logReader) material(l *line) error {
	s := l.Set
	switch {
	case l.Name == "" || len(l.Name) > material.MaxName:
		return fmt.Errorf("name: must have 1 to %d bytes, got %d", material.MaxName, len(l.Name))
	case material.IsBuiltin(l.Name):
		return material.Taken(l.Name)
	case slices.ContainsFunc(r.dressings, func(d dressing) bool { return d.name == l.Name }):
		return fmt.Errorf("name: %s is on a line before", quote.Clip(l.Name))
	case s == nil || s.Albedo == "":
		return fmt.Errorf("set.albedo: required")
	}
	if err := checkSet(s); err != nil {
		return err
	}
	d := dressing{name: l.Name, set: *s, where: fmt.Sprintf("log, line %d", r.line)}
	for _, hash := range s.Images() {
		if hash == "" {
			continue
		}
		img, ok := r.images[hash]
		if !ok {
			return fmt.Errorf("set: the image %s is on no line before", quote.Clip(hash))
		}
		d.images = append(d.images, img)
	}
	d.set.Mean = d.images[0].Mean
	r.dressings = append(r.dressings, d)
	return nil
}
