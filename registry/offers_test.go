package registry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

var sceneRead = []profiles.Permission{"scene.read"}

// shelf is a resource with a number of books, each one place.
func shelf(books ...string) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: "shelf://book/{title}", Name: "book", Description: "One book.", Permissions: sceneRead,
		Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
			for _, b := range books {
				if b == at.Var("title") {
					return []registry.Contents{{URI: at.URI, MIMEType: "text/plain", Text: b}}, nil
				}
			}
			switch at.Var("title") {
			case "none":
				return nil, nil
			case "odd":
				return []registry.Contents{{URI: "no uri"}}, nil
			case "huge":
				return []registry.Contents{{URI: at.URI, Blob: make([]byte, registry.MaxAttached)}}, nil
			case "broken":
				return nil, errors.New("the shelf has fallen down")
			case "panic":
				panic("termites")
			}
			return nil, registry.Errorf(registry.CodeNotFound, "no book %s", at.Var("title"))
		},
		Complete: registry.Choices(books...),
	})
}

func catalogueResource(permissions ...profiles.Permission) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: "shelf://catalogue", Name: "catalogue", Title: "The catalogue", Description: "All books.", Permissions: permissions,
		Read: func(c *registry.Call, at registry.Place) ([]registry.Contents, error) {
			return []registry.Contents{{URI: at.URI, Text: c.Principal().ID}}, nil
		},
	})
}

// A read is a call: what it gives, and the event that it leaves.
func TestRead(t *testing.T) {
	r := newRig(t, registry.Options{})
	if err := r.reg.Resources().Register(shelf("emma", "ulysses"), catalogueResource("scene.write")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		as              *profiles.Principal
		uri, want, left string
	}{
		{reader(), "shelf://book/emma", "emma", `skill.executed {"skill":"resource.book","version":"1.0.0","intent":1,"profile":"test","input":{"uri":"shelf://book/emma"}}`},
		{writer(), "shelf://catalogue", "mason", `skill.executed {"skill":"resource.catalogue","version":"1.0.0","intent":2,"profile":"test","input":{"uri":"shelf://catalogue"}}`},
		{reader(), "shelf://catalogue", "forbidden: missing permission: scene.write", `skill.refused {"skill":"resource.catalogue","version":"1.0.0","intent":3,"profile":"test","code":"forbidden","reason":"missing permission: scene.write","required":["scene.write"]}`},
		{nil, "shelf://book/emma", "forbidden: missing permission: scene.read", ""},
		{reader(), "shelf://book/lolita", "not_found: no book lolita", ""},
		{reader(), "shelf://book/a%20b", "not_found: no book a b", ""},
		{reader(), "shelf://book/emma/2", "not_found: unknown resource: shelf://book/emma/2", `skill.refused {"skill":"resource","version":"1.0.0","intent":7,"profile":"test","code":"not_found","reason":"unknown resource: shelf://book/emma/2"}`},
		{reader(), "shelf://book/{title}", "not_found: unknown resource: shelf://book/{title}", ""},
		{reader(), "", "not_found: unknown resource: ", ""},
		{reader(), "shelf://book/" + strings.Repeat("x", 2048), "invalid_input: uri: must have at most 2048 characters, got 2061", ""},
		{reader(), "shelf://book/none", "handler_error: internal error in call 11; nothing was changed", ""},
		{reader(), "shelf://book/odd", "handler_error: internal error in call 12; nothing was changed", ""},
		{reader(), "shelf://book/huge", "capacity_exceeded: shelf://book/huge holds 8388625 bytes, at most 8388608 can be read", ""},
		{reader(), "shelf://book/broken", "handler_error: internal error in call 14; nothing was changed", ""},
		{reader(), "shelf://book/panic", "handler_error: internal error in call 15; nothing was changed", ""},
	} {
		contents, err := r.reg.Read(t.Context(), tt.as, tt.uri)
		got := ""
		var e *registry.Error
		switch {
		case errors.As(err, &e):
			got = string(e.Code) + ": " + e.Message
		case len(contents) == 1 && contents[0].URI == tt.uri:
			got = contents[0].Text
		}
		if got != tt.want {
			t.Errorf("Read %.40s: %q, want %q", tt.uri, got, tt.want)
		}
		events := r.events()
		last := events[len(events)-1]
		if left := fmt.Sprintf("%s %s", last.Type, last.Payload); tt.left != "" && left != tt.left {
			t.Errorf("Read %s left\n%s, want\n%s", tt.uri, left, tt.left)
		}
	}
	if n := len(r.events()); n != 15 {
		t.Errorf("%d events, want one for each read", n)
	}
	if _, found := r.reg.Lookup("resource.book"); found {
		t.Error("a resource can be called as a skill")
	}
}

