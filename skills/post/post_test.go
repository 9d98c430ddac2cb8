package post_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/post"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill {
	p := post.New(w)
	return slices.Concat(post.All(p), scene.All(w), three.All(w), picture.All(picture.Source{World: w, Post: p}))
}

// told checks what viewers get.
func told(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		if got := s.Shared("render.post"); got != want {
			t.Errorf("viewers get\n     %s\nwant %s", got, want)
		}
	}
}

// before calls render.enablePost first.
func before(input string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "render.enablePost", input)
	}
}

const (
	ao    = `"ao":{"enabled":true,"radius":0.5,"scale":1,"distanceExponent":1,"thickness":1,"samples":16,"resolutionScale":0.5,"intensity":1}`
	bloom = `"bloom":{"enabled":true,"strength":0.6,"radius":0.4,"threshold":0.9}`
	grade = `"grade":{"enabled":true,"exposure":1,"contrast":1.1,"saturation":1.15}`
	all   = `{` + ao + `,` + bloom + `,` + grade + `}`

	off     = `{"enabled":false,"ao":false,"bloom":false,"grade":false,"depth":false,"normal":false,"preset":"off"}`
	usually = `{"enabled":true,"ao":true,"bloom":true,"grade":true,"depth":true,"normal":true,"preset":"default"}`
)

func TestEnable(t *testing.T) {
	skilltest.Run(t, skills, "render.enablePost", []skilltest.Case{
		{Name: "everything", Input: `{}`, Want: usually, Check: told(all)},
		{Name: "everything, in words", Input: all, Want: usually, Check: told(all)},
		{
			Name: "no occlusion", Input: `{"ao":{"enabled":false}}`,
			Want:  `{"enabled":true,"ao":false,"bloom":true,"grade":true,"depth":false,"normal":false,"preset":"custom"}`,
			Check: told(`{` + bloom + `,` + grade + `}`),
		},
		{
			Name: "what is left out of a part takes its default", Setup: before(`{"grade":{"exposure":2,"contrast":2,"saturation":2},"bloom":{"enabled":false}}`),
			Input: `{"grade":{"saturation":0}}`, Want: `{"enabled":true,"ao":true,"bloom":true,"grade":true,"depth":true,"normal":true,"preset":"custom"}`,
			Check: told(strings.Replace(all, `"saturation":1.15`, `"saturation":0`, 1)),
		},
		{Name: "off", Setup: before(`{}`), Input: `{"enabled":false}`, Want: off, Check: told(`{}`)},
		{Name: "off, whatever else", Setup: before(`{}`), Input: `{"enabled":false,"grade":{"contrast":2}}`, Want: off, Check: told(`{}`)},
		{Name: "off, one by one", Setup: before(`{}`), Input: `{"ao":{"enabled":false},"bloom":{"enabled":false},"grade":{"enabled":false}}`, Want: off, Check: told(`{}`)},
		{Name: "radius", Input: `{"ao":{"radius":0}}`, Code: registry.CodeInvalidInput, Err: `ao.radius: must be at least 0.01 and at most 10, got 0`, Check: told(`{}`)},
		{Name: "thickness", Input: `{"ao":{"thickness":0}}`, Code: registry.CodeInvalidInput, Err: `ao.thickness: must be greater than 0 and at most 100, got 0`},
		{Name: "samples", Input: `{"ao":{"samples":65}}`, Code: registry.CodeInvalidInput, Err: `ao.samples: must be from 1 to 64, got 65`},
		{Name: "resolution", Input: `{"ao":{"resolutionScale":2}}`, Code: registry.CodeInvalidInput, Err: `ao.resolutionScale: must be at least 0.25 and at most 1, got 2`},
		{Name: "threshold", Input: `{"bloom":{"threshold":-1}}`, Code: registry.CodeInvalidInput, Err: `bloom.threshold: must be at least 0 and at most 1, got -1`},
		{Name: "exposure", Input: `{"grade":{"exposure":9}}`, Code: registry.CodeInvalidInput, Err: `grade.exposure: must be at least 0 and at most 8, got 9`},
		{Name: "permission", As: "social.actor", Input: `{}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
	skilltest.Needs(t, skills, "render.enablePost", `{}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}

// TestDefaults compares the defaults of the schema, which apply in a part that is given, with those of a part that is not.
func TestDefaults(t *testing.T) {
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "render.enablePost", `{"ao":{},"bloom":{},"grade":{}}`)
	var got post.Look
	if err := json.Unmarshal([]byte(s.Shared("render.post")), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(post.Defaults(), got); diff != "" {
		t.Errorf("of what the schema says (-want +got):\n%s", diff)
	}
}

// TestTwice makes no second commit, so that nobody is told of nothing.
func TestTwice(t *testing.T) {
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "render.enablePost", `{}`)
	tick := s.World.Tick()
	s.Must(t, ann, "render.enablePost", `{}`)
	if got := s.World.Tick(); got != tick {
		t.Errorf("the same again is a commit: tick %d, before %d", got, tick)
	}
}

// TestPictures looks at a red floor with a white lamp on it.
func TestPictures(t *testing.T) {
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"size":8,"position":[0,-4,0],"color":12586032}`)
	s.Must(t, ann, "scene.createEntity", `{"shape":"sphere","size":0.5,"position":[0,0.25,0],"color":16777215}`)
	s.Must(t, ann, "scene.createEntity", `{"size":2,"position":[-3,1,0],"color":12586032}`)
	s.Must(t, ann, "three.setLight", `{"entity":"ent_1","intensity":1,"range":1}`)
	take := func(p string) image.Image {
		t.Helper()
		s.Must(t, ann, "render.enablePost", p)
		res := s.Registry.Invoke(t.Context(), &registry.Request{
			Name: "scene.render", Principal: ann, Input: []byte(`{"camera":{"position":[0,4,6],"target":[-0.5,0.3,0]},"width":120,"height":90,"format":"png","grid":false,"shadows":false}`),
		}, nil)
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		img, err := png.Decode(bytes.NewReader(res.Content[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	const none = `"ao":{"enabled":false},"bloom":{"enabled":false},"grade":{"enabled":false}`
	only := func(part, values string) string {
		return "{" + strings.Replace(none, `"`+part+`":{"enabled":false}`, `"`+part+`":{`+values+`}`, 1) + "}"
	}
	plain := take(`{"enabled":false}`)
	level := func(img image.Image, x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
	grey := take(only("grade", `"saturation":0,"contrast":1`))
	for y := range 90 {
		for x := range 120 {
			if c := level(grey, x, y); c.R != c.G || c.G != c.B {
				t.Fatalf("without saturation %d, %d is %v", x, y, c)
			}
		}
	}
	shining := take(only("bloom", `"strength":4,"radius":1,"threshold":0.9`))
	if a, b := level(plain, 60, 34), level(shining, 60, 34); b.G < a.G+5 {
		t.Errorf("beside the lamp the floor is %v, with bloom %v", a, b)
	}
	dark := take(only("ao", ``))
	darker := 0
	for y := range 90 {
		for x := range 120 {
			a, b := level(plain, x, y), level(dark, x, y)
			if b.R > a.R {
				t.Fatalf("with less light %d, %d is %v, before %v", x, y, b, a)
			}
			if int(b.R) < int(a.R)*9/10 {
				darker++
			}
		}
	}
	if darker < 20 || darker > 120*90/5 {
		t.Errorf("%d pixels are darker for ambient occlusion", darker)
	}
}
