package registry

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// offers is a set of named things beside the skills: [Resources] or [Prompts]. All methods may be
// called concurrently.
type offers[T any] struct {
	noun  string
	set   watched[offerSet[T]]
	later atomic.Pointer[func()] // what the first look is to add; nil for nothing
}

// offerSet is one immutable state of the set.
type offerSet[T any] struct {
	byKey      map[string]T
	order      []string // of registration
	generation uint64
}

func (o *offers[T]) init(noun string) {
	o.noun = noun
	o.set.now.Store(&offerSet[T]{})
}

// add adds all of items, or none.
func (o *offers[T]) add(items []T, keyOf func(T) string) error {
	return o.change(func(s *offerSet[T]) error { return s.add(o.noun, items, keyOf) })
}

// addLater has what items returns added by the first look at the set, which panics where add would fail.
func (o *offers[T]) addLater(items func() []T, keyOf func(T) string) {
	if items == nil {
		panic("registry: RegisterLater: the function is nil")
	}
	add := sync.OnceFunc(func() {
		now := &offerSet[T]{byKey: map[string]T{}, generation: 1}
		if err := now.add(o.noun, items(), keyOf); err != nil {
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
func (s *offerSet[T]) add(noun string, items []T, keyOf func(T) string) error {
	for _, item := range items {
		key := keyOf(item)
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

// all returns the set in the order of registration.
func (o *offers[T]) all() []T {
	s := o.look()
	list := make([]T, len(s.order))
	for i, key := range s.order {
		list[i] = s.byKey[key]
	}
	return list
}
