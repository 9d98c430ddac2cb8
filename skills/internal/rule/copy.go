package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/world"
)

// Uncopied says of copies of an entity, with everything below it, that the rules that are about one of them are not about its copy, "" if there is none.
// sources have rules that no copy takes along.
func Uncopied(sources ...Source) func(v *world.View, id world.ID) string {
	return func(v *world.View, id world.ID) string {
		var rules []string
		var first world.ID
		for _, rulesOf := range sources {
			for r := range rulesOf(v) {
				about := r.about(func(named world.ID) bool { return named == id || v.Within(named, id) })
				if about == 0 || slices.Contains(rules, r.ID) {
					continue
				}
				first = cmp.Or(first, about)
				rules = append(rules, r.ID)
			}
		}
		if len(rules) == 0 {
			return ""
		}
		return fmt.Sprintf("copies have no part in %s, as %v has: game.rules {\"mentions\":%q} tells what is done there; make it for them anew, or let prefab.instantiate make more with all that the prefab says", few(rules), first, first)
	}
}

// Shared says of copies of an entity, with everything below it, which events they emit that it emits, so that who listens cannot tell them apart, "" if
// there are none. Copies take the rules of sources along.
func Shared(sources ...Source) func(v *world.View, id world.ID) string {
	return func(v *world.View, id world.ID) string {
		for _, rulesOf := range sources {
			for r := range rulesOf(v) {
				own, err := world.ParseID(r.ID)
				if err != nil || own != id && !v.Within(own, id) {
					continue
				}
				for i := range r.Then {
					if a := &r.Then[i]; a.Type == emit && a.Target != "" {
						return fmt.Sprintf("the copy of %v emits %q as that does: who listens to it does the same for both", own, a.Target)
					}
				}
			}
		}
		return ""
	}
}

// few lists the first of many.
func few(all []string) string {
	const most = 4
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// about returns the first entity that is named in a rule of those that is reports, 0 for none.
func (r *Rule) about(is func(id world.ID) bool) world.ID {
	if id := named(r.When, is); id != 0 {
		return id
	}
	for i := range r.Then {
		a := &r.Then[i]
		if id := cmp.Or(named(a.Target, is), named(string(a.Data), is), named(a.If, is)); id != 0 {
			return id
		}
	}
	return 0
}

// named returns the first entity that is named in a text of those that is reports, 0 for none.
func named(text string, is func(id world.ID) bool) world.ID {
	for {
		i := strings.Index(text, "ent_")
		if i < 0 {
			return 0
		}
		text = text[i:]
		n := len("ent_")
		for n < len(text) && digit(text[n]) {
			n++
		}
		if id, err := world.ParseID(text[:n]); err == nil && is(id) {
			return id
		}
		text = text[n:]
	}
}
