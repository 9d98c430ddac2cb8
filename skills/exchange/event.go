package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// eventExecuted is the type of the events that are calls of skills: the only ones that make something.
const eventExecuted = "skill.executed"

// Event is one event of a log in the original engine's form, as far as a scene is built of it;
// docs/scene-log.md says which of its members are documented where.
type Event struct {
	Line   int // counted from 1
	ID     string
	Type   string
	Parent string // the event that this one is a part of; "" for none
	Skill  string // of a skill.executed
	text   []byte // all of it, in the log: what is made of it takes many times its room
}

// envelope is an event as it is written, in the documented order of members.
type envelope struct {
	ID        string     `json:"id"`
	Type      string     `json:"type"`
	Actor     string     `json:"actorId"`
	Thread    string     `json:"threadId"`
	Parent    *string    `json:"parentEventId"`
	CausedBy  []string   `json:"causedBy"`
	Timestamp string     `json:"timestamp"`
	Payload   *call      `json:"payload"`
	Integrity *integrity `json:"integrity,omitempty"`
}

// call is the payload of a skill.executed.
type call struct {
	Skill  string `json:"skill"`
	Input  any    `json:"input"`
	Result any    `json:"result"`
}

// integrity is an event's place in the chain.
type integrity struct {
	Hash     string  `json:"hash"`
	Previous *string `json:"previousHash"` // nil for the first
}

// hashOf returns the hash of an event without its integrity: the sha256 of the canonical text of both, the
// event and the hash of the one before it, which is a text or nil.
func hashOf(event map[string]any, previous any) string {
	sum := sha256.Sum256(appendCanonical(nil, map[string]any{"event": event, "previousHash": previous}))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// eventID returns the id of the event with a number. The four digits at its end are FNV-1a of 32 bits folded to 16.
func eventID(seq int, e *envelope) (string, error) {
	said, err := generic(map[string]any{"seq": seq, "type": e.Type, "actorId": e.Actor, "payload": e.Payload})
	if err != nil {
		return "", err
	}
	h := fnv.New32a()
	h.Write(appendCanonical(nil, said)) // never fails
	sum := h.Sum32()
	return fmt.Sprintf("evt_%s_%012d_%04x", e.Actor, seq, uint16(sum>>16)^uint16(sum)), nil
}

// generic returns a value as it is read from JSON, numbers as their digits.
func generic(value any) (map[string]any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return object(text)
}

func object(text []byte) (o map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, fmt.Errorf("must be an object, got null")
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("there is more behind the object: %s", quote.Clip(string(rest)))
	}
	return o, nil
}

// appendCanonical appends a value that was read from JSON as JavaScript's JSON.stringify writes it, with
// the members of objects in the order of their names.
func appendCanonical(dst []byte, value any) []byte {
	switch v := value.(type) {
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return appendText(dst, v)
	case json.Number:
		return appendNumber(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCanonical(dst, e)
		}
		return append(dst, ']')
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, name), ':')
			dst = appendCanonical(dst, v[name])
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// appendText appends a string with the line ends of Unicode as they are, which Go would escape.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := strings.IndexAny(s, "\u2028\u2029")
		if i < 0 {
			break
		}
		part := wire.AppendString(nil, s[:i])
		dst = append(dst, part[1:len(part)-1]...)
		dst = append(dst, s[i:i+len("\u2028")]...)
		s = s[i+len("\u2028"):]
	}
	part := wire.AppendString(nil, s)
	return append(dst, part[1:]...)
}

// appendNumber appends a number as JavaScript would after reading it.
func appendNumber(dst []byte, n json.Number) []byte {
	x, err := n.Float64()
	if err != nil {
		return append(dst, "null"...) // it is infinite there
	}
	if x == 0 {
		return append(dst, '0') // not -0
	}
	text, err := json.Marshal(x)
	if err != nil {
		return append(dst, "null"...)
	}
	return append(dst, text...)
}
