package prefab

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// The names of skills that this package looks for among operations.
const instantiateName = "prefab.instantiate"

// self stands for the instance in its operations, as an operation would that has made it.
const self = "self"

// check says what is wrong with a definition, by path, as far as that shows before there is an instance.
// It puts the dotted names of skills in the place of others.
func (d *Definition) check(c *registry.Call) error {
	numeric := map[string]bool{} // every name so far, and whether an expression may have it by itself
	for i := range d.Parameters {
		p := &d.Parameters[i]
		if err := p.check(); err != nil {
			return in("parameters["+strconv.Itoa(i)+"].", err)
		}
		if _, twice := numeric[p.Name]; twice {
			return registry.Invalidf("parameters[%d].name: %q is the name of an earlier one", i, p.Name)
		}
		numeric[p.Name] = p.numeric()
	}
	if _, taken := numeric[self]; !taken && !d.calls(self) {
		numeric[self] = false
	}
	for i := range d.Operations {
		op := &d.Operations[i]
		path := "operations[" + strconv.Itoa(i) + "]."
		k, ok := c.Registry().Lookup(op.Skill)
		if !ok {
			return in(path+"skill: ", c.Registry().Unknown(op.Skill, &c.Principal().Grants))
		}
		op.Skill = k.Name()
		why := operations.Barred(k)
		if op.Skill == "prefab.define" || op.Skill == "prefab.remove" {
			why = "a prefab does not change prefabs"
		}
		if why != "" {
			return registry.Invalidf("%sskill: %s", path, why)
		}
		if p, lacks := k.Lacks(c.Principal().Grants); lacks {
			return registry.Errorf(registry.CodeForbidden, "%sskill: %s needs the permission %s, which you do not have: a prefab does nothing that whoever defines it may not do", path, op.Skill, p)
		}
		if err := checkInput(json.RawMessage(op.Input), path+"input", numeric); err != nil {
			return err
		}
		if err := faults(c, k, op, path+"input"); err != nil {
			return err
		}
		if op.Skill == instantiateName {
			if _, err := nested(op); err != nil {
				return in(path, err)
			}
		}
		if op.As == "" {
			continue
		}
		if !operations.IsName(op.As) {
			return registry.Invalidf("%sas: want a letter, then letters, digits or _, got %q", path, quote.Clip(op.As))
		}
		if _, twice := numeric[op.As]; twice {
			return registry.Invalidf("%sas: %q is the name of a parameter or an earlier operation", path, op.As)
		}
		numeric[op.As] = false
	}
	return nil
}

// faults says what is wrong with an operation's input whatever its names and expressions stand for, which is not known yet.
func faults(c *registry.Call, k registry.Skill, op *operations.Operation, path string) error {
	var list []string
	for _, p := range c.Faults(k, op.Input) {
		if surely(p, json.RawMessage(op.Input)) {
			list = append(list, path+"."+p.String())
		}
	}
	if list == nil {
		return nil
	}
	return registry.Invalidf("%s", strings.Join(list, "; "))
}

// surely reports whether something is wrong with an input whatever the names in it stand for: a field that there is not or that is missing, or a value
// without names.
func surely(p registry.Problem, input json.RawMessage) bool {
	if strings.HasPrefix(p.Message, "unknown field") || strings.HasPrefix(p.Message, "is required") {
		return true
	}
	for _, part := range strings.FieldsFunc(p.Path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		i, err := strconv.Atoi(part)
		switch {
		case json.Unmarshal(input, &object) == nil && object[part] != nil:
			input = object[part]
		case err == nil && json.Unmarshal(input, &list) == nil && i < len(list):
			input = list[i]
		}
	}
	return !bytes.ContainsRune(input, '$')
}

// calls reports whether an operation is called so.
func (d *Definition) calls(name string) bool {
	return slices.ContainsFunc(d.Operations, func(op operations.Operation) bool { return op.As == name })
}

// in puts a path before what an error says.
func in(path string, err error) error {
	e := operations.Refused(err)
	if e == nil {
		return err
	}
	said := *e
	said.Message = path + e.Message
	return &said
}

// checkInput looks at every string in a part of an input: what it names must be there.
func checkInput(text json.RawMessage, path string, numeric map[string]bool) error {
	if len(text) == 0 {
		return nil
	}
	switch text[0] {
	case '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if err := checkInput(members[name], path+"."+quote.Clip(name), numeric); err != nil {
				return err
			}
		}
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		for i, v := range list {
			if err := checkInput(v, path+"["+strconv.Itoa(i)+"]", numeric); err != nil {
				return err
			}
		}
	case '"':
		var said string
		if err := json.Unmarshal(text, &said); err != nil {
			return err
		}
		if err := checkText(said, numeric); err != nil {
			return in(path+": ", err)
		}
	}
	return nil
}

// checkText looks at one string.
func checkText(said string, numeric map[string]bool) error {
	if strings.HasPrefix(said, "$$") {
		return nil
	}
	if !strings.HasPrefix(said, "$") || operations.IsForLater(said) {
		for _, name := range operations.Mentioned(said) {
			if err := known(name, numeric); err != nil {
				return err
			}
		}
		return nil
	}
	if !strings.HasPrefix(said, "$(") {
		name, _, _ := strings.Cut(said[1:], ".")
		if _, ok := numeric[name]; !operations.IsName(name) || !ok && operations.IsWord(said) {
			return nil // a price, perhaps, or what an action fills in
		}
		return known(name, numeric)
	}
	names, err := operations.Names(said)
	if err != nil {
		return err
	}
	for _, full := range names {
		name, _, inside := strings.Cut(full, ".")
		if err := known(name, numeric); err != nil {
			return err
		}
		if !inside && !numeric[name] {
			return registry.Invalidf("%q: %s is no number; of an answer name a field, such as %s.position.0", quote.Clip(said), name, name)
		}
	}
	return nil
}

func known(name string, numeric map[string]bool) error {
	if _, ok := numeric[name]; ok {
		return nil
	}
	all := slices.Sorted(maps.Keys(numeric))
	return registry.Invalidf("%q is no parameter and no earlier operation; there are %s. A text that begins with a dollar sign is written with two", name, strings.Join(all, ", "))
}
