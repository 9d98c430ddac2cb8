package wire_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"
)

// The oracle decides slowly and dumbly what Decode must make of a text: the tokens
// of encoding/json as a tree; the rules about presence, case, null and keys given
// twice written out over reflection; every limit asked of validator/v10; and the
// value from json.Unmarshal with DisallowUnknownFields, from a text in which
// integers are spelt as Go likes them and defaults stand where keys are absent.

// tree is a JSON value: nil, bool, string, json.Number, []tree or []pair.
type (
	tree any
	pair struct {
		key   string
		value tree
	}
)

// refuse is the reason for which the oracle refuses a text.
type refuse string

// oracle returns the value that text means for type t, or why it means none.
func oracle(t reflect.Type, text []byte) (v reflect.Value, why error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refuse:
			why = fmt.Errorf("%s", r)
		default:
			panic(r)
		}
	}()
	if !utf8.Valid(text) || !json.Valid(text) {
		panic(refuse("not valid JSON"))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	canonical := write(judge(parse(d), t, "", false))
	d = json.NewDecoder(strings.NewReader(canonical))
	d.DisallowUnknownFields()
	v = reflect.New(t)
	if err := d.Decode(v.Interface()); err != nil {
		panic(refuse(canonical + ": " + err.Error()))
	}
	return v, nil
}

func parse(d *json.Decoder) tree {
	token, err := d.Token()
	if err != nil {
		panic(err)
	}
	switch token {
	case json.Delim('['):
		list := []tree{}
		for d.More() {
			list = append(list, parse(d))
		}
		_, _ = d.Token()
		return list
	case json.Delim('{'):
		o := []pair{}
		for d.More() {
			key, _ := d.Token()
			o = append(o, pair{key.(string), parse(d)})
		}
		_, _ = d.Token()
		return o
	}
	return token
}

