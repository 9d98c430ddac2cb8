package gltf_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/gltf"
)

// TestAnimations: what cannot be written is named, and what is written is read as if it were not there.
func TestAnimations(t *testing.T) {
	times := []float32{0, 1}
	good := func() gltf.Channel {
		return gltf.Channel{Of: gltf.Rotation, Times: times, Turns: [][4]float32{{0, 0, 0, 1}, {0, 1, 0, 0}}}
	}
	doc := func(list ...gltf.Channel) *gltf.Document {
		return &gltf.Document{Nodes: []gltf.Node{gltf.Identity()}, Animations: []gltf.Animation{{Name: "spin", Channels: list}}}
	}
	data, err := gltf.Encode(doc(good(), gltf.Channel{Of: gltf.Scale, Step: true, Times: times, Vectors: [][3]float32{{1, 1, 1}, {2, 2, 2}}}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `"animations":[{"name":"spin","channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}},{"sampler":1,"target":{"node":0,"path":"scale"}}],` +
		`"samplers":[{"input":0,"interpolation":"LINEAR","output":1},{"input":0,"interpolation":"STEP","output":2}]}]`
	if !strings.Contains(string(data), want) || !strings.Contains(string(data), `{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]}`) {
		t.Errorf("got %q, want %s", data, want)
	}
	back, err := gltf.Decode(data, gltf.Limits{})
	if err != nil || len(back.Nodes) != 1 || len(back.Animations) != 0 {
		t.Errorf("read: %+v, %v", back, err)
	}
	for _, c := range []struct {
		spoil func(*gltf.Channel)
		want  string
	}{
		{func(c *gltf.Channel) { c.Of = "weights" }, `it is of "weights", and must be of translation, rotation or scale`},
		{func(c *gltf.Channel) { c.Node = 1 }, `there is no node 1`},
		{func(c *gltf.Channel) { c.Turns = c.Turns[:1] }, `it has 2 times and 1 values`},
		{func(c *gltf.Channel) { c.Times = []float32{1, 1} }, `time 1 is 1`},
		{func(c *gltf.Channel) { c.Turns[1][1] = 2 }, `rotation 1, [0 2 0 0], has not the length 1`},
	} {
		bad := good()
		c.spoil(&bad)
		if _, err := gltf.Encode(doc(bad)); err == nil || err.Error() != "animation 0: channel 0: "+c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if _, err := gltf.Encode(doc()); err == nil || err.Error() != "animation 0: it has no channels" {
		t.Errorf("without channels: %v", err)
	}
}
