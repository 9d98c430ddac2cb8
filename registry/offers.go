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
	noun string
	now  atomic.Pointer[offerSet[T]]

	mu       sync.Mutex // guards changes of now, and watchers
	watchers map[int]func()
	seq      int
}

// offerSet is one immutable state of the set.
type offerSet[T any] struct {
	byKey      map[string]T
	order      []string // of registration
	generation uint64
}

func (o *offers[T]) init(noun string) {
	o.noun, o.watchers = noun, map[int]func(){}
	o.now.Store(&offerSet[T]{})
}

// add adds all of items, or none.
func (o *offers[T]) add(items []T, keyOf func(T) string) error {
	return o.change(func(s *offerSet[T]) error {
		for _, item := range items {
			key := keyOf(item)
			if _, taken := s.byKey[key]; taken {
				return fmt.Errorf("register %s %s: there is one already", o.noun, key)
			}
			s.byKey[key] = item
			s.order = append(s.order, key)
		}
		return nil
	})
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

func (o *offers[T]) change(edit func(*offerSet[T]) error) error {
	o.mu.Lock()
	old := o.now.Load()
	next := &offerSet[T]{byKey: maps.Clone(old.byKey), order: slices.Clone(old.order), generation: old.generation + 1}
	if next.byKey == nil {
		next.byKey = map[string]T{}
	}
	if err := edit(next); err != nil {
		o.mu.Unlock()
		return err
	}
	o.now.Store(next)
	watchers := slices.Collect(maps.Values(o.watchers))
	o.mu.Unlock()
	for _, notify := range watchers {
		notify()
	}
	return nil
}

// Watch has notify called after every change of the set, on the goroutine that made it, until stop
// is called.
func (o *offers[T]) Watch(notify func()) (stop func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seq++
	id := o.seq
	o.watchers[id] = notify
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.watchers, id)
	}
}

// Generation grows with every change of the set.
func (o *offers[T]) Generation() uint64 { return o.now.Load().generation }

// all returns the set in the order of registration.
func (o *offers[T]) all() []T {
	s := o.now.Load()
	list := make([]T, len(s.order))
	for i, key := range s.order {
		list[i] = s.byKey[key]
	}
	return list
}
