package prefab_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/catalogue"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func builders(w *world.World, _ *agents.Agents) []registry.Skill {
	looks, prefabs := solid.NewLooks(w), prefab.New(w)
	prefabs.Stand(func(tx *world.Tx, id world.ID) error { return layout.Stand(w, tx, looks, id) })
	return slices.Concat(scene.All(w), three.All(w), ecs.All(w), layout.All(w, looks), batch.All(w), history.All(w), claims.All(w),
		checkpoint.All(checkpoint.New(w)), catalogue.All(), prefab.All(prefabs))
}

// TestOnGround stands instances, also one that is made anew higher, on the floor, and on a box, whatever height they were given.
func TestOnGround(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.createEntity", `{"size":2,"position":[10,1,0]}`)
	s.Must(t, p, "prefab.define", `{"name":"post","parameters":[{"name":"high","default":1}],"operations":[{"skill":"scene.createEntity","input":{"scale":[0.2,"$high",0.2]}}]}`)
	foot := func(root world.ID) (low float64) {
		s.World.View(func(v *world.View) { low = solid.Tree(s.World, v, root).Lo[1] })
		return low
	}
	stands := func(what, input string, want float64) world.ID {
		t.Helper()
		var out struct{ Entity world.ID }
		if err := json.Unmarshal([]byte(s.Must(t, p, "prefab.instantiate", input)), &out); err != nil {
			t.Fatal(err)
		}
		if low := foot(out.Entity); math.Abs(low-want) > 1e-6 {
			t.Errorf("%s: its foot is at %v, want %v", what, low, want)
		}
		return out.Entity
	}
	stands("as it was given", `{"name":"post","position":[0,3,0]}`, 2.5)
	stands("on the floor", `{"name":"post","position":[0,3,5],"onGround":true}`, 0)
	stands("out of the floor", `{"name":"post","position":[0,-9,9],"onGround":true,"scale":[1,2,1]}`, 0)
	on := stands("on a box", `{"name":"post","position":[10,5,0],"onGround":true}`, 2)
	stands("made anew", fmt.Sprintf(`{"name":"post","replace":%q,"parameters":{"high":3},"onGround":true}`, on), 2)
}

// table is a table of a width: a top, and two legs at its ends.
const table = `{"name":"table","description":"A table.","parameters":[{"name":"width","default":1.2,"min":0.4,"max":4},{"name":"material","type":"string","default":"wood","options":["wood","metal"]}],` +
	`"operations":[{"skill":"scene_createEntity","input":{"position":[0,0.75,0],"material":"$material"},"as":"top"},` +
	`{"skill":"three.setTransform","input":{"entity":"$top.entity","scale":["$width",0.05,0.8]}},` +
	`{"skill":"scene.createEntity","input":{"size":0.7,"position":["$(width/2 - 0.35)",0.35,0]},"as":"leg"},` +
	`{"skill":"scene.createEntity","input":{"size":0.7,"position":["$(-width/2 + 0.35)",0.35,0]}}]}`

const inner = `{"name":"%s","operations":[{"skill":"prefab.instantiate","input":{"name":"%s","position":[0,%d,0]}}]}`

func define(inputs ...string) func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		for _, input := range inputs {
			s.Must(t, p, "prefab.define", input)
		}
	}
}

