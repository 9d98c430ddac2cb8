package profiles

import (
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/yamlfile"
)

// resolver works out what the profiles of a file grant, following extends depth first.
type resolver struct {
	base    map[string]Grants // the profiles from before
	entries []entry           // the file's
	byName  map[string]*entry
	path    []string          // the profiles being resolved, outermost first
	done    map[string]Grants // base and, in the end, all entries
	ready   map[string]bool   // the entries that are in done
}

func (r *resolver) resolveAll() error {
	r.byName = make(map[string]*entry, len(r.entries))
	r.ready = make(map[string]bool, len(r.entries))
	for i := range r.entries {
		e := &r.entries[i]
		if _, exists := r.base[e.name]; exists && !e.replace {
			return yamlfile.Errorf(e.line, "profile %s exists already; say replace: true to put this one in its place", e.name)
		} else if !exists && e.replace {
			return yamlfile.Errorf(e.line, "profile %s: replace: true, but there is none to replace, known: %s", e.name, r.known())
		}
		r.byName[e.name] = e
	}
	for i := range r.entries {
		if err := r.resolve(&r.entries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *resolver) resolve(e *entry) error {
	if r.ready[e.name] {
		return nil
	}
	r.path = append(r.path, e.name)
	permissions := slices.Clone(e.grants)
	for _, ref := range e.extends {
		grants, err := r.follow(e, ref)
		if err != nil {
			return err
		}
		permissions = append(permissions, grants.List()...)
	}
	r.path = r.path[:len(r.path)-1]
	r.done[e.name], r.ready[e.name] = Grant(permissions...), true
	return nil
}

// follow returns what the profile grants that e extends.
func (r *resolver) follow(e *entry, ref yamlfile.Item) (Grants, error) {
	if ref.Text == e.name && e.replace {
		return r.base[ref.Text], nil
	}
	if at := slices.Index(r.path, ref.Text); at >= 0 {
		circle := strings.Join(append(r.path[at:], ref.Text), " → ")
		return Grants{}, yamlfile.Errorf(ref.Line, "profile %s: extends goes round in a circle: %s", e.name, circle)
	}
	if target, ok := r.byName[ref.Text]; ok {
		if err := r.resolve(target); err != nil {
			return Grants{}, err
		}
		return r.done[ref.Text], nil
	}
	grants, ok := r.base[ref.Text]
	if !ok {
		err := &UnknownProfileError{Name: ref.Text, Known: r.names()}
		return Grants{}, yamlfile.Errorf(ref.Line, "profile %s: extends: %v", e.name, err)
	}
	return grants, nil
}

// names returns the names of all profiles, those of the file too.
func (r *resolver) names() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(r.base)), maps.Keys(r.byName))
	slices.Sort(names)
	return slices.Compact(names)
}

func (r *resolver) known() string { return strings.Join(slices.Sorted(maps.Keys(r.base)), ", ") }
