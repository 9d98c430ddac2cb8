package profiles

import (
	"slices"
	"strings"
	"unique"
)

// Grants is a set of permissions. Two are equal by == exactly if they hold the same permissions. It is one word wide, and the
// zero value holds nothing.
type Grants struct{ set unique.Handle[grants] }

// grants is the comparable content behind a Grants. No Grants points to an empty one.
type grants struct {
	known uint64 // a bit for each permission of the table known
	extra string // every other one in byte order, each with a line feed behind it
}

// Grant returns the set of the given permissions. It panics on a malformed one; see [Permission.Check].
func Grant(ps ...Permission) Grants {
	var set grants
	var extra []Permission
	for _, p := range ps {
		mustCheck(p)
		switch b := bit(p); {
		case b != 0:
			set.known |= b
		case p != Anyone:
			extra = append(extra, p)
		}
	}
	slices.Sort(extra)
	for _, p := range slices.Compact(extra) {
		set.extra += string(p) + "\n"
	}
	if set == (grants{}) {
		return Grants{}
	}
	return Grants{unique.Make(set)}
}

// content returns what g holds.
func (g Grants) content() grants {
	if g == (Grants{}) {
		return grants{}
	}
	return g.set.Value()
}

// Has reports whether g holds p. Everybody holds [Anyone].
func (g Grants) Has(p Permission) bool {
	if p == Anyone {
		return true
	}
	set := g.content()
	if b := bit(p); b != 0 {
		return set.known&b != 0
	}
	return set.hasExtra(p)
}

func (s grants) hasExtra(p Permission) bool {
	for q := range strings.Lines(s.extra) {
		if q[:len(q)-1] == string(p) {
			return true
		}
	}
	return false
}

// Missing returns the first permission of n, in declared order, that g does not hold. For the zero Need, which nobody
// meets, it returns "" and true. It does not allocate, and where all of the need is among the built-in profiles'
// permissions it costs one comparison of bits.
func (g Grants) Missing(n Need) (p Permission, missing bool) {
	if n.rule != nil && n.rule.extra == 0 && n.rule.known&^g.content().known == 0 {
		return "", false
	}
	return g.firstMissing(n)
}

func (g Grants) firstMissing(n Need) (Permission, bool) {
	if n.rule == nil {
		return "", true
	}
	for _, p := range n.rule.permissions {
		if !g.Has(p) {
			return p, true
		}
	}
	return "", false
}

// Within reports whether g holds nothing that other does not.
func (g Grants) Within(other Grants) bool {
	set, all := g.content(), other.content()
	if set.known&^all.known != 0 {
		return false
	}
	for p := range strings.Lines(set.extra) {
		if !all.hasExtra(Permission(p[:len(p)-1])) {
			return false
		}
	}
	return true
}

// And returns what both g and other hold.
func (g Grants) And(other Grants) Grants {
	if g.Within(other) {
		return g
	}
	var both []Permission
	for _, p := range g.List() {
		if other.Has(p) {
			both = append(both, p)
		}
	}
	return Grant(both...)
}

// List returns the permissions in byte order.
func (g Grants) List() []Permission {
	set := g.content()
	var list []Permission
	for i, p := range known {
		if set.known&(1<<i) != 0 {
			list = append(list, p)
		}
	}
	for p := range strings.Lines(set.extra) {
		list = append(list, Permission(p[:len(p)-1]))
	}
	slices.Sort(list)
	return list
}
