package trigger

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// MaxSeats is how many times something may be in a zone, together, when a zone is made: all that one thing is in is written when that becomes more.
const MaxSeats = 1 << 19

// manySeats is what a new zone may hold without a look at how much others do.
const manySeats = 256

// seat is that an entity is in a zone.
type seat struct {
	Zone  Handle
	Since uint64 // the step in which it was seen there first
}

// seats are the zones that an entity is in, in the order of their handles. They are written short, "5@100,1@0,3@-2": which zone, since which step, each as more than the
// one before; there may be hundreds of each of many thousands of entities, and a change of one writes all of an entity's.
type seats []seat

// MarshalJSON never fails.
func (s seats) MarshalJSON() ([]byte, error) {
	text := []byte{'"'}
	var last seat
	for i, at := range s {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendUint(text, uint64(at.Zone)-uint64(last.Zone), 10)
		text = strconv.AppendInt(append(text, '@'), int64(at.Since-last.Since), 10)
		last = at
	}
	return append(text, '"'), nil
}

// UnmarshalJSON reads what MarshalJSON writes, and what earlier programs did: [{"zone":"trg_5","since":100}].
func (s *seats) UnmarshalJSON(text []byte) error {
	*s = nil
	if text[0] == '[' {
		var list []struct {
			Zone  Handle `json:"zone"`
			Since uint64 `json:"since"`
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		for _, at := range list {
			*s = append(*s, seat(at))
		}
		return nil
	}
	var short string
	if err := json.Unmarshal(text, &short); err != nil || short == "" {
		return err
	}
	var last seat
	for part := range strings.SplitSeq(short, ",") {
		zone, since, _ := strings.Cut(part, "@")
		z, err := strconv.ParseUint(zone, 10, 64)
		if err != nil {
			return fmt.Errorf("a zone of %q: %w", part, err)
		}
		n, err := strconv.ParseInt(since, 10, 64)
		if err != nil {
			return fmt.Errorf("a step of %q: %w", part, err)
		}
		last = seat{last.Zone + Handle(z), last.Since + uint64(n)}
		*s = append(*s, last)
	}
	return nil
}

// roomFor reports why a new zone may not hold so many: zones hold as many together as there may be, or its author's hold his share of that.
func (t *Triggers) roomFor(tx *world.Tx, z *zone, joined int) error {
	if joined < manySeats {
		return nil
	}
	there, of := 0, map[Handle]int{}
	for _, all := range t.inside.All(&tx.View) {
		there += len(all)
		for _, s := range all {
			of[s.Zone]++
		}
	}
	has, is := 0, share.Like(&tx.View, z.By)
	for h, n := range of {
		if other, ok := t.zones.Get(&tx.View, h); ok && is(other.By) {
			has += n
		}
	}
	places := share.Kept{Most: t.most, What: "times that something is in a zone", Free: "give large zones a tag, or make them smaller; trigger.remove takes one away"}
	return places.Room(has, there) // with this zone, and so before it by as many as it holds
}
