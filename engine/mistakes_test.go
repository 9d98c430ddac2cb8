package engine_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/engine"
)

// mistake is a call as a model may make it, what it reads then, and the call that it makes next.
type mistake struct {
	tool, input string
	want        string // what stands in the first line of the refusal
	then        string // the input that the refusal leads to
}

// TestAModelCorrectsItself makes calls that models get wrong and holds that the answer names the field and what is
// allowed, that the world stays as it was, and that the next call, which does what the answer says, is taken.
func TestAModelCorrectsItself(t *testing.T) {
	synctest.Test(t, correctsItself) // where no call takes too long, however busy the machine is
}

func correctsItself(t *testing.T) {
	t.Helper()
	e, err := engine.New(engine.Config{Rigid: true})
	if err != nil {
		t.Fatal(err)
	}
	c := official(t, e, "2025-11-25", nil)
	call := func(tool, input string) (text string, failed bool) {
		t.Helper()
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(input)})
		if err != nil {
			t.Fatalf("%s %s: %v", tool, input, err)
		}
		return r.Content[0].(*sdk.TextContent).Text, r.IsError
	}
	for _, setUp := range []string{
		`{"operations":[{"skill":"scene.createEntity"},{"skill":"scene.createEntity","input":{"position":[0,-0.5,0],"static":true,"size":9}}]}`,
		`{"operations":[{"skill":"world.generateRegion","input":{"seed":1,"bounds":{"minTx":5,"minTz":5,"maxTx":5,"maxTz":5}}}]}`,
	} {
		if text, failed := call("world_batch", setUp); failed {
			t.Fatal(text)
		}
	}
	for _, m := range []mistake{
		{ // an id as a number
			"scene_destroyEntity", `{"entity":0}`,
			`entity: must be an entity id such as "ent_7", got 0`,
			`{"entity":"ent_0"}`,
		},
		{ // a name
			"three_setMaterial", `{"entity":"house","color":255}`,
			`entity: "house" is not an entity id; ids look like "ent_0", "ent_17"; scene_queryEntities finds ids by names`,
			`{"entity":"ent_1","color":255}`,
		},
		{
			"scene_createEntity", `{"emissive":255}`,
			`three.setMaterial`,
			`{}`,
		},
		{
			"scene_render", `{"fit":"ent_1"}`,
			`fit: must be an array of at most 100 items, each an entity id such as "ent_7", got the string "ent_1"`,
			`{"fit":["ent_1"]}`,
		},
		{ // objects whose fields are nowhere else said
			"world_generateRegion", `{"seed":1}`,
			`bounds: is required: an object with minTx, minTz, maxTx, maxTz`,
			`{"seed":1,"bounds":{"minTx":1,"minTz":1,"maxTx":1,"maxTz":1}}`,
		},
		{
			"asset_scatter", `{"regionId":"ent_2","config":{"seed":1,"assets":["pine"]}}`,
			`config.assets[0]: must be an object with id (optional: weight), got the string "pine"`,
			`{"regionId":"ent_2","config":{"seed":1,"assets":[{"id":"pine"}]}}`,
		},
		{
			"scene_validate", `{"bounds":[[0,0,0],[9,9,9]]}`,
			`bounds: must be an object with min and max, each [x, y, z], or with center and size, or with minX, minZ, maxX, maxZ`,
			`{"bounds":{"min":[0,0,0],"max":[9,9,9]}}`,
		},
		{ // colours
			"scene_createEntity", `{"color":{"r":255,"g":136,"b":0}}`,
			`color: must be an integer from 0 to 16777215, got an object: as an integer that is 16746496`,
			`{"color":16746496}`,
		},
		{
			"ui_label", `{"text":"a","anchor":{"kind":"screen"},"style":{"text":{"color":"red"}}}`,
			`style.text.color: must be an integer from 0 to 16777215 or an object {r, g, b, a}, got the string "red": as an integer that is 16711680`,
			`{"text":"a","anchor":{"kind":"screen"},"style":{"text":{"color":16711680}}}`,
		},
		{ // a letter is no misspelt other one
			"terrain_sampleHeight", `{"seed":1,"x":1,"y":2}`,
			`y: unknown field, did you mean "z"? allowed: seed, x, z, lod, type, hints, regionId; z: is required: a number at least -96000 and at most 96000`,
			`{"seed":1,"x":1,"z":2}`,
		},
		{
			"scene_place", `{"entity":"ent_1","relation":"alignedWith","point":[0,0,0],"axes":"zx"}`,
			`axes: must be one of "x", "y", "z", "xy", "xz", "yz", "xyz", got "zx" (did you mean "xz"?)`,
			`{"entity":"ent_1","relation":"alignedWith","point":[0,0,0],"axes":"xz"}`,
		},
		{ // the field by its own name
			"ecs_updateComponent", `{"entity":"ent_1","component":"rotation","value":[0,0,0,0]}`,
			`value: must not be all zeros; no rotation is [0, 0, 0, 1]`,
			`{"entity":"ent_1","component":"rotation","value":[0,0,0,1]}`,
		},
		{
			"world_changes", `{"since":1000}`,
			`since: revision 1000 is yet to come: the newest is`,
			`{"since":1}`,
		},
		{
			"world_diff", `{"since":1000}`,
			`since: revision 1000 is yet to come: the newest is`,
			`{"since":1}`,
		},
		{
			"world_claim", `{"min":[5,0,0],"max":[0,5,5]}`,
			`max[0]: must be from 5, which is min[0], to 205, got 0`,
			`{"min":[5,0,0],"max":[9,5,5]}`,
		},
		{ // how an element is written
			"world_batch", `{"operations":[{"skill":"architecture.building","as":"h"},{"skill":"ecs.addComponent","input":{"entity":"$h.entities[0]","component":"house"}}]}`,
			`; an element is written "$h.entities.0"`,
			`{"operations":[{"skill":"architecture.building","as":"h"},{"skill":"ecs.addComponent","input":{"entity":"$h.entities.0","component":"house"}}]}`,
		},
		{ // a prefab's own names, inside a batch, are its own
			"world_batch", `{"operations":[{"skill":"prefab.define","input":{"name":"stall","operations":[{"skill":"scene.createEntity","as":"roof"},{"skill":"three.setTransform","input":{"entity":"$rof.entity","scale":[2,0.1,2]}}]}}]}`,
			`operations[0], prefab.define: "$rof.entity": nothing before it in the batch has that name, nor has anything that prefab.define is given: that is roof, self.`,
			`{"operations":[{"skill":"prefab.define","input":{"name":"stall","operations":[{"skill":"scene.createEntity","as":"roof"},{"skill":"three.setTransform","input":{"entity":"$roof.entity","scale":[2,0.1,2]}}]}},{"skill":"prefab.instantiate","input":{"name":"stall"}}]}`,
		},
		{ // what is wrong in a prefab is said when it is defined
			"world_batch", `{"operations":[{"skill":"prefab.define","input":{"name":"creep","operations":[{"skill":"ecs.addComponent","input":{"entity":"$self.entity","component":"tag","value":"creep"}}]}}]}`,
			`operations[0], prefab.define: operations[0].input.value: unknown field, allowed: entity, component`,
			`{"operations":[{"skill":"prefab.define","input":{"name":"creep","operations":[{"skill":"ecs.addComponent","input":{"entity":"$self.entity","component":"creep"}}]}}]}`,
		},
		{ // what belongs one level higher
			"scene_createEntity", `{"input":{"size":2,"colour":1}}`,
			`input: unknown field, write size in its place, not in it: allowed: shape, collider, size, material,`,
			`{"size":2}`,
		},
		{
			"three_setTransform", `{"entity":"ent_1","transform":{"position":[0,1,0],"scale":[1,1,1]}}`,
			`transform: unknown field, write position, scale in its place, not in it: allowed: entity, position, rotationEuler, scale`,
			`{"entity":"ent_1","position":[0,1,0],"scale":[1,1,1]}`,
		},
		{
			"world_batch", `{"input":{"operations":[{"skill":"scene.createEntity"}]}}`,
			`input: unknown field, write operations in its place, not in it: allowed: operations, mode, dryRun, list, ifRevision; operations: is required`,
			`{"operations":[{"skill":"scene.createEntity"}]}`,
		},
		{ // what another skill sets
			"player_spawn", `{"position":[0,1,0],"rotation":[0,90,0],"scale":[4,1,1]}`,
			`rotation: unknown field, three.setTransform sets that as rotationEuler: allowed: position, halfHeight, radius, walkSpeed, runSpeed, gravity, jumpSpeed, crouchSpeedScale, anew, stay, meta; ` +
				`scale: unknown field, three.setTransform sets that`,
			`{"position":[0,1,0]}`,
		},
		{
			"world_addWater", `{"level":1,"scale":2}`,
			`scale: unknown field, three.setTransform sets that, or did you mean "size"? allowed: `,
			`{"level":1,"size":2}`,
		},
		{ // what it sets itself, by another name or in another form
			"scene_createEntity", `{"rotation":[0,1,0],"dimensions":[4,1,4]}`,
			`rotation: unknown field, did you mean "rotationEuler"? allowed: shape, collider, size, material, pbr, color, position, dynamic, static, mass, density, friction, restitution, name, tags, rotationEuler, scale; dimensions: unknown field, did you mean "scale"?`,
			`{"rotationEuler":[0,1,0],"scale":[4,1,4]}`,
		},
		{
			"scene_createEntity", `{"scale":2}`,
			`scale: must be an array of 3 items, each a number, got 2`,
			`{"scale":[2,2,2]}`,
		},
		{
			"world_batch", `{"operations":[{"skill":"scene.createEntity","input":{"name":"hut","tags":["roof"],"parent":"ent_1","light":true}}]}`,
			`operations[0], scene.createEntity: ` +
				`parent: unknown field, scene.group sets that: allowed: shape, collider, size, material, pbr, color, position, dynamic, static, mass, density, friction, restitution, name, tags, rotationEuler, scale; ` +
				`light: unknown field, three.setLight sets that`,
			`{"operations":[{"skill":"scene.createEntity","input":{"name":"hut"},"as":"a"},{"skill":"ecs.addComponent","input":{"entity":"$a.entity","component":"roof"}}]}`,
		},
		{ // of later operations, too
			"world_batch", `{"operations":[{"skill":"scene.createEntity","input":{"size":0}},{"skill":"scene.createEntity","input":{"rotation":[0,90,0]}}]}`,
			`. Nothing of the batch remains. Of those after it are wrong, too: operations[1], scene.createEntity: rotation: unknown field, did you mean "rotationEuler"? allowed: `,
			`{"operations":[{"skill":"scene.createEntity","input":{"rotationEuler":[0,1.57,0]}}]}`,
		},
		{ // the same in many of them
			"world_batch", `{"operations":[{"skill":"scene.createEntity","input":{"color":"#2E8B57"}}` + strings.Repeat(`,{"skill":"scene.createEntity","input":{"color":"#2E8B57"}}`, 82) + `]}`,
			`got the string "#2E8B57": as an integer that is 3050327. Nothing of the batch remains. Of those after it are wrong, too: operations[1] to [82], scene.createEntity: the same`,
			`{"operations":[{"skill":"scene.createEntity","input":{"color":3050327}}]}`,
		},
		{ // fields of an object that takes any, by what is said of it
			"skills_call", `{"name":"behavior.setGoal","input":{"entity":"ent_1","type":"patrol","waypoints":[[0,0,0],[5,0,0]],"wait":2}}`,
			`waypoints: unknown field, put it into config: allowed: entity, type, target, position, priority, config, meta; wait: unknown field, put it into config`,
			`{"name":"behavior.setGoal","input":{"entity":"ent_1","type":"patrol","config":{"waypoints":[[0,0,0],[5,0,0]],"wait":2}}}`,
		},
		{
			"skills_call", `{"name":"interaction.register","input":{"entity":"ent_1","prompt":"Take it","type":"use","itemId":"key"}}`,
			`itemId: unknown field, put it into config: allowed: `,
			`{"name":"interaction.register","input":{"entity":"ent_1","prompt":"Take it","type":"use","config":{"itemId":"key"}}}`,
		},
		{ // of an action, also where another name of a field would be taken for it
			"skills_call", `{"name":"event.listen","input":{"eventName":"a","action":{"type":"setState","target":"ent_1","position":[0,2,0]}}}`,
			`action.position: unknown field, put it into data: allowed: type, target, data, if`,
			`{"name":"event.listen","input":{"eventName":"a","action":{"type":"setState","target":"ent_1","data":{"position":[0,2,0]}}}}`,
		},
		{ // an object that belongs into a field, and has a member that goes by the name of another
			"skills_call", `{"name":"event.listen","input":{"eventName":"a","action":{"type":"setState","data":{"counter":{"name":"score","action":"increment"}}}}}`,
			`action.data.counter: unknown field, put it into game: allowed: `,
			`{"name":"event.listen","input":{"eventName":"a","action":{"type":"setState","data":{"game":{"counter":{"name":"score","action":"increment"}}}}}}`,
		},
		{ // what is missing, rather than what only begins alike
			"skills_call", `{"name":"world.setTime","input":{"hour":22}}`,
			`hour: unknown field, did you mean "time"? allowed: time, transitionMs, hoursPerMinute, meta; time: is required: a number at least 0 and at most 24`,
			`{"name":"world.setTime","input":{"time":22}}`,
		},
		{ // another skill does that, of those with a word in common
			"skills_call", `{"name":"player.move","input":{"entity":"ent_1","position":[0,0,3]}}`,
			`position: unknown field, navmesh.moveTo sets that as target: allowed: entity, forward, strafe, yaw, run, jump, seconds, meta`,
			`{"name":"world.undo","input":{}}`,
		},
		{ // a word that is another's end
			"skills_call", `{"name":"game.timer","input":{"name":"run","action":"start","direction":"up"}}`,
			`direction: must be one of "countdown", "countup", got "up" (did you mean "countup"?)`,
			`{"name":"game.timer","input":{"name":"run","action":"start","direction":"countup"}}`,
		},
		{ // where something is, said once
			"skills_call", `{"name":"ui.textBox","input":{"position":[0,3,-4.8],"text":"Q"}}`,
			`position: unknown field, did you mean "anchor"? allowed: anchor, style, text, title, lines, maxWidth, width, maxLines, pixelScale, tail, leader, lifecycle; ` +
				`anchor: is required: an object with kind "world" or "screen", such as {"kind":"world","point":[0,2,0]}`,
			`{"name":"ui.textBox","input":{"anchor":{"kind":"world","point":[0,3,-4.8]},"text":"Q"}}`,
		},
		{ // and which kind of place it is
			"skills_call", `{"name":"ui.textBox","input":{"anchor":{"position":[0,3,-4.8]},"text":"Q"}}`,
			`anchor.kind: must be one of "world", "screen"; it decides which other fields there are: with position it is "world"; anchor.position: unknown field, did you mean "point"? allowed: `,
			`{"name":"ui.textBox","input":{"anchor":{"kind":"world","point":[0,3,-4.8]},"text":"Q"}}`,
		},
		{
			"skills_call", `{"name":"ui.label","input":{"anchor":{"corner":"top-left"},"text":"Q"}}`,
			`anchor.kind: must be one of "world", "screen"; it decides which other fields there are: with corner it is "screen"`,
			`{"name":"ui.label","input":{"anchor":{"kind":"screen","corner":"top-left"},"text":"Q"}}`,
		},
		{ // but not where the key is only another word for it, and one for a field of the skill's own
			"scene_createEntity", `{"type":"cube"}`,
			`type: unknown field, did you mean "shape"? allowed: shape, collider, size, material, pbr, color, position, dynamic, static, mass, density, friction, restitution, name, tags, rotationEuler, scale; type: must be one of "box", "sphere", "cylinder", "cone", "wedge", "figure", got "cube" (did you mean "box"?)`,
			`{"shape":"box"}`,
		},
		{ // or where the skill has it itself, or it is what is missing
			"player_spawn", `{"at":[0,1,20],"name":"bob"}`,
			`at: unknown field, did you mean "position"? allowed: position, halfHeight, radius, walkSpeed, runSpeed, gravity, jumpSpeed, crouchSpeedScale, anew, stay, meta; ` +
				`name: unknown field, scene.setName sets that`,
			`{"position":[0,1,20]}`,
		},
		{
			"skills_call", `{"name":"prefab.instantiate","input":{"name":"hut","rotation":[0,1,0]}}`,
			`invalid_input: rotation: unknown field, did you mean "rotationEuler"? allowed: `,
			`{"name":"world.undo","input":{}}`,
		},
		{ // what others call it
			"skills_call", `{"name":"spatial.measure","input":{"from":"ent_0","to":"ent_1"}}`,
			`from: unknown field, did you mean "fromEntity"? allowed: fromEntity, fromPoint, toEntity, toPoint; to: unknown field, did you mean "toEntity"?`,
			`{"name":"spatial.measure","input":{"fromEntity":"ent_1","toPoint":[0,0,0]}}`,
		},
		{
			"skills_call", `{"name":"spatial.measure","input":{"fromEntity":"ent_1","to":[0,0,0]}}`,
			`to: unknown field, did you mean "toPoint"? `,
			`{"name":"spatial.measure","input":{"fromEntity":"ent_1","toPoint":[0,0,0]}}`,
		},
		{
			"scene_render", `{"eye":[5,5,5],"lookAt":[0,0,0]}`,
			`eye: unknown field, put it into camera as position, an object with position, target (optional: fov): allowed: view, camera, cameraOf, fit, reveal, cut, style, shadows, grid, labels, panels, highlight, width, height, format, maxEntities; ` +
				`lookAt: unknown field, put it into camera as target, an object with position, target (optional: fov)`,
			`{"camera":{"position":[5,5,5],"target":[0,0,0]}}`,
		},
		{ // what another domain has
			"skills_call", `{"name":"animation.queryEntities"}`,
			`not_found: unknown skill: animation.queryEntities. Nearest: scene.queryEntities`,
			`{"name":"scene.queryEntities"}`,
		},
		{ // the words of a name in another order
			"skills_call", `{"name":"entity.create"}`,
			`not_found: unknown skill: entity.create. Nearest: scene.createEntity`,
			`{"name":"scene.createEntity"}`,
		},
	} {
		before := e.World.Tick()
		text, failed := call(m.tool, m.input)
		if first, _, _ := strings.Cut(text, "\n"); !failed || !strings.Contains(first, m.want) {
			t.Errorf("%s %s\n got  %s\n want %s", m.tool, m.input, first, m.want)
		}
		if after := e.World.Tick(); after != before {
			t.Errorf("%s %s: refused, and yet commit %d", m.tool, m.input, after)
		}
		if text, failed := call(m.tool, m.then); failed {
			t.Errorf("%s %s, which %q leads to: %s", m.tool, m.then, m.want, text)
		}
	}
}

