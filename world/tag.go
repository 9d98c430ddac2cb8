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
	switch {
	case s == nil:
		return false, tx.Unknown(id)
	case tag == "" || len(tag) > MaxTag:
		return false, invalid("tag: must have 1 to %d bytes, got %d", MaxTag, len(tag))
	case !utf8.ValidString(tag):
		return false, invalid("tag: must be valid UTF-8")
	}
	tags, _ := w.tags.Get(&tx.View, id)
	i, found := slices.BinarySearch(tags, tag)
	if found {
		return false, nil
	}
	if len(tags) >= MaxTagsOf {
		return false, capacity("%s has %d tags; no entity may have more", id, MaxTagsOf)
	}
	tx.noteTag(opTag, id, s, tag)
	w.tag(id, tag)
	return true, w.tags.Set(tx, id, slices.Clip(slices.Insert(slices.Clone(tags), i, tag)))
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
	tx.noteTag(opUntag, id, s, tag)
	w.untag(id, tag)
	if len(tags) == 1 {
		w.tags.Remove(tx, id)
		return true, nil
	}
	return true, w.tags.Set(tx, id, slices.Clip(slices.Delete(slices.Clone(tags), i, i+1)))
}

func (tx *Tx) noteTag(o op, id ID, s *slot, tag string) {
	tx.note(o, id, s, Changed, 0)
	tx.texts = append(tx.texts, tag)
}

// tag and untag keep the index from tags to entities.
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
