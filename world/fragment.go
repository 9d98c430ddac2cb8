package world

// reserved reports whether a name has a meaning of its own in an entity's JSON.
func reserved(name string) bool {
	switch name {
	case "id", "eid", "pos", "rot", "scale", "body", "parent":
		return true
	}
	return false
}

// AppendEntity appends an entity as viewers get it, a JSON object:
//
//	{"id":"ent_4","eid":4,"pos":[x,y,z],"rot":[x,y,z,w],"scale":[x,y,z],"parent":"ent_2",…}
//
// with pos, rot and scale in world space, then body, which is pos and rot in one array, if it has a rigid body,
// then parent if it has one, then its components that are not private, in the order of their declaration. It
// appends nothing if there is no such entity.
func (w *World) AppendEntity(dst []byte, v *View, id ID) []byte {
	t, ok := v.WorldTransform(id)
	if !ok {
		return dst
	}
	dst = AppendPlace(dst, id, &t, w.Bodies.Has(v, id))
	if p := v.Parent(id); p != 0 {
		dst = append(p.append(append(dst, `,"parent":"`...)), '"')
	}
	for _, c := range w.columns {
		b := c.base()
		if b.private {
			continue
		}
		n := len(dst)
		dst = append(append(append(dst, `,"`...), b.name...), `":`...)
		if dst, ok = c.appendOf(dst, id); !ok {
			dst = dst[:n]
		}
	}
	return append(dst, '}')
}

// AppendShared appends the JSON of a global or table by its name, as viewers get it; a table is an
// object by key. It appends nothing if there is none of that name or it is private.
func (w *World) AppendShared(dst []byte, _ *View, name string) []byte {
	s := w.byName[name]
	if s == nil || s.base().private {
		return dst
	}
	return s.append(dst)
}

// Shared returns the names of the globals and tables that viewers get, in the order of declaration.
func (w *World) Shared(*View) []string {
	var names []string
	for _, s := range w.states {
		if _, isColumn := s.(column); !isColumn && !s.base().private {
			names = append(names, s.key())
		}
	}
	return names
}
