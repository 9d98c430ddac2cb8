package validation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/world"
)

// fold tells of findings that are alike but for their entities, as of lanterns that all hang too low, once: with the first of them, which has the
// others' entities and operations, too. A finding goes forward to an earlier one only where none between is about one of its entities, for then
// the operations of all, in order, still come to the same.
func fold(all []Finding) []Finding {
	folded := make([]Finding, 0, len(all))
	for i := range all {
		f := &all[i]
		if k := place(folded, f); k >= 0 {
			first := &folded[k]
			first.Alike = append(first.Alike, f.Entities)
			first.Fix = append(first.Fix, f.Fix...)
			continue
		}
		folded = append(folded, *f)
	}
	for i := range folded {
		f := &folded[i]
		if n := len(f.Alike); n > 0 {
			f.Message += fmt.Sprintf("; and %d more alike", n)
		}
	}
	return folded
}

// place returns where a finding can be folded into an earlier one, -1 if nowhere.
func place(earlier []Finding, f *Finding) int {
	if f.Follows { // it is so by the fixes before it
		return -1
	}
	for k := len(earlier) - 1; k >= 0; k-- {
		e := &earlier[k]
		if e.Kind == f.Kind && !e.Follows && (len(e.Fix) == 0) == (len(f.Fix) == 0) && nameless(e.Message) == nameless(f.Message) && nameless(e.Repair) == nameless(f.Repair) {
			return k
		}
		if e.touches(f) && (!e.joins() || !f.joins()) {
			return -1
		}
	}
	return -1
}

// touches reports whether two findings are about, or change, an entity that is the same.
func (f *Finding) touches(o *Finding) bool {
	own := f.about()
	return slices.ContainsFunc(o.about(), func(id string) bool { return slices.Contains(own, id) })
}

// joins reports whether a finding only has things declared to be joined: it moves nothing, so that the order of such does not count.
func (f *Finding) joins() bool {
	return len(f.Fix) > 0 && !slices.ContainsFunc(f.Fix, func(o Op) bool { return o.Skill != declares })
}

// about returns the ids of the entities that a finding is about, those of its fix and of others alike included.
func (f *Finding) about() (ids []string) {
	for _, list := range append([][]world.ID{f.Entities}, f.Alike...) {
		for _, id := range list {
			ids = append(ids, id.String())
		}
	}
	for i := range f.Fix {
		ids = append(ids, strings.Trim(string(wire.Member(f.Fix[i].Input, "entity")), `"`))
	}
	return ids
}

// nameless is a text with the numbers of ids left out.
func nameless(text string) string {
	const prefix = "ent_"
	var b strings.Builder
	for {
		before, behind, found := strings.Cut(text, prefix)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString(prefix)
		text = strings.TrimLeft(behind, "0123456789")
	}
}
