package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/trace"
)

// Options configure a [Registry]. The zero value is useful: no gate, no recorder, a trace in
// memory, no log.
type Options struct {
	Trace    *trace.Log // where events go; default a new one in memory
	Gate     Gate
	Still    func(p *profiles.Principal) error // what a caller may do by now whose call was held is left in p.Grants, before it runs, and before what it has done is committed; an error, which he is told, if it is not to be. It must not wait. Nil: as he was
	Recorder Recorder
	Logger   zerolog.Logger   // what must not reach callers: internal errors, panics
	Clock    func() time.Time // for events and timings; default time.Now
	Tick     func() uint64    // the newest commit's number, for events of calls that commit nothing; default 0
}

// Registry is a set of skills and the pipeline that runs them. All methods may be called
// concurrently; calls that are running keep the skill that they resolved.
type Registry struct {
	trace    *trace.Log
	gate     Gate
	still    func(*profiles.Principal) error // nil: all may do what they might
	screener Screener                        // the gate, if it is one
	recorder Recorder
	log      zerolog.Logger
	clock    func() time.Time
	since    func(time.Time) time.Duration
	tick     func() uint64
	intents  atomic.Uint64
	calls    sync.Pool // of *Call

	set       watched[skillSet]
	resources Resources
	prompts   Prompts
}

// skillSet is one immutable state of the set.
type skillSet struct {
	byName     map[string]*skill // dotted and published names
	order      []Skill           // of registration
	generation uint64

	lists  sync.Map     // of List: filterKey → []Skill, the first maxLists of them
	listed atomic.Int64 // how many were made
}

// New returns an empty registry.
func New(o Options) *Registry {
	if o.Trace == nil {
		o.Trace = trace.New(trace.Options{})
	}
	since := time.Since // which does not ask for the time of day
	if o.Clock == nil {
		o.Clock = time.Now
	} else {
		since = func(t time.Time) time.Duration { return o.Clock().Sub(t) }
	}
	if o.Tick == nil {
		o.Tick = func() uint64 { return 0 }
	}
	r := &Registry{trace: o.Trace, gate: o.Gate, still: o.Still, recorder: o.Recorder, log: o.Logger, clock: o.Clock, since: since, tick: o.Tick}
	r.screener, _ = o.Gate.(Screener)
	r.set.now.Store(&skillSet{byName: map[string]*skill{}})
	r.calls.New = func() any { return &Call{drawer: new(drawer)} }
	r.resources.init()
	r.prompts.init()
	return r
}

// Trace returns the log that the registry's events go to.
func (r *Registry) Trace() *trace.Log { return r.trace }

