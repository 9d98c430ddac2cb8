package mcp_test

import (
	"errors"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/limina-mcp/limina/agentskills"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// The resources and prompts that the tests serve beside the skills.

// bells are resources that change when a test rings them.
type bells struct {
	mu       sync.Mutex
	watching map[string]map[int]func()
	seq      int
}

func (b *bells) watch(at registry.Place, changed func()) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watching[at.URI] == nil {
		b.watching[at.URI] = map[int]func(){}
	}
	b.seq++
	n := b.seq
	b.watching[at.URI][n] = changed
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watching[at.URI], n)
	}, nil
}

func (b *bells) ring(uri string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, changed := range b.watching[uri] {
		changed()
	}
}

// watched returns how many watches there are.
func (b *bells) watched() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, all := range b.watching {
		n += len(all)
	}
	return n
}

// offer registers resources and prompts.
func offer(tb testing.TB, reg *registry.Registry) *bells {
	tb.Helper()
	b := &bells{watching: map[string]map[int]func(){}}
	anyone := []profiles.Permission{profiles.Anyone}
	secret := []profiles.Permission{"trace.read"}
	text := func(text string) func(*registry.Call, registry.Place) ([]registry.Contents, error) {
		return func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
			return []registry.Contents{{URI: at.URI, MIMEType: "text/plain", Text: text}}, nil
		}
	}
	err := reg.Resources().Register(
		registry.DefineResource(registry.ResourceSpec{
			URI: "test://text", Name: "text", Title: "A text", Description: "Some text. To make more call demo.echo.", MIMEType: "text/plain", Size: 5,
			Permissions: anyone, Read: text("a\n\"b\""),
		}),
		registry.DefineResource(registry.ResourceSpec{
			URI: "test://bytes", Name: "bytes", Description: "Some bytes.", Permissions: anyone,
			Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
				return []registry.Contents{{URI: at.URI, Blob: []byte{0, 1, 2}}}, nil
			},
		}),
		registry.DefineResource(registry.ResourceSpec{URI: "test://secret", Name: "secret", Description: "A secret.", Permissions: secret, Read: text("s")}),
		registry.DefineResource(registry.ResourceSpec{
			URI: "test://bell/{name}", Name: "bell", Description: "A bell.", Permissions: anyone, Watch: b.watch,
			Complete: registry.Choices("small", "great", "gross"),
			Read: func(c *registry.Call, at registry.Place) ([]registry.Contents, error) {
				switch at.Var("name") {
				case "none":
					return nil, registry.Errorf(registry.CodeNotFound, "there is no bell of this name")
				case "broken":
					return nil, errors.New("/etc/bells: permission denied")
				}
				return text("rung by "+c.Principal().ID)(c, at)
			},
		}),
		registry.DefineResource(registry.ResourceSpec{
			URI: "test://slow/{seconds}", Name: "slow", Description: "Read after a while.", Permissions: anyone, Slow: true,
			Read: func(c *registry.Call, at registry.Place) ([]registry.Contents, error) {
				if _, err := work(c, workIn{Seconds: float64(len(at.Var("seconds")))}); err != nil {
					return nil, err
				}
				return text("done")(c, at)
			},
		}),
	)
	if err == nil {
		err = reg.Prompts().Register(
			registry.DefinePrompt(registry.PromptSpec{
				Name: "greet", Title: "Greet", Description: "Greet somebody; see demo.echo.", Permissions: anyone,
				Arguments: []registry.Argument{
					{Name: "who", Title: "Whom", Description: "Whom to greet.", Required: true, Complete: registry.Choices("Ada", "Ben")},
					{Name: "how"},
				},
				Get: func(_ *registry.Call, a map[string]string) (registry.Prompted, error) {
					return registry.Prompted{Description: "A greeting.", Messages: []registry.Message{
						{Role: registry.User, Content: registry.Text("Greet " + a["who"] + " " + a["how"])},
						{Role: registry.Assistant, Content: registry.Audio("audio/wav", []byte("RIFF"))},
						{Role: registry.User, Content: registry.Link("test://text", "text")},
					}}, nil
				},
			}),
			registry.DefinePrompt(registry.PromptSpec{
				Name: "ask", Description: "Ask who it is for.", Permissions: anyone, Slow: true,
				Get: func(c *registry.Call, _ map[string]string) (registry.Prompted, error) {
					q := registry.Elicitation{Message: "For whom?", Schema: []byte(`{"type":"object","properties":{"who":{"type":"string"}},"required":["who"]}`)}
					said, err := c.Elicit(q)
					if err != nil {
						return registry.Prompted{}, err
					}
					return registry.Prompted{Messages: []registry.Message{{Role: registry.User, Content: registry.Text("For " + string(said.Content))}}}, nil
				},
			}),
			registry.DefinePrompt(registry.PromptSpec{
				Name: "secret", Description: "A secret.", Permissions: secret,
				Get: func(*registry.Call, map[string]string) (registry.Prompted, error) { return registry.Prompted{}, nil },
			}),
		)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// testGuides are Agent Skills.
func testGuides(tb testing.TB) *agentskills.Set {
	tb.Helper()
	set, err := agentskills.Load(fstest.MapFS{
		"kites/SKILL.md":            {Data: []byte("---\nname: kites\ndescription: Build kites.\nlicense: Apache-2.0\n---\n# Kites\n")},
		"kites/references/knots.md": {Data: []byte("# Knots\n")},
	}, "skill://")
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

// newOffers returns an Mcp that offers all of the above.
func newOffers(tb testing.TB, o mcp.Options) (*mcp.Mcp, *bells) {
	tb.Helper()
	guides := testGuides(tb)
	o.Guides = func() *agentskills.Set { return guides }
	core := newCore(tb, o)
	if err := core.Registry().Resources().Register(guides.Resources()...); err != nil {
		tb.Fatal(err)
	}
	return core, offer(tb, core.Registry())
}
