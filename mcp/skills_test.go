package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// The skills that the tests serve. They touch no world: what a skill does is not what is tested.

type createIn struct {
	Shape    string     `json:"shape,omitempty" validate:"omitempty,oneof=box sphere" jsonschema:"default=box" jsonschema_description:"Visible shape."`
	Size     float64    `json:"size,omitempty" validate:"omitempty,gt=0,lte=50" jsonschema:"default=1" jsonschema_description:"Edge or diameter, in metres."`
	Color    int        `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema:"default=16777215" jsonschema_description:"Colour."`
	Position [3]float64 `json:"position,omitempty" jsonschema_description:"Centre, in metres."`
	Dynamic  bool       `json:"dynamic,omitempty" jsonschema_description:"Whether it moves."`
	Material string     `json:"material,omitempty" validate:"omitempty,max=64" jsonschema_description:"Material name."`
}

type createOut struct {
	Entity string `json:"entity" jsonschema_description:"Id of the new entity."`
}

func createEntity() registry.Skill {
	var n atomic.Int64
	return registry.Define(registry.Spec[createIn, createOut]{
		Name: "scene.createEntity", Title: "Create an entity", Description: "Add a box or a sphere.",
		Permissions: []profiles.Permission{"scene.write"}, Effect: registry.Writes, Core: true, Published: true,
		Handle: func(*registry.Call, createIn) (createOut, error) {
			return createOut{Entity: "ent_" + strconv.FormatInt(n.Add(1)-1, 10)}, nil
		},
	})
}

type echoIn struct {
	Text string `json:"text" jsonschema_description:"What to say."`
}

type echoOut struct {
	Text     string          `json:"text" jsonschema_description:"What was said."`
	Agent    string          `json:"agent" jsonschema_description:"Who said it."`
	Session  string          `json:"session" jsonschema_description:"In which session."`
	Previous registry.Object `json:"previous,omitempty" jsonschema_description:"What came before."`
}

func echo(s *registry.Call, in echoIn) (echoOut, error) {
	out := echoOut{Text: in.Text, Agent: s.Principal().ID, Session: s.Principal().Session}
	if p := s.Previous(); p != nil {
		out.Previous = registry.Object(`{"results":` + string(p) + `}`)
	}
	return out, nil
}

type failIn struct {
	How string `json:"how" validate:"oneof=refuse leak panic full hold deny missing" jsonschema_description:"In which way."`
}

type none struct{}

func fail(_ *registry.Call, in failIn) (none, error) {
	switch in.How {
	case "refuse":
		return none{}, registry.Failf("unknown entity ent_9; nearest: ent_3")
	case "leak":
		return none{}, errors.New("open /etc/shadow: permission denied")
	case "panic":
		panic("deep inside")
	case "full":
		return none{}, registry.Errorf(registry.CodeCapacityExceeded, "entities: at most 1000000")
	case "hold":
		return none{}, registry.Errorf(registry.CodePendingApproval, "apr_3")
	case "deny":
		return none{}, registry.Errorf(registry.CodeForbidden, "not on Sundays")
	default:
		return none{}, registry.Errorf(registry.CodeNotFound, "unknown skill: scene.creat")
	}
}

type workIn struct {
	Seconds float64 `json:"seconds" validate:"gt=0,lte=3600" jsonschema_description:"How long."`
	Deaf    bool    `json:"deaf,omitempty" jsonschema_description:"Whether to ignore cancellation."`
}

type workOut struct {
	Done bool `json:"done" jsonschema_description:"Whether all was done."`
}

// work takes its time, tells of its progress each second and heeds its context.
func work(c *registry.Call, in workIn) (workOut, error) {
	for left := in.Seconds; left > 0; left-- {
		var cancelled <-chan struct{}
		if !in.Deaf {
			cancelled = c.Context().Done()
		}
		select {
		case <-time.After(time.Duration(min(left, 1) * float64(time.Second))):
			c.Progress(in.Seconds-left+min(left, 1), in.Seconds, "working")
		case <-cancelled:
			return workOut{}, context.Cause(c.Context())
		}
	}
	return workOut{Done: true}, nil
}

