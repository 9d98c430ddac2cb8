package catalogue_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
	"github.com/limina-mcp/limina/skills/catalogue"
)

// rig is a registry with the catalogue's skills and a few to find.
type rig struct {
	t   *testing.T
	reg *registry.Registry
}

type thingIn struct {
	Size int `json:"size,omitempty" validate:"omitempty,gte=1,lte=9" jsonschema:"default=2"`
}

type thingOut struct {
	Skill string `json:"skill"`
	Size  int    `json:"size"`
}

// thing is a skill to be found and called. Of size 8 it refuses, of size 9 it is full.
func thing(name, description string, core bool, need profiles.Permission) registry.Skill {
	return registry.Define(registry.Spec[thingIn, thingOut]{
		Name: name, Description: description, Core: core, Permissions: []profiles.Permission{need},
		Handle: func(c *registry.Call, in thingIn) (thingOut, error) {
			switch in.Size {
			case 8:
				return thingOut{}, registry.Failf("size: eight is unlucky")
			case 9:
				return thingOut{}, registry.Errorf(registry.CodeCapacityExceeded, "size: nine is the limit")
			}
			return thingOut{c.Skill().Name, in.Size}, nil
		},
	})
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t, registry.New(registry.Options{})}
	raw, err := raw.Define(registry.RawSpec{
		Name: "far.tool", Description: "A tool from elsewhere.", Permissions: []profiles.Permission{"scene.read"},
		InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		Handle:      func(_ *registry.Call, in json.RawMessage) (json.RawMessage, error) { return in, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, skills := range [][]registry.Skill{
		{
			thing("scene.createEntity", "Add a box or a sphere to the world.", true, "scene.write"),
			thing("scene.destroyEntity", "Remove an entity and everything on it.", false, "scene.write"),
			thing("scene.queryEntities", "List entities by tag or near a point.", true, "scene.read"),
			thing("three.setLighting", "Set the sun and the ambient light. Colors are RGB.", false, "scene.write"),
			thing("world.setWeather", "Change the weather of the world: rain, snow, fog.", false, "world.write"),
			thing("audio.playBGM", "Play a music track, again and again if you like.", false, "audio.play"),
		},
		{raw},
		catalogue.All(),
	} {
		if err := r.reg.Register(skills...); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// as returns a caller with these permissions.
func as(ps ...profiles.Permission) *profiles.Principal {
	return &profiles.Principal{ID: "ann", Session: "s1", Grants: profiles.Grant(ps...)}
}

var builder = as("scene.read", "scene.write", "world.write", "audio.play")

// call calls a skill and returns its output, or "code: message".
func (r *rig) call(p *profiles.Principal, name, input string) string {
	r.t.Helper()
	res := r.reg.Invoke(r.t.Context(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
	if res.Err != nil {
		return fmt.Sprintf("%s: %s", res.Err.Code, res.Err.Message)
	}
	return string(res.Output)
}

// names returns the names in the list that a skill answers with, in order.
func (r *rig) names(p *profiles.Principal, skill, input string) (names string) {
	r.t.Helper()
	text := r.call(p, skill, input)
	var out struct{ Tools, Matches []struct{ Name string } }
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return text
	}
	for _, k := range slices.Concat(out.Tools, out.Matches) {
		names += k.Name + " "
	}
	return names
}