func TestDefine(t *testing.T) {
	one := func(op string) string { return `{"name":"a","operations":[` + op + `]}` }
	deep := []string{one(`{"skill":"scene.createEntity"}`)}
	for i, name := range []string{"b", "c", "d", "e"} {
		deep = append(deep, fmt.Sprintf(inner, name, string(rune('a'+i)), 0))
	}
	skilltest.Run(t, builders, "prefab.define", []skilltest.Case{
		{Name: "a table", Input: table, Want: `{"name":"table","replaced":false,"operations":4,"entities":0,"uses":[]}`},
		{Name: "nested", Setup: define(table), Input: fmt.Sprintf(inner, "room", "table", 0), Want: `{"name":"room","replaced":false,"operations":5,"entities":0,"uses":["table"]}`},
		{
			Name: "one several times", Setup: define(table), Input: `{"name":"room","operations":[` + strings.TrimSuffix(strings.Repeat(`{"skill":"prefab.instantiate","input":{"name":"table"}},`, 3), ",") + `]}`,
			Want: `{"name":"room","replaced":false,"operations":15,"entities":0,"uses":["table"]}`,
		},
		{Name: "twice", Setup: define(table), Input: table, Err: `name: there is a prefab "table" already, which ann has defined: choose another name, or set replace`},
		{Name: "replace", Setup: define(table), Input: strings.Replace(table, "{", `{"replace":true,`, 1), Want: `{"name":"table","replaced":true,"operations":4,"entities":0,"uses":[]}`},
		{Name: "nothing", Input: `{"name":"a"}`, Code: registry.CodeInvalidInput, Err: `operations: give at least one, or entities in from`},
		{Name: "bad name", Input: strings.Replace(table, `"table"`, `"a table"`, 1), Code: registry.CodeInvalidInput, Err: `name: want a letter, then letters, digits or _, got "a table"`},
		{Name: "unknown skill", Input: one(`{"skill":"scene.createEntitty"}`), Code: registry.CodeNotFound, Err: `operations[0].skill: unknown skill: scene.createEntitty. Nearest: scene.createEntity`},
		{Name: "a batch", Input: one(`{"skill":"world.batch"}`), Code: registry.CodeInvalidInput, Err: `operations[0].skill: a batch cannot be an operation: put its operations here`},
		{Name: "define", Input: one(`{"skill":"prefab.define"}`), Code: registry.CodeInvalidInput, Err: `operations[0].skill: a prefab does not change prefabs`},
		{
			Name: "unknown parameter", Input: strings.Replace(table, `["$width",`, `["$with",`, 1), Code: registry.CodeInvalidInput,
			Err: `operations[1].input.scale[0]: "with" is no parameter and no earlier operation; there are material, self, top, width. A text that begins with a dollar sign is written with two`,
		},
		{
			Name: "later operation", Input: strings.Replace(table, `"$top.entity"`, `"$leg.entity"`, 1), Code: registry.CodeInvalidInput,
			Err: `operations[1].input.entity: "leg" is no parameter and no earlier operation; there are material, self, top, width. A text that begins with a dollar sign is written with two`,
		},
		{
			Name: "a text in an expression", Input: strings.Replace(table, `width/2`, `material/2`, 1), Code: registry.CodeInvalidInput,
			Err: `operations[2].input.position[0]: "$(material/2 - 0.35)": material is no number; of an answer name a field, such as material.position.0`,
		},
		{
			Name: "no expression", Input: strings.Replace(table, `width/2`, `width//2`, 1), Code: registry.CodeInvalidInput,
			Err: `operations[2].input.position[0]: "$(width//2 - 0.35)": want a number, a name or (, got "/2 - 0.35)"; an expression has numbers, names, + - * / and ( ), floor( ), ceil( ) and round( )`,
		},
		{Name: "bad default", Input: strings.Replace(table, `"default":1.2`, `"default":0.1`, 1), Code: registry.CodeInvalidInput, Err: `parameters[0].default: must be at least 0.4, got 0.1`},
		{Name: "default of another type", Input: strings.Replace(table, `"default":1.2`, `"default":"1"`, 1), Code: registry.CodeInvalidInput, Err: `parameters[0].default: must be a number, got "1"`},
		{Name: "a name twice", Input: strings.Replace(table, `"as":"leg"`, `"as":"width"`, 1), Code: registry.CodeInvalidInput, Err: `operations[2].as: "width" is the name of a parameter or an earlier operation`},
		{Name: "itself", Input: fmt.Sprintf(inner, "a", "a", 0), Code: registry.CodeInvalidInput, Err: `operations[0] of prefab "a": prefab "a" would hold itself: a > a`},
		{
			Name: "a circle", Setup: define(table, fmt.Sprintf(inner, "room", "table", 0)), Input: strings.Replace(fmt.Sprintf(inner, "table", "room", 0), "{", `{"replace":true,`, 1),
			Code: registry.CodeInvalidInput, Err: `operations[0] of prefab "table": operations[0] of prefab "room": prefab "table" would hold itself: table > room > table`,
		},
		{
			Name: "too deep", Setup: define(deep...), Input: fmt.Sprintf(inner, "f", "e", 0), Code: registry.CodeCapacityExceeded,
			Err: `operations[0] of prefab "f": operations[0] of prefab "e": operations[0] of prefab "d": operations[0] of prefab "c": operations[0] of prefab "b": prefabs may be in one another 5 deep: f > e > d > c > b > a`,
		},
		{
			Name: "too much", Setup: define(`{"name":"many","operations":[` + strings.TrimSuffix(strings.Repeat(`{"skill":"scene.createEntity"},`, 500), ",") + `]}`),
			Input: `{"name":"more","operations":[` + strings.TrimSuffix(strings.Repeat(`{"skill":"prefab.instantiate","input":{"name":"many"}},`, 5), ",") + `]}`,
			Code:  registry.CodeCapacityExceeded,
			Err:   `operations[3] of prefab "more": an instance of prefab "more" would run more than 2000 operations, which is the limit`,
		},
		{
			Name: "too deep for what it is in", Setup: define(append(deep, strings.Replace(one(`{"skill":"scene.createEntity"}`), `"a"`, `"f"`, 1))...),
			Input: strings.Replace(fmt.Sprintf(inner, "a", "f", 0), "{", `{"replace":true,`, 1), Code: registry.CodeCapacityExceeded,
			Err: `operations[0] of prefab "e": operations[0] of prefab "d": operations[0] of prefab "c": operations[0] of prefab "b": operations[0] of prefab "a": prefabs may be in one another 5 deep: e > d > c > b > a > f`,
		},
		{
			Name: "too large", Input: one(`{"skill":"scene.createEntity","input":{"material":"` + strings.Repeat("x", prefab.MaxBytes) + `"}}`), Code: registry.CodeCapacityExceeded,
			Err: `a prefab may have 262144 bytes, this one has 262226`,
		},
		{Name: "an entity twice", Setup: boxes, Input: `{"name":"a","from":["ent_1","ent_1"]}`, Code: registry.CodeInvalidInput, Err: `from[0]: ent_1 is ent_1 or below it, which is there already`},
		{Name: "a part of another", Setup: boxes, Input: `{"name":"a","from":["ent_1","ent_2"]}`, Code: registry.CodeInvalidInput, Err: `from[0]: ent_1 is ent_2 or below it, which is there already`},
		{Name: "origin of operations", Input: strings.Replace(table, "{", `{"origin":[0,0,0],`, 1), Code: registry.CodeInvalidInput, Err: `origin: is for from only`},
		{Name: "bad as", Input: one(`{"skill":"scene.createEntity","as":"a.b"}`), Code: registry.CodeInvalidInput, Err: `operations[0].as: want a letter, then letters, digits or _, got "a.b"`},
		{Name: "an unknown name in an expression", Input: one(`{"skill":"scene.createEntity","input":{"size":"$(1+b.x)"}}`), Code: registry.CodeInvalidInput, Err: `operations[0].input.size: "b" is no parameter and no earlier operation; there are self. A text that begins with a dollar sign is written with two`},
		{Name: "a price", Input: one(`{"skill":"scene.createEntity","input":{"name":"$5","material":"$$a"}}`), Want: `{"name":"a","replaced":false,"operations":1,"entities":0,"uses":[]}`},
		{
			Name: "wrong whatever names stand for", Input: one(`{"skill":"scene.createEntity","input":{"size":"$self.entity","scale":[1,"$(2*3)"],"colour":"$5","color":-1,"tags":["$5",7]}}`), Code: registry.CodeInvalidInput,
			Err: `operations[0].input.colour: unknown field, did you mean "color"? allowed: shape, collider, size, material, pbr, color, position, dynamic, static, mass, density, friction, restitution, name, tags, rotationEuler, scale; operations[0].input.color: must be from 0 to 16777215, got -1; operations[0].input.tags[1]: must be a string of at least 1 character, got 7`,
		},
		{Name: "what is missing", Input: one(`{"skill":"three.setMaterial","input":{"color":1}}`), Code: registry.CodeInvalidInput, Err: `operations[0].input.entity: is required: an entity id such as "ent_7"`},
		{Name: "a missing one", Setup: define(table), Input: fmt.Sprintf(inner, "room", "chair", 0), Err: `operations[0] of prefab "room": name: there is no prefab "chair"; there are room, table`},
		{Name: "a name that is worked out", Input: `{"name":"a","parameters":[{"name":"what","type":"string"}],"operations":[{"skill":"prefab.instantiate","input":{"name":"$what"}}]}`, Code: registry.CodeInvalidInput, Err: `operations[0].input.name: the name of a prefab in a prefab has to be written out`},
		{Name: "from nothing", Input: `{"name":"a","from":["ent_3"]}`, Err: `unknown entity ent_3; the world has none`},
		{Name: "from and operations", Input: strings.Replace(table, "{", `{"from":["ent_0"],`, 1), Code: registry.CodeInvalidInput, Err: `from: a copy has neither operations nor parameters`},
		{Name: "no permission", As: "system.readonly", Input: table, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
}

// boxes are two boxes, the first in a group.
func boxes(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{"position":[-1,2,0]}`)
	s.Must(t, p, "scene.createEntity", `{"position":[3,4,0]}`)
	s.Must(t, p, "scene.group", `{"entities":["ent_1"],"name":"group"}`)
}

// What is wrong with a parameter is said when it is defined, or when it is given; what is right is taken.
func TestParameters(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	long := strings.Repeat("x", 1025)
	for parameter, want := range map[string]string{
		`"name":"a b"`:                                               `parameters[0].name: want a letter, then letters, digits or _, got "a b"`,
		`"name":"a"},{"name":"a"`:                                    `parameters[1].name: "a" is the name of an earlier one`,
		`"name":"a","type":"string","min":1`:                         `parameters[0].min: is for numbers; "a" is of type string`,
		`"name":"a","type":"boolean","max":1`:                        `parameters[0].min: is for numbers; "a" is of type boolean`,
		`"name":"a","min":2,"max":1`:                                 `parameters[0].min: 2 is more than max, 1`,
		`"name":"a","options":["x"]`:                                 `parameters[0].options: are for strings; "a" is of type number`,
		`"name":"a","type":"boolean","default":1`:                    `parameters[0].default: must be true or false, got 1`,
		`"name":"a","type":"integer","default":1.5`:                  `parameters[0].default: must be an integer, got 1.5`,
		`"name":"a","type":"string","default":true`:                  `parameters[0].default: must be a string, got true`,
		`"name":"a","type":"string","default":"` + long + `"`:        `parameters[0].default: must have at most 1024 bytes, got 1025`,
		`"name":"a","type":"string","default":"` + long[1:] + `"`:    "",
		`"name":"a","type":"string","options":["x"],"default":"x"`:   "",
		`"name":"a","type":"boolean","default":false`:                "",
		`"name":"a","type":"integer","min":2,"max":2,"default":2e0`:  "",
		`"name":"a","min":-1.5,"default":-1.5},{"name":"b","max":-3`: "",
	} {
		before := s.World.Hash()
		_, err := s.Call(p, "prefab.define", `{"name":"x","replace":true,"parameters":[{`+parameter+`}],"operations":[{"skill":"scene.createEntity"}]}`)
		switch {
		case want == "" && err != nil:
			t.Errorf("%.60s: %v", parameter, err)
		case want != "" && (err == nil || err.Message != want || s.World.Hash() != before):
			t.Errorf("%.60s: %v, want %s", parameter, err, want)
		}
	}
	s.Must(t, p, "prefab.define", `{"name":"bare","operations":[{"skill":"scene.createEntity"}]}`)
	s.Must(t, p, "prefab.define", `{"name":"name","operations":[{"skill":"scene.createEntity","as":"a"},{"skill":"scene.createEntity","input":{"size":"$(a.entity)"}}]}`)
	for call, want := range map[string]string{
		`instantiate {"name":"bare","parameters":{"a":1}}`: `parameters.a: there is no such parameter; the prefab has none`,
		`instantiate {"name":"name"}`:                      `prefab "name", operations[1], scene.createEntity: "$(a.entity)": a.entity is no number: "ent_1"`,
		`list {"name":"chair"}`:                            `name: there is no prefab "chair"; there are bare, name, x`,
		`remove {"name":"chair"}`:                          `name: there is no prefab "chair"; there are bare, name, x`,
	} {
		before := s.World.Hash()
		skill, input, _ := strings.Cut(call, " ")
		if _, err := s.Call(p, "prefab."+skill, input); err == nil || err.Message != want || s.World.Hash() != before {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}

// A copy stands with the middle of its lowest level where the instance is put, below what it is given as a parent.
func TestCopyBelowAParent(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	boxes(t, s, p)
	s.Must(t, p, "prefab.define", `{"name":"pair","from":["ent_2","ent_0"]}`) // from -1.5 to 3.5, the lowest at 1.5
	s.Must(t, p, "scene.createEntity", `{"position":[0,0,50]}`)
	out := s.Must(t, p, "prefab.instantiate", `{"name":"pair","parent":"ent_3","position":[10,0,0]}`)
	root := entity(t, out)
	s.World.View(func(v *world.View) {
		var at []world.Vec3
		for id := range v.All() {
			if v.Parent(id) != 0 && id > root && len(v.Children(id)) == 0 {
				where, _ := v.WorldTransform(id)
				at = append(at, where.Position)
			}
		}
		slices.SortFunc(at, func(a, b world.Vec3) int { return int(a[0] - b[0]) })
		if want := []world.Vec3{{8, 0.5, 50}, {12, 2.5, 50}}; !slices.Equal(at, want) || v.Parent(root).String() != "ent_3" {
			t.Errorf("%s below %v, its boxes are at %v, want %v", out, v.Parent(root), at, want)
		}
	})
}

// A prefab whose operation removes the instance itself cannot be made; nothing remains.
func TestInstanceThatRemovesItself(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "prefab.define", `{"name":"gone","operations":[{"skill":"scene.destroyEntity","input":{"entity":"ent_0"}}]}`)
	before := s.World.Hash()
	if _, err := s.Call(p, "prefab.instantiate", `{"name":"gone"}`); err == nil || err.Message != `an operation of prefab "gone" has destroyed the instance itself` || s.World.Hash() != before {
		t.Errorf("%v", err)
	}
}

func TestInstantiate(t *testing.T) {
	skilltest.Run(t, builders, "prefab.instantiate", []skilltest.Case{
		{
			Name: "a table", Setup: define(table), Input: `{"name":"table","parameters":{"width":2,"material":"metal"},"position":[10,0,0]}`,
			Want: `{"entity":"ent_0","entities":3,"results":[{"as":"top","result":{"entity":"ent_1"}},{"as":"leg","result":{"entity":"ent_2"}}]}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				for entity, want := range map[string]string{"ent_0": `"pos":[10,0,0]`, "ent_1": `"pos":[10,0.75,0],"rot":[0,0,0,1],"scale":[2,0.05,0.8]`, "ent_2": `"pos":[10.65,0.35,0]`, "ent_3": `"pos":[9.35,0.35,0]`} {
					if got := s.Entity(t, entity); !strings.Contains(got, want) {
						t.Errorf("%s is %s, want %s", entity, got, want)
					}
				}
			},
		},
		{Name: "unknown", Setup: define(table), Input: `{"name":"chair"}`, Err: `name: there is no prefab "chair"; there are table`},
		{Name: "none", Input: `{"name":"chair"}`, Err: `name: there is no prefab "chair"; there are none yet, prefab.define makes one`},
		{Name: "too wide", Setup: define(table), Input: `{"name":"table","parameters":{"width":9}}`, Code: registry.CodeInvalidInput, Err: `parameters.width: must be at most 4, got 9`},
		{Name: "no number", Setup: define(table), Input: `{"name":"table","parameters":{"width":[1]}}`, Code: registry.CodeInvalidInput, Err: `parameters.width: must be a number, a string or a boolean, got [1]`},
		{Name: "no option", Setup: define(table), Input: `{"name":"table","parameters":{"material":"gold"}}`, Code: registry.CodeInvalidInput, Err: `parameters.material: must be one of wood, metal, got "gold"`},
		{Name: "unknown parameter", Setup: define(table), Input: `{"name":"table","parameters":{"with":1}}`, Code: registry.CodeInvalidInput, Err: `parameters.with: there is no such parameter; there are width, material`},
		{Name: "required", Setup: define(strings.Replace(table, `"default":1.2,`, `"description":"Metres.",`, 1)), Input: `{"name":"table"}`, Code: registry.CodeInvalidInput, Err: `parameters.width: required, a number: Metres.`},
		{Name: "unknown parent", Setup: define(table), Input: `{"name":"table","parent":"ent_7"}`, Err: `unknown entity ent_7; the world has none`},
		{
			Name: "an operation that fails", Setup: define(strings.Replace(table, `"size":0.7,"position":["$(width/2 - 0.35)"`, `"size":"$width","position":["$(1/(width - 2))"`, 1)),
			Input: `{"name":"table","parameters":{"width":2}}`, Code: registry.CodeInvalidInput,
			Err: `prefab "table", operations[2], scene.createEntity as "leg": "$(1/(width - 2))": divides by zero, or is too large`,
		},
		{
			Name: "one in one that fails", Setup: define(`{"name":"a","operations":[{"skill":"three.setTransform","input":{"entity":"ent_99"}}]}`, fmt.Sprintf(inner, "b", "a", 0)), Input: `{"name":"b"}`,
			Err: `prefab "b", operations[0], prefab.instantiate: prefab "a", operations[0], three.setTransform: unknown entity ent_99; the nearest are ent_0, ent_1`,
		},
		{
			Name: "nested", Setup: define(table, fmt.Sprintf(inner, "tower", "table", 3)), Input: `{"name":"tower","position":[1,0,0],"scale":[2,2,2],"label":"mine"}`,
			Want: `{"entity":"ent_0","entities":4,"results":[]}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				if got := s.Entity(t, "ent_2"); !strings.Contains(got, `"pos":[1,7.5,0]`) {
					t.Errorf("the top is %s, want it at 1, 7.5, 0", got)
				}
			},
		},
	})
}

// Each operation needs its own permission, as the caller.
func TestPermissions(t *testing.T) {
	s := skilltest.New(t, builders)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "prefab.define", `{"name":"kept","operations":[{"skill":"scene.createEntity"},{"skill":"checkpoint.create","input":{"name":"one"}}]}`)
	before := s.World.Hash()
	_, err := s.Call(skilltest.Caller(t, "terry", "terrain.author"), "prefab.instantiate", `{"name":"kept"}`)
	if want := `prefab "kept", operations[1], checkpoint.create: missing permission: checkpoint.write`; err == nil || err.Message != want || err.Code != registry.CodeForbidden {
		t.Errorf("got %v, want %s", err, want)
	}
	if s.World.Hash() != before {
		t.Error("something remains")
	}
	skilltest.Needs(t, builders, "prefab.list", `{}`, "scene.read", "builder.readWrite", "builder.review", "combat.writer", "game.author", "npc.agent", "player.full", "player.limited",
		"reviewer", "reviewer.coordinator", "social.actor", "system.readonly", "terrain.author", "vfx.writer", "world.author")
}

// A claim is looked at where the instance ends up, not where it is built.
func TestClaims(t *testing.T) {
	s := skilltest.New(t, builders)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "prefab.define", table)
	s.Must(t, bob, "world.claim", `{"min":[-5,-5,-5],"max":[5,5,5],"seconds":60}`)
	s.Must(t, ann, "prefab.instantiate", `{"name":"table","position":[50,0,0]}`)
	before := s.World.Hash()
	for _, at := range []string{`0,0,0`, `5.2,0,0`} { // the second has only a leg in it
		if _, err := s.Call(ann, "prefab.instantiate", `{"name":"table","position":[`+at+`]}`); err == nil || !strings.Contains(err.Message, "bob holds") {
			t.Errorf("at %s: %v, want a refusal that names bob", at, err)
		}
	}
	if s.World.Hash() != before {
		t.Error("something remains")
	}
}

func TestListAndRemove(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "prefab.define", table)
	s.Must(t, p, "prefab.define", fmt.Sprintf(inner, "room", "table", 0))
	s.Must(t, p, "prefab.instantiate", `{"name":"room"}`)
	want := `{"prefabs":[{"name":"room","parameters":[],"operations":1,"entities":0,"uses":["table"],"by":"ann","instances":1}],"total":2}`
	if got := s.Must(t, p, "prefab.list", `{"limit":1}`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var one struct {
		Definition json.RawMessage
		Prefabs    []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(s.Must(t, p, "prefab.list", `{"name":"table"}`)), &one); err != nil || len(one.Prefabs) != 1 || one.Prefabs[0].Name != "table" {
		t.Fatalf("%+v, %v", one, err)
	}
	again := strings.Replace(string(one.Definition), "{", `{"name":"desk",`, 1) // what is listed can be defined
	s.Must(t, p, "prefab.define", again)
	if _, err := s.Call(p, "prefab.remove", `{"name":"table"}`); err == nil || err.Message != `name: prefab "room" holds "table": define or remove that one first` {
		t.Errorf("remove: %v", err)
	}
	kept := s.Content()
	s.Must(t, p, "prefab.remove", `{"name":"room"}`)
	if got := s.Must(t, p, "prefab.remove", `{"name":"table"}`); got != `{"ok":true,"instances":1}` {
		t.Errorf("remove: %s", got)
	}
	s.Must(t, p, "world.undo", `{"steps":2}`)
	if s.Content() != kept {
		t.Error("undo does not bring them back")
	}
	s.Must(t, p, "checkpoint.create", `{"name":"one"}`)
	s.Must(t, p, "prefab.remove", `{"name":"room"}`)
	s.Must(t, p, "checkpoint.load", `{"name":"one"}`)
	if s.Content() != kept {
		t.Error("the checkpoint does not bring them back")
	}
}

// Undo may bring back a definition that fits no more: an instance is then refused, not made for ever.
func TestCircleByUndo(t *testing.T) {
	s := skilltest.New(t, builders)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, bob, "prefab.define", `{"name":"b","operations":[{"skill":"scene.createEntity"}]}`)
	s.Must(t, ann, "prefab.define", fmt.Sprintf(inner, "a", "b", 0))
	s.Must(t, ann, "prefab.define", `{"name":"a","replace":true,"operations":[{"skill":"scene.createEntity"}]}`)
	s.Must(t, bob, "prefab.define", strings.Replace(fmt.Sprintf(inner, "b", "a", 0), "{", `{"replace":true,`, 1))
	s.Must(t, ann, "world.undo", `{}`)
	_, err := s.Call(ann, "prefab.instantiate", `{"name":"a"}`)
	if want := `prefab "a" would hold itself: a > b > a`; err == nil || !strings.Contains(err.Message, want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// operation draws an operation that makes or changes something of the i-th before it.
func operation(t *rapid.T, i int) string {
	number := rapid.IntRange(-20, 20)
	at := fmt.Sprintf(`[%d,"$(k * %d)",%d]`, number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z"))
	ops := []string{
		fmt.Sprintf(`{"skill":"scene.createEntity","input":{"position":%s},"as":"n%d"}`, at, i),
		fmt.Sprintf(`{"skill":"scene.createEntity","input":{"shape":"sphere","size":2,"position":%s,"dynamic":true},"as":"n%d"}`, at, i),
	}
	if i > 0 {
		of := fmt.Sprintf(`"$n%d.entity"`, rapid.IntRange(0, i-1).Draw(t, "of"))
		ops = append(ops,
			fmt.Sprintf(`{"skill":"scene.clone","input":{"entity":%s,"position":%s},"as":"n%d"}`, of, at, i),
			fmt.Sprintf(`{"skill":"prefab.instantiate","input":{"name":"part","position":%s,"rotationEuler":[0,"$k",0]},"as":"n%d"}`, at, i),
			fmt.Sprintf(`{"skill":"scene.array","input":{"entity":%s,"pattern":"line","count":2,"step":[3,0,0]}},{"skill":"scene.createEntity","as":"n%d"}`, of, i),
			fmt.Sprintf(`{"skill":"scene.place","input":{"entity":"$n0.entity","relation":"rightOf","point":[1,2,3]}},{"skill":"scene.createEntity","as":"n%d"}`, i),
		)
	}
	return rapid.SampledFrom(ops).Draw(t, "op")
}

// TestInstancesAreRigid defines random prefabs and makes two instances of each, one of them anywhere:
// every part of it is where the other's part would be if that were moved, turned and scaled as a
// whole. A dry run changes nothing, an undo gives back what was there, and an instance of which some
// operation fails leaves nothing.
func TestInstancesAreRigid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, builders)
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		s.Must(t, p, "prefab.define", `{"name":"part","operations":[{"skill":"scene.createEntity","input":{"position":[0,1,0]}},{"skill":"scene.createEntity","input":{"position":[2,1,0]}}]}`)
		var ops []string
		for i := range rapid.IntRange(1, 8).Draw(rt, "ops") {
			ops = append(ops, operation(rt, i))
		}
		define := func(name string, ops []string) {
			input := fmt.Sprintf(`{"name":%q,"parameters":[{"name":"k","default":0.5}],"operations":[%s]}`, name, strings.Join(ops, ","))
			if _, err := s.Call(p, "prefab.define", input); err != nil {
				rt.Fatalf("%s: %v", input, err)
			}
		}
		define("thing", ops)
		define("broken", slices.Insert(slices.Clone(ops), rapid.IntRange(0, len(ops)).Draw(rt, "at"), `{"skill":"three.setTransform","input":{"entity":"ent_999"}}`))

		hash, content := s.World.Hash(), s.Content()
		if _, err := s.Call(p, "prefab.instantiate", `{"name":"broken"}`); err == nil || s.World.Hash() != hash {
			rt.Fatalf("a broken one: %v, the world is as before: %v", err, s.World.Hash() == hash)
		}
		first, err := s.Call(p, "skills.call", `{"name":"prefab.instantiate","input":{"name":"thing"},"dryRun":true}`)
		if err != nil || s.World.Hash() != hash {
			rt.Fatalf("a dry run: %v, the world is as before: %v\n%v", err, s.World.Hash() == hash, ops)
		}
		root := entity(t, s.Must(t, p, "prefab.instantiate", `{"name":"thing"}`))
		if !strings.Contains(first, root.String()) {
			rt.Fatalf("the dry run gives %s, the call %s", first, root)
		}
		after := s.Content()
		s.Must(t, p, "world.undo", `{}`)
		if s.Content() != content {
			rt.Fatal("undo does not give back what was there")
		}
		s.Must(t, p, "world.redo", `{}`)
		if s.Content() != after {
			rt.Fatal("redo does not make it again")
		}
		number := rapid.Float64Range(-50, 50)
		to := fmt.Sprintf(`"position":[%v,%v,%v],"rotationEuler":[%v,%v,%v],"scale":[2,2,2]`, number.Draw(rt, "px"), number.Draw(rt, "py"), number.Draw(rt, "pz"),
			number.Draw(rt, "rx"), number.Draw(rt, "ry"), number.Draw(rt, "rz"))
		other := entity(t, s.Must(t, p, "prefab.instantiate", `{"name":"thing",`+to+`}`))
		s.World.View(func(v *world.View) {
			to, _ := v.Transform(other)
			same(rt, v, to, root, other)
		})
	})
}

// same checks that b is what a would be if it were put where t says.
func same(rt *rapid.T, v *world.View, t world.Transform, a, b world.ID) {
	of, to := v.Children(a), v.Children(b)
	if len(of) != len(to) {
		rt.Fatalf("%s carries %d, %s carries %d", a, len(of), b, len(to))
	}
	for i := range of {
		from, _ := v.WorldTransform(of[i])
		got, _ := v.WorldTransform(to[i])
		want := t.Apply(from)
		for k := range 3 {
			if math.Abs(want.Position[k]-got.Position[k]) > 1e-6 || math.Abs(want.Scale[k]-got.Scale[k]) > 1e-6 {
				rt.Fatalf("%s is at %v, want %v as %s is at %v", to[i], got, want, of[i], from)
			}
		}
		same(rt, v, t, of[i], to[i])
	}
}

func entity(t testing.TB, text string) world.ID {
	t.Helper()
	var out struct{ Entity world.ID }
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.Entity
}

// TestCopies makes a prefab of random entities: an instance where they were has all that they have.
func TestCopies(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, builders)
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		n := rapid.IntRange(1, 6).Draw(rt, "n")
		number := rapid.IntRange(-9, 9)
		for i := range n {
			s.Must(t, p, "scene.createEntity", fmt.Sprintf(`{"position":[%d,%d,0],"material":"brick","static":true}`, number.Draw(rt, "x"), number.Draw(rt, "y")))
			s.Must(t, p, "ecs.addComponent", fmt.Sprintf(`{"entity":"ent_%d","component":"tag%d"}`, i, i))
		}
		s.Must(t, p, "scene.group", `{"entities":["ent_0"],"name":"group"}`)
		from := []string{fmt.Sprintf(`"ent_%d"`, n)} // the group
		for i := 1; i < n; i++ {
			from = append(from, fmt.Sprintf(`"ent_%d"`, i))
		}
		s.Must(t, p, "prefab.define", `{"name":"copy","origin":[1,2,3],"from":[`+strings.Join(from, ",")+`]}`)
		out := s.Must(t, p, "prefab.instantiate", `{"name":"copy","position":[1,2,3]}`)
		var made struct{ Copies []world.ID }
		if err := json.Unmarshal([]byte(out), &made); err != nil {
			rt.Fatal(err)
		}
		want := fmt.Sprintf(`{"entity":"ent_%d","entities":%d,"results":[]`, n+1, n+1)
		if !strings.HasPrefix(out, want) || len(made.Copies) != len(from) {
			rt.Fatalf("got %s, want %s and %d copies", out, want, len(from))
		}
		s.World.View(func(v *world.View) {
			at := 0
			for _, id := range from {
				old, _ := world.ParseID(strings.Trim(id, `"`))
				copied := made.Copies[at]
				at++
				was, is := v.AppendRecords(nil, old), v.AppendRecords(nil, copied)
				a, _ := json.Marshal(was)
				b, _ := json.Marshal(is)
				if string(a) != string(b) {
					rt.Fatalf("the copy of %s is\n%s\nwant\n%s", old, b, a)
				}
			}
		})
	})
}