func testSkills() []registry.Skill {
	anyone := []profiles.Permission{profiles.Anyone}
	spaced, err := raw.Define(registry.RawSpec{
		Name: "demo.raw", Description: "Answer with an object that has white space in it.", Permissions: anyone,
		InputSchema: []byte("{\n\t\"type\": \"object\"\n}"),
		Handle: func(*registry.Call, json.RawMessage) (json.RawMessage, error) {
			return []byte("{\r\n\t\"a\": [1,\n 2], \"b\": \"c\\\\d\\\"e\\n\"\n}"), nil
		},
	})
	if err != nil {
		panic(err)
	}
	return []registry.Skill{
		createEntity(),
		registry.Define(registry.Spec[echoIn, echoOut]{
			Name: "demo.echo", Description: "Say something.", Permissions: anyone, Effect: registry.Reads, Published: true, Handle: echo,
		}),
		registry.Define(registry.Spec[failIn, none]{
			Name: "demo.fail", Description: "Fail.", Permissions: anyone, Published: true, Handle: fail,
		}),
		registry.Define(registry.Spec[workIn, workOut]{
			Name: "demo.work", Description: "Take a while.", Permissions: anyone, Effect: registry.Destroys, Idempotent: true,
			Slow: true, Timeout: time.Minute, Published: true, Handle: work,
		}),
		registry.Define(registry.Spec[workIn, workOut]{
			Name: "demo.quick", Description: "Take a while on the reading goroutine.", Permissions: anyone, Handle: work,
		}),
		registry.Define(registry.Spec[none, none]{
			Name: "trace.tail", Description: "Needs a permission that builders lack.", Permissions: []profiles.Permission{"trace.read"},
			Effect: registry.Reads, Published: true, Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
		}),
		registry.Define(registry.Spec[none, none]{
			Name: "skills.search", Description: "Find skills.", Permissions: anyone, Effect: registry.Reads, Core: true, Published: true,
			Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
		}),
		registry.Define(registry.Spec[none, none]{
			Name: "skills.describe", Description: "Describe a skill.", Permissions: anyone, Effect: registry.Reads, Core: true,
			Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
		}),
		spaced,
		registry.Define(registry.Spec[showIn, showOut]{
			Name: "demo.show", Description: "Show one of every kind of content.", Permissions: anyone, Effect: registry.Reads, Attaches: true, Handle: show,
		}),
		registry.Define(registry.Spec[none, showOut]{
			Name: "demo.showByOther", Description: "Show what another skill shows.", Permissions: anyone, Effect: registry.Reads,
			Handle: func(c *registry.Call, _ none) (showOut, error) {
				_, err := c.Invoke("demo.show", []byte(`{"only":"image"}`))
				return showOut{Shown: 1}, err
			},
		}),
	}
}

type showIn struct {
	Only string `json:"only,omitempty" jsonschema_description:"The one type to show; without it all."`
	Mute bool   `json:"mute,omitempty" jsonschema_description:"Show nothing."`
}

type showOut struct {
	Shown int `json:"shown,omitempty" jsonschema_description:"How many pieces of content."`
}

func show(c *registry.Call, in showIn) (out showOut, err error) {
	link := registry.Link("limina://entity/ent_4", "ent_4")
	link.Title, link.Description, link.MIMEType = "A chair", "Made of \"oak\".", "application/json"
	for _, content := range []registry.Content{
		registry.Text("a\n\"b\" <é>"),
		registry.Image("image/png", []byte{0x89, 'P', 'N', 'G'}),
		registry.Audio("audio/wav", []byte("RIFF")),
		registry.Embed(registry.Contents{URI: "test://text", MIMEType: "text/plain", Text: "t"}),
		registry.Embed(registry.Contents{URI: "test://empty"}),
		registry.Embed(registry.Contents{URI: "test://blob", Blob: []byte{0, 1}}),
		link,
	} {
		if in.Mute || in.Only != "" && in.Only != string(content.Type) {
			continue
		}
		if err := c.Attach(content); err != nil {
			return out, err
		}
		if in.Only == "" {
			out.Shown++
		}
	}
	return out, nil
}

// extra is a skill that tests register while others are served.
func extra(name string) registry.Skill {
	return registry.Define(registry.Spec[none, none]{
		Name: name, Description: "Came later.", Permissions: []profiles.Permission{profiles.Anyone}, Published: true,
		Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
	})
}

// newCore returns an Mcp over the skills above.
func newCore(tb testing.TB, o mcp.Options) *mcp.Mcp {
	tb.Helper()
	reg := registry.New(registry.Options{})
	if err := reg.Register(testSkills()...); err != nil {
		tb.Fatal(err)
	}
	core, err := mcp.New(reg, o)
	if err != nil {
		tb.Fatal(err)
	}
	return core
}

// open opens a session of the given profile.
func open(tb testing.TB, core *mcp.Mcp, profile string) *mcp.Session {
	tb.Helper()
	s, err := core.Open(mcp.Identity{AgentID: "ada", SessionID: "ses-" + profile, Profile: profile})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