func TestResourceNames(t *testing.T) {
	set := registry.New(registry.Options{}).Resources()
	changes := 0
	stop := set.Watch(func() { changes++ })
	if err := set.Register(shelf(), catalogueResource(profiles.Anyone)); err != nil {
		t.Fatal(err)
	}
	if err := set.Register(shelf("other")); err == nil || err.Error() != "register resource shelf://book/{title}: there is one already" {
		t.Errorf("the same again: %v", err)
	}
	reads := profiles.Grant("scene.read")
	for _, tt := range []struct {
		grants *profiles.Grants
		want   string
	}{{nil, "book catalogue"}, {&reads, "book catalogue"}, {new(profiles.Grants), "catalogue"}} {
		var names []string
		for _, r := range set.Find(tt.grants) {
			names = append(names, r.Info().Name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("Find %v: %s, want %s", tt.grants, got, tt.want)
		}
	}
	if !set.Unregister("shelf://catalogue") || set.Unregister("shelf://catalogue") {
		t.Error("Unregister")
	}
	if left := set.Find(nil); len(left) != 1 || left[0].Info().Name != "book" {
		t.Errorf("left are %v, want book", left)
	}
	stop()
	set.Unregister("shelf://book/{title}")
	if changes != 2 || set.Generation() != 3 {
		t.Errorf("%d changes were told, generation %d; want 2 and 3", changes, set.Generation())
	}
}

// TestZeroOffers registers what is none: it is refused, with all that came with it, and the set can still be changed.
func TestZeroOffers(t *testing.T) {
	reg := registry.New(registry.Options{})
	for what, err := range map[string]error{
		"Resource": reg.Resources().Register(shelf(), registry.Resource{}),
		"Prompt":   reg.Prompts().Register(registry.Prompt{}),
		"Skill":    reg.Register(registry.Skill{}),
	} {
		if want := "register: the zero " + what + " was given"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := reg.Resources().Register(shelf()); err != nil {
		t.Error(err)
	}
	if s := (registry.Skill{}).Stats(); s.Calls() != 0 {
		t.Errorf("the zero Skill was called: %v", s)
	}
}

// Who is to be told, or asked later, is there: else it would be somebody else's call that fails.
func TestNobodyToTell(t *testing.T) {
	reg := registry.New(registry.Options{})
	for want, declare := range map[string]func(){
		"registry: Watch: the function is nil":         func() { reg.Watch(nil) },
		"registry: Follow: the function is nil":        func() { reg.Resources().Follow(nil) },
		"registry: RegisterLater: the function is nil": func() { reg.Resources().RegisterLater(nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panicked with %v, want %s", got, want)
				}
			}()
			declare()
		}()
	}
	if err := errors.Join(reg.Register(named("a", "1.0.0")), reg.Resources().Register(shelf())); err != nil {
		t.Error(err)
	}
}

func TestBadDeclarations(t *testing.T) {
	read := func(*registry.Call, registry.Place) ([]registry.Contents, error) { return nil, nil }
	get := func(*registry.Call, map[string]string) (registry.Prompted, error) { return registry.Prompted{}, nil }
	for want, define := range map[string]func(){
		`registry: resource name "a.b": want one word of [a-zA-Z0-9_-]`: func() { registry.DefineResource(registry.ResourceSpec{Name: "a.b"}) },
		"registry: resource a has no Read":                              func() { registry.DefineResource(registry.ResourceSpec{Name: "a"}) },
		`registry: resource a: "x" is no URI: want scheme:rest`:         func() { registry.DefineResource(registry.ResourceSpec{Name: "a", URI: "x", Read: read}) },
		"registry: resource a: skill resource.a has no description":     func() { registry.DefineResource(registry.ResourceSpec{Name: "a", URI: "x:y", Read: read}) },
		`registry: prompt name "": want words of [a-zA-Z0-9_-] with dots between`: func() {
			registry.DefinePrompt(registry.PromptSpec{})
		},
		"registry: prompt a has no Get": func() { registry.DefinePrompt(registry.PromptSpec{Name: "a"}) },
		"registry: prompt a: argument 2 has no name, or that of another one": func() {
			registry.DefinePrompt(registry.PromptSpec{Name: "a", Get: get, Arguments: []registry.Argument{{Name: "x"}, {Name: "x"}}})
		},
		"registry: prompt a: skill prompt.a names no permission: say profiles.Anyone if it needs none": func() {
			registry.DefinePrompt(registry.PromptSpec{Name: "a", Get: get, Description: "A."})
		},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			define()
		}()
	}
	func() {
		defer func() {
			if got := fmt.Sprint(recover()); !strings.HasPrefix(got, `registry: resource a: URI template "x:{y": `) {
				t.Errorf("a bad template: %s", got)
			}
		}()
		registry.DefineResource(registry.ResourceSpec{Name: "a", URI: "x:{y", Read: read})
	}()
}

