package raw

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// checkRefs refuses the references in a schema that must not reach the validator: those to
// elsewhere, and those that lead back to where they are without having gone into the value, on
// which it would recurse until the process dies. The text is a schema as the validator has read it, so that
// every keyword in it is spelled as here.
func checkRefs(text json.RawMessage) error {
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		return err
	}
	w := refWalk{root: root, done: map[string]bool{}}
	return w.inside("", root)
}

// refWalk goes through a schema. Places in it are JSON pointers.
type refWalk struct {
	root any
	done map[string]bool // true: it leads to no circle; false: it is being looked at
}

// The keywords that hold schemas, by how they hold them, and those of them that are about the value
// itself and not about what it contains.
var (
	holdOne  = []string{"items", "additionalItems", "additionalProperties", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema", "not", "if", "then", "else"}
	holdMany = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "prefixItems", "items"}
	inPlace  = []string{"not", "if", "then", "else", "allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies"}
)

// inside checks a schema and all that are written inside it.
func (w *refWalk) inside(at string, schema any) error {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	if _, has := s["$id"]; has && at != "" {
		return fmt.Errorf("$id at %q is not supported: references would begin there", "#"+at)
	}
	if err := w.same(at, s); err != nil {
		return err
	}
	return eachHeld(at, s, slices.Concat(holdOne, holdMany), w.inside)
}

// same checks that a schema does not lead back to itself about the same value.
func (w *refWalk) same(at string, schema any) error {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	if done, seen := w.done[at]; seen {
		if !done {
			return fmt.Errorf("the reference at %q leads back to itself", "#"+at)
		}
		return nil
	}
	w.done[at] = false
	for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
		if _, has := s[keyword].(string); has {
			return fmt.Errorf("%s at %q is not supported", keyword, "#"+at)
		}
	}
	if ref, has := s["$ref"].(string); has {
		to, target, err := w.find(ref)
		if err != nil {
			return err
		}
		if err := w.same(to, target); err != nil {
			return err
		}
	}
	err := eachHeld(at, s, inPlace, w.same)
	w.done[at] = true
	return err
}

// eachHeld calls do with the schemas that the given keywords of s hold.
func eachHeld(at string, s map[string]any, keywords []string, do func(string, any) error) error {
	for _, keyword := range keywords {
		switch held := s[keyword].(type) {
		case []any:
			for i, sub := range held {
				if err := do(at+"/"+keyword+"/"+strconv.Itoa(i), sub); err != nil {
					return err
				}
			}
		case map[string]any:
			if slices.Contains(holdOne, keyword) {
				if err := do(at+"/"+keyword, held); err != nil {
					return err
				}
				continue
			}
			for name, sub := range held {
				if err := do(at+"/"+keyword+"/"+escapePointer(name), sub); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// find returns what a reference names, and its place in one spelling.
func (w *refWalk) find(ref string) (at string, target any, err error) {
	pointer, err := url.PathUnescape(ref)
	if err != nil || ref != "#" && !strings.HasPrefix(ref, "#/") {
		return "", nil, fmt.Errorf("$ref %q: only references of the form #/$defs/name are supported", ref)
	}
	target = w.root
	if pointer == "#" {
		return "", target, nil
	}
	for step := range strings.SplitSeq(pointer[2:], "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch holder := target.(type) {
		case map[string]any:
			target = holder[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(holder) {
				return "", nil, fmt.Errorf("$ref %q leads nowhere", ref)
			}
			step, target = strconv.Itoa(i), holder[i]
		default:
			target = nil
		}
		if target == nil {
			return "", nil, fmt.Errorf("$ref %q leads nowhere", ref)
		}
		at += "/" + escapePointer(step)
	}
	return at, target, nil
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
