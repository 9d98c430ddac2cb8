package prefab

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/world"
)

// nested returns the name of the prefab that an operation makes an instance of. It has to be written out:
// what an instance needs is looked at before it is made.
func nested(op *operations.Operation) (string, error) {
	var in struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(op.Input, &in); err != nil || in.Name == "" || in.Name[0] == '$' {
		return "", registry.Invalidf("input.name: the name of a prefab in a prefab has to be written out")
	}
	return in.Name, nil
}

// survey is what an instance of a prefab needs, with all the prefabs in it.
type survey struct {
	operations int
	entities   int // that it is a copy of
	skills     map[string]bool
}

// look adds what an instance of a prefab needs. above are the prefabs that it is in, outermost first. It
// fails if they are in a circle or too deep, if one is missing, or if there is too much.
func (p *Prefabs) look(v *world.View, s *survey, name string, above []string) error {
	for _, outer := range above {
		if outer == name {
			return registry.Invalidf("prefab %q would hold itself: %s", name, strings.Join(append(above, name), " > "))
		}
	}
	above = append(above, name)
	if len(above) > MaxNesting {
		return registry.Errorf(registry.CodeCapacityExceeded, "prefabs may be in one another %d deep: %s", MaxNesting, strings.Join(above, " > "))
	}
	d, err := p.rows.Find(v, name)
	if err != nil {
		return err
	}
	if s.skills == nil {
		s.skills = map[string]bool{}
	}
	s.entities += len(d.Entities)
	for i := range d.Operations {
		op := &d.Operations[i]
		if s.operations++; s.operations > MaxOperations {
			return registry.Errorf(registry.CodeCapacityExceeded, "an instance of prefab %q would run more than %d operations, which is the limit", above[0], MaxOperations)
		}
		s.skills[op.Skill] = true
		if op.Skill != instantiateName {
			continue
		}
		inner, err := nested(op)
		if err != nil {
			return err
		}
		if err := p.look(v, s, inner, above); err != nil {
			return in(fmt.Sprintf("operations[%d] of prefab %q: ", i, name), err)
		}
	}
	return nil
}

// uses returns the prefabs that a definition makes instances of, in order, each once.
func (d *Definition) uses() []string {
	list := []string{}
	seen := map[string]bool{}
	for i := range d.Operations {
		if op := &d.Operations[i]; op.Skill == instantiateName {
			if name, err := nested(op); err == nil && !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list
}
