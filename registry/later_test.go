package registry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

func note(uri string) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: uri, Name: "note", Description: "A note.", Permissions: []profiles.Permission{profiles.Anyone},
		Read: func(*registry.Call, registry.Place) ([]registry.Contents, error) { return nil, nil },
	})
}

func uris(list []registry.Resource) (names []string) {
	for _, r := range list {
		names = append(names, r.Info().URI)
	}
	return names
}

// What is registered for later is there for whoever looks first, once, before what comes after it, and
// nobody is told of a change.
func TestRegisterLater(t *testing.T) {
	for name, look := range map[string]func(*registry.Resources){
		"Find":       func(s *registry.Resources) { s.Find(nil) },
		"Lookup":     func(s *registry.Resources) { s.Lookup("note://none") },
		"Template":   func(s *registry.Resources) { s.Template("note://none") },
		"Generation": func(s *registry.Resources) { s.Generation() },
		"Reading":    func(s *registry.Resources) { s.Reading("note://none") },
		"Unregister": func(s *registry.Resources) { s.Unregister("note://none") },
		"Register": func(s *registry.Resources) {
			if err := s.Register(); err != nil {
				t.Error(err)
			}
		},
	} {
		s := registry.New(registry.Options{}).Resources()
		asked, told := 0, 0
		s.RegisterLater(func() []registry.Resource {
			asked++
			return []registry.Resource{note("note://b"), note("note://a")}
		})
		defer s.Watch(func() { told++ })()
		if asked != 0 {
			t.Errorf("%s: asked for before anybody looked", name)
		}
		look(s)
		if name != "Register" && told != 0 {
			t.Errorf("%s: watchers were told of what was always there", name)
		}
		if err := s.Register(note("note://a")); err == nil {
			t.Errorf("%s: a URI that is there was registered again", name)
		}
		if err := s.Register(note("note://c")); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"note://b", "note://a", "note://c"}, uris(s.Find(nil))); diff != "" || asked != 1 {
			t.Errorf("%s: asked %d times (-want +got):\n%s", name, asked, diff)
		}
	}
}

func TestRegisterLaterMistakes(t *testing.T) {
	panics := func(what string, do func()) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", what)
			}
		}()
		do()
	}
	s := registry.New(registry.Options{}).Resources()
	if err := s.Register(note("note://a")); err != nil {
		t.Fatal(err)
	}
	panics("RegisterLater into a set that has something", func() { s.RegisterLater(func() []registry.Resource { return nil }) })

	s = registry.New(registry.Options{}).Resources()
	s.RegisterLater(func() []registry.Resource { return []registry.Resource{note("note://a"), note("note://a")} })
	panics("a second RegisterLater", func() { s.RegisterLater(func() []registry.Resource { return nil }) })
	for range 2 {
		panics("a look at what is there twice", func() { s.Find(nil) })
	}
}
