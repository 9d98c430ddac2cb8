package registry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/profiles"
)

// offer is something beside the skills that is declared, registered and called as one: a [Resource] or a [Prompt]. Its zero value is none.
type offer interface {
	comparable
	key() string // by which it is looked up
	Allowed(g profiles.Grants) bool
}

// declared makes the skill that is called for an offer, which no list shows. It is called as the noun and the name. permissions become those that are
// declared, in order.
func declared[In any](noun string, of Info, timeout time.Duration, permissions *[]profiles.Permission, call func(*Call, In) (nothing, error)) (Skill, error) {
	name := of.Name
	of.Name, of.Permissions, of.Effect = noun+"."+name, *permissions, Reads
	s, err := newSkill(of, timeout)
	if err != nil {
		return Skill{}, fmt.Errorf("%s %s: %w", noun, name, err)
	}
	*permissions = s.info.Permissions
	s.offer = true
	return typed(s, nil, typesOf(call)), nil
}

// offers is a set of those. All methods may be called concurrently.
type offers[T offer] struct {
	noun  string // "resource": also the name of the skill that is called where there is none
	none  Skill  // called where there is none
	set   watched[offerSet[T]]
	later atomic.Pointer[func()] // what the first look is to add; nil for nothing
}

// offerSet is one immutable state of the set.
type offerSet[T offer] struct {
	byKey      map[string]T
	order      []string // of registration
	generation uint64
}

func (o *offers[T]) init(noun string, none Skill) {
	o.noun, o.none = noun, none
	o.set.now.Store(&offerSet[T]{})
}

// register adds all of a list, or none. It fails if a key is taken, or if one is the zero value.
func (o *offers[T]) register(list []T) error {
	return o.change(func(s *offerSet[T]) error { return s.add(o.noun, list) })
}

// find returns those that grants allow, nil: all, in the order of their registration.
func (o *offers[T]) find(grants *profiles.Grants) []T {
	var found []T
	s := o.look()
	for _, key := range s.order {
		if item := s.byKey[key]; grants == nil || item.Allowed(*grants) {
			found = append(found, item)
		}
	}
	return found
}

// registerLater has what items returns registered by the first look at the set, which panics where register would fail.
func (o *offers[T]) registerLater(items func() []T) {
	if items == nil {
		panic("registry: RegisterLater: the function is nil")
	}
	add := sync.OnceFunc(func() {
		now := &offerSet[T]{byKey: map[string]T{}, generation: 1}
		if err := now.add(o.noun, items()); err != nil {
			panic("registry: " + err.Error())
		}
		o.set.now.Store(now) // nobody is told: it was never seen without
		o.later.Store(nil)
	})
	if o.set.Load().generation > 0 || !o.later.CompareAndSwap(nil, &add) {
		panic("registry: what is registered for later has to come first")
	}
}

// look returns the set as it is.
func (o *offers[T]) look() *offerSet[T] {
	if add := o.later.Load(); add != nil {
		(*add)()
	}
	return o.set.Load()
}

// add adds all of items; if it fails the set is not to be used.
func (s *offerSet[T]) add(noun string, items []T) error {
	var zero T
	for _, item := range items {
		if item == zero {
			return fmt.Errorf("register: the zero %s was given", reflect.TypeFor[T]().Name())
		}
		key := item.key()
		if _, taken := s.byKey[key]; taken {
			return fmt.Errorf("register %s %s: there is one already", noun, key)
		}
		s.byKey[key] = item
		s.order = append(s.order, key)
	}
	return nil
}

// Unregister removes what has this name, or, of resources, this URI, and reports whether it was
// there.
func (o *offers[T]) Unregister(key string) bool {
	return o.change(func(s *offerSet[T]) error {
		if _, ok := s.byKey[key]; !ok {
			return fmt.Errorf("unregister: no such %s", o.noun)
		}
		delete(s.byKey, key)
		s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
		return nil
	}) == nil
}

// change applies edit to a copy of the set, and makes the copy the set if it succeeds.
func (o *offers[T]) change(edit func(*offerSet[T]) error) error {
	o.look()
	return o.set.change(func(old *offerSet[T]) (*offerSet[T], error) {
		next := &offerSet[T]{byKey: maps.Clone(old.byKey), order: slices.Clone(old.order), generation: old.generation + 1}
		if next.byKey == nil {
			next.byKey = map[string]T{}
		}
		return next, edit(next)
	})
}

// Watch has notify called after every change of the set, on the goroutine that made it, until stop
// is called.
func (o *offers[T]) Watch(notify func()) (stop func()) { return o.set.watch(notify) }

// Generation grows with every change of the set.
func (o *offers[T]) Generation() uint64 { return o.look().generation }
