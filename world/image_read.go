package world

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// imageEntity is an entity of an image, which has its id as the key.
type imageEntity struct {
	snapshotEntity
	parts []imagePart // all its components
}

// imagePart is a component of an entity. Both are part of the text that was read.
type imagePart struct{ name, value []byte }

// read makes e what a valid JSON text says. What a [Tracker] writes is read several times faster than by encoding/json, which has what is
// written otherwise.
func (e *imageEntity) read(text []byte) error {
	*e = imageEntity{parts: e.parts[:0]}
	if e.readPlain(text) {
		return nil
	}
	var odd struct {
		snapshotEntity
		Parts map[string]json.RawMessage `json:"parts"`
	}
	if err := json.Unmarshal(text, &odd); err != nil {
		return err
	}
	*e = imageEntity{snapshotEntity: odd.snapshotEntity, parts: e.parts[:0]}
	for name, value := range odd.Parts {
		e.parts = append(e.parts, imagePart{[]byte(name), value})
	}
	return nil
}

// readPlain is read for what a Tracker writes. Where it returns false, e means nothing.
func (e *imageEntity) readPlain(text []byte) bool {
	text, ok := bytes.CutPrefix(text, []byte("{"))
	if !ok {
		return false
	}
	if rest, child := bytes.CutPrefix(text, []byte(`"parent":"`)); child {
		var id []byte
		if id, text, ok = bytes.Cut(rest, []byte(`",`)); !ok || e.Parent.UnmarshalText(id) != nil {
			return false
		}
	}
	for _, place := range []struct {
		begin string
		of    []float64
	}{{`"pos":[`, e.Position[:]}, {`,"rot":[`, e.Rotation[:]}, {`,"scale":[`, e.Scale[:]}} {
		if text, ok = bytes.CutPrefix(text, []byte(place.begin)); !ok {
			return false
		}
		for i := range place.of {
			end := bytes.IndexAny(text, ",]")
			if end < 0 || (text[end] == ']') != (i == len(place.of)-1) {
				return false
			}
			x, err := strconv.ParseFloat(string(text[:end]), 64)
			if err != nil {
				return false
			}
			place.of[i], text = x, text[end+1:]
		}
	}
	if string(text) == "}" {
		return true
	}
	for begin := `,"parts":{"`; ; begin = `,"` {
		if text, ok = bytes.CutPrefix(text, []byte(begin)); !ok {
			return string(text) == "}}"
		}
		name, rest, ok := bytes.Cut(text, []byte(`":`))
		if !ok || bytes.ContainsAny(name, `"\`) || !utf8.Valid(name) {
			return false
		}
		end := valueEnd(rest)
		if end <= 0 {
			return false
		}
		e.parts = append(e.parts, imagePart{name, rest[:end]})
		text = rest[end:]
	}
}

// valueEnd returns the index behind the value that a part of a valid JSON text begins with: of the comma or the bracket that follows it; -1 if
// nothing does.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}
