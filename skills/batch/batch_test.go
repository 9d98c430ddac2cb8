package batch_test

import (
	"fmt"
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
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func builders(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), ecs.All(w), batch.All(w), history.All(w), claims.All(w),
		checkpoint.All(checkpoint.New(w)), catalogue.All(), layout.All(w, solid.NewLooks(w)))
}

const two = `{"skill":"scene.createEntity","input":{"position":[1,0,0]},"as":"a"},{"skill":"three.setTransform","input":{"entity":"$a.entity","position":[2,0,0]}}`

func one(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{}`)
}

func TestBatch(t *testing.T) {
	var sizes, later []string
	for i := 1; i <= 6; i++ {
		sizes = append(sizes, fmt.Sprintf(`,{"skill":"scene.createEntity","input":{"size":%d}}`, -i))
		later = append(later, fmt.Sprintf("operations[%d], scene.createEntity: size: must be greater than 0 and at most 50, got %d", i, -i))
	}
	skilltest.Run(t, builders, "world.batch", []skilltest.Case{
		{
			Name: "names", Input: `{"operations":[` + two + `]}`,
			Want: `{"revision":1,"applied":2,"failed":0,"results":[{"skill":"scene.createEntity","as":"a","result":{"entity":"ent_0"}},{"skill":"three.setTransform","result":{"ok":true}}]}`,
		},
		{
			Name: "atomic", Input: `{"operations":[` + two + `,{"skill":"three.setTransform","input":{"entity":"ent_9","position":[2,0,0]},"as":"b"}]}`,
			Err: `operations[2], three.setTransform as "b": unknown entity ent_9; the nearest are ent_0. Nothing of the batch remains: the 2 before it are undone`,
		},
		{
			Name: "unknown name", Input: `{"operations":[` + two + `,{"skill":"three.setTransform","input":{"entity":"$wall.entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[2], three.setTransform: "$wall.entity": nothing before it is named "wall"; named are a. A text that begins with a dollar sign is written with two. Nothing of the batch remains: the 2 before it are undone`,
		},
		{
			Name: "names of others", Input: `{"ops":[{"tool":"scene.createEntity","arguments":{},"size":2}]}`, Code: registry.CodeInvalidInput,
			Err: `ops: unknown field, did you mean "operations"? allowed: operations, mode, dryRun, list, ifRevision; ` +
				`ops[0].tool: unknown field, did you mean "skill"? allowed: skill, input, as; ` +
				`ops[0].size: unknown field, put it into input; ops[0].skill: is required: a string of from 1 to 64 characters; ` +
				`operations: is required: an array of from 1 to 500 items, each an object with skill (optional: input, as)`,
		},
		{
			Name: "counted", Input: `{"operations":[` + two + `,{"skill":"three.setTransform","input":{"entity":"$0.entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[2], three.setTransform: "$0.entity": results are named, not counted, and stand without braces: give the operation "as":"a" and write "$a.entity" for the field entity of its result; named are a. A text that begins with a dollar sign is written with two. Nothing of the batch remains: the 2 before it are undone`,
		},
		{
			Name: "in braces", Input: `{"operations":[{"skill":"scene.createEntity"},{"skill":"three.setTransform","input":{"entity":"${a.entity}"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], three.setTransform: "${a.entity}": results are named, not counted, and stand without braces: give the operation "as":"a" and write "$a.entity" for the field entity of its result; none before it has a name, which as gives. A text that begins with a dollar sign is written with two. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "in two braces", Input: `{"operations":[{"skill":"three.setTransform","input":{"entity":"{{a.entity}}"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[0], three.setTransform: entity: "{{a.entity}}" is not an entity id; ids look like "ent_0", "ent_17". A field of the result of the operation with "as":"a" is written "$a.entity", without braces. Nothing of the batch remains`,
		},
		{
			Name: "what is answered with no", Input: `{"operations":[{"skill":"scene.createEntity"},{"skill":"ecs.removeComponent","input":{"entity":"ent_0","component":"b"}},{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"said \"ok\":false"}}]}`,
			Want: `{"revision":1,"applied":3,"failed":0,"declined":[1],"results":[{"skill":"scene.createEntity","result":{"entity":"ent_0"}},{"skill":"ecs.removeComponent","result":{"ok":false}},{"skill":"ecs.addComponent","result":{"ok":true}}]}`,
		},
		{
			Name: "name for skill, as skills.call has it", Input: `{"operations":[{"name":"scene.createEntity","as":"a"},{"input":{"entity":"$a.entity","position":[2,0,0]},"name":"three_setTransform"}]}`,
			Want: `{"revision":1,"applied":2,"failed":0,"results":[{"skill":"scene.createEntity","as":"a","result":{"entity":"ent_0"}},{"skill":"three_setTransform","result":{"ok":true}}]}`,
		},
		{
			Name: "a price", Input: `{"operations":[{"skill":"scene.createEntity"},{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"$5.00"}}]}`,
			Want: `{"revision":1,"applied":2,"failed":0,"results":[{"skill":"scene.createEntity","result":{"entity":"ent_0"}},{"skill":"ecs.addComponent","result":{"ok":true}}]}`,
		},
		{
			Name: "unknown field", Input: `{"operations":[` + two + `,{"skill":"three.setTransform","input":{"entity":"$a.id"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[2], three.setTransform: "$a.id": there is no "id" in the result of "a"; it has entity. Nothing of the batch remains: the 2 before it are undone`,
		},
		{
			Name: "no field", Input: `{"operations":[` + two + `,{"skill":"three.setTransform","input":{"entity":"$a"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[2], three.setTransform: entity: must be an entity id such as "ent_7", got an object. "$a" is the whole result of "a"; it has entity: write "$a.entity". Nothing of the batch remains: the 2 before it are undone`,
		},
		{
			Name: "several mistakes", Input: `{"operations":[{"skill":"scene.createEntity","input":{"color":"#ff8800"}},` + two +
				`,{"skill":"three.setTransform","input":{"entity":"$a.entity","rotation":[0,1,0]}}` +
				strings.Repeat(`,{"skill":"scene.createEntity","input":{"size":"$a.size"}},{"skill":"scene.createEntity","input":{"size":0}}`, 6) + `]}`,
			Code: registry.CodeInvalidInput,
			Err: `operations[0], scene.createEntity: color: must be an integer from 0 to 16777215, got the string "#ff8800": as an integer that is 16746496. Nothing of the batch remains. ` +
				`Of those after it are wrong, too: operations[3], three.setTransform: rotation: unknown field, did you mean "rotationEuler"? allowed: entity, position, rotationEuler, scale; ` +
				`operations[5], [7], [9], [11], [13], [15], scene.createEntity: size: must be greater than 0 and at most 50, got 0`,
		},
		{
			Name: "batch in a batch", Input: `{"operations":[{"skill":"world_batch","input":{}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[0].skill: a batch cannot be an operation: put its operations here`,
		},
		{
			Name: "best effort", Input: `{"mode":"bestEffort","operations":[{"skill":"three.setTransform","input":{"entity":"ent_7","position":[2,0,0]},"as":"b"},{"skill":"world.claims"},{"skill":"scene.createEntity","input":{"size":0}},` + two + `]}`,
			Want: `{"revision":1,"applied":3,"failed":2,"results":[{"skill":"three.setTransform","as":"b","error":{"code":"handler_error","message":"unknown entity ent_7; the world has none"}},` +
				`{"skill":"world.claims","result":{"claims":[]}},{"skill":"scene.createEntity","error":{"code":"invalid_input","message":"size: must be greater than 0 and at most 50, got 0"}},` +
				`{"skill":"scene.createEntity","as":"a","result":{"entity":"ent_0"}},{"skill":"three.setTransform","result":{"ok":true}}]}`,
		},
		{
			Name: "nothing changes", Setup: one, Input: `{"operations":[{"skill":"world.claims"}]}`,
			Want: `{"revision":1,"applied":1,"failed":0,"results":[{"skill":"world.claims","result":{"claims":[]}}]}`,
		},
		{
			Name: "the revision of a dry run is the world's", Setup: one, Input: `{"dryRun":true,"operations":[{"skill":"scene.destroyEntity","input":{"entity":"ent_0"}}]}`,
			Want: `{"revision":1,"applied":1,"failed":0,"results":[{"skill":"scene.destroyEntity","result":{"removed":true}}],"dryRun":true,"changes":{"created":0,"changed":0,"destroyed":1,` +
				`"entities":[{"entity":"ent_0","change":"destroyed","before":{"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215}}}],"world":[],"more":0}}`,
		},
		{
			Name: "a dry run that fails", Setup: one, Input: `{"dryRun":true,"operations":[` + two + `,{"skill":"ecs.addComponent","input":{"entity":"ent_9","component":"x"}}]}`,
			Err: `operations[2], ecs.addComponent: unknown entity ent_9; the nearest are ent_0, ent_1. Nothing of the batch remains: the 2 before it are undone`,
		},
		{
			Name: "no name", Input: `{"operations":[` + two + `,{"skill":"world.claims","as":"a.b"}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[2].as: want a letter, then letters, digits or _, got "a.b"`,
		},
		{
			Name: "a name twice", Input: `{"operations":[` + two + `,{"skill":"world.claims","as":"a"}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[2].as: "a" is the name of an earlier operation`,
		},
		{
			Name: "in longer texts", Setup: one,
			Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},` +
				`{"skill":"scene.setName","input":{"entity":"ent_0","name":"<$all.entities.0.entity.on> \"$all.entities.0.position.1\", $5, $all, $who and $$all.entities"}},` +
				`{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"$all.entities.0.entity: at"}}],"list":0}`,
			Want: `{"revision":2,"applied":3,"failed":0,"results":[],"noted":[{"operation":0,"skill":"scene.queryEntities","as":"all","result":{"entities":[]},"more":{"entities":1}}],"more":2}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				if got := s.Entity(t, "ent_0"); !strings.Contains(got, `"name":"<ent_0.on> \"0\", $5, $all, $who and $all.entities"`) || !strings.Contains(got, `"tags":["ent_0: at"]`) {
					t.Error(got)
				}
			},
		},
		{
			Name: "in a longer text of nothing", Setup: one,
			Input: `{"operations":[{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"of $wall.entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[0], ecs.addComponent: "of $wall.entity": nothing before it is named "wall"; none before it has a name, which as gives. A dollar sign that stands for itself is written with two. Nothing of the batch remains`,
		},
		{
			Name: "in a longer text of a list, and of no field", Setup: one,
			Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"of $all.entities"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], ecs.addComponent: "of $all.entities": "$all.entities" is not one value, which could be written there: name a field of it, or an element, such as 0. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "in a longer text of no field", Setup: one,
			Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"of $all.count.x"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], ecs.addComponent: "of $all.count.x": there is no "count" in the result of "all"; it has entities. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "an element, a text in quotes, and what is worked out only in prefabs", Setup: one,
			Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},` +
				`{"skill":"ecs.addComponent","input":{"entity":"$all.entities.0.entity","component":"a \" \"$$all.count"}},{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"$(1+1)"}}]}`,
			Want: `{"revision":2,"applied":3,"failed":0,"results":[{"skill":"scene.queryEntities","as":"all","result":{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0}]}},` +
				`{"skill":"ecs.addComponent","result":{"ok":true}},{"skill":"ecs.addComponent","result":{"ok":true}}]}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				if got, want := s.Entity(t, "ent_0"), `"tags":["$(1+1)","a \" \"$all.count"]`; !strings.Contains(got, want) {
					t.Errorf("%s, want %s", got, want)
				}
			},
		},
		{
			Name: "every element", Setup: one,
			Input: `{"operations":[{"skill":"scene.array","input":{"entity":"ent_0","pattern":"line","count":3,"step":[2,0,0]},"as":"row"},{"skill":"scene.queryEntities","as":"all"},` +
				`{"skill":"scene.group","input":{"entities":["ent_0", "$row.entities.*"]},"as":"cars"},{"skill":"scene.group","input":{"entities":"$all.entities.*.entity"}},` +
				`{"skill":"scene.queryEntities","input":{"tag":"none"},"as":"no"},{"skill":"scene.group","input":{"entities":["$no.entities.*.entity", "$cars.group" ,"$no.entities.*.entity"]}}]}`,
			Want: `{"revision":2,"applied":6,"failed":0,"results":[{"skill":"scene.array","as":"row","result":{"entities":["ent_1","ent_2"],"count":2,"bounds":{"min":[-0.5,-0.5,-0.5],"max":[4.5,0.5,0.5]}}},` +
				`{"skill":"scene.queryEntities","as":"all","result":{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_1","position":[2,0,0],"distance":0},{"entity":"ent_2","position":[4,0,0],"distance":0}]}},` +
				`{"skill":"scene.group","as":"cars","result":{"group":"ent_3","entity":"ent_3","bounds":{"min":[-0.5,-0.5,-0.5],"max":[4.5,0.5,0.5]},"origin":[2,-0.5,0]}},{"skill":"scene.group","result":{"group":"ent_4","entity":"ent_4","bounds":{"min":[-0.5,-0.5,-0.5],"max":[4.5,0.5,0.5]},"origin":[2,-0.5,0]}},` +
				`{"skill":"scene.queryEntities","as":"no","result":{"entities":[]}},{"skill":"scene.group","result":{"group":"ent_5","entity":"ent_5","bounds":{"min":[-0.5,-0.5,-0.5],"max":[4.5,0.5,0.5]},"origin":[2,-0.5,0]}}]}`,
		},
		{
			Name: "a list in a list", Setup: one,
			Input: `{"operations":[{"skill":"scene.array","input":{"entity":"ent_0","pattern":"line","count":3,"step":[2,0,0]},"as":"row"},{"skill":"scene.group","input":{"entities":["ent_0","$row.entities"]}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.group: entities[1]: must be an entity id such as "ent_7", got an array. "$row.entities" is a list in a list: to have its elements there write "$row.entities.*". Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "a list for one", Setup: one,
			Input: `{"operations":[{"skill":"scene.array","input":{"entity":"ent_0","pattern":"line","count":3,"step":[2,0,0]},"as":"row"},{"skill":"scene.clone","input":{"entity":"$row.entities"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.clone: entity: must be an entity id such as "ent_7", got an array. "$row.entities" is a list: its first element is "$row.entities.0". Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "every element of none", Setup: one, Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"scene.group","input":{"entities":["$all.entities.0.*"]}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.group: "$all.entities.0.*": there is no "*" in the result of "all"; it has distance, entity, position. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "no such element", Setup: one, Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"scene.destroyEntity","input":{"entity":"$all.entities.1.entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.destroyEntity: "$all.entities.1.entity": there is no "1" in the result of "all"; it has the elements 0 to 0. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "no element before the first", Setup: one, Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"scene.destroyEntity","input":{"entity":"$all.entities.-1.entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.destroyEntity: "$all.entities.-1.entity": there is no "-1" in the result of "all"; it has the elements 0 to 0. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "an element as in JavaScript", Setup: one, Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"scene.destroyEntity","input":{"entity":"$all.entities[0].entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.destroyEntity: "$all.entities[0].entity": there is no "entities[0]" in the result of "all"; it has entities; an element is written "$all.entities.0.entity". Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "in what holds nothing", Setup: one, Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"scene.destroyEntity","input":{"entity":"$all.entities.0.entity.id"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.destroyEntity: "$all.entities.0.entity.id": there is no "id" in the result of "all"; it is "ent_0". Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "a name of all that it may have", Input: `{"operations":[{"skill":"scene.createEntity","as":"zA_09"},{"skill":"ecs.addComponent","input":{"entity":"$zA_09.entity","component":"x"}}]}`,
			Want: `{"revision":1,"applied":2,"failed":0,"results":[{"skill":"scene.createEntity","as":"zA_09","result":{"entity":"ent_0"}},{"skill":"ecs.addComponent","result":{"ok":true}}]}`,
		},
		{Name: "a digit first", Input: `{"operations":[{"skill":"world.claims","as":"1a"}]}`, Code: registry.CodeInvalidInput, Err: `operations[0].as: want a letter, then letters, digits or _, got "1a"`},
		{
			Name: "no elements", Input: `{"operations":[{"skill":"scene.queryEntities","as":"all"},{"skill":"scene.destroyEntity","input":{"entity":"$all.entities.0.entity"}}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[1], scene.destroyEntity: "$all.entities.0.entity": there is no "0" in the result of "all"; it is an empty list. Nothing of the batch remains: the one before it is undone`,
		},
		{
			Name: "the same mistake five times more", Input: `{"operations":[` + strings.TrimSuffix(strings.Repeat(`{"skill":"scene.createEntity","input":{"size":0}},`, 6), ",") + `]}`, Code: registry.CodeInvalidInput,
			Err: `operations[0], scene.createEntity: size: must be greater than 0 and at most 50, got 0. Nothing of the batch remains. Of those after it are wrong, too: operations[1] to [5], scene.createEntity: the same`,
		},
		{
			Name: "six more mistakes", Input: `{"operations":[{"skill":"scene.createEntity","input":{"size":0}}` + strings.Join(sizes, "") + `]}`, Code: registry.CodeInvalidInput,
			Err: `operations[0], scene.createEntity: size: must be greater than 0 and at most 50, got 0. Nothing of the batch remains. Of those after it are wrong, too: ` + strings.Join(later[:5], "; ") + `; and 1 more`,
		},
		{
			Name: "unknown skills and the same mistake here and there", Input: `{"operations":[{"skill":"light.create"},{"skill":"three.setLight","input":{"kind":"point"}},` + two + `,{"skill":"light.create"},` +
				`{"skill":"three.setLight","input":{"kind":"point"}},{"skill":"three.setLight","input":{"kind":"point"}}]}`, Code: registry.CodeNotFound,
			Err: `operations[0], light.create: unknown skill: light.create. Nearest: three.setLight, three.setLighting. Nothing of the batch remains. Of those after it are wrong, too: operations[4], light.create: the same; ` +
				`operations[1], [5] to [6], three.setLight: entity: is required: an entity id such as "ent_7"`,
		},
		{
			Name: "mistakes in what may not be called", As: "npc.agent", Input: `{"operations":[{"skill":"scene.queryEntities","input":{"colour":0}},{"skill":"scene.createEntity","input":{"size":0}},{"skill":"scene.nothing"}]}`, Code: registry.CodeInvalidInput,
			Err: `operations[0], scene.queryEntities: colour: unknown field, allowed: near, radius, tag, name, below, ids, entity, roots, details, limit, after. Nothing of the batch remains. ` +
				`Of those after it are wrong, too: operations[2], scene.nothing: unknown skill: scene.nothing. Nearest: world.batch`,
		},
		{
			Name: "no permission", As: "system.readonly", Input: `{"operations":[` + two + `]}`, Code: registry.CodeForbidden,
			Err: `operations[0], scene.createEntity as "a": missing permission: scene.write. Nothing of the batch remains`,
		},
	})
}

// TestRollbackAndUndo makes random batches of which some fail at a random place, and undoes the
// others: the first leave the world's hash as it was, the second give its content back.
func TestRollbackAndUndo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, builders)
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		s.Must(t, p, "scene.createEntity", `{}`)
		for range rapid.IntRange(1, 4).Draw(rt, "batches") {
			var ops []string
			for i := range rapid.IntRange(1, 8).Draw(rt, "ops") {
				op := rapid.SampledFrom([]string{
					`{"skill":"scene.createEntity","input":{"shape":"sphere"},"as":"n%d"}`,
					`{"skill":"three.setTransform","input":{"entity":"ent_0","position":[%d,1,0]}}`,
					`{"skill":"ecs.addComponent","input":{"entity":"ent_0","component":"tag%d"}}`,
					`{"skill":"three.setMaterial","input":{"entity":"ent_0","color":%d}}`,
					`{"skill":"scene.destroyEntity","input":{"entity":"ent_%d"}}`,
				}).Draw(rt, "op")
				ops = append(ops, fmt.Sprintf(op, i))
			}
			fails := rapid.Bool().Draw(rt, "fails")
			if fails {
				at := rapid.IntRange(0, len(ops)).Draw(rt, "at")
				ops = slices.Insert(ops, at, `{"skill":"three.setTransform","input":{"entity":"ent_999","position":[0,0,0]}}`)
			}
			input := `{"operations":[` + strings.Join(ops, ",") + `]}`
			hash, content := s.World.Hash(), s.Content()
			if out, err := s.Call(p, "world.batch", strings.Replace(input, `{"op`, `{"dryRun":true,"op`, 1)); s.World.Hash() != hash {
				rt.Fatalf("a dry run changed the world: %s, %v", out, err)
			}
			tick := s.World.Tick()
			if _, err := s.Call(p, "world.batch", input); err != nil {
				if s.World.Hash() != hash {
					rt.Fatalf("%s failed and changed the world: %v", input, err)
				}
				continue
			} else if fails {
				rt.Fatalf("%s did not fail", input)
			}
			if s.World.Tick() == tick {
				continue
			}
			after := s.Content()
			if _, err := s.Call(p, "world.undo", `{}`); err != nil || s.Content() != content {
				rt.Fatalf("undo of %s does not give back what was there: %v", input, err)
			}
			if _, err := s.Call(p, "world.redo", `{}`); err != nil || s.Content() != after {
				rt.Fatalf("redo of %s does not make it again: %v", input, err)
			}
		}
	})
}

// TestSideBySide has two agents meet: an undo, a write by revision and a write in a claimed region are
// refused with the other's name.
func TestSideBySide(t *testing.T) {
	s := skilltest.New(t, builders)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{}`)
	s.Must(t, bob, "three.setTransform", `{"entity":"ent_0","position":[5,0,0]}`)
	refused := func(err *registry.Error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	_, err := s.Call(ann, "world.undo", `{}`)
	refused(err, "bob changed ent_0 transform (three.setTransform, call 2, revision 2)")
	_, err = s.Call(ann, "skills.call", `{"name":"three.setTransform","input":{"entity":"ent_0","position":[6,0,0]},"ifRevision":1}`)
	refused(err, "since revision 1 bob changed ent_0 transform (three.setTransform, call 2, revision 2)")
	s.Must(t, ann, "skills.call", `{"name":"three.setTransform","input":{"entity":"ent_0","position":[6,0,0]},"ifRevision":2}`)
	s.Must(t, ann, "world.claim", `{"min":[0,-5,-5],"max":[10,5,5],"seconds":1}`)
	_, err = s.Call(bob, "scene.destroyEntity", `{"entity":"ent_0"}`)
	refused(err, "ann holds")
	_, err = s.Call(bob, "scene.createEntity", `{"position":[1,0,0]}`)
	refused(err, "ann holds")
	s.Steps(60)
	s.Must(t, bob, "scene.destroyEntity", `{"entity":"ent_0"}`)
	s.Must(t, bob, "world.undo", `{}`)
	s.Must(t, bob, "checkpoint.create", `{"name":"one"}`)
	kept := s.Content()
	s.Must(t, bob, "scene.destroyEntity", `{"entity":"ent_0"}`)
	s.Must(t, bob, "scene.createEntity", `{"position":[20,0,0]}`)
	s.Must(t, bob, "checkpoint.load", `{"name":"one"}`)
	if s.Content() != kept {
		t.Error("the checkpoint did not bring the world back")
	}
}
