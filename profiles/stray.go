package profiles

// Stray returns a permission that a profile of s grants although no built-in profile does and needed
// does not report it either, and the profile, in the order of names: most likely a misspelling, since
// nothing it allows is there. ok is false if there is none.
func (s *Set) Stray(needed func(Permission) bool) (profile string, p Permission, ok bool) {
	for _, name := range s.Names() {
		for _, p := range s.all()[name].List() {
			if bit(p) == 0 && !needed(p) {
				return name, p, true
			}
		}
	}
	return "", "", false
}

// Known returns every permission that a built-in profile grants, in byte order.
func Known() []Permission { return append([]Permission(nil), known[:]...) }