// full is as much as one answer may hold.
var full = strings.Repeat("x", registry.MaxAttached)

// greeting is a prompt with an argument of every sort.
func greeting() registry.Prompt {
	return registry.DefinePrompt(registry.PromptSpec{
		Name: "greet", Description: "Greet somebody.", Permissions: []profiles.Permission{profiles.Anyone, "scene.read"},
		Arguments: []registry.Argument{
			{Name: "who", Description: "Whom.", Required: true, Complete: registry.Choices("Ada", "Ben", "Nadal")},
			{Name: "how", Description: "In which words."},
		},
		Get: func(_ *registry.Call, a map[string]string) (registry.Prompted, error) {
			switch a["how"] {
			case "mute":
				return registry.Prompted{}, nil
			case "shout":
				return registry.Prompted{Messages: []registry.Message{{Role: "system", Content: registry.Text("!")}}}, nil
			case "mumble":
				return registry.Prompted{Messages: []registry.Message{{Role: registry.User}}}, nil
			case "at length":
				return registry.Prompted{Messages: []registry.Message{{Role: registry.User, Content: registry.Text(full)}}}, nil
			case "too long":
				return registry.Prompted{Messages: []registry.Message{
					{Role: registry.User, Content: registry.Text(full)}, {Role: registry.Assistant, Content: registry.Text("y")},
				}}, nil
			}
			return registry.Prompted{Messages: []registry.Message{{Role: registry.User, Content: registry.Text("Hello, " + a["who"] + a["how"])}}}, nil
		},
	})
}