// Register adds skills, all or none. It fails if a name is taken, also by a name that differs only
// in what stands for its dots.
func (r *Registry) Register(skills ...Skill) error {
	return r.change(len(skills), func(s *skillSet) error {
		for _, k := range skills {
			if k.s == nil {
				return fmt.Errorf("register: the zero Skill was given")
			}
			if err := s.add(k); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *skillSet) add(k Skill) error {
	for _, name := range []string{k.s.info.Name, k.s.wire} {
		if old, taken := s.byName[name]; taken {
			return fmt.Errorf("register %s: the name is taken by %s", k.Name(), old.info.Name)
		}
	}
	s.byName[k.s.info.Name], s.byName[k.s.wire] = k.s, k.s
	s.order = append(s.order, k)
	return nil
}

// Unregister removes a skill by either of its names and reports whether it was there.
func (r *Registry) Unregister(name string) bool {
	return r.change(0, func(s *skillSet) error {
		old, ok := s.byName[name]
		if !ok {
			return fmt.Errorf("unregister %s: no such skill", name)
		}
		s.remove(old)
		return nil
	}) == nil
}

func (s *skillSet) remove(old *skill) {
	delete(s.byName, old.info.Name)
	delete(s.byName, old.wire)
	s.order = slices.DeleteFunc(s.order, func(k Skill) bool { return k.s == old })
}

// Replace puts k in the place of the skill of the same name. It fails if there is none.
func (r *Registry) Replace(k Skill) error {
	return r.change(0, func(s *skillSet) error {
		old, ok := s.byName[k.Name()]
		if !ok || old.info.Name != k.Name() {
			return fmt.Errorf("replace %s: no such skill", k.Name())
		}
		at := slices.IndexFunc(s.order, func(o Skill) bool { return o.s == old })
		s.order[at] = k
		s.byName[k.s.info.Name], s.byName[k.s.wire] = k.s, k.s
		return nil
	})
}

// change applies edit to a copy of the set, with room for some more, and makes the copy the set if it succeeds.
func (r *Registry) change(more int, edit func(*skillSet) error) error {
	return r.set.change(func(old *skillSet) (*skillSet, error) {
		next := &skillSet{
			byName: make(map[string]*skill, len(old.byName)+2*more), order: make([]Skill, 0, len(old.order)+more), generation: old.generation + 1,
		}
		maps.Copy(next.byName, old.byName)
		next.order = append(next.order, old.order...)
		return next, edit(next)
	})
}

// Watch has notify called after every change of the set, on the goroutine that made it, until stop
// is called.
func (r *Registry) Watch(notify func()) (stop func()) { return r.set.watch(notify) }

// Generation grows with every change of the set: what was computed from the set is good as long as
// the generation is the same.
func (r *Registry) Generation() uint64 { return r.set.Load().generation }

// Lookup finds a skill by its dotted or its published name.
func (r *Registry) Lookup(name string) (Skill, bool) {
	s, ok := r.set.Load().byName[name]
	return Skill{s}, ok
}

// LookupBytes is Lookup without a string.
func (r *Registry) LookupBytes(name []byte) (Skill, bool) {
	s, ok := r.set.Load().byName[string(name)]
	return Skill{s}, ok
}

// Filter selects skills; its zero value selects all.
type Filter struct {
	Grants    *profiles.Grants // only what these allow; nil for no such limit
	Core      bool             // only the core tier
	Published bool             // only what standard clients are shown
	Category  string           // only this category; "" for all
}

// List returns the selected skills in the order of their registration. The slice is shared with
// later calls and not to be changed.
func (r *Registry) List(f Filter) []Skill {
	set := r.set.Load()
	key := filterKey{core: f.Core, published: f.Published, category: f.Category}
	if f.Grants != nil {
		key.limited, key.grants = true, *f.Grants
	}
	if list, ok := set.lists.Load(key); ok {
		return list.([]Skill)
	}
	var found []Skill
	for _, k := range set.order {
		if f.match(k) {
			found = append(found, k)
		}
	}
	found = slices.Clip(found)
	if set.listed.Add(1) <= maxLists {
		set.lists.Store(key, found)
	}
	return found
}

// filterKey is what a [Filter] says, comparable.
type filterKey struct {
	grants                   profiles.Grants
	limited, core, published bool
	category                 string
}

// maxLists bounds how many lists are kept of one set: categories may be anybody's text.
const maxLists = 256

func (f Filter) match(k Skill) bool {
	i := &k.s.info
	return (f.Grants == nil || k.Allowed(*f.Grants)) &&
		(!f.Core || i.Core) && (!f.Published || i.Published) &&
		(f.Category == "" || f.Category == i.Category)
}

// maxNear is how many names a message about an unknown one lists.
const maxNear = 3

// Near returns up to three names of skills that grants allow (nil: any) and that name may have
// meant, best first: those that a slip or two turn into name, or that have its words in another order or without the domain, as
// scene.createEntity has those of "entity.create", or else those of another
// domain that are called so by several words, and what a search finds for its words ([Spec.Find]). Where there is
// nothing that searches, or it finds nothing, they are those that are written alike, or have all of its words among others,
// or else the first of the same domain: who asks for "scene.addBox" is helped by what else there is in "scene".
func (r *Registry) Near(name string, grants *profiles.Grants) []string {
	allowed := r.List(Filter{Grants: grants})
	names := sortedNames(allowed)
	short := name[:min(len(name), MaxNameLength)]
	asked := wire.Words(short)
	near := slices.DeleteFunc(wire.Slips(name, names, maxNear), func(near string) bool { return turned(asked, wire.Words(near)) })
	if len(near) > 0 {
		return near
	}
	if len(asked) > 1 {
		near := called(allowed, func(domain, words []string) bool {
			return within(words, asked) && within(asked, slices.Concat(domain, words))
		})
		if near != nil {
			return near
		}
	}
	sought := asked
	if len(sought) > 1 && sought[0] == "scene" { // everything is in the scene: what is to be done says more
		sought = sought[1:]
	}
	near = r.find(sought, grants)
	if last := wire.Words(short[strings.LastIndexAny(short, "._")+1:]); len(last) > 1 { // of another domain: player.moveTo is navmesh.moveTo
		for _, elsewhere := range called(allowed, func(_, words []string) bool { return slices.Equal(words, last) }) {
			near = append([]string{elsewhere}, slices.DeleteFunc(near, func(name string) bool { return name == elsewhere })...)
		}
		near = near[:min(len(near), maxNear)]
	}
	if near != nil {
		return near
	}
	near = wire.Near(name, names, maxNear)
	if near == nil && len(asked) > 1 {
		near = called(allowed, func(domain, words []string) bool { return within(asked, slices.Concat(domain, words)) })
	}
	end := strings.IndexAny(name, "._")
	if near != nil || end < 0 {
		return near
	}
	for _, k := range allowed {
		if len(near) < maxNear && strings.HasPrefix(k.Name(), name[:end]+".") {
			near = append(near, k.Name())
		}
	}
	return near
}

// turned reports whether one name is to get what the other is to set, or to heal what the other is to hurt: that is a letter, but no slip.
func turned(words, others []string) bool {
	for _, pair := range [...][2]string{{"get", "set"}, {"deal", "heal"}} {
		for i, word := range pair {
			if slices.Contains(words, word) && slices.Contains(others, pair[1-i]) {
				return true
			}
		}
	}
	return false
}

// called returns the names of up to three of skills for which is holds, of the words of the domain, which is all before the last
// dot, and the words behind it.
func called(skills []Skill, is func(domain, words []string) bool) (names []string) {
	for _, k := range skills {
		dot := strings.LastIndexByte(k.Name(), '.') + 1
		if len(names) < maxNear && is(wire.Words(k.Name()[:dot]), wire.Words(k.Name()[dot:])) {
			names = append(names, k.Name())
		}
	}
	return names
}

// within reports whether all of words are among others.
func within(words, others []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(others, w) })
}

// finder returns the skill that finds others for whoever has grants (nil: for all), the zero Skill if there is none.
func (r *Registry) finder(grants *profiles.Grants) Skill {
	for _, k := range r.set.Load().order {
		if k.s.find != nil && (grants == nil || k.Allowed(*grants)) {
			return k
		}
	}
	return Skill{}
}

// find returns up to three names of skills that grants allow and that the finder finds for the words.
func (r *Registry) find(words []string, grants *profiles.Grants) (names []string) {
	k := r.finder(grants)
	if k.s == nil || len(words) == 0 {
		return nil
	}
	found := k.s.find(r, strings.Join(words, " "), func(k Skill) bool { return grants == nil || k.Allowed(*grants) })
	for _, k := range found[:min(len(found), maxNear)] {
		names = append(names, k.Name())
	}
	return names
}
