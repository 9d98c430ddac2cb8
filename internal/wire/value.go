package wire

import (
	"encoding"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"

	"github.com/invopop/jsonschema"
)

// kind is how a Go type travels as JSON.
type kind uint8

const (
	kindBool    kind = iota
	kindInt          // any signed size
	kindUint         // any unsigned size
	kindFloat64      // the two floats differ in how they are stored
	kindFloat32
	kindString
	kindArray  // [N]T: an array of exactly N
	kindSlice  // []T
	kindMap    // map[string]T
	kindStruct // an object with known keys
	kindPointer
	kindAny    // interface{}: any JSON value as encoding/json would store it
	kindRaw    // json.RawMessage: any JSON value as text
	kindText   // reads and writes itself as text: a string
	kindCustom // reads and writes itself as JSON, and brings its schema: a union
)

// value is how one value is read, checked, written and described.
type value struct {
	kind     kind
	nullable bool // kindPointer: null is allowed and means nil
	saysZero bool // the type has a method IsZero
	bare     bare // how its zero looks
	typ      reflect.Type
	size     uintptr // of typ
	limits   limits
	elem     *value      // of an array, a slice, a map, a pointer
	count    int         // kindArray: how many
	object   *object     // kindStruct
	text     texts       // kindText
	check    selfChecker // kindText, kindCustom: a nil *T, see of; nil if the type has no Check
	floats   []uintptr   // offsets of its float64s, if those are all that Check has to look at and it allows the widest range
}

// texts are the methods of a type that travels as text, each on a nil *T; see of.
type texts struct {
	read   encoding.TextUnmarshaler
	append encoding.TextAppender  // this one if the type has it,
	write  encoding.TextMarshaler // else this one
}

func textsOf(t reflect.Type) (m texts) {
	none := reflect.Zero(reflect.PointerTo(t)).Interface()
	m.read, _ = none.(encoding.TextUnmarshaler)
	m.append, _ = none.(encoding.TextAppender)
	m.write, _ = none.(encoding.TextMarshaler)
	return m
}

var (
	anyType             = reflect.TypeFor[any]()
	rawType             = reflect.TypeFor[json.RawMessage]()
	jsonUnmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	jsonMarshalerType   = reflect.TypeFor[json.Marshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textAppenderType    = reflect.TypeFor[encoding.TextAppender]()
	urlType             = reflect.TypeFor[url.URL]()
	schemerType         = reflect.TypeFor[schemer]()
)

// schemer is a type that brings its own schema, as invopop/jsonschema defines it.
type schemer interface{ JSONSchema() *jsonschema.Schema }

// patterner is a text type that says what its text looks like, without having to
// know of any schema package.
type patterner interface{ JSONSchemaPattern() string }

// kindOf decides how a type travels. Methods come before the kind of the type, as in
// encoding/json.
func kindOf(t reflect.Type) (kind, error) {
	switch t {
	case anyType:
		return kindAny, nil
	case rawType:
		return kindRaw, nil
	case urlType: // a struct without methods for JSON, of which the schema would make a string
		return 0, fmt.Errorf("%v is not supported: use a string", t)
	}
	if mayHaveMethods(t) {
		if k, ok, err := kindByMethods(t); ok || err != nil {
			return k, err
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return kindBool, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kindInt, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return kindUint, nil
	case reflect.Float64:
		return kindFloat64, nil
	case reflect.Float32:
		return kindFloat32, nil
	case reflect.String:
		return kindString, nil
	case reflect.Array:
		return kindArray, nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return 0, fmt.Errorf("%v is not supported: use a string, or json.RawMessage for JSON", t)
		}
		return kindSlice, nil
	case reflect.Map:
		if t.Key().Kind() != reflect.String || hasTextMethods(t.Key()) {
			return 0, fmt.Errorf("%v is not supported: the keys of a map must be plain strings", t)
		}
		return kindMap, nil
	case reflect.Struct:
		return kindStruct, nil
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Pointer {
			return 0, fmt.Errorf("%v is not supported: a pointer to a pointer", t)
		}
		return kindPointer, nil
	}
	return 0, fmt.Errorf("%v is not supported: JSON cannot carry it", t)
}

// mayHaveMethods is false for most types of fields, which saves registration the time
// to look for methods: what the language names and what has no name, save a struct,
// which may embed methods.
func mayHaveMethods(t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && (t.PkgPath() != "" || t.Kind() == reflect.Struct)
}

// kindByMethods decides for types that read and write themselves.
func kindByMethods(t reflect.Type) (k kind, ok bool, err error) {
	ptr := reflect.PointerTo(t)
	readsText, writesText := ptr.Implements(textUnmarshalerType), t.Implements(textMarshalerType) || t.Implements(textAppenderType)
	readsJSON, writesJSON := ptr.Implements(jsonUnmarshalerType), t.Implements(jsonMarshalerType)
	describes := t.Implements(schemerType)
	switch {
	case readsJSON && writesJSON && describes:
		return kindCustom, true, nil
	case readsText && writesText: // time.Time comes here, with methods of both sorts
		return kindText, true, nil
	case readsJSON || ptr.Implements(jsonMarshalerType):
		return 0, false, fmt.Errorf("%v reads or writes its own JSON, so it needs all of UnmarshalJSON, MarshalJSON and JSONSchema, the last two on the value", t)
	case hasTextMethods(t):
		return 0, false, fmt.Errorf("%v reads or writes its own text, so it needs both UnmarshalText and MarshalText or AppendText, the latter on the value", t)
	}
	return 0, false, nil
}

func hasTextMethods(t reflect.Type) bool {
	ptr := reflect.PointerTo(t)
	return ptr.Implements(textUnmarshalerType) || ptr.Implements(textMarshalerType) || ptr.Implements(textAppenderType)
}
