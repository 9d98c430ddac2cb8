package world

import (
	"slices"
	"unicode/utf8"
)

// Limits of what an entity is called.
const (
	MaxName   = 256 // bytes of a name
	MaxTag    = 128 // bytes of a tag
	MaxTagsOf = 256 // tags of one entity
)

// SetName names an entity; "" takes the name away. Names need not be unique.
func (tx *Tx) SetName(id ID, name string) error {
	if len(name) > MaxName {
		return invalid("name: must have at most %d bytes, got %d", MaxName, len(name))
	}
	if !utf8.ValidString(name) {
		return invalid("name: must be valid UTF-8")
	}
	if !tx.Exists(id) {
		return tx.Unknown(id)
	}
	if tx.Name(id) == name {
		return nil
	}
	if name == "" {
		tx.w.names.Remove(tx, id)
		return nil
	}
	return tx.w.names.Set(tx, id, name)
}

// AddTag gives an entity a tag and reports whether it had it not.
func (tx *Tx) AddTag(id ID, tag string) (added bool, err error) {
	w := tx.w
	s := w.entities.get(id)
	if s == nil {
		return false, tx.Unknown(id)
	}
	if err := checkTag(tag); err != nil {
		return false, err
	}
	tags, _ := w.tags.Get(&tx.View, id)
	i, found := slices.BinarySearch(tags, tag)
	if found {
		return false, nil
	}
	next := make([]string, 0, len(tags)+1)
	next = append(append(append(next, tags[:i]...), tag), tags[i:]...)
	return true, tx.putTags(id, s, tags, next)
}

// RemoveTag takes a tag from an entity and reports whether it had it.
func (tx *Tx) RemoveTag(id ID, tag string) (removed bool, err error) {
	w := tx.w
	s := w.entities.get(id)
	if s == nil {
		return false, tx.Unknown(id)
	}
	tags, _ := w.tags.Get(&tx.View, id)
	i, found := slices.BinarySearch(tags, tag)
	if !found {
		return false, nil
	}
	next := make([]string, 0, len(tags)-1)
	next = append(append(next, tags[:i]...), tags[i+1:]...)
	return true, tx.putTags(id, s, tags, next)
}

func checkTag(tag string) error {
	if tag == "" || len(tag) > MaxTag {
		return invalid("tag: must have 1 to %d bytes, got %d", MaxTag, len(tag))
	}
	if !utf8.ValidString(tag) {
		return invalid("tag: must be valid UTF-8")
	}
	return nil
}

// tagSet returns tags sorted, each once.
func tagSet(tags []string) ([]string, error) {
	for _, tag := range tags {
		if err := checkTag(tag); err != nil {
			return nil, err
		}
	}
	return slices.Clip(slices.Compact(slices.Sorted(slices.Values(tags)))), nil
}

// putTags has an entity have the tags next in place of those that it has, now, all at once: a copy of what was before for
// each of them would be the square of their number. Both are sorted, and next is the world's from now on.
func (tx *Tx) putTags(id ID, s *slot, now, next []string) error {
	w := tx.w
	if len(next) > MaxTagsOf {
		return capacity("%s has %d tags; no entity may have more", id, MaxTagsOf)
	}
	if more := len(next) - len(now); more > 0 && w.tagCount+more > w.config.MaxTags {
		return capacity("the entities have at most %d tags together, and these would be more; take some off first, or give fewer", w.config.MaxTags)
	}
	tx.noteTags(id, s, now, next)
	if len(next) == 0 {
		w.tags.Remove(tx, id)
		return nil
	}
	return w.tags.Set(tx, id, next)
}

// noteTags has the index know the tags next of an entity, whose component gets them after this.
func (tx *Tx) noteTags(id ID, s *slot, now, next []string) {
	tx.note(opTags, id, s, Changed, 0)
	tx.tagged = append(tx.tagged, next)
	tx.w.retag(id, now, next)
}

// retag keeps the index from tags to entities.
func (w *World) retag(id ID, now, next []string) {
	w.tagCount += len(next) - len(now)
	for len(now) > 0 || len(next) > 0 {
		switch {
		case len(next) == 0 || len(now) > 0 && now[0] < next[0]:
			w.untag(id, now[0])
			now = now[1:]
		case len(now) == 0 || next[0] < now[0]:
			w.tag(id, next[0])
			next = next[1:]
		default:
			now, next = now[1:], next[1:]
		}
	}
}

func (w *World) tag(id ID, tag string) {
	set := w.tagged[tag]
	if set == nil {
		set = new(idSet)
		w.tagged[tag] = set
	}
	set.add(id)
}

func (w *World) untag(id ID, tag string) {
	set := w.tagged[tag]
	set.remove(id)
	if set.n == 0 {
		delete(w.tagged, tag)
	}
}
