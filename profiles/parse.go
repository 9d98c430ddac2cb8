package profiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// entry is one profile as a file states it.
type entry struct {
	name    string
	line    int
	replace bool
	grants  []Permission
	extends []reference
}

// reference is the name of a profile and where it stands.
type reference struct {
	name string
	line int
}

// parse reads a profile file into its entries, in the file's order. It works on the syntax tree and not on decoded
// values, so that every complaint has its line.
func parse(data []byte) ([]entry, error) {
	if json.Valid(data) {
		// YAML allows no tabs for indentation, JSON does; in valid JSON no tab stands for anything else.
		data = bytes.ReplaceAll(data, []byte("\t"), []byte(" "))
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, syntaxError(err)
	}
	docs := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool { return isEmpty(d.Body) })
	switch {
	case len(docs) == 0:
		return nil, errorAt(1, "the file is empty: want the key \"profiles\"")
	case len(docs) > 1:
		return nil, errorAt(lineOf(docs[1].Body), "a second document: one is allowed")
	}
	return parseRoot(docs[0].Body)
}

// syntaxError turns a parser's error, which quotes the source over several lines, into a short one.
func syntaxError(err error) error {
	var syntax interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &syntax) && syntax.GetToken() != nil {
		return errorAt(syntax.GetToken().Position.Line, "%s", oneLine(syntax.GetMessage()))
	}
	return errorAt(1, "%s", oneLine(err.Error()))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func parseRoot(n ast.Node) ([]entry, error) {
	root, err := mapping(n, "the file")
	if err != nil {
		return nil, err
	}
	var entries []entry
	found := false
	for _, f := range root {
		if f.key != "profiles" {
			return nil, errorAt(f.line, "unknown key %q, allowed: profiles", f.key)
		}
		found = true
		if entries, err = parseProfiles(f.value); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, errorAt(lineOf(n), "missing key \"profiles\"")
	}
	return entries, nil
}

func parseProfiles(n ast.Node) ([]entry, error) {
	fields, err := mapping(n, "profiles")
	if err != nil {
		return nil, err
	}
	entries := make([]entry, 0, len(fields))
	for _, f := range fields {
		if err := checkName("profile name", f.key); err != nil {
			return nil, errorAt(f.line, "%v", err)
		}
		e, err := parseProfile(f)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func parseProfile(profile field) (entry, error) {
	e := entry{name: profile.key, line: profile.line}
	fields, err := mapping(profile.value, "profile "+profile.key)
	if err != nil {
		return e, err
	}
	says := false
	for _, f := range fields {
		switch f.key {
		case "grants":
			says = true
			e.grants, err = parseGrants(f)
		case "extends":
			says = true
			e.extends, err = list(f)
		case "replace":
			e.replace, err = boolean(f)
		default:
			err = errorAt(f.line, "profile %s: unknown key %q, allowed: extends, grants, replace", e.name, f.key)
		}
		if err != nil {
			return e, err
		}
	}
	if !says {
		return e, errorAt(e.line, "profile %s: states neither grants nor extends; to grant nothing, say grants: []", e.name)
	}
	return e, nil
}

func parseGrants(f field) ([]Permission, error) {
	items, err := list(f)
	if err != nil {
		return nil, err
	}
	ps := make([]Permission, 0, len(items))
	for _, it := range items {
		p := Permission(it.name)
		if err := p.Check(); err != nil {
			return nil, errorAt(it.line, "%v", err)
		}
		if p == Anyone {
			return nil, errorAt(it.line, "grants: everybody holds %q anyway: leave it out", p)
		}
		ps = append(ps, p)
	}
	return ps, nil
}