func write(n tree) string {
	switch n := n.(type) {
	case []tree:
		var items []string
		for _, item := range n {
			items = append(items, write(item))
		}
		return "[" + strings.Join(items, ",") + "]"
	case []pair:
		var members []string
		for _, m := range n {
			members = append(members, write(m.key)+":"+write(m.value))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	text, _ := json.Marshal(n)
	return string(text)
}

var judgeLimits = validator.New()

// demand asks validator/v10 about a value, by the rules for itself.
func demand(v any, rules string) {
	var own []string
	for r := range strings.SplitSeq(rules, ",") {
		if r == "dive" {
			break
		}
		if r != "required" && r != "omitempty" && r != "" {
			own = append(own, r)
		}
	}
	if len(own) == 0 {
		return
	}
	if err := judgeLimits.Var(v, strings.Join(own, ",")); err != nil {
		panic(refuse(err.Error()))
	}
}

func itemRules(rules string) string {
	_, items, _ := strings.Cut(","+rules+",", ",dive,")
	return strings.Trim(items, ",")
}

// has reports whether the rules bound a number from one side.
func has(rules string, names ...string) bool {
	own, _, _ := strings.Cut(","+rules+",", ",dive,")
	for _, name := range names {
		if strings.Contains(","+own, ","+name+"=") {
			return true
		}
	}
	return false
}

// judge refuses n as a value of type t, or returns it as json.Unmarshal wants it.
func judge(n tree, t reflect.Type, rules string, nullable bool) tree {
	if t.Kind() == reflect.Pointer {
		if n == nil && nullable {
			return nil
		}
		return judge(n, t.Elem(), rules, false)
	}
	switch reflect.Zero(t).Interface().(type) {
	case json.RawMessage:
		return free(n)
	case color:
		if number, ok := n.(json.Number); ok {
			return judge(number, reflect.TypeFor[uint32](), "lte=16777215", false)
		}
		return judge(n, reflect.TypeFor[rgb](), "", false)
	case target:
		if _, ok := n.([]tree); ok {
			return judge(n, reflect.TypeFor[vec3](), "", false)
		}
		return judge(n, reflect.TypeFor[entity](), "", false)
	case padding:
		if number, ok := n.(json.Number); ok {
			return judge(number, reflect.TypeFor[float64](), "gte=0", false)
		}
		return judge(n, reflect.TypeFor[sides](), "", false)
	case anchor:
		members, _ := n.([]pair)
		for _, m := range members {
			if m.key == "kind" && m.value == "screen" {
				return judge(n, reflect.TypeFor[screenAnchor](), "", false)
			}
		}
		return judge(n, reflect.TypeFor[worldAnchor](), "", false)
	}
	if u, ok := reflect.New(t).Interface().(encoding.TextUnmarshaler); ok {
		s, isString := n.(string)
		if !isString || u.UnmarshalText([]byte(s)) != nil {
			panic(refuse("not a text of " + t.String()))
		}
		return n
	}
	switch t.Kind() {
	case reflect.Interface:
		return free(n)
	case reflect.Bool:
		if _, ok := n.(bool); !ok {
			panic(refuse("not a bool"))
		}
		return n
	case reflect.String:
		s, ok := n.(string)
		if !ok {
			panic(refuse("not a string"))
		}
		demand(s, rules)
		return n
	case reflect.Float32, reflect.Float64:
		return judgeFloat(n, t, rules)
	case reflect.Array, reflect.Slice:
		return judgeItems(n, t, rules)
	case reflect.Map:
		return judgeMap(n, t, rules)
	case reflect.Struct:
		return judgeStruct(n, t)
	}
	return judgeInteger(n, t, rules)
}

// free accepts anything without keys given twice and without numbers beyond float64.
func free(n tree) tree {
	switch n := n.(type) {
	case json.Number:
		if _, err := n.Float64(); err != nil {
			panic(refuse("too big"))
		}
	case []tree:
		for _, item := range n {
			free(item)
		}
	case []pair:
		unique(n)
		for _, m := range n {
			free(m.value)
		}
	}
	return n
}

func unique(o []pair) {
	seen := map[string]bool{}
	for _, m := range o {
		if seen[m.key] {
			panic(refuse("twice: " + m.key))
		}
		seen[m.key] = true
	}
}

func judgeFloat(n tree, t reflect.Type, rules string) tree {
	number, ok := n.(json.Number)
	if !ok {
		panic(refuse("not a number"))
	}
	f, err := number.Float64()
	if err != nil || math.Abs(f) > 3.4e38 {
		panic(refuse("too big"))
	}
	demand(f, rules)
	if t.Kind() == reflect.Float32 { // what is stored is another number, which the limits are about too
		f32, _ := strconv.ParseFloat(string(number), 32)
		demand(float32(f32), rules)
	}
	return n
}

func judgeInteger(n tree, t reflect.Type, rules string) tree {
	number, ok := n.(json.Number)
	if !ok {
		panic(refuse("not a number"))
	}
	if _, exp, ok := strings.Cut(strings.ToLower(string(number)), "e"); ok {
		if e, err := strconv.Atoi(exp); err != nil || e > 2000 || e < -2000 {
			// Too long to write out. Zero is zero; the rest is huge, or a fraction.
			if strings.Trim(strings.ToLower(string(number))[:len(number)-len(exp)-1], "-0.") != "" {
				panic(refuse("not an integer of ours"))
			}
			number = "0"
		}
	}
	r, ok := new(big.Rat).SetString(string(number))
	if !ok || !r.IsInt() {
		panic(refuse("not an integer"))
	}
	lo, hi := big.NewInt(-(1<<53 - 1)), big.NewInt(1<<53-1)
	text := r.Num().String()
	v := reflect.New(t)
	if err := json.Unmarshal([]byte(text), v.Interface()); err != nil {
		panic(refuse("does not fit " + t.String()))
	}
	if !has(rules, "gt", "gte", "min", "eq", "oneof") && r.Num().Cmp(lo) < 0 || !has(rules, "lt", "lte", "max", "eq", "oneof") && r.Num().Cmp(hi) > 0 {
		panic(refuse("beyond 2^53"))
	}
	demand(v.Elem().Interface(), rules)
	return json.Number(text)
}

func judgeItems(n tree, t reflect.Type, rules string) tree {
	list, ok := n.([]tree)
	if !ok {
		panic(refuse("not an array"))
	}
	items := []tree{}
	for _, item := range list {
		items = append(items, judge(item, t.Elem(), itemRules(rules), false))
	}
	if t.Kind() == reflect.Array {
		if len(items) != t.Len() {
			panic(refuse("wrong length"))
		}
		return items
	}
	v := reflect.New(t)
	if err := json.Unmarshal([]byte(write(items)), v.Interface()); err != nil {
		panic(refuse(err.Error()))
	}
	demand(v.Elem().Interface(), rules)
	return items
}

func judgeMap(n tree, t reflect.Type, rules string) tree {
	members, ok := n.([]pair)
	if !ok {
		panic(refuse("not an object"))
	}
	unique(members)
	made := []pair{}
	for _, m := range members {
		made = append(made, pair{m.key, judge(m.value, t.Elem(), itemRules(rules), false)})
	}
	v := reflect.New(t)
	if err := json.Unmarshal([]byte(write(made)), v.Interface()); err != nil {
		panic(refuse(err.Error()))
	}
	demand(v.Elem().Interface(), rules)
	return made
}

func judgeStruct(n tree, t reflect.Type) tree {
	members, ok := n.([]pair)
	if !ok {
		panic(refuse("not an object"))
	}
	unique(members)
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if f.IsExported() && name != "-" && (!f.Anonymous || f.Tag.Get("json") != "") {
			fields[name] = f
		}
	}
	made := []pair{}
	for _, m := range members {
		f, ok := fields[m.key]
		if !ok {
			panic(refuse("unknown: " + m.key))
		}
		delete(fields, m.key)
		nullable := strings.Contains(f.Tag.Get("jsonschema"), "nullable")
		made = append(made, pair{m.key, judge(m.value, f.Type, f.Tag.Get("validate"), nullable)})
	}
	for name, f := range fields {
		if def, ok := strings.CutPrefix(f.Tag.Get("jsonschema"), "default="); ok {
			made = append(made, pair{name, defaultTree(def, f.Type)})
		} else if !strings.Contains(f.Tag.Get("json"), "omit") {
			panic(refuse("missing: " + name))
		}
	}
	return made
}

func defaultTree(def string, t reflect.Type) tree {
	switch t.Kind() {
	case reflect.String:
		return def
	case reflect.Array, reflect.Slice:
		items := []tree{}
		for item := range strings.FieldsSeq(def) {
			items = append(items, json.Number(item))
		}
		return items
	}
	d := json.NewDecoder(strings.NewReader(def))
	d.UseNumber()
	return parse(d)
}