func TestPrompt(t *testing.T) {
	r := newRig(t, registry.Options{})
	if err := r.reg.Prompts().Register(greeting()); err != nil {
		t.Fatal(err)
	}
	if err := r.reg.Prompts().Register(greeting()); err == nil || err.Error() != "register prompt greet: there is one already" {
		t.Errorf("the same again: %v", err)
	}
	for _, tt := range []struct {
		as        *profiles.Principal
		name      string
		arguments map[string]string
		want      string
	}{
		{reader(), "greet", map[string]string{"who": "Ada"}, "Hello, Ada"},
		{reader(), "greet", map[string]string{"who": "", "how": "!"}, "Hello, !"},
		{reader(), "greet", nil, "invalid_input: arguments.who: is required: a string"},
		{reader(), "greet", map[string]string{"whom": "Ada"}, "invalid_input: arguments.who: is required: a string; arguments.whom: unknown argument, allowed: who, how"},
		{reader(), "greet", map[string]string{"who": "Ada", "how": "mute"}, "handler_error: internal error in call 5; nothing was changed"},
		{reader(), "greet", map[string]string{"who": "Ada", "how": "shout"}, "handler_error: internal error in call 6; nothing was changed"},
		{reader(), "greet", map[string]string{"who": "Ada", "how": "mumble"}, "handler_error: internal error in call 7; nothing was changed"},
		{reader(), "greet", map[string]string{"who": "Ada", "how": "at length"}, full},
		{reader(), "greet", map[string]string{"who": "Ada", "how": "too long"}, "capacity_exceeded: the prompt has 8388609 bytes, at most 8388608 are allowed"},
		{nil, "greet", map[string]string{"who": "Ada"}, "forbidden: missing permission: scene.read"},
		{reader(), "great", nil, "not_found: unknown prompt: great; prompts/list has the names"},
	} {
		p, err := r.reg.Prompt(t.Context(), tt.as, tt.name, tt.arguments)
		got := ""
		var e *registry.Error
		switch {
		case errors.As(err, &e):
			got = string(e.Code) + ": " + e.Message
		case p != nil && len(p.Messages) == 1:
			got = p.Messages[0].Content.Text
		}
		if got != tt.want {
			t.Errorf("%s %v: %.99q, want %.99q", tt.name, tt.arguments, got, tt.want)
		}
	}
	first := r.events()[0]
	want := `{"skill":"prompt.greet","version":"1.0.0","intent":1,"profile":"test","input":{"arguments":{"who":"Ada"}}}`
	if len(r.events()) != 11 || first.Type != registry.EventExecuted || string(first.Payload) != want {
		t.Errorf("%d events, the first %s %s, want 11 and %s", len(r.events()), first.Type, first.Payload, want)
	}
}

func TestComplete(t *testing.T) {
	many := make([]string, 250)
	for i := range many {
		many[i] = fmt.Sprintf("v%03d", i)
	}
	own := registry.DefinePrompt(registry.PromptSpec{
		Name: "own", Description: "Completes by itself.", Permissions: sceneRead,
		Arguments: []registry.Argument{
			{Name: "many", Complete: func(context.Context, registry.Partial) (registry.Suggestions, error) {
				return registry.Suggestions{Values: many}, nil
			}},
			{Name: "first", Complete: func(context.Context, registry.Partial) (registry.Suggestions, error) {
				return registry.Suggestions{Values: []string{"a"}, Total: 2}, nil
			}},
			{Name: "panic", Complete: func(context.Context, registry.Partial) (registry.Suggestions, error) { panic("no idea") }},
			{Name: "fail", Complete: func(context.Context, registry.Partial) (registry.Suggestions, error) {
				return registry.Suggestions{Values: many}, errors.New("not now")
			}},
		},
		Get: func(*registry.Call, map[string]string) (registry.Prompted, error) { return registry.Prompted{}, nil },
	})
	book, greet := shelf(slices.Concat(many, []string{"emma"})...), greeting()
	for _, tt := range []struct {
		what string
		ask  func(context.Context, registry.Partial) (registry.Suggestions, error)
		p    registry.Partial
		want string
	}{
		{"prefix first", greet.Complete, registry.Partial{Name: "who", Value: "ada", Principal: reader()}, "[Ada Nadal] 2 false"},
		{"nothing fits", greet.Complete, registry.Partial{Name: "who", Value: "x", Principal: reader()}, "[] 0 false"},
		{"nobody knows", greet.Complete, registry.Partial{Name: "how", Principal: reader()}, "[] 0 false"},
		{"no such argument", greet.Complete, registry.Partial{Name: "why", Principal: reader()}, `argument.name: prompt greet has no argument "why", it has who, how`},
		{"not allowed", greet.Complete, registry.Partial{Name: "who"}, "missing permission: scene.read"},
		{"a variable", book.Complete, registry.Partial{Name: "title", Value: "em", Principal: reader()}, "[emma] 1 false"},
		{"too many", book.Complete, registry.Partial{Name: "title", Value: "v", Principal: reader()}, fmt.Sprint(many[:100], 250, true)},
		{"too many, not counted", own.Complete, registry.Partial{Name: "many", Principal: reader()}, fmt.Sprint(many[:100], 250, true)},
		{"not all", own.Complete, registry.Partial{Name: "first", Principal: reader()}, "[a] 2 true"},
		{"a failure", own.Complete, registry.Partial{Name: "fail", Principal: reader()}, "not now"},
		{"a panic", own.Complete, registry.Partial{Name: "panic", Principal: reader()}, "completing an argument of prompt.own panicked: no idea"},
		{"no such variable", book.Complete, registry.Partial{Name: "author", Principal: reader()}, `argument: shelf://book/{title} has no variable "author"`},
		{"no template", catalogueResource(profiles.Anyone).Complete, registry.Partial{Name: "title"}, `argument: shelf://catalogue has no variable "title"`},
	} {
		s, err := tt.ask(t.Context(), tt.p)
		got := fmt.Sprint(s.Values, s.Total, s.More)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, got, tt.want)
		}
	}
}

