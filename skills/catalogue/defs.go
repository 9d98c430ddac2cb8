package catalogue

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// leastSaved is how many bytes shorter a schema has to get by having a part of it stand once: a reader has to look such a part up.
const leastSaved = 256

// shared returns a schema in which the large parts that are there more than once stand once, under $defs, with a $ref in each place. A
// description or a default stays where it is, beside the $ref. A schema that has such things already, or is none that is read here, is returned as it is.
func shared(schema []byte) []byte {
	for _, own := range [...]string{`"$ref"`, `"$defs"`, `"$id"`, `"$anchor"`, `"$dynamicRef"`, `"definitions"`} {
		if bytes.Contains(schema, []byte(own)) {
			return schema
		}
	}
	root, ok := readSchema(schema)
	if !ok {
		return schema
	}
	var defs []member
	taken := map[string]bool{}
	for {
		parts := newParts()
		root.visit("", parts.add)
		for _, d := range defs {
			d.schema.visit(d.key, parts.addBelow(d.schema))
		}
		core := parts.best()
		if core == "" {
			break
		}
		name := parts.names[core]
		for n := 2; taken[name]; n++ {
			name = parts.names[core] + strconv.Itoa(n)
		}
		taken[name] = true
		def, _ := readSchema([]byte("{" + core + "}"))
		for _, s := range parts.with[core] {
			s.refer(name)
		}
		defs = append(defs, member{key: name, schema: def})
	}
	if len(defs) == 0 {
		return schema
	}
	root.members = append(root.members, member{key: "$defs", list: defs, isObject: true})
	return root.append(nil)
}

// schemaNode is a schema, taken apart as far as schemas are in it.
type schemaNode struct{ members []member }

// member is one of an object. Its value is a schema, a list of schemas, an object of schemas, or else the text.
type member struct {
	key      string
	text     []byte
	schema   *schemaNode
	list     []member
	isObject bool // list is one of keys and values
	isItem   bool // it has no key, because it is of an array
}

// readSchema takes an object apart; ok is false for all else, such as the schema true.
func readSchema(text []byte) (s *schemaNode, ok bool) {
	list, ok := readObject(text)
	if !ok {
		return nil, false
	}
	s = &schemaNode{list}
	for i := range s.members {
		m := &s.members[i]
		switch m.key {
		case "items", "additionalProperties":
			m.schema, _ = readSchema(m.text)
		case "properties":
			m.list, m.isObject = readObject(m.text)
		case "anyOf", "oneOf", "allOf":
			m.list = readArray(m.text)
		}
		for j := range m.list {
			m.list[j].schema, _ = readSchema(m.list[j].text)
		}
	}
	return s, true
}

// readObject returns the members of an object in their order.
func readObject(text []byte) (list []member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, false
		}
		list = append(list, member{key: key.(string), text: value})
	}
	return list, true
}

func readArray(text []byte) (list []member) {
	var values []json.RawMessage
	if json.Unmarshal(text, &values) != nil {
		return nil
	}
	for _, v := range values {
		list = append(list, member{text: v, isItem: true})
	}
	return list
}

// visit calls f with a schema and all in it, each with the name of the property that it is of, and outer ones before those in them.
func (s *schemaNode) visit(name string, f func(s *schemaNode, name string)) {
	f(s, name)
	for i := range s.members {
		m := &s.members[i]
		if m.schema != nil {
			m.schema.visit(name, f)
		}
		for j := range m.list {
			if below := &m.list[j]; below.schema != nil {
				under := name
				if m.isObject {
					under = below.key
				}
				below.schema.visit(under, f)
			}
		}
	}
}

// stays says of a member that it is of the place and not of the schema that may stand elsewhere.
func stays(key string) bool { return key == "description" || key == "default" }

// core is the text of the members that do not stay.
func (s *schemaNode) core() string {
	var text []byte
	for i := range s.members {
		if !stays(s.members[i].key) {
			text = append(s.members[i].append(text), ',')
		}
	}
	return string(bytes.TrimSuffix(text, []byte(",")))
}

// refer puts a $ref in the place of what does not stay.
func (s *schemaNode) refer(name string) {
	ref, _ := json.Marshal("#/$defs/" + name) // a text always has one
	list := []member{{key: "$ref", text: ref}}
	for _, m := range s.members {
		if stays(m.key) {
			list = append(list, m)
		}
	}
	s.members = list
}

func (s *schemaNode) append(dst []byte) []byte { return appendList(dst, s.members, '{', '}') }

func appendList(dst []byte, list []member, begin, end byte) []byte {
	dst = append(dst, begin)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = list[i].append(dst)
	}
	return append(dst, end)
}

func (m *member) append(dst []byte) []byte {
	if !m.isItem {
		key, _ := json.Marshal(m.key) // a text always has one
		dst = append(append(dst, key...), ':')
	}
	switch {
	case m.schema != nil:
		return m.schema.append(dst)
	case m.list != nil && m.isObject:
		return appendList(dst, m.list, '{', '}')
	case m.list != nil:
		return appendList(dst, m.list, '[', ']')
	}
	return append(dst, m.text...)
}

// parts are the schemas in a schema, by what could stand elsewhere of them.
type parts struct {
	order []string
	with  map[string][]*schemaNode
	names map[string]string // of the property where it is first
}

func newParts() *parts { return &parts{with: map[string][]*schemaNode{}, names: map[string]string{}} }

func (p *parts) add(s *schemaNode, name string) {
	core := s.core()
	if len(p.with[core]) == 0 {
		p.order, p.names[core] = append(p.order, core), name
	}
	p.with[core] = append(p.with[core], s)
}

// addBelow is add for what is in a schema and not for itself, which stands under $defs already.
func (p *parts) addBelow(top *schemaNode) func(s *schemaNode, name string) {
	return func(s *schemaNode, name string) {
		if s != top {
			p.add(s, name)
		}
	}
}

// best returns the part that saves most by standing once, "" if none saves enough.
func (p *parts) best() (core string) {
	most := leastSaved
	for _, c := range p.order {
		ref, n := len(`"$ref":"#/$defs/"`)+len(p.names[c]), len(p.with[c])
		if saved := (n-1)*len(c) - n*ref - len(p.names[c]); p.names[c] != "" && saved >= most {
			core, most = c, saved
		}
	}
	return core
}
