package exchange

import (
	"bytes"
	"fmt"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// What a log says of its chain of hashes.
const (
	chainVerified = "verified" // every event has the hash that it must have
	chainLinked   = "linked"   // every event names the hash of the one before; how they are made is not known here
	chainNone     = "none"     // there are no hashes
)

// DecodeEvents reads a log of events in the original engine's form, and says whether their hashes are right.
// Members that it does not know are passed over. An error names the line and the member.
func DecodeEvents(log []byte) (events []Event, chain string, err error) {
	if most := limits().Bytes; len(log) > most {
		return nil, "", registry.Errorf(registry.CodeCapacityExceeded, "log: may have %d bytes, this has %d", most, len(log))
	}
	r := eventReader{ids: map[string]bool{}}
	n := 0
	for text := range bytes.Lines(log) {
		n++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		if err := r.read(n, text); err != nil {
			return nil, "", registry.Invalidf("log, line %d: %s", n, err)
		}
	}
	switch {
	case r.wrong > 0 && r.right > 0:
		return nil, "", registry.Invalidf("log, line %d: integrity.hash: is not that of the event: somebody has changed it", r.wrong)
	case r.wrong > 0:
		return r.events, chainLinked, nil
	case r.right > 0:
		return r.events, chainVerified, nil
	}
	return r.events, chainNone, nil
}

// eventReader reads the lines of a log.
type eventReader struct {
	events []Event
	ids    map[string]bool
	last   string // the hash of the event before; "" if it has none
	right  int    // events whose hash is right
	wrong  int    // the first line whose hash is not, 0 for none
}

func (r *eventReader) read(line int, text []byte) error {
	if len(text) > maxEvent {
		return fmt.Errorf("may have %d bytes, this has %d", maxEvent, len(text))
	}
	o, err := object(text)
	if err != nil {
		return err
	}
	e := Event{Line: line, text: text}
	var actor, thread, when string
	for _, m := range []struct {
		name string
		into *string
	}{{"id", &e.ID}, {"type", &e.Type}, {"actorId", &actor}, {"threadId", &thread}, {"timestamp", &when}} {
		var ok bool
		if *m.into, ok = o[m.name].(string); !ok {
			return fmt.Errorf("%s: required, a text", m.name)
		}
	}
	if len(e.ID) <= len("evt_") || e.ID[:len("evt_")] != "evt_" || r.ids[e.ID] {
		return fmt.Errorf("id: must begin with evt_ and be no other event's, got %.60q", e.ID)
	}
	r.ids[e.ID] = true
	if _, err := time.Parse(time.RFC3339, when); err != nil {
		return fmt.Errorf("timestamp: must be a time as of ISO 8601, such as 2026-01-02T03:04:05.000Z, got %.40q", when)
	}
	if parent, ok := o["parentEventId"]; ok && parent != nil {
		if e.Parent, ok = parent.(string); !ok {
			return fmt.Errorf("parentEventId: must be an event's id or null")
		}
	}
	if causes, ok := o["causedBy"]; ok {
		list, ok := causes.([]any)
		for _, c := range list {
			_, text := c.(string)
			ok = ok && text
		}
		if !ok {
			return fmt.Errorf("causedBy: must be a list of ids")
		}
	}
	if e.Type == eventExecuted {
		if e.Skill, _, _, err = called(o); err != nil {
			return err
		}
	}
	r.events = append(r.events, e)
	return r.link(line, o)
}

// called reads the payload of a skill.executed. Input and result are nil if it has none. No page says what its members are
// called; these names are those of calls.
func called(event map[string]any) (skill string, input map[string]any, result any, err error) {
	p, ok := event["payload"].(map[string]any)
	if !ok {
		return "", nil, nil, fmt.Errorf("payload: required, an object")
	}
	name, ok := p["skill"]
	if !ok {
		name = p["tool"]
	}
	if skill, ok = name.(string); !ok || skill == "" {
		return "", nil, nil, fmt.Errorf("payload.skill: required, the name of the skill that was called")
	}
	if said, ok := p["input"]; ok {
		if input, ok = said.(map[string]any); !ok {
			return "", nil, nil, fmt.Errorf("payload.input: must be an object")
		}
	}
	return skill, input, p["result"], nil
}

// link looks at an event's place in the chain.
func (r *eventReader) link(line int, o map[string]any) error {
	said, ok := o["integrity"]
	if !ok {
		if r.last != "" {
			return fmt.Errorf("integrity: is missing, the events before have it")
		}
		return nil
	}
	if r.last == "" && len(r.events) > 1 {
		return fmt.Errorf("integrity: the events before have none")
	}
	seal, _ := said.(map[string]any)
	hash, ok := seal["hash"].(string)
	if !ok || hash == "" {
		return fmt.Errorf("integrity.hash: required, a text")
	}
	previous := seal["previousHash"]
	if text, ok := previous.(string); previous != nil && !ok || r.last != "" && text != r.last {
		return fmt.Errorf("integrity.previousHash: must be the hash of the event before, %.80q: one is missing, or they are in another order", r.last)
	}
	r.last = hash
	delete(o, "integrity")
	switch {
	case hash == hashOf(o, previous):
		r.right++
	case r.wrong == 0:
		r.wrong = line
	}
	return nil
}
