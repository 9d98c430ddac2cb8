package world

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// lost returns what a value that was just read does not have of the text that it was read from: fields that another program wrote, and the type
// does not know. Whatever is zero is not missed, and what is retired is not wanted. A type that reads itself knows what it does.
func (v *vault) lost(text []byte, at seat) error {
	value := v.values.ref(at)
	now := v.codec.write(value)
	if bytes.Equal(now, text) { // nearly always
		return nil
	}
	switch value.(type) {
	case json.Unmarshaler, encoding.TextUnmarshaler:
		return nil
	}
	var was, is any
	if err := json.Unmarshal(text, &was); err != nil {
		return err
	}
	if err := json.Unmarshal(now, &is); err != nil {
		return err
	}
	fields := missed(nil, "", was, is)
	slices.Sort(fields)
	fields = slices.DeleteFunc(slices.Compact(fields), v.left)
	if len(fields) == 0 {
		return nil
	}
	return fmt.Errorf("this program's %v has no field for what was kept as %s, which would be lost: give it one, or an UnmarshalJSON that reads what an earlier program wrote, or have it left out by Retire(%q)",
		v.values.of(), strings.Join(fields, ", "), v.codec.name+"."+fields[0])
}

// left reports whether a field, or one that it is in, is retired.
func (v *vault) left(field string) bool {
	return v.retired != nil && slices.ContainsFunc(*v.retired, func(name string) bool {
		rest, ok := strings.CutPrefix(v.codec.name+"."+field, name)
		return ok && (rest == "" || rest[0] == '.')
	})
}

// missed adds the paths of what of a JSON value another one does not have.
func missed(paths []string, path string, was, is any) []string {
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			return paths // another way to say it
		}
		for _, key := range slices.Sorted(maps.Keys(was)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			if value, ok := member(is, key); ok {
				paths = missed(paths, at, was[key], value)
			} else if !empty(was[key]) {
				paths = append(paths, at)
			}
		}
	case []any:
		is, ok := is.([]any)
		if !ok {
			return paths
		}
		for i := range min(len(was), len(is)) {
			paths = missed(paths, path, was[i], is[i])
		}
	}
	return paths
}

// member finds a member as encoding/json finds the field for a key: by its name, or else in any case.
func member(of map[string]any, key string) (value any, ok bool) {
	if value, ok = of[key]; ok {
		return value, true
	}
	for name, value := range of {
		if strings.EqualFold(name, key) {
			return value, true
		}
	}
	return nil, false
}

// empty reports whether a JSON value says no more than that there is nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, inner := range v {
			if !empty(inner) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(inner any) bool { return !empty(inner) })
	}
	return reflect.ValueOf(v).IsZero()
}
