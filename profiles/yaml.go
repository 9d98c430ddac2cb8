package profiles

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// field is one key of a mapping, with its value and line.
type field struct {
	key   string
	line  int
	value ast.Node
}

// mapping returns the fields of a mapping whose keys are strings, none of them twice.
func mapping(n ast.Node, what string) ([]field, error) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		return nil, errorAt(lineOf(n), "%s: want a mapping, got %s", what, describe(n))
	}
	fields := make([]field, 0, len(values))
	seen := make(map[string]bool, len(values))
	for _, v := range values {
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			return nil, errorAt(lineOf(v.Key), "%s: want a name for a key, got %s", what, describe(v.Key))
		}
		if seen[key.Value] {
			return nil, errorAt(lineOf(key), "%s: key %q stands here twice", what, key.Value)
		}
		seen[key.Value] = true
		fields = append(fields, field{key.Value, lineOf(key), v.Value})
	}
	return fields, nil
}

// list returns the strings of a sequence, none of them twice.
func list(f field) ([]reference, error) {
	seq, ok := f.value.(*ast.SequenceNode)
	if !ok {
		return nil, errorAt(f.line, "%s: want a list, got %s", f.key, describe(f.value))
	}
	items := make([]reference, 0, len(seq.Values))
	seen := make(map[string]bool, len(seq.Values))
	for _, v := range seq.Values {
		s, ok := v.(*ast.StringNode)
		if !ok {
			return nil, errorAt(lineOf(v), "%s: want a string, got %s", f.key, describe(v))
		}
		if seen[s.Value] {
			return nil, errorAt(lineOf(s), "%s: %q stands here twice", f.key, s.Value)
		}
		seen[s.Value] = true
		items = append(items, reference{s.Value, lineOf(s)})
	}
	return items, nil
}

func boolean(f field) (bool, error) {
	b, ok := f.value.(*ast.BoolNode)
	if !ok {
		return false, errorAt(f.line, "%s: want true or false, got %s", f.key, describe(f.value))
	}
	return b.Value, nil
}

// isEmpty reports whether a document says nothing, comments aside.
func isEmpty(n ast.Node) bool {
	switch n.(type) {
	case nil, *ast.CommentGroupNode:
		return true
	}
	return false
}

func lineOf(n ast.Node) int {
	if isEmpty(n) || n.GetToken() == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

func describe(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.CommentGroupNode:
		return "nothing"
	case *ast.NullNode:
		return "null"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode:
		return fmt.Sprintf("%.40q", n.Value)
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or alias, which is not allowed here: use extends"
	case *ast.TagNode:
		return "a tag"
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode:
		return fmt.Sprintf("%.40s", n.GetToken().Value)
	}
	return fmt.Sprintf("%.40q", n.String())
}
