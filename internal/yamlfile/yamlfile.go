// Package yamlfile reads what an operator has written, in YAML or JSON, from the syntax tree and not into Go
// values: each complaint has its line, no key is overlooked, and no value is taken for another.
package yamlfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Error is a complaint about a line, counted from one. A file's name and a colon fit before its text.
type Error struct {
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Line, e.Text) }

// Errorf returns an [*Error].
func Errorf(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

// Node is a part of a file.
type Node struct{ node *yaml.Node }

// Parse returns the root of the only document in data. ok is false if there is none, comments aside. All errors are
// an [*Error].
func Parse(data []byte) (root Node, ok bool, err error) {
	if !utf8.Valid(data) {
		return root, false, Errorf(1, "it is not UTF-8")
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	for err == nil {
		var doc yaml.Node
		if err = loader.Load(&doc); err != nil || len(doc.Content) == 0 || isNothing(doc.Content[0]) {
			continue
		}
		if ok {
			return root, false, Errorf(doc.Content[0].Line, "a second document: one is allowed")
		}
		root, ok = Node{doc.Content[0]}, true
	}
	if !errors.Is(err, io.EOF) {
		return root, false, syntaxError(err)
	}
	return root, ok, nil
}

// Only returns the one field of a file that is a mapping with that key and no other.
func Only(data []byte, key string) (Field, error) {
	fields, err := Fields(data, key)
	if err != nil {
		return Field{}, err
	}
	return fields[0], nil
}

// Fields returns the fields of a file that is a mapping with one of those keys at least, and no other.
func Fields(data []byte, keys ...string) ([]Field, error) {
	root, ok, err := Parse(data)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, Errorf(1, "the file is empty: want the key %q", keys[0])
	}
	fields, err := root.Mapping("the file")
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if !slices.Contains(keys, f.Key) {
			return nil, Errorf(f.Line, "unknown key %q, allowed: %s", f.Key, strings.Join(keys, ", "))
		}
	}
	if len(fields) == 0 {
		return nil, Errorf(root.Line(), "missing key %q", keys[0])
	}
	return fields, nil
}

// isNothing reports whether nothing is written where a document or a value could be. A null is something.
func isNothing(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == ""
}

func syntaxError(err error) error {
	var load *yaml.LoadError
	if errors.As(err, &load) {
		line := load.Mark.Line
		if strings.Contains(load.Message, "end of stream") { // what does not end is more than where the file does
			line = load.ContextMark.Line
		}
		if strings.Contains(load.Message, "anchor") { // the message has its name, which may be a token that begins with *
			return Errorf(max(1, line), "%s", anchored)
		}
		return Errorf(max(1, line), "%s", oneLine(load.ContextMsg+" "+load.Message))
	}
	return Errorf(1, "%s", oneLine(err.Error()))
}

const anchored = "an anchor or alias, which is not allowed here"

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Line returns the line that the node begins in.
func (n Node) Line() int { return max(1, n.node.Line) }

// IsMapping reports whether the node is a mapping.
func (n Node) IsMapping() bool { return n.is(yaml.MappingNode) }

// Field is one key of a mapping, with its value and the line of the key.
type Field struct {
	Key   string
	Line  int
	Value Node
}

// Mapping returns the fields of a mapping whose keys are strings, none of them twice. Errors call it what.
func (n Node) Mapping(what string) ([]Field, error) {
	if !n.IsMapping() {
		return nil, Errorf(n.Line(), "%s: want a mapping, got %v", what, n)
	}
	fields := make([]Field, 0, len(n.node.Content)/2)
	seen := make(map[string]bool, cap(fields))
	for i := 0; i+1 < len(n.node.Content); i += 2 {
		key := Node{n.node.Content[i]}
		if !key.isString() {
			return nil, Errorf(key.Line(), "%s: want a name for a key, got %v", what, key)
		}
		name := key.node.Value
		if seen[name] {
			return nil, Errorf(key.Line(), "%s: key %q stands here twice", what, name)
		}
		seen[name] = true
		fields = append(fields, Field{name, key.Line(), Node{n.node.Content[i+1]}})
	}
	return fields, nil
}

