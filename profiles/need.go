package profiles

import "slices"

// Need is what a skill demands of its caller: every one of its permissions. The zero Need is met by nobody.
type Need struct{ rule *need }

type need struct {
	permissions []Permission // declared order, no Anyone, none twice
	known       uint64       // the bits of those in the table known
	extra       int          // how many are not in it
}

// Require compiles a need, once, where a skill is declared. To need nothing, say [Anyone]. It panics on a malformed
// permission and on an empty list, which is more likely an omission than an intention.
func Require(ps ...Permission) Need {
	if len(ps) == 0 {
		panic("profiles: a need without a permission: name one, or profiles.Anyone")
	}
	rule := new(need)
	for _, p := range ps {
		mustCheck(p)
		if p == Anyone || slices.Contains(rule.permissions, p) {
			continue
		}
		if rule.permissions == nil {
			rule.permissions = make([]Permission, 0, len(ps))
		}
		rule.permissions = append(rule.permissions, p)
		b := bit(p)
		rule.known |= b
		if b == 0 {
			rule.extra++
		}
	}
	return Need{rule}
}

// Permissions returns the permissions in declared order, without [Anyone] and without repeats. They are
// shared: not to be changed.
func (n Need) Permissions() []Permission {
	if n.rule == nil {
		return nil
	}
	return slices.Clip(n.rule.permissions)
}
