package world

import (
	"fmt"
	"reflect"
	"strings"
)

// finite looks for a number in v that the world does not take, and returns it with its path as in
// the JSON: "", ".size[2]", ".config.depth". The path is put together only if there is one.
func finite(v reflect.Value) (path string, bad float64, ok bool) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		x := v.Float()
		return "", x, fits(x)
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return finite(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		return finiteList(v)
	case reflect.Map:
		return finiteMap(v)
	case reflect.Struct:
		return finiteStruct(v)
	}
	return "", 0, true
}

func finiteList(v reflect.Value) (path string, bad float64, ok bool) {
	switch v.Type().Elem().Kind() {
	case reflect.Uint8, reflect.String, reflect.Int, reflect.Int32, reflect.Uint32, reflect.Uint64, reflect.Bool:
		return "", 0, true // none of many elements can be one
	}
	for i := range v.Len() {
		if path, bad, ok := finite(v.Index(i)); !ok {
			return fmt.Sprintf("[%d]%s", i, path), bad, false
		}
	}
	return "", 0, true
}

func finiteMap(v reflect.Value) (path string, bad float64, ok bool) {
	for it := v.MapRange(); it.Next(); {
		if path, bad, ok := finite(it.Value()); !ok {
			return fmt.Sprintf(".%v%s", it.Key(), path), bad, false
		}
	}
	return "", 0, true
}

func finiteStruct(v reflect.Value) (path string, bad float64, ok bool) {
	for i := range v.NumField() {
		if path, bad, ok := finite(v.Field(i)); !ok {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case f.Anonymous && name == "":
				return path, bad, false
			case name == "":
				name = f.Name
			}
			return "." + name + path, bad, false
		}
	}
	return "", 0, true
}