// List returns the nodes of a list.
func (f Field) List() ([]Node, error) {
	if !f.Value.is(yaml.SequenceNode) {
		return nil, Errorf(f.Line, "%s: want a list, got %v", f.Key, f.Value)
	}
	items := make([]Node, len(f.Value.node.Content))
	for i, n := range f.Value.node.Content {
		items[i] = Node{n}
	}
	return items, nil
}

// Item is a string in a list, and its line.
type Item struct {
	Text string
	Line int
}

// Strings returns the strings of a list, none of them twice.
func (f Field) Strings() ([]Item, error) {
	nodes, err := f.List()
	if err != nil {
		return nil, err
	}
	items := make([]Item, 0, len(nodes))
	seen := make(map[string]bool, len(nodes))
	for _, n := range nodes {
		text := n.node.Value
		if !n.isString() {
			return nil, Errorf(n.Line(), "%s: want a string, got %v", f.Key, n)
		}
		if seen[text] {
			return nil, Errorf(n.Line(), "%s: %q stands here twice", f.Key, text)
		}
		seen[text] = true
		items = append(items, Item{text, n.Line()})
	}
	return items, nil
}

// Bool returns what is written as true or false.
func (f Field) Bool() (bool, error) {
	if !f.Value.is(yaml.ScalarNode) || f.Value.node.Tag != "!!bool" {
		return false, Errorf(f.Line, "%s: want true or false, got %v", f.Key, f.Value)
	}
	return strings.EqualFold(f.Value.node.Value, "true"), nil
}

// Word returns a string, or a number as it is written: a token may be all digits.
func (f Field) Word() (string, error) {
	if f.Value.is(yaml.ScalarNode) {
		switch f.Value.node.Tag {
		case "!!str", "!!int", "!!float":
			return f.Value.node.Value, nil
		}
	}
	return "", Errorf(f.Line, "%s: want a string, got %v", f.Key, f.Value)
}

// AppendJSON appends the node as JSON, its fields in the order in which they are written. The zero Node is null. Dates, which
// JSON does not have, are strings.
func (n Node) AppendJSON(dst []byte) ([]byte, error) {
	switch {
	case n.node == nil:
		return append(dst, "null"...), nil
	case n.IsMapping():
		return n.appendObject(dst)
	case n.is(yaml.SequenceNode):
		return n.appendArray(dst)
	case n.is(yaml.ScalarNode) && n.node.Tag != "!!merge":
		return n.appendScalar(dst)
	}
	return nil, Errorf(n.Line(), "%v", n)
}

func (n Node) appendObject(dst []byte) ([]byte, error) {
	fields, err := n.Mapping("an object")
	if err != nil {
		return nil, err
	}
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, f.Key), ':')
		if dst, err = f.Value.AppendJSON(dst); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func (n Node) appendArray(dst []byte) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range n.node.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = (Node{item}).AppendJSON(dst); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func (n Node) appendScalar(dst []byte) ([]byte, error) {
	switch n.node.Tag {
	case "!!null", "!!bool", "!!int", "!!float":
		var value any
		if err := n.node.Load(&value); err != nil {
			return nil, Errorf(n.Line(), "%s", oneLine(err.Error()))
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, Errorf(n.Line(), "%.40s: JSON has no such number", n.node.Value)
		}
		return append(dst, text...), nil
	}
	return appendString(dst, n.node.Value), nil
}

func appendString(dst []byte, s string) []byte {
	text, _ := json.Marshal(s) // a string always has a form
	return append(dst, text...)
}

// is reports whether the node is of a kind, and not one that is referred to, or refers to another.
func (n Node) is(kind yaml.Kind) bool { return n.node.Kind == kind && n.node.Anchor == "" }

func (n Node) isString() bool { return n.is(yaml.ScalarNode) && n.node.Tag == "!!str" }

// String describes the node for an error.
func (n Node) String() string {
	switch {
	case n.node.Anchor != "", n.node.Kind == yaml.AliasNode, n.node.Tag == "!!merge":
		return anchored
	case n.node.Kind == yaml.MappingNode:
		return "a mapping"
	case n.node.Kind == yaml.SequenceNode:
		return "a list"
	case isNothing(n.node):
		return "nothing"
	case n.isString():
		return fmt.Sprintf("%.40q", n.node.Value)
	}
	if text := oneLine(n.node.Value); text != "" && strings.HasPrefix(n.node.Tag, "!!") {
		return fmt.Sprintf("%.40s", text)
	}
	return "a tag"
}