// The refusal of a tool that there is not suggests what does what its name says, or says where to search.
func TestToolsThatThereAreNot(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	send := linked(t, e)
	<-send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bob","version":"1"}}}`)
	for name, want := range map[string]string{
		"add_object":      "unknown tool: add_object. Nearest: scene_createEntity, ecs_addComponent, physics_addJoint. skills_search finds tools by words.",
		"set_color":       "unknown tool: set_color. Nearest: three_setMaterial, ",
		"take_screenshot": "unknown tool: take_screenshot. Nearest: scene_render, ",
		"execute_code":    "unknown tool: execute_code. skills_search finds tools by words.\"",
	} {
		answer := <-send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + name + `","arguments":{}}}`)
		if !strings.Contains(answer, want) {
			t.Errorf("%s: got %s, want %s", name, answer, want)
		}
		// The same name inside another call is refused in the same way.
		answer = <-send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"skills_call","arguments":{"name":"` + name + `"}}}`)
		if n := strings.Count(answer, "by words"); n != 1 || !strings.Contains(answer, "not_found: unknown skill: "+name+". ") {
			t.Errorf("%s by skills_call: got %s", name, answer)
		}
	}
}

// What is wrong with the input of a skill that skills_call calls is not taken for its own, which has a field input.
func TestWhoseInput(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c := official(t, e, "2025-11-25", nil)
	for _, tt := range []struct{ tool, input, want string }{
		{
			"skills_call", `{"name":"scene.createEntity","input":{"input":{"size":2}}}`,
			"invalid_input: input: unknown field, write size in its place, not in it: allowed: shape, collider, size, material, pbr, color, position, dynamic, static, mass, density, friction, restitution, name, tags, rotationEuler, scale\n" +
				`Nothing was changed. Correct the input of scene.createEntity and call skills_call again. skills_describe {"name":"scene.createEntity"} shows the schema of scene.createEntity.`,
		},
		{
			"skills_call", `{"input":{"input":{"size":2}}}`,
			"invalid_input: name: is required: a string\n" +
				`Nothing was changed. Correct the input and call skills_call again. skills_describe {"name":"skills.call"} shows the schema of skills.call.`,
		},
	} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: json.RawMessage(tt.input)})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Content[0].(*sdk.TextContent).Text; got != tt.want {
			t.Errorf("%s %s\n got  %s\n want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}

// A call whose arguments stand under another name is not made without them.
func TestArgumentsUnderAnotherName(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	send := linked(t, e)
	for _, hello := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bob","version":"1"}}}`,
	} {
		<-send(hello)
		for _, name := range []string{"input", "args", "params", "parameters"} {
			answer := <-send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scene_createEntity","` + name + `":{"size":2}}}`)
			if want := name + ": unknown member of params: what a tool takes goes into arguments"; !strings.Contains(answer, want) || !strings.Contains(answer, "-32602") {
				t.Errorf("got %s, want %s", answer, want)
			}
		}
	}
	if n := e.World.Tick(); n != 0 {
		t.Errorf("calls that were refused made %d commits", n)
	}
}

