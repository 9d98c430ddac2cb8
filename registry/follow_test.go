package registry_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// bell is a resource whose places can be rung.
type bell struct {
	mu       sync.Mutex
	watching map[string][]func()
}

func (b *bell) resource() registry.Resource {
	b.watching = map[string][]func(){}
	return registry.DefineResource(registry.ResourceSpec{
		URI: "bell:{name}", Name: "bell", Description: "A bell.", Permissions: []profiles.Permission{profiles.Anyone},
		Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
			return []registry.Contents{{URI: at.URI}}, nil
		},
		Watch: func(at registry.Place, changed func()) (func(), error) {
			if at.Var("name") == "cracked" {
				return nil, registry.Errorf(registry.CodeNotFound, "the bell is cracked")
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			i := len(b.watching[at.Var("name")])
			b.watching[at.Var("name")] = append(b.watching[at.Var("name")], changed)
			return func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.watching[at.Var("name")][i] = nil
			}, nil
		},
	})
}

func (b *bell) ring(names ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range names {
		for _, changed := range b.watching[name] {
			if changed != nil {
				changed()
			}
		}
	}
}

// watched returns how many watches have not been stopped.
func (b *bell) watched() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, list := range b.watching {
		n += len(slices.DeleteFunc(slices.Clone(list), func(f func()) bool { return f == nil }))
	}
	return n
}

func TestFollow(t *testing.T) {
	var b bell
	set := registry.New(registry.Options{}).Resources()
	if err := set.Register(b.resource(), catalogueResource(profiles.Anyone)); err != nil {
		t.Fatal(err)
	}
	told := 0
	f := set.Follow(func() { told++ })
	for _, uri := range []string{"bell:a", "bell:b", "bell:a", "shelf://catalogue"} {
		if err := f.Add(uri); err != nil {
			t.Errorf("Add %s: %v", uri, err)
		}
	}
	for uri, want := range map[string]string{"nothing:x": "unknown resource: nothing:x", "bell:cracked": "the bell is cracked"} {
		var e *registry.Error
		if err := f.Add(uri); !errors.As(err, &e) || e.Code != registry.CodeNotFound || e.Message != want {
			t.Errorf("Add %s: %v, want %s", uri, err, want)
		}
	}
	expect := func(wantTold int, want ...string) {
		t.Helper()
		if got := f.Take(); told != wantTold || !slices.Equal(got, want) {
			t.Errorf("told %d times, changed %q; want %d and %q", told, got, wantTold, want)
		}
	}
	expect(0)
	b.ring("b", "a", "b", "c")
	expect(1, "bell:b", "bell:a")
	b.ring("a")
	b.ring("a")
	expect(2, "bell:a")
	b.ring("a", "b")
	f.Remove("bell:a")
	f.Remove("bell:none")
	b.ring("a")
	expect(3, "bell:b")
	b.ring("b")
	f.Restore([]string{"bell:b", "shelf://catalogue", "bell:a"}) // a is not followed any more
	expect(4, "bell:b", "shelf://catalogue")
	f.Restore([]string{"shelf://catalogue"})
	expect(5, "shelf://catalogue")
	f.Keep(func(r registry.Resource) bool { return r.Info().Name == "catalogue" })
	b.ring("a", "b")
	if expect(5); b.watched() != 0 {
		t.Errorf("%d are watched that nobody follows", b.watched())
	}
	if err := f.Add("bell:b"); err != nil {
		t.Error(err)
	}
	b.ring("b")
	expect(6, "bell:b")
	f.Close()
	if err := f.Add("bell:b"); err != nil || b.watched() != 0 {
		t.Errorf("after Close: %v, %d watched", err, b.watched())
	}
}

func TestFollowIsBounded(t *testing.T) {
	var b bell
	set := registry.New(registry.Options{}).Resources()
	if err := set.Register(b.resource()); err != nil {
		t.Fatal(err)
	}
	f := set.Follow(func() {})
	for i := range registry.MaxFollowed {
		if err := f.Add(fmt.Sprint("bell:", i)); err != nil {
			t.Fatal(err)
		}
	}
	var e *registry.Error
	if err := f.Add("bell:more"); !errors.As(err, &e) || e.Code != registry.CodeCapacityExceeded {
		t.Errorf("Add: %v, want capacity_exceeded", err)
	}
	if err := f.Add("bell:0"); err != nil {
		t.Errorf("Add of what is followed: %v", err)
	}
	f.Close()
}

// A watch that is given up while it begins, and has nothing to stop.
func TestFollowGivenUp(t *testing.T) {
	set := registry.New(registry.Options{}).Resources()
	var f *registry.Follower
	if err := set.Register(registry.DefineResource(registry.ResourceSpec{
		URI: "still:it", Name: "still", Description: "Never changes.", Permissions: []profiles.Permission{profiles.Anyone},
		Read: func(*registry.Call, registry.Place) ([]registry.Contents, error) { return nil, nil },
		Watch: func(at registry.Place, _ func()) (func(), error) {
			f.Remove(at.URI)
			return nil, nil
		},
	})); err != nil {
		t.Fatal(err)
	}
	f = set.Follow(func() { t.Error("told") })
	if err := f.Add("still:it"); err != nil {
		t.Error(err)
	}
	f.Close()
}

// Whoever follows, stops and is told at once loses no watch.
func TestFollowConcurrently(t *testing.T) {
	var b bell
	set := registry.New(registry.Options{}).Resources()
	if err := set.Register(b.resource()); err != nil {
		t.Fatal(err)
	}
	f := set.Follow(func() {})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 200 {
				uri := fmt.Sprint("bell:", (i+g)%3)
				switch (i + g) % 4 {
				case 0:
					f.Remove(uri)
				case 1:
					b.ring("0", "1", "2")
				case 2:
					f.Take()
				default:
					_ = f.Add(uri)
				}
			}
		})
	}
	wg.Wait()
	f.Close()
	if n := b.watched(); n != 0 {
		t.Errorf("%d watches were never stopped", n)
	}
}
