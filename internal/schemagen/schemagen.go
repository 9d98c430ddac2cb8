// Package schemagen makes JSON inputs from a JSON Schema, good ones and bad ones, to
// test that a decoder and its schema agree:
//
//	g, err := schemagen.New(skill.InputSchema())
//	…
//	for in := range g.Inputs(1, 1000) {
//		if err := decode(in.JSON); (err == nil) != in.Valid {
//			t.Errorf("%s: %s: the schema says valid=%v, the decoder %v", in.What, in.JSON, in.Valid, err)
//		}
//	}
//
// It is for tests only: it links santhosh-tekuri/jsonschema/v6, the judge of what is
// valid, which costs a program milliseconds at its start.
package schemagen

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Input is one generated input.
type Input struct {
	JSON  []byte
	Valid bool   // what the schema says; false too for a key given twice, which it cannot see
	What  string // how it was made: "good", "position: dropped an item", …
}

// Generator makes inputs for one schema. It may be used by several goroutines.
type Generator struct {
	root  schema
	judge *jsonschema.Schema
}

// New prepares a generator. The schema must be a JSON Schema of draft 2020-12 of the
// keywords that package wire writes: type, enum, const, anyOf, oneOf, not, bounds of
// numbers and lengths, pattern, properties, required, additionalProperties, items.
func New(text []byte) (*Generator, error) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("schemagen: %w", err)
	}
	root, ok := parsed.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("schemagen: the schema is not an object: %s", text)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", parsed); err != nil {
		return nil, fmt.Errorf("schemagen: %w", err)
	}
	judge, err := c.Compile("schema.json")
	if err != nil {
		return nil, fmt.Errorf("schemagen: %w", err)
	}
	return &Generator{root: root, judge: judge}, nil
}

// Valid is the schema's verdict over a JSON text. What is not JSON is not valid.
func (g *Generator) Valid(text []byte) bool {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return err == nil && g.judge.Validate(v) == nil
}

// Inputs makes n inputs, the same ones for the same seed: about two good ones to
// three that were spoilt in one place. A spoilt one may still be valid, which Valid
// says.
func (g *Generator) Inputs(seed uint64, n int) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		m := maker{rand.New(rand.NewPCG(seed, seed))}
		for range n {
			if !yield(g.next(m)) {
				return
			}
		}
	}
}

func (g *Generator) next(m maker) Input {
	tree := g.good(m)
	if m.one(5, 2) {
		text := m.render(tree)
		return Input{text, g.Valid(text), "good"}
	}
	if m.one(12, 1) {
		text, what := m.breakText(m.render(tree))
		return Input{text, g.Valid(text), what}
	}
	tree, what := m.spoil(g.root, tree)
	text := m.render(tree)
	return Input{text, g.Valid(text) && what != twice, what}
}

// good makes a tree that the schema accepts. Keywords that exclude something (not,
// uniqueItems) are met by trying again.
func (g *Generator) good(m maker) node {
	const tries = 50
	var tree node
	for range tries {
		tree = m.value(g.root)
		if g.Valid(m.render(tree)) {
			break
		}
	}
	return tree
}

// maker draws at random.
type maker struct{ *rand.Rand }

// one is true k times in n.
func (m maker) one(n, k int) bool { return m.IntN(n) < k }
