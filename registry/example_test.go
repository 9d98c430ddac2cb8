package registry_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

type greetIn struct {
	Name  string `json:"name" validate:"min=1,max=40" jsonschema_description:"Who is greeted."`
	Times int    `json:"times,omitempty" validate:"omitempty,gte=1,lte=3" jsonschema:"default=1" jsonschema_description:"How often."`
}

type greetOut struct {
	Text string `json:"text"`
}

// A skill is declared once, registered, and then called by text or by Go values.
func Example() {
	greet := registry.Define(registry.Spec[greetIn, greetOut]{
		Name:        "demo.greet",
		Description: "Greet somebody by name.",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(_ *registry.Call, in greetIn) (greetOut, error) {
			if in.Name == "Nobody" {
				return greetOut{}, registry.Failf("name: there is no one to greet")
			}
			return greetOut{Text: fmt.Sprintf("%d × hello, %s", in.Times, in.Name)}, nil
		},
	})
	reg := registry.New(registry.Options{})
	if err := reg.Register(greet); err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	ada := &profiles.Principal{Kind: profiles.KindAgent, ID: "ada", Session: "s1", Grants: profiles.Grant("scene.read")}
	call := func(p *profiles.Principal, input string) {
		res := reg.Invoke(ctx, &registry.Request{Name: "demo_greet", Input: []byte(input), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err.Code, "-", res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call(ada, `{"name":"Bob"}`)
	call(ada, `{"name":"Bob","times":7}`)
	call(ada, `{"name":"Nobody"}`)
	call(nil, `{"name":"Bob"}`)

	out, err := registry.Invoke[greetIn, greetOut](ctx, reg, ada, "demo.greet", greetIn{Name: "Eve", Times: 2})
	fmt.Println(out.Text, err)

	events, _ := reg.Trace().Tail(trace.Filter{})
	for _, e := range events {
		fmt.Printf("%v %s %q\n", e.ID, e.Type, e.ActorID)
	}
	// Output:
	// {"text":"1 × hello, Bob"}
	// invalid_input - times: must be from 1 to 3, got 7
	// handler_error - name: there is no one to greet
	// forbidden - missing permission: scene.read
	// 2 × hello, Eve <nil>
	// evt_0 skill.executed "ada"
	// evt_1 skill.refused "ada"
	// evt_2 skill.failed "ada"
	// evt_3 skill.refused ""
	// evt_4 skill.executed "ada"
}

// A skill calls others by [Call.Invoke]: with its caller's permissions, and all in one commit.
func ExampleCall_Invoke() {
	double := registry.Define(registry.Spec[struct {
		N int `json:"n" validate:"lte=100"`
	}, struct {
		N int `json:"n"`
	}]{
		Name: "demo.double", Description: "Double a number.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(_ *registry.Call, in struct {
			N int `json:"n" validate:"lte=100"`
		},
		) (struct {
			N int `json:"n"`
		}, error,
		) {
			return struct {
				N int `json:"n"`
			}{2 * in.N}, nil
		},
	})
	type none struct{}
	chain := registry.Define(registry.Spec[none, registry.Object]{
		Name: "demo.chain", Description: "Double until it is too much.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ none) (registry.Object, error) {
			last := []byte(`{"n":13}`)
			for {
				next, err := c.Invoke("demo.double", last)
				if err != nil {
					fmt.Println("then:", err)
					return last, nil
				}
				last = next
			}
		},
	})
	reg := registry.New(registry.Options{})
	if err := reg.Register(double, chain); err != nil {
		fmt.Println(err)
		return
	}
	res := reg.Invoke(context.Background(), &registry.Request{Name: "demo.chain"}, nil)
	fmt.Println(string(res.Output), len(res.Events()), "events")
	// Output:
	// then: n: must be at most 100, got 104
	// {"n":104} 5 events
}

// Whatever takes long has a turn while it does, so that one client who asks for it many times has nobody else wait.
func ExampleTurns() {
	turns := registry.NewTurns(1)
	bake := registry.Define(registry.Spec[struct{}, greetOut]{
		Name:        "light.bake",
		Description: "Work out how light falls.",
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Slow:        true,
		Handle: func(c *registry.Call, _ struct{}) (greetOut, error) {
			done, err := turns.Take(c)
			if err != nil {
				return greetOut{}, err
			}
			defer done()
			return greetOut{Text: "bright"}, nil
		},
	})
	reg := registry.New(registry.Options{})
	if err := reg.Register(bake); err != nil {
		fmt.Println(err)
		return
	}
	ada := &profiles.Principal{Kind: profiles.KindAgent, ID: "ada", Session: "s1"}
	out, err := registry.Invoke[struct{}, greetOut](context.Background(), reg, ada, "light.bake", struct{}{})
	fmt.Println(out.Text, err)
	// Output: bright <nil>
}

// Resources are what can be read, prompts are ways to begin.
func ExampleDefineResource() {
	reg := registry.New(registry.Options{})
	err := reg.Resources().Register(registry.DefineResource(registry.ResourceSpec{
		URI: "app://note/{name}", Name: "note", Description: "A note.", MIMEType: "text/plain",
		Permissions: []profiles.Permission{profiles.Anyone},
		Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
			if at.Var("name") != "today" {
				return nil, registry.Errorf(registry.CodeNotFound, "no note %q; there is: today", at.Var("name"))
			}
			return []registry.Contents{{URI: at.URI, MIMEType: "text/plain", Text: "Build a bridge."}}, nil
		},
		Complete: registry.Choices("today"),
	}))
	if err != nil {
		panic(err)
	}
	who := &profiles.Principal{ID: "ada"}
	contents, err := reg.Read(context.Background(), who, "app://note/today")
	fmt.Println(contents[0].Text, err)
	_, err = reg.Read(context.Background(), who, "app://note/tomorrow")
	fmt.Println(err)
	// Output:
	// Build a bridge. <nil>
	// no note "tomorrow"; there is: today
}