// holdAll is a gate that holds everything.
type holdAll struct{ held []*registry.Pending }

func (g *holdAll) Judge(p *registry.Pending) registry.Verdict {
	g.held = append(g.held, p)
	return registry.Verdict{Decision: registry.Hold, Reason: "apr_1"}
}

// A gate judges reads and prompts too, and a read that was held gives what it holds to who lets it go.
func TestReadHeld(t *testing.T) {
	gate := &holdAll{}
	r := newRig(t, registry.Options{Gate: gate})
	if err := r.reg.Resources().Register(shelf("emma")); err != nil {
		t.Fatal(err)
	}
	_, err := r.reg.Read(t.Context(), reader(), "shelf://book/emma")
	var e *registry.Error
	if !errors.As(err, &e) || e.Code != registry.CodePendingApproval || len(gate.held) != 1 {
		t.Fatalf("Read: %v, want pending_approval", err)
	}
	res := gate.held[0].Resume(t.Context())
	if res.Err != nil || len(res.Contents()) != 1 || res.Contents()[0].Text != "emma" {
		t.Errorf("Resume: %v, %+v", res.Err, res.Contents())
	}
	if err := r.reg.Prompts().Register(greeting()); err != nil {
		t.Fatal(err)
	}
	if _, err = r.reg.Prompt(t.Context(), reader(), "greet", map[string]string{"who": "Ada"}); !errors.As(err, &e) || e.Code != registry.CodePendingApproval || len(gate.held) != 2 {
		t.Fatalf("Prompt: %v, want pending_approval", err)
	}
	res = gate.held[1].Resume(t.Context())
	if p := res.Prompted(); p == nil || len(p.Messages) != 1 || p.Messages[0].Content.Text != "Hello, Ada" {
		t.Errorf("Resume: %v, %+v", res.Err, p)
	}
	if diff := cmp.Diff([]string{registry.EventHeld, registry.EventExecuted, registry.EventHeld, registry.EventExecuted}, r.types()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestManyArguments gives a prompt more arguments than there is room to speak of: it is refused in a few words, and recorded.
func TestManyArguments(t *testing.T) {
	r := newRig(t, registry.Options{})
	if err := r.reg.Prompts().Register(greeting()); err != nil {
		t.Fatal(err)
	}
	arguments := map[string]string{"who": "Ada"}
	for i := range 100_000 {
		arguments[fmt.Sprintf("%x", i)] = ""
	}
	_, err := r.reg.Prompt(t.Context(), reader(), "greet", arguments)
	var e *registry.Error
	if !errors.As(err, &e) || e.Code != registry.CodeInvalidInput || len(e.Message) > 1000 || strings.Count(e.Message, ";") != 7 {
		t.Errorf("the answer is %.200v", err)
	}
	if events := r.events(); len(events) != 1 || events[0].Type != registry.EventRefused {
		t.Errorf("%d events, %+v", len(events), events)
	}
}
