package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limina-mcp/limina/internal/wire"
)

// form is the schema of an [Elicitation]: what MCP 2025-11-25 lets a server ask for of JSON Schema
// (schema.ts, PrimitiveSchemaDefinition). Clients show nothing else, so that any other keyword is a
// mistake of whoever asks.
type form struct {
	Schema      string               `json:"$schema"`
	Type        string               `json:"type"`
	Title       string               `json:"title"`
	Description string               `json:"description"`
	Properties  map[string]formField `json:"properties"`
	Required    []string             `json:"required"`
	Additional  *bool                `json:"additionalProperties"`
}

// formField is one field of a form: a text, a number, yes or no, one of some words, or some of them.
type formField struct {
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Default     any         `json:"default"`
	Format      string      `json:"format"` // a hint to the client: it is not checked
	MinLength   int         `json:"minLength"`
	MaxLength   *int        `json:"maxLength"` // in characters
	Minimum     *float64    `json:"minimum"`
	Maximum     *float64    `json:"maximum"`
	Enum        []string    `json:"enum"`
	EnumNames   []string    `json:"enumNames"`
	OneOf       []formTitle `json:"oneOf"` // an Enum with titles
	AnyOf       []formTitle `json:"anyOf"` // the same, of Items
	Items       *formField  `json:"items"`
	MinItems    int         `json:"minItems"`
	MaxItems    *int        `json:"maxItems"`
}

type formTitle struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// readForm reads the schema of an elicitation.
func readForm(schema json.RawMessage) (*form, error) {
	d := json.NewDecoder(bytes.NewReader(schema))
	d.DisallowUnknownFields()
	var f form
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	if f.Type != "object" {
		return nil, errors.New(`the root must have type "object"`)
	}
	for name, field := range f.Properties {
		switch field.Type {
		case "string", "number", "integer", "boolean":
			continue
		case "array":
			if field.Items != nil && len(field.Items.words()) > 0 {
				continue
			}
		}
		return nil, fmt.Errorf("%s: must be a string, a number, an integer, a boolean, or an array whose items are of some words", name)
	}
	return &f, nil
}

// check says what is wrong with what was filled in.
func (f *form) check(content json.RawMessage) error {
	if err := checkRaw(content, nil); err != nil {
		return err
	}
	var filled map[string]any
	if err := json.Unmarshal(content, &filled); err != nil {
		return err
	}
	for _, name := range f.Required {
		if _, ok := filled[name]; !ok {
			return wire.Errors{{Path: name, Message: "is required"}}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(filled)) {
		field, known := f.Properties[name]
		problem := ""
		switch {
		case known:
			problem = field.check(filled[name])
		case f.Additional != nil && !*f.Additional:
			problem = "is not asked for"
		}
		if problem != "" {
			return wire.Errors{{Path: name, Message: problem}}
		}
	}
	return nil
}

// check says what is wrong with the value of a field, "" for nothing.
func (f *formField) check(value any) string {
	switch v := value.(type) {
	case string:
		if f.Type == "string" {
			return f.checkText(v)
		}
	case bool:
		if f.Type == "boolean" {
			return ""
		}
	case float64:
		if f.Type == "number" || f.Type == "integer" && v == math.Trunc(v) {
			return f.checkNumber(v)
		}
	case []any:
		if f.Type == "array" {
			return f.checkChoices(v)
		}
	}
	got, _ := json.Marshal(value) // it was just decoded
	return fmt.Sprintf("must be of type %s, got %.64s", f.Type, got)
}

func (f *formField) checkText(v string) string {
	n := utf8.RuneCountInString(v)
	switch words := f.words(); {
	case len(words) > 0 && !slices.Contains(words, v):
		return fmt.Sprintf("must be one of %s", strings.Join(words, ", "))
	case n < f.MinLength:
		return fmt.Sprintf("must have at least %d characters", f.MinLength)
	case f.MaxLength != nil && n > *f.MaxLength:
		return fmt.Sprintf("must have at most %d characters", *f.MaxLength)
	}
	return ""
}

func (f *formField) checkNumber(v float64) string {
	switch {
	case f.Minimum != nil && v < *f.Minimum:
		return fmt.Sprintf("must be at least %v", *f.Minimum)
	case f.Maximum != nil && v > *f.Maximum:
		return fmt.Sprintf("must be at most %v", *f.Maximum)
	}
	return ""
}

func (f *formField) checkChoices(list []any) string {
	switch {
	case len(list) < f.MinItems:
		return fmt.Sprintf("must have at least %d items", f.MinItems)
	case f.MaxItems != nil && len(list) > *f.MaxItems:
		return fmt.Sprintf("must have at most %d items", *f.MaxItems)
	}
	for _, item := range list {
		if v, ok := item.(string); !ok || !slices.Contains(f.Items.words(), v) {
			return "each must be one of " + strings.Join(f.Items.words(), ", ")
		}
	}
	return ""
}

// words are what a text has to be one of, none for any text.
func (f *formField) words() []string {
	words := f.Enum
	for _, titled := range [][]formTitle{f.OneOf, f.AnyOf} {
		for _, t := range titled {
			words = append(words[:len(words):len(words)], t.Const)
		}
	}
	return words
}
