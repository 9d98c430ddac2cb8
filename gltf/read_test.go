package gltf_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/gltf"
)

// TestMuchOfAKind: of what there is too much of no more is read than is allowed, so that three bytes never become hundreds, as often as there is room
// for them. What stands behind is no JSON, which nobody sees.
func TestMuchOfAKind(t *testing.T) {
	const most = 5
	for kind, open := range map[string]string{
		"nodes": `"nodes":[`, "meshes": `"meshes":[`, "materials": `"materials":[`, "scenes": `"scenes":[`, "buffers": `"buffers":[`, "textures": `"textures":[`, "images": `"images":[`,
	} {
		text := `{"asset":{"version":"2.0"},` + open + strings.Repeat("{},", most) + "!"
		want := "the file has more than 5 " + kind + ", which is what is allowed"
		if _, err := gltf.Decode(glb(text, nil), gltf.Limits{Nodes: most}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", kind, err, want)
		}
	}
	for kind, open := range map[string]string{"accessors": `"accessors":[`, "bufferViews": `"bufferViews":[`} {
		text := `{"asset":{"version":"2.0"},` + open + strings.Repeat("{},", 8*most) + "!"
		want := "the file has more than 40 " + kind
		if _, err := gltf.Decode(glb(text, nil), gltf.Limits{Nodes: most}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", kind, err, want)
		}
	}

	// Primitives count together, and with null for them there are none.
	mesh := `{"primitives":[` + strings.Repeat(`{"mode":0},`, 2) + `{"mode":0}]}`
	for text, want := range map[string]string{
		`{"asset":{"version":"2.0"},"meshes":[` + mesh + `]}`:                             "",
		`{"asset":{"version":"2.0"},"meshes":[` + mesh + `,` + mesh + `]}`:                "meshes[1]: the file has more than 2 primitives",
		`{"asset":{"version":"2.0"},"meshes":[{"primitives":null}],"nodes":null}`:         "",
		`{"asset":{"version":"2.0"},"nodes":{}}`:                                          "nodes: must begin with [",
		`{"asset":{"version":"2.0"},"nodes":[{},7]}`:                                      "nodes[1]: json: cannot unmarshal number",
		`{"asset":{"version":"2.0"}} {}`:                                                  "something behind its end",
		`[]`:                                                                              "must begin with {",
		`{"asset":{"version":"2.0"},"extensionsRequired":[` + strings.Repeat(`"",`, 1000): "more than 1000 extensionsRequired",
	} {
		if strings.HasSuffix(text, ",") {
			text += `""`
		}
		_, err := gltf.Decode(glb(text, nil), gltf.Limits{Nodes: most})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
