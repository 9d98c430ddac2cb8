package world

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// save is a snapshot with what a world needs that did not make it.
type save struct {
	snapshot
	saved
}

type saved struct {
	Given    uint64            `json:"given"`    // how many ids entities have been given
	Counters map[string]uint64 `json:"counters"` // of tables
	Numbers  map[string]uint64 `json:"numbers"`  // globals that never go back
}

// AppendSave appends what [View.AppendSnapshot] does, for [Tx.Adopt]: another world can take it in.
func (v *View) AppendSave(dst []byte) []byte {
	dst = v.writeSnapshot(dst)
	n := len(dst)
	s := v.saved()
	dst = appendAny(dst, &s)
	dst[n] = ',' // the members go on
	return dst
}

func (v *View) saved() saved {
	s := saved{Given: v.w.entities.next, Counters: map[string]uint64{}, Numbers: map[string]uint64{}}
	for _, st := range v.w.states {
		if st.base().lasting {
			if g, numbers := numbersOf(st); g != nil {
				s.Numbers[g.name] = *numbers.at(g.now)
			}
			continue
		}
		if t, ok := st.(rowed); ok {
			s.Counters[st.key()] = t.count()
		}
	}
	return s
}

// Adopt makes the world hold what another one held, by its save, as [Tx.Restore] does. No id that entities were given here names
// one of those: if there were any, those of the save are moved past them, by shift, in every text of the save that
// names one. So in a new world they are the same. The number of the step becomes that of the save, if it was lower: what
// counts steps goes on where it was. Of [Lasting] state numbers become those of the save where they were lower; other such state stays.
//
// Whoever made the save is believed: it may hold what no caller could have made, such as the rights of others. If it
// fails nothing is changed. What an undo of it leaves alone are ids, counters and steps.
func (tx *Tx) Adopt(text []byte) (shift uint64, err error) {
	u, err := unpackSave(text, tx.w.entities.next)
	if err != nil {
		return 0, err
	}
	return tx.AdoptUnpacked(u)
}

// UnpackedSave is a save that has been read, for a world in which so many ids have been given.
type UnpackedSave struct {
	save
	text  []byte
	shift uint64
}

// UnpackSave reads a save for a world whose next entity has an id, outside of any transaction: most of what it takes to adopt it, and nobody has to wait for that.
// It fails as [Tx.Adopt] does for what is none.
func UnpackSave(text []byte, next ID) (*UnpackedSave, error) { return unpackSave(text, uint64(next)-1) }

func unpackSave(text []byte, given uint64) (*UnpackedSave, error) {
	var head struct {
		Version int    `json:"version"`
		Given   uint64 `json:"given"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, invalid("the save cannot be read: %v", err)
	}
	if head.Version != snapshotVersion {
		return nil, invalid("the save has version %d, this program reads %d", head.Version, snapshotVersion)
	}
	if head.Given > maxGiven-min(given, maxGiven) {
		return nil, capacity("%d ids have been given here and %d in the save: there may be %d together", given, head.Given, uint64(maxGiven))
	}
	u := &UnpackedSave{text: text, shift: given}
	if given > 0 {
		text = shiftIDs(text, head.Given, given)
	}
	if err := json.Unmarshal(text, &u.save); err != nil {
		return nil, invalid("the save cannot be read: %v", err)
	}
	return u, nil
}

// AdoptUnpacked is Adopt of a save that has been read for this world. If ids have been given since it is read once more.
func (tx *Tx) AdoptUnpacked(u *UnpackedSave) (shift uint64, err error) {
	if u.shift != tx.w.entities.next {
		if u, err = unpackSave(u.text, tx.w.entities.next); err != nil {
			return 0, err
		}
	}
	mark := len(tx.journal)
	if err := tx.adopt(&u.save, u.shift+u.Given); err != nil {
		tx.RollbackTo(mark)
		return 0, err
	}
	return u.shift, nil
}

func (tx *Tx) adopt(s *save, given uint64) error {
	if err := tx.advance(s, given); err != nil {
		return err
	}
	if err := tx.raise(s.Numbers); err != nil {
		return err
	}
	if err := tx.restore(&s.snapshot, false); err != nil {
		return err
	}
	if err := tx.catchUp(s.Step); err != nil {
		return err
	}
	return tx.follow()
}

// advance has ids, steps and counters go on where those of the save do.
func (tx *Tx) advance(s *save, given uint64) error {
	w := tx.w
	tx.write(opGiven).n = w.entities.next
	w.entities.next = given
	if now := w.Steps(); s.Step != nil && *s.Step > now {
		tx.write(opSteps).n = now
		w.steps.Store(*s.Step)
		if err := tx.shiftClaims(*s.Step - now); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Counters)) {
		if t, ok := w.byName[name].(rowed); ok && t.count() < s.Counters[name] {
			t.countTo(tx, s.Counters[name])
		}
	}
	return nil
}

// raise has globals that never go back be at least those of the save.
func (tx *Tx) raise(numbers map[string]uint64) error {
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		g, known := numbersOf(tx.w.byName[name])
		if g == nil || !g.lasting || *known.at(g.now) >= numbers[name] {
			continue
		}
		tx.own(&g.stateBase)
		if err := g.set(tx, known.put(numbers[name])); err != nil {
			return err
		}
	}
	return nil
}

// numbersOf returns a global that is a number, and its bank; nil if s is something else.
func numbersOf(s state) (*globalState, *bank[uint64]) {
	g, ok := s.(*globalState)
	if !ok {
		return nil, nil
	}
	t, ok := g.values.(teller[uint64])
	if !ok {
		return nil, nil
	}
	return g, t.b
}

// shiftIDs returns a JSON text with every id below ent_<given>, wherever a string of it has one, that many further on.
func shiftIDs(text []byte, given, by uint64) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		end, escaped := i+1, false
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				escaped = true
				end++
			}
			end++
		}
		end = min(end+1, len(text))
		token := text[i:end]
		text = text[end:]
		var s string
		switch {
		case !escaped:
			out = shiftIn(out, token, given, by)
		case json.Unmarshal(token, &s) == nil:
			out = appendString(out, string(shiftIn(nil, []byte(s), given, by)))
		default:
			out = append(out, token...)
		}
	}
}

// shiftIn appends a text with the ids in it further on. An id is a word by itself.
func shiftIn(dst, s []byte, given, by uint64) []byte {
	for {
		i := bytes.Index(s, []byte(idPrefix))
		if i < 0 {
			return append(dst, s...)
		}
		end := i + len(idPrefix)
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		n, ok := idNumber(s[i:end])
		if ok && n < given && (i == 0 || !inWord(s[i-1])) && (end == len(s) || !inWord(s[end])) {
			dst = append(append(dst, s[:i]...), idPrefix...)
			dst = strconv.AppendUint(dst, n+by, 10)
		} else {
			dst = append(dst, s[:end]...)
		}
		s = s[end:]
	}
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
