package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// What a file may have beside its nodes.
const (
	perNode        = 8    // accessors and buffer views of a node: a primitive of ours has six
	mostExtensions = 1000 // that it names
)

// read reads the JSON of a file, element by element: "{}," is three bytes, and what it stands for has hundreds. So what there is too much of is refused before it is
// in memory.
func (d *decoder) read(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := opens(dec, '{'); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if err := d.section(dec, key.(string)); err != nil { // a key is a string, or an error
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("there is something behind its end")
	}
	return nil
}

// section reads one member of the file.
func (d *decoder) section(dec *json.Decoder, key string) error {
	f, n := &d.file, d.limits.Nodes
	switch key {
	case "asset":
		return dec.Decode(&f.Asset)
	case "scene":
		return dec.Decode(&f.Scene)
	case "extensions":
		return d.extensions(dec)
	case "extensionsRequired":
		return elements(dec, key, mostExtensions, &f.ExtensionsRequired)
	case "scenes":
		return elements(dec, key, n, &f.Scenes)
	case "nodes":
		return elements(dec, key, n, &f.Nodes)
	case "meshes":
		return d.meshes(dec)
	case "materials":
		return elements(dec, key, n, &f.Materials)
	case "accessors":
		return elements(dec, key, perNode*n, &f.Accessors)
	case "bufferViews":
		return elements(dec, key, perNode*n, &f.BufferViews)
	case "buffers":
		return elements(dec, key, n, &f.Buffers)
	case "textures":
		return elements(dec, key, n, &f.Textures)
	case "images":
		return elements(dec, key, n, &f.Images)
	}
	var passed json.RawMessage
	return dec.Decode(&passed)
}

// meshes reads the meshes, of which the primitives count together.
func (d *decoder) meshes(dec *json.Decoder) error {
	var list []struct {
		Name       string          `json:"name"`
		Primitives json.RawMessage `json:"primitives"`
	}
	if err := elements(dec, "meshes", d.limits.Nodes, &list); err != nil {
		return err
	}
	d.file.Meshes = make([]mesh, len(list))
	left := d.limits.Nodes
	for i := range list {
		m := &d.file.Meshes[i]
		m.Name = list[i].Name
		if err := within(list[i].Primitives, "primitives", left, &m.Primitives); err != nil {
			return fmt.Errorf("meshes[%d]: %w", i, err)
		}
		left -= len(m.Primitives)
	}
	return nil
}

// extensions reads those of the file that are known: its lights.
func (d *decoder) extensions(dec *json.Decoder) error {
	var of struct {
		Lights *struct {
			Lights json.RawMessage `json:"lights"`
		} `json:"KHR_lights_punctual"`
	}
	if err := dec.Decode(&of); err != nil || of.Lights == nil {
		return err
	}
	d.file.Extensions = &ofFile{&lightList{}}
	if err := within(of.Lights.Lights, "lights", d.limits.Nodes, &d.file.Extensions.Lights.Lights); err != nil {
		return fmt.Errorf("extensions.%s.%w", lightsName, err)
	}
	return nil
}

// within is elements of an array that stands by itself; none is one without elements.
func within[T any](text json.RawMessage, what string, most int, list *[]T) error {
	if len(text) == 0 {
		return nil
	}
	return elements(json.NewDecoder(bytes.NewReader(text)), what, most, list)
}

// elements reads an array of at most so many elements, or null.
func elements[T any](dec *json.Decoder, what string, most int, list *[]T) error {
	*list = nil
	switch err := opens(dec, '['); {
	case errors.Is(err, errNull):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	}
	for dec.More() {
		if len(*list) == most {
			return fmt.Errorf("the file has more than %d %s, which is what is allowed", most, what)
		}
		var one T
		if err := dec.Decode(&one); err != nil {
			return fmt.Errorf("%s[%d]: %w", what, len(*list), err)
		}
		*list = append(*list, one)
	}
	_, err := dec.Token()
	return err
}

var errNull = errors.New("null")

// opens reads the beginning of an object or an array; errNull stands in its place.
func opens(dec *json.Decoder, want json.Delim) error {
	switch t, err := dec.Token(); {
	case err != nil:
		return err
	case t == nil:
		return errNull
	case t != want:
		return fmt.Errorf("must begin with %v", want)
	}
	return nil
}
