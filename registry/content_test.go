package registry_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

type showIn struct {
	Text  string `json:"text,omitempty"`
	Inner string `json:"inner,omitempty"` // a call of demo.show with this text, and its failure ignored
	Bytes int    `json:"bytes,omitempty"`
	Embed int    `json:"embed,omitempty"` // so many bytes as a resource
	Fail  bool   `json:"fail,omitempty"`
}

type showOut struct{}

// show attaches what it is told to.
func show(name string, attaches bool) registry.Skill {
	return registry.Define(registry.Spec[showIn, showOut]{
		Name: name, Description: "Attach a text.", Permissions: []profiles.Permission{profiles.Anyone}, Attaches: attaches,
		Handle: func(c *registry.Call, in showIn) (showOut, error) {
			if in.Text != "" {
				if err := c.Attach(registry.Text(in.Text)); err != nil {
					return showOut{}, err
				}
			}
			if in.Inner != "" {
				_, _ = c.Invoke("demo.show", []byte(in.Inner))
			}
			if in.Bytes > 0 {
				if err := c.Attach(registry.Image("image/png", make([]byte, in.Bytes))); err != nil {
					return showOut{}, err
				}
			}
			if in.Embed > 0 {
				if err := c.Attach(registry.Embed(registry.Contents{URI: "a:b", Blob: make([]byte, in.Embed)})); err != nil {
					return showOut{}, err
				}
			}
			if in.Fail {
				return showOut{}, registry.Failf("no")
			}
			return showOut{}, nil
		},
	})
}

// What calls attach comes in order; what a call has attached that failed is gone, and nobody else's.
func TestAttach(t *testing.T) {
	r := newRig(t, registry.Options{}, show("demo.show", true), show("demo.mute", false))
	for _, tt := range []struct{ skill, input, want string }{
		{"demo.show", `{}`, ""},
		{"demo.show", `{"text":"a"}`, "text a"},
		{"demo.show", `{"text":"a","inner":"{\"text\":\"b\"}","bytes":3}`, "text a, text b, image/png 3"},
		{"demo.show", `{"text":"a","inner":"{\"text\":\"b\",\"fail\":true}","bytes":3}`, "text a, image/png 3"},
		{"demo.show", `{"text":"a","fail":true}`, "handler_error: no"},
		{"demo.show", `{"bytes":8388608}`, "image/png 8388608"},
		{"demo.show", `{"text":"a","bytes":8388608}`, "capacity_exceeded: the answer has 8388609 bytes of content, at most 8388608 are allowed"},
		{"demo.show", `{"bytes":8388600,"embed":6}`, "capacity_exceeded: the answer has 8388609 bytes of content, at most 8388608 are allowed"},
		{"demo.mute", `{"text":"a"}`, "handler_error: internal error in call 9; nothing was changed"},
		{"demo.mute", `{"inner":"{\"text\":\"b\"}"}`, "text b"},
	} {
		res := r.call(writer(), tt.skill, tt.input)
		var got []string
		for _, c := range res.Content {
			if c.Type == registry.ContentText {
				got = append(got, "text "+c.Text)
			} else {
				got = append(got, c.MIMEType+" "+strconv.Itoa(len(c.Data)))
			}
		}
		if res.Err != nil {
			got = append(got, string(res.Err.Code)+": "+res.Err.Message)
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.skill, tt.input, diff)
		}
	}
}

func TestContentCheck(t *testing.T) {
	png := []byte{1}
	for _, tt := range []struct {
		content registry.Content
		want    string
	}{
		{registry.Text("a"), ""},
		{registry.Text(""), "text content is empty"},
		{registry.Text("\xff"), "text content is not UTF-8"},
		{registry.Image("image/png", png), ""},
		{registry.Image("png", png), `image content: its MIME type is "png", want image/…`},
		{registry.Image("audio/wav", png), `image content: its MIME type is "audio/wav", want image/…`},
		{registry.Image("image/png", nil), "image content: there is no data"},
		{registry.Audio("audio/wav", png), ""},
		{registry.Embed(registry.Contents{URI: "test://a", Text: "x"}), ""},
		{registry.Embed(registry.Contents{URI: "test://a"}), ""},
		{registry.Embed(registry.Contents{URI: "test://a", Text: "\xff"}), "the text of test://a is not UTF-8: bytes are a blob"},
		{registry.Embed(registry.Contents{URI: "test://a", Text: "x", Blob: png}), "the contents of test://a are a text and a blob: want one of them"},
		{registry.Embed(registry.Contents{URI: "a b"}), `"a b" is no URI: want scheme:rest`},
		{registry.Embed(registry.Contents{URI: "x:a b"}), `"x:a b" is no URI: want scheme:rest`},
		{registry.Link("limina://entity/ent_4", "ent_4"), ""},
		{registry.Link("limina://entity/ent_4", ""), "a link to limina://entity/ent_4 has no name"},
		{registry.Link("a-b+c.d1:e", "p"), ""},
		{registry.Link(":e", "p"), `":e" is no URI: want scheme:rest`},
		{registry.Link("1a:e", "p"), `"1a:e" is no URI: want scheme:rest`},
		{registry.Link("a_b:e", "p"), `"a_b:e" is no URI: want scheme:rest`},
		{registry.Link("/etc/passwd", "p"), `"/etc/passwd" is no URI: want scheme:rest`},
		{registry.Content{Type: "video"}, `"video" is no type of content`},
		{registry.Content{Type: registry.ContentResource}, "resource content: there is no resource"},
	} {
		got := ""
		if err := tt.content.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.content, got, tt.want)
		}
	}
}