// A character that stands on a floor, which is a finger's breadth above it, does not hang in the air.
func TestWhoStandsDoesNotFloat(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	c := official(t, e, "2025-11-25", nil)
	call := func(tool, input string) string {
		t.Helper()
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(input)})
		if err != nil || r.IsError {
			t.Fatalf("%s %s: %v %v", tool, input, r, err)
		}
		return r.Content[0].(*sdk.TextContent).Text
	}
	call("scene_createEntity", `{"size":4,"position":[0,-2,0],"static":true}`)
	call("player_spawn", `{"position":[0,1,0]}`)
	const steps = 120 // two seconds
	for range steps {
		e.World.Step(t.Context())
	}
	if got := call("player_move", `{"entity":"ent_1"}`); !strings.Contains(got, `"grounded":true`) {
		t.Fatalf("it does not stand: %s", got)
	}
	if got := call("scene_validate", `{"checks":["floating"]}`); !strings.Contains(got, `"ok":true`) {
		t.Errorf("validate: %s", got)
	}
	call("scene_createEntity", `{"position":[5,3,0]}`)
	if got := call("scene_validate", `{"checks":["floating"]}`); !strings.Contains(got, "ent_2 hangs in the air") {
		t.Errorf("validate, with a box that hangs: %s", got)
	}
}
