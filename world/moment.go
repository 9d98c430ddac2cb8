package world

import "encoding/json"

// Moment is something that happens once, is seen or heard by those who are there, and is no state:
// a sound, an effect, something said.
type Moment struct {
	Kind    string          // what it is, like "audio.playAt"
	Entity  ID              // whom it comes from, 0 if nobody
	Placed  bool            // has a place; else everybody gets it
	At      Vec3            // the place, in world space
	Payload json.RawMessage // JSON, an object by custom, or nil; it is kept and must not be changed
}

// MaxMoment is how many bytes the kind and the payload of a moment have together at most: viewers are told of each whole.
const MaxMoment = 64 << 10

// Moment adds a moment to the commit. It fails if the kind is empty, the place is beyond what the
// world takes, the payload is no valid JSON, or it is larger than [MaxMoment].
func (tx *Tx) Moment(m Moment) error {
	if err := checkNumbers("at", m.At[:]); err != nil {
		return err
	}
	switch {
	case m.Kind == "":
		return invalid("a moment has no kind")
	case len(m.Kind)+len(m.Payload) > MaxMoment:
		return capacity("a moment may have %d bytes, this one of kind %.64s has %d: tell less", MaxMoment, m.Kind, len(m.Kind)+len(m.Payload))
	case m.Payload != nil && !json.Valid(m.Payload):
		return invalid("the payload of a moment of kind %s is no valid JSON", m.Kind)
	}
	tx.write(opMoment)
	tx.moments = append(tx.moments, m)
	return nil
}
